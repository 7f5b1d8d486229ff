// Text that was piped into the tool, though it was told to read files.
#pragma once

#include "tools/millrace/table_options.hpp"

namespace millrace::tool {

// A note on standard error where standard input is a pipe in which something waits: whoever piped it there would think
// that it was read. Nothing where it was an input, or where it is to be quiet.
void note_unread_input(const TableOptions& options);

}  // namespace millrace::tool
