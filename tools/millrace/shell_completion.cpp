// One part for each shell. None of them calls the tool while the user types.
#include "tools/millrace/shell_completion.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/millrace/option_shape.hpp"

namespace millrace::tool {

namespace {

// Each `special` character of the text behind `escape`.
std::string escape(const std::string& text, std::string_view special, std::string_view before) {
  std::string escaped;
  for (const char character : text) {
    if (special.find(character) != std::string_view::npos) escaped += before;
    escaped += character;
  }
  return escaped;
}

std::vector<std::string> names(const OptionShape& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.long_names) names.push_back("--" + name);
  for (const std::string& name : option.short_names) names.push_back("-" + name);
  return names;
}

std::string joined_names(const std::vector<OptionShape>& options) {
  std::vector<std::string> all;
  for (const OptionShape& option : options) {
    for (const std::string& name : names(option)) all.push_back(name);
  }
  return fmt::format("{}", fmt::join(all, " "));
}

// ---- bash

constexpr const char* kBashHead = R"(# Completes the words of {name} in bash.

# _{name}_words WORD...: those that begin with what is typed.
_{name}_words() {{ mapfile -t COMPREPLY < <(compgen -W "$*" -- "$word"); }}

# Names of files, left to readline, which knows about quotes and blanks in them.
_{name}_files() {{ compopt -o default; }}

_{name}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= index
  COMPREPLY=()
  # "--option=value" arrives as three words.
  if [[ $word == '=' ]]; then
    word=
  elif [[ $previous == '=' ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for ((index = 1; index < COMP_CWORD; ++index)); do
    if [[ ${{COMP_WORDS[index]}} != -* ]]; then
      command=${{COMP_WORDS[index]}}
      break
    fi
  done
  case $command in
    '')
      _{name}_words {first_words}
      ;;
)";

// What stands where `option`'s value is due.
std::string bash_value(const std::string& app, const OptionShape& option) {
  if (!option.choices.empty()) return fmt::format("_{}_words {}", app, fmt::join(option.choices, " "));
  if (option.takes_file) return fmt::format("_{}_files", app);
  return ":";
}

std::string bash_command(const std::string& app, const CLI::App& command) {
  const std::vector<OptionShape> options = find_options(command);
  std::string text = fmt::format("    {})\n      case $previous in\n", command.get_name());
  std::string positional;
  for (const OptionShape& option : options) {
    if (option.is_positional) {
      if (option.takes_file || !option.choices.empty()) positional = bash_value(app, option);
    } else if (!option.argument.empty()) {
      text += fmt::format("        {}) {} ;;\n", fmt::join(names(option), " | "), bash_value(app, option));
    }
  }
  const std::string option_words = fmt::format("_{}_words {}", app, joined_names(options));
  if (positional.empty()) {
    text += fmt::format("        *) {} ;;\n", option_words);
  } else {
    text += fmt::format("        *) if [[ $word == -* ]]; then {}; else {}; fi ;;\n", option_words, positional);
  }
  return text + "      esac\n      ;;\n";
}

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> first_words;
  for (const CLI::App* command : find_commands(app)) first_words.push_back(command->get_name());
  first_words.push_back(joined_names(find_options(app)));
  std::string text = fmt::format(fmt::runtime(kBashHead), fmt::arg("name", app.get_name()),
                                 fmt::arg("first_words", fmt::join(first_words, " ")));
  for (const CLI::App* command : find_commands(app)) text += bash_command(app.get_name(), *command);
  return text + fmt::format("  esac\n}}\n\ncomplete -F _{name} {name}\n", fmt::arg("name", app.get_name()));
}

// ---- zsh

std::string in_single_quotes(const std::string& text) {
  std::string quoted = "'";
  for (const char character : text) quoted += character == '\'' ? "'\\''" : std::string(1, character);
  return quoted + "'";
}

// ":FILE:_files": what the argument is called, and what completes it.
std::string zsh_value(const OptionShape& option) {
  std::string action = " ";
  if (!option.choices.empty()) action = fmt::format("({})", fmt::join(option.choices, " "));
  if (option.choices.empty() && option.takes_file) action = "_files";
  return ":" + escape(option.argument, "\\:", "\\") + ":" + action;
}

