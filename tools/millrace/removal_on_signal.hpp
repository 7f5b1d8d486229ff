// Ctrl-C leaves no half-written file: while one of these lives, SIGINT, SIGTERM and SIGHUP remove a file before they end
// the process. A signal that the process ignores (SIGHUP under nohup) stays ignored. At most one at a time.
#pragma once

#include <array>
#include <filesystem>

namespace millrace::tool {

class RemovalOnSignal {
 public:
  explicit RemovalOnSignal(const std::filesystem::path& path);
  // The signals do again what they did before.
  ~RemovalOnSignal();
  RemovalOnSignal(const RemovalOnSignal&) = delete;
  RemovalOnSignal& operator=(const RemovalOnSignal&) = delete;

 private:
  using Handler = void (*)(int);
  std::array<Handler, 3> handlers_before_ = {};
};

}  // namespace millrace::tool
