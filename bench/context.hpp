// What all benchmarks share: one device, open by hand and lent to millrace.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include <millrace/millrace.hpp>
#include <millrace/webgpu_interop.hpp>

#include "ratios.hpp"
#include "raw_device.hpp"

namespace millrace::bench {

struct Context {
  RawDevice raw;
  Device device = webgpu::borrow_device(
      {.instance = raw.instance(), .device = raw.device(), .queue = raw.queue(), .library = raw.library()});
  std::vector<std::uint64_t> throughput_rows = {4'000'000};
  RatioRows ratios = {};
};

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  // Seconds since the last lap, or the start.
  double lap() {
    const Clock::time_point now = Clock::now();
    const double lap = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return lap;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

// Each registers its benchmarks and their ratios; the context must outlive the runs.
void add_compile_benchmarks(Context& context);
void add_run_benchmarks(Context& context);
void add_throughput_benchmarks(Context& context);
void add_mathematics_benchmarks(Context& context);

}  // namespace millrace::bench
