// A line on a terminal that says how far a file has been worked through.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace millrace::tool {

class ProgressBar {
 public:
  // Shows nothing, ever, unless standard error is a terminal and `wanted`.
  explicit ProgressBar(bool wanted);
  // Takes the line away.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // rows: done so far. fraction: of the file, 0 to 1, where it is known. Drawn ten times a second at most.
  void show(std::uint64_t rows, std::optional<double> fraction);

 private:
  bool is_on_;
  std::chrono::steady_clock::time_point last_drawn_ = {};
  bool is_drawn_ = false;
};

}  // namespace millrace::tool
