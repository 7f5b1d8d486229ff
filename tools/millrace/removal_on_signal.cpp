// A handler may call little: unlink, signal and raise are among it. The path lies in static memory for its sake.
#include "tools/millrace/removal_on_signal.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <csignal>
#include <string>

namespace millrace::tool {

namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

std::array<char, PATH_MAX> path_to_remove = {};

void remove_and_end(int signal) {
  ::unlink(path_to_remove.data());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

RemovalOnSignal::RemovalOnSignal(const std::filesystem::path& path) {
  // Absolute, so that it holds wherever the process goes; a path that does not fit could not have been opened.
  const std::string absolute = std::filesystem::absolute(path).string();
  const std::size_t length = std::min(absolute.size(), path_to_remove.size() - 1);
  std::copy_n(absolute.begin(), length, path_to_remove.begin());
  path_to_remove[length] = '\0';
  for (std::size_t index = 0; index < kSignals.size(); ++index) {
    handlers_before_[index] = std::signal(kSignals[index], remove_and_end);
    if (handlers_before_[index] == SIG_IGN) std::signal(kSignals[index], SIG_IGN);
  }
}

RemovalOnSignal::~RemovalOnSignal() {
  for (std::size_t index = 0; index < kSignals.size(); ++index) std::signal(kSignals[index], handlers_before_[index]);
}

}  // namespace millrace::tool
