// Drawn over itself with a carriage return; "\x1b[K" clears what is left of a longer line before.
#include "tools/millrace/progress_bar.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace millrace::tool {

namespace {

std::string format_bar(double fraction) {
  constexpr std::size_t kWidth = 30;
  const auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * kWidth);
  return fmt::format("[{}{}] {:3.0f} %  ", std::string(filled, '#'), std::string(kWidth - filled, ' '), fraction * 100);
}

// In the two largest units: "3 h 5 min".
std::string format_time(double seconds) {
  constexpr double kMost = 1e6;  // a guess from the first rows can be anything
  constexpr std::uint64_t kMinute = 60;
  constexpr std::uint64_t kHour = 60 * kMinute;
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::min(seconds, kMost)));
  if (whole < kMinute) return fmt::format("{} s", whole);
  if (whole < kHour) return fmt::format("{} min {} s", whole / kMinute, whole % kMinute);
  return fmt::format("{} h {} min", whole / kHour, whole % kHour / kMinute);
}

}  // namespace

std::string progress_text(std::uint64_t rows, std::optional<double> fraction, std::chrono::duration<double> elapsed) {
  std::string text = fraction ? format_bar(*fraction) : std::string();
  text += fmt::format("{} rows", rows);
  if (rows == 0 || elapsed.count() <= 0) return text;
  text += fmt::format(", {:.0f} rows/s", static_cast<double>(rows) / elapsed.count());
  if (fraction && *fraction > 0 && *fraction < 1) {
    text += fmt::format(", {} left", format_time(elapsed.count() * (1 - *fraction) / *fraction));
  }
  return text;
}

ProgressBar::ProgressBar(bool wanted) : is_on_(wanted && ::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (is_drawn_) std::fputs("\r\x1b[K", stderr);
}

void ProgressBar::show(std::uint64_t rows, std::optional<double> fraction) {
  constexpr std::chrono::milliseconds kInterval(100);
  const Clock::time_point now = Clock::now();
  if (!is_on_ || (is_drawn_ && now - last_drawn_ < kInterval)) return;
  last_drawn_ = now;
  is_drawn_ = true;
  std::fputs(fmt::format("\r{}\x1b[K", progress_text(rows, fraction, now - begin_)).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace millrace::tool
