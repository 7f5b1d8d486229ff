// One function for each section of the page.
#include "tools/millrace/manual_page.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tools/millrace/option_shape.hpp"

namespace millrace::tool {

namespace {

constexpr std::pair<const char*, const char*> kExitCodes[] = {
    {"0", "All is done."},
    {"1",
     "The work failed: a file could not be read or written, a value did not fit, or no device could be used. "
     "No output file was made."},
    {"2", "The command line or a document is wrong. Nothing was begun."},
};

constexpr std::pair<const char*, const char*> kVariables[] = {
    {"MILLRACE_WEBGPU", "The path of the WebGPU library to use, in place of the one that is installed with millrace."},
    {"VK_DRIVER_FILES",
     "Read by the Vulkan loader: the files that name the drivers to use; in older loaders "
     "VK_ICD_FILENAMES. It is how a software driver is chosen."},
};

std::string bold(const std::string& text) { return "\\fB" + escape_roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escape_roff(text) + "\\fR"; }

std::string title(const CLI::App& app) {
  std::string upper = app.get_name();
  for (char& letter : upper) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return fmt::format(".TH \"{name}\" 1 \"\" \"{version}\" \"User Commands\"\n", fmt::arg("name", escape_roff(upper)),
                     fmt::arg("version", escape_roff(on_one_line(app.version()))));
}

// "Computes sums." as the entry of an index, which is a clause: "computes sums".
std::string clause(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  if (!sentence.empty()) sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

// "-h, --help", or "--input FILE" with an argument, or an argument alone and what it can be.
std::string heading(const OptionShape& option) {
  if (option.is_positional) {
    return italic(option.argument) + (option.choices.empty() ? "" : " (" + escape_roff(option.type) + ")");
  }
  std::string heading;
  const auto add = [&](const std::string& name) { heading += (heading.empty() ? "" : ", ") + bold(name); };
  for (const std::string& name : option.short_names) add("-" + name);
  for (const std::string& name : option.long_names) add("--" + name);
  return option.argument.empty() ? heading : heading + " " + italic(option.argument);
}

std::string describe(const OptionShape& option) {
  return fmt::format(".TP\n{heading}\n{text}\n", fmt::arg("heading", heading(option)),
                     fmt::arg("text", escape_roff(sentence(option.description))));
}

// Said once, for all commands.
bool is_help(const OptionShape& option) {
  return std::find(option.long_names.begin(), option.long_names.end(), "help") != option.long_names.end();
}

std::string synopsis(const CLI::App& app) {
  std::string text;
  for (const CLI::App* command : find_commands(app)) {
    if (!text.empty()) text += ".br\n";
    text += bold(app.get_name() + " " + command->get_name());
    for (const OptionShape& option : find_options(*command)) {
      if (!option.is_positional) continue;
      text += " " + italic(option.argument) + (option.is_repeated ? " ..." : "");
    }
    text += " [" + italic("OPTION") + " ...]\n";
  }
  return text;
}

std::string describe_command(const CLI::App& app, const CLI::App& command) {
  std::string text =
      fmt::format(".SS {name}\n{description}\n", fmt::arg("name", bold(app.get_name() + " " + command.get_name())),
                  fmt::arg("description", escape_roff(sentence(on_one_line(command.get_description())))));
  for (const OptionShape& option : find_options(command)) {
    if (!is_help(option)) text += describe(option);
  }
  return text;
}

bool is_example_heading(std::string_view line) { return line == "Example:" || line == "Examples:"; }

// The lines of a footer, those that stand together in one block.
std::string example(const std::string& footer) {
  std::string text;
  bool in_block = false;
  const auto turn_block = [&](bool on) {
    if (on != in_block) text += on ? ".PP\n.EX\n" : ".EE\n";
    in_block = on;
  };
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) {
      turn_block(true);
      text += escape_roff(line) + "\n";
    } else if (const std::string words = on_one_line(line); !words.empty() && !is_example_heading(words)) {
      turn_block(false);
      text += ".PP\n" + escape_roff(words) + "\n";
    }
  }
  turn_block(false);
  return text;
}

std::string examples(const CLI::App& app) {
  std::string text;
  std::set<std::string> known;
  for (const CLI::App* command : find_commands(app)) {
    if (known.insert(command->get_footer()).second) text += example(command->get_footer());
  }
  if (!known.contains(app.get_footer())) text += example(app.get_footer());
  return text;
}

template <std::size_t count>
std::string list(const std::pair<const char*, const char*> (&entries)[count]) {
  std::string text;
  for (const auto& [name, meaning] : entries) {
    text += fmt::format(".TP\n{name}\n{meaning}\n", fmt::arg("name", bold(name)),
                        fmt::arg("meaning", escape_roff(meaning)));
  }
  return text;
}

// The code point that begins at text[at], and how many bytes it has; a byte that is no UTF-8 stands for itself.
std::pair<std::uint32_t, std::size_t> code_point(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(at);
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (size == 1 || at + size > text.size()) return {lead, 1};
  std::uint32_t point = lead & (0xFFu >> (size + 1));
  for (std::size_t i = at + 1; i < at + size; ++i) point = (point << 6) | (byte(i) & 0x3Fu);
  return {point, size};
}

}  // namespace

std::string escape_roff(const std::string& text) {
  std::string escaped;
  // A line that begins with one of these is a request.
  if (!text.empty() && (text[0] == '.' || text[0] == '\'')) escaped += "\\&";
  for (std::size_t at = 0; at < text.size();) {
    const auto [point, size] = code_point(text, at);
    at += size;
    switch (point) {
      // Named, since bare they become a hyphen, typographic quotes and raised accents, which no shell takes.
      case '-':
        escaped += "\\-";
        break;
      case '\\':
        escaped += "\\(rs";
        break;
      case '\'':
        escaped += "\\(aq";
        break;
      case '"':
        escaped += "\\(dq";
        break;
      case '`':
        escaped += "\\(ga";
        break;
      case '^':
        escaped += "\\(ha";
        break;
      case '~':
        escaped += "\\(ti";
        break;
      default:
        escaped += point < 0x80 ? std::string(1, static_cast<char>(point)) : fmt::format("\\[u{:04X}]", point);
    }
  }
  return escaped;
}

std::string manual_page(const CLI::App& app) {
  std::string page = title(app);
  page += fmt::format(".SH NAME\n{name} \\- {purpose}\n", fmt::arg("name", escape_roff(app.get_name())),
                      fmt::arg("purpose", escape_roff(clause(on_one_line(app.get_description())))));
  page += ".SH SYNOPSIS\n" + synopsis(app);
  page += ".SH DESCRIPTION\n" + escape_roff(sentence(on_one_line(app.get_description()))) + "\n";
  page += "Errors go to standard error; an output file appears only when it is whole.\n";
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : find_commands(app)) page += describe_command(app, *command);
  page += ".SH OPTIONS\nEach command has " + bold("--help") + " too.\n";
  for (const OptionShape& option : find_options(app)) page += describe(option);
  page += ".SH EXAMPLES\n" + examples(app);
  page += ".SH EXIT STATUS\n" + list(kExitCodes);
  page += ".SH ENVIRONMENT\n" + list(kVariables);
  return page;
}

}  // namespace millrace::tool
