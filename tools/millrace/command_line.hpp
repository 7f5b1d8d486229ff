// The command line: what was typed, turned into a call of a command.
#pragma once

namespace millrace::tool {

// Runs what the arguments say and gives the exit code. Nothing is thrown.
[[nodiscard]] int run_command_line(int argument_count, const char* const* arguments);

}  // namespace millrace::tool
