// Medians over repetitions, so that one disturbed repetition does not decide a ratio.
#include "ratios.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace millrace::bench {
namespace {

std::optional<double> median(const std::map<std::string, std::vector<double>>& all, const std::string& name) {
  const auto found = all.find(name);
  if (found == all.end()) return std::nullopt;
  std::vector<double> seconds = found->second;
  std::ranges::sort(seconds);
  const std::size_t middle = seconds.size() / 2;
  return seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
}

}  // namespace

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration || run.error_occurred || run.iterations == 0) continue;
    const auto own_median = run.counters.find(kMedianMicroseconds);
    seconds_[run.run_name.function_name].push_back(
        own_median != run.counters.end() ? own_median->second.value * 1e-6
                                         : run.real_accumulated_time / static_cast<double>(run.iterations));
  }
  ConsoleReporter::ReportRuns(runs);
}

void RatioReporter::Finalize() {
  ConsoleReporter::Finalize();
  std::printf("\n%-44s %12s   %-44s %12s %8s\n", "Ratio of", "us", "to", "us", "ratio");
  for (const RatioRow& row : rows_) {
    const std::optional<double> own = median(seconds_, row.name);
    const std::optional<double> peer = median(seconds_, row.peer);
    if (!own || !peer) continue;
    std::printf("%-44s %12.2f   %-44s %12.2f %8.3f\n", row.name.c_str(), *own * 1e6, row.peer.c_str(), *peer * 1e6,
                *own / *peer);
  }
}

}  // namespace millrace::bench
