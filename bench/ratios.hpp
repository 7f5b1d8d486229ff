// The console report of Google benchmark, followed by a table of ratios: each figure against its peer of the same run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace millrace::bench {

struct RatioRow {
  std::string name;  // of a benchmark
  std::string peer;
};

// A benchmark that sets this counter is compared by it instead of by its mean: what interrupts a few of many short steps
// does not count.
inline constexpr const char* kMedianMicroseconds = "median_us";

// Fill in while benchmarks are registered; the rows keep their order.
using RatioRows = std::vector<RatioRow>;

class RatioReporter : public benchmark::ConsoleReporter {
 public:
  explicit RatioReporter(const RatioRows& rows) : ConsoleReporter(OO_Tabular), rows_(rows) {}
  void ReportRuns(const std::vector<Run>& runs) override;
  // Medians over the repetitions, and their quotient.
  void Finalize() override;

 private:
  const RatioRows& rows_;
  std::map<std::string, std::vector<double>> seconds_;
};

}  // namespace millrace::bench
