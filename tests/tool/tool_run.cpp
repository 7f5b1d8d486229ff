// Through the shell, with both outputs caught in files beside the test's folder.
#include "tests/tool/tool_run.hpp"

#include <sys/wait.h>

#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace millrace::tool {

namespace {

std::string quote(const std::string& text) {
  std::string quoted = "'";
  for (const char character : text) quoted += character == '\'' ? "'\\''" : std::string(1, character);
  return quoted + "'";
}

}  // namespace

Ended run_shell(const TemporaryFolder& folder, const std::string& command) {
  const TemporaryFolder caught;
  // Mesa's layer that chooses among devices complains on standard error where there is no desktop to ask.
  const std::string script = fmt::format(
      "cd {folder} && export MILLRACE={tool} NODEVICE_SELECT=1 && {{ {command}; }} > {output} 2> {errors}",
      fmt::arg("folder", quote(folder.path())), fmt::arg("tool", quote(MILLRACE_TOOL)), fmt::arg("command", command),
      fmt::arg("output", quote(caught.file("output"))), fmt::arg("errors", quote(caught.file("errors"))));
  const int status = std::system(script.c_str());
  const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {.exit_code = exit_code, .output = caught.read("output"), .errors = caught.read("errors")};
}

Ended run_tool(const TemporaryFolder& folder, const std::vector<std::string>& arguments,
               const std::string& standard_input) {
  std::string command = "\"$MILLRACE\"";
  for (const std::string& argument : arguments) command += " " + quote(argument);
  const bool is_pipe = standard_input.ends_with('|');
  return run_shell(folder, is_pipe ? standard_input + " " + command : command + " " + standard_input);
}

void expect_refusal(const TemporaryFolder& folder, const std::vector<std::string>& arguments, int exit_code,
                    const std::string& message) {
  const std::vector<std::string> before = folder.names();
  const Ended ended = run_tool(folder, arguments);
  EXPECT_EQ(ended.exit_code, exit_code);
  EXPECT_EQ(ended.errors, "millrace: " + message + "\n");
  EXPECT_EQ(ended.output, "");
  EXPECT_EQ(folder.names(), before);
}

}  // namespace millrace::tool
