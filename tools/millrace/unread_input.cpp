// An empty or open pipe is nothing to remark on: shells and job runners hand them to every program.
#include "tools/millrace/unread_input.hpp"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace millrace::tool {

void note_unread_input(const TableOptions& options) {
  if (options.quiet || std::count(options.inputs.begin(), options.inputs.end(), "-") != 0) return;
  struct stat status = {};
  int waiting_byte_count = 0;
  if (::fstat(STDIN_FILENO, &status) != 0 || !S_ISFIFO(status.st_mode)) return;
  if (::ioctl(STDIN_FILENO, FIONREAD, &waiting_byte_count) != 0 || waiting_byte_count == 0) return;
  std::fputs("millrace: note: Standard input was not read, only the file of --input.\n", stderr);
}

}  // namespace millrace::tool