// The specifications of _arguments for one option, one for each name.
std::vector<std::string> zsh_specifications(const OptionShape& option) {
  if (option.is_positional) {
    return {in_single_quotes((option.is_repeated ? "*" : "") + zsh_value(option))};
  }
  std::vector<std::string> specifications;
  for (const std::string& name : names(option)) {
    const bool has_value = !option.argument.empty();
    std::string text = option.is_repeated ? "*" : "";
    text += name;
    if (has_value) text += name.starts_with("--") ? "=" : "+";
    text += "[" + escape(option.description, "\\[]:", "\\") + "]";
    if (has_value) text += zsh_value(option);
    specifications.push_back(in_single_quotes(text));
  }
  return specifications;
}

std::string zsh_arguments(const std::vector<OptionShape>& options, const std::string& indent) {
  std::string text;
  for (const OptionShape& option : options) {
    for (const std::string& specification : zsh_specifications(option)) {
      text.append(" \\\n").append(indent).append(specification);
    }
  }
  return text;
}

std::string zsh_completion(const CLI::App& app) {
  std::string text = fmt::format(
      "#compdef {name}\n# Completes the words of {name} in zsh.\n\n_{name}() {{\n"
      "  local curcontext=$curcontext state line\n  typeset -A opt_args\n"
      "  _arguments -C{options} \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n"
      "  case $state in\n    command)\n      local -a commands=(\n",
      fmt::arg("name", app.get_name()), fmt::arg("options", zsh_arguments(find_options(app), "    ")));
  for (const CLI::App* command : find_commands(app)) {
    const std::string entry = command->get_name() + ":" + escape(on_one_line(command->get_description()), "\\:", "\\");
    text += "        " + in_single_quotes(entry) + "\n";
  }
  text += "      )\n      _describe command commands\n      ;;\n    argument)\n      case $line[1] in\n";
  for (const CLI::App* command : find_commands(app)) {
    text += fmt::format("        {})\n          _arguments{}\n          ;;\n", command->get_name(),
                        zsh_arguments(find_options(*command), "            "));
  }
  // zsh runs the file itself for the first completion when it came from the folder of completions.
  return text + fmt::format(
                    "      esac\n      ;;\n  esac\n}}\n\nif [[ $funcstack[1] == _{name} ]]; then\n  _{name} \"$@\"\n"
                    "else\n  compdef _{name} {name}\nfi\n",
                    fmt::arg("name", app.get_name()));
}

// ---- fish

std::string fish_quoted(const std::string& text) { return "'" + escape(text, "\\'", "\\") + "'"; }

// `condition` says where the option may stand.
std::string fish_option(const std::string& app, const std::string& condition, const OptionShape& option) {
  std::string text = "complete -c " + app + " -n " + fish_quoted(condition);
  for (const std::string& name : option.long_names) text += " -l " + name;
  for (const std::string& name : option.short_names) text += (name.size() == 1 ? " -s " : " -o ") + name;
  if (!option.choices.empty()) {
    text += fmt::format("{} -a {}", option.is_positional ? "" : " -x",
                        fish_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
  } else if (option.takes_file) {
    text += option.is_positional ? " -F" : " -r -F";
  } else if (!option.argument.empty()) {
    text += " -x";
  }
  return text + " -d " + fish_quoted(option.description) + "\n";
}

std::string fish_completion(const CLI::App& app) {
  const std::string& name = app.get_name();
  std::string text =
      fmt::format("# Completes the words of {name} in fish.\ncomplete -c {name} -f\n", fmt::arg("name", name));
  for (const OptionShape& option : find_options(app)) text += fish_option(name, "__fish_use_subcommand", option);
  for (const CLI::App* command : find_commands(app)) {
    text += fmt::format("complete -c {name} -n __fish_use_subcommand -a {command} -d {description}\n",
                        fmt::arg("name", name), fmt::arg("command", command->get_name()),
                        fmt::arg("description", fish_quoted(on_one_line(command->get_description()))));
    for (const OptionShape& option : find_options(*command)) {
      // A positional argument of which nothing is known has nothing to complete.
      if (option.is_positional && option.choices.empty() && !option.takes_file) continue;
      text += fish_option(name, "__fish_seen_subcommand_from " + command->get_name(), option);
    }
  }
  return text;
}

}  // namespace

std::optional<Shell> find_shell(std::string_view name) {
  if (name == "bash") return Shell::bash;
  if (name == "zsh") return Shell::zsh;
  if (name == "fish") return Shell::fish;
  return std::nullopt;
}

std::string shell_completion(const CLI::App& app, Shell shell) {
  switch (shell) {
    case Shell::bash:
      return bash_completion(app);
    case Shell::zsh:
      return zsh_completion(app);
    case Shell::fish:
      return fish_completion(app);
  }
  return {};
}

}  // namespace millrace::tool
