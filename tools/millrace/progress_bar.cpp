// Drawn over itself with a carriage return; "\x1b[K" clears what is left of a longer line before.
#include "tools/millrace/progress_bar.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace millrace::tool {

namespace {

std::string format_bar(double fraction) {
  constexpr std::size_t kWidth = 30;
  const auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * kWidth);
  return fmt::format("[{}{}] {:3.0f} %  ", std::string(filled, '#'), std::string(kWidth - filled, ' '), fraction * 100);
}

}  // namespace

ProgressBar::ProgressBar(bool wanted) : is_on_(wanted && ::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (is_drawn_) std::fputs("\r\x1b[K", stderr);
}

void ProgressBar::show(std::uint64_t rows, std::optional<double> fraction) {
  constexpr std::chrono::milliseconds kInterval(100);
  const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
  if (!is_on_ || (is_drawn_ && now - last_drawn_ < kInterval)) return;
  last_drawn_ = now;
  is_drawn_ = true;
  const std::string line = fmt::format("\r{bar}{rows} rows\x1b[K",
                                       fmt::arg("bar", fraction ? format_bar(*fraction) : ""), fmt::arg("rows", rows));
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace millrace::tool
