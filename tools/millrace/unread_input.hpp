// Text that was piped into the tool, which reads files only.
#pragma once

namespace millrace::tool {

// A note on standard error where standard input is a pipe in which something waits: whoever piped it there would think
// that it was read.
void note_unread_input();

}  // namespace millrace::tool
