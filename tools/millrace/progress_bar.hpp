// A line on a terminal that says how far files have been worked through, how fast, and how long it will take.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace millrace::tool {

// `[######    ]  60 %  1200000 rows, 400000 rows/s, 2 s left`. rows: done so far, in `elapsed`. fraction: of the files, 0
// to 1, where it is known; without it there is neither a bar nor a time.
[[nodiscard]] std::string progress_text(std::uint64_t rows, std::optional<double> fraction,
                                        std::chrono::duration<double> elapsed);

class ProgressBar {
 public:
  // Shows nothing, ever, unless standard error is a terminal and `wanted`. Time counts from here.
  explicit ProgressBar(bool wanted);
  // Takes the line away.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // As progress_text. Drawn ten times a second at most.
  void show(std::uint64_t rows, std::optional<double> fraction);

 private:
  using Clock = std::chrono::steady_clock;

  bool is_on_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_drawn_ = {};
  bool is_drawn_ = false;
};

}  // namespace millrace::tool
