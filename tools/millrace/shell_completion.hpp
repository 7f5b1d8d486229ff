// What makes a shell complete the tool's commands, options and values, written from the description of its command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace millrace::tool {

enum class Shell { bash, zsh, fish };

[[nodiscard]] std::optional<Shell> find_shell(std::string_view name);

// A script for the shell to read, by `source` or from the folder of its completions. It completes commands, options, the
// words of closed choices ("a|b|c" as an option's type) and file names where a FILE is due; for other values it is silent.
[[nodiscard]] std::string shell_completion(const CLI::App& app, Shell shell);

}  // namespace millrace::tool
