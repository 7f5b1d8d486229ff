// The tool's entry.
#include "tools/millrace/command_line.hpp"

int main(int argument_count, char** arguments) { return millrace::tool::run_command_line(argument_count, arguments); }
