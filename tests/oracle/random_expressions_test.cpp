// Random expressions on the device under test. MILLRACE_RANDOM_EXPRESSIONS and MILLRACE_RANDOM_SEED make it longer or other;
// with MILLRACE_RANDOM_GO_ON=1 it goes on after a mismatch.
#include <cstdlib>
#include <iostream>
#include <optional>

#include <gtest/gtest.h>

#include <millrace/millrace.hpp>

#include "tests/oracle/random_comparison.hpp"

namespace millrace::oracle {
namespace {

// Drivers keep some of what each pipeline took and get slower by it, so long runs open a device now and then.
constexpr std::uint64_t kGraphsPerDevice = 100;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// E-13, and all of docs/numerics.md: a value that a driver computes outside of the contract, or another one where formulas
// are fused, would be a silently wrong answer.
TEST(RandomExpressions, KeepTheContract) {
  const std::uint64_t count = number_from("MILLRACE_RANDOM_EXPRESSIONS", 500);
  const std::uint64_t seed = number_from("MILLRACE_RANDOM_SEED", 1);
  const bool goes_on = number_from("MILLRACE_RANDOM_GO_ON", 0) != 0;
  std::cout << "MILLRACE_RANDOM_SEED=" << seed << std::endl;
  ComparisonCounts counts;
  std::optional<Device> device;
  for (std::uint64_t graph = 0; counts.formulas - counts.refused < count; ++graph) {
    if (graph % kGraphsPerDevice == 0) {
      device.reset();
      device.emplace(Device::open());
    }
    const std::optional<Mismatch> mismatch = find_mismatch(*device, (seed << 32) + graph, counts);
    EXPECT_FALSE(mismatch) << mismatch->text;
    if (mismatch && !goes_on) break;
  }
  std::cout << counts.formulas - counts.refused << " formulas, " << counts.refused << " refused, " << counts.lanes
            << " lanes, " << counts.open_lanes << " open, " << counts.single_lanes << " of one value" << std::endl;
  EXPECT_LT(counts.refused * 5, counts.formulas);
  EXPECT_LT(counts.open_lanes * 10, counts.lanes * 4);
}

}  // namespace
}  // namespace millrace::oracle
