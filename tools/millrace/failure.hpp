// How the tool ends when something went wrong.
#pragma once

namespace millrace::tool {

enum ExitCode : int {
  done = 0,
  work_failed = 1,
  wrong_command_line = 2,
};

// Of the exception being handled: writes its message to standard error, after "millrace: ", and gives the exit code.
[[nodiscard]] ExitCode report_failure();

}  // namespace millrace::tool
