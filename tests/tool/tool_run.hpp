// Runs the built tool as a user's shell does: a process of its own, in the test's folder, so that messages name files by
// the short names that were typed.
#pragma once

#include <string>
#include <vector>

#include "tests/data/temporary_folder.hpp"

namespace millrace::tool {

struct Ended {
  int exit_code;  // 128 and the signal where one ended it
  std::string output;
  std::string errors;
};

// standard_input: a shell's redirection ("< /dev/null"), or a command and a pipe ("printf 'a\n1\n' |").
[[nodiscard]] Ended run_tool(const TemporaryFolder& folder, const std::vector<std::string>& arguments,
                             const std::string& standard_input = "< /dev/null");

// Any shell command line in the folder; "$MILLRACE" is the tool.
[[nodiscard]] Ended run_shell(const TemporaryFolder& folder, const std::string& command);

// Checks all that a refused command line says and does: exit code, message, and nothing on standard output.
void expect_refusal(const TemporaryFolder& folder, const std::vector<std::string>& arguments, int exit_code,
                    const std::string& message);

}  // namespace millrace::tool
