// What a command line's description says of its commands and options, for what is generated from it: the manual page and
// the completion of shells. Hidden ones (of the group "") are left out; commands of commands are not looked for.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace millrace::tool {

// What one option, or one argument without an option, takes and how it is written.
struct OptionShape {
  std::vector<std::string> long_names;   // without dashes; none for a positional argument
  std::vector<std::string> short_names;  // the same
  std::string argument;                  // what its value is called, "FILE"; empty for a flag
  std::string type;                      // what its value is: for all but positional arguments the same
  std::vector<std::string> choices;  // where the value is one of these words: its type is written "a|b" or "a|b|NUMBER"
  std::string description;           // one line
  bool takes_file = false;           // a type or a part of it is FILE, or the name of one ("GRAPH.yaml")
  bool is_positional = false;
  bool is_repeated = false;
};

// In the order of their description.
[[nodiscard]] std::vector<const CLI::App*> find_commands(const CLI::App& app);
[[nodiscard]] std::vector<OptionShape> find_options(const CLI::App& app);

// Each run of blanks and line ends becomes one blank.
[[nodiscard]] std::string on_one_line(const std::string& text);

}  // namespace millrace::tool
