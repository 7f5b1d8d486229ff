#include "tools/millrace/self_description.hpp"

#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "tools/millrace/manual_page.hpp"
#include "tools/millrace/shell_completion.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

Shell shell_of(const std::string& name) {
  if (name.empty()) throw UsageError("completion needs the name of a shell: bash, zsh or fish.");
  const std::optional<Shell> shell = find_shell(name);
  if (shell) return *shell;
  throw UsageError(
      fmt::format("completion is asked for \"{name}\"; it can be bash, zsh or fish.", fmt::arg("name", name)));
}

}  // namespace

void describe_manual(CLI::App& app) {
  CLI::App* const manual = app.add_subcommand("manual", "Prints the manual page, for man to show");
  manual->footer(
      "Example:\n"
      "  millrace manual | man -l -\n");
  manual->callback([&app] { fmt::print("{}", manual_page(app)); });
}

void describe_completion(CLI::App& app) {
  CLI::App* const completion =
      app.add_subcommand("completion", "Prints what makes a shell complete commands, options and their values");
  completion->footer(
      "In a shell's start file:\n"
      "  source <(millrace completion bash)\n");
  const auto name = std::make_shared<std::string>();
  completion->add_option("SHELL", *name, "The shell to print it for")->type_name("bash|zsh|fish");
  completion->callback([&app, name] { fmt::print("{}", shell_completion(app, shell_of(*name))); });
}

}  // namespace millrace::tool
