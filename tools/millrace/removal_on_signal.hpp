// Ctrl-C leaves no half-written file: while one of these lives, SIGINT, SIGTERM and SIGHUP remove a file before they end
// the process. At most one at a time.
#pragma once

#include <filesystem>

namespace millrace::tool {

class RemovalOnSignal {
 public:
  explicit RemovalOnSignal(const std::filesystem::path& path);
  // The signals end the process again, and remove nothing.
  ~RemovalOnSignal();
  RemovalOnSignal(const RemovalOnSignal&) = delete;
  RemovalOnSignal& operator=(const RemovalOnSignal&) = delete;
};

}  // namespace millrace::tool
