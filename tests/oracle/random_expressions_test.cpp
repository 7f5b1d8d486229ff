// Random expressions on the device under test. MILLRACE_RANDOM_EXPRESSIONS and MILLRACE_RANDOM_SEED make it longer or other;
// with MILLRACE_RANDOM_GO_ON=1 it goes on after a mismatch.
#include <cstdlib>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include <millrace/millrace.hpp>

#include "tests/oracle/random_comparison.hpp"

namespace millrace::oracle {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// E-13, and all of docs/numerics.md: a value that a driver computes outside of the contract, or another one where formulas
// are fused, would be a silently wrong answer.
TEST(RandomExpressions, KeepTheContract) {
  Device device = Device::open();
  const std::uint64_t count = number_from("MILLRACE_RANDOM_EXPRESSIONS", 500);
  const std::uint64_t first_seed = number_from("MILLRACE_RANDOM_SEED", 1) << 32;
  ComparisonCounts counts;
  for (std::uint64_t seed = first_seed; counts.formulas - counts.refused < count; ++seed) {
    const std::optional<Mismatch> mismatch = find_mismatch(device, seed, counts);
    EXPECT_FALSE(mismatch) << mismatch->text;
    if (testing::Test::HasFailure() && number_from("MILLRACE_RANDOM_GO_ON", 0) == 0) break;
  }
  std::cout << counts.formulas - counts.refused << " formulas, " << counts.refused << " refused, " << counts.lanes
            << " lanes, " << counts.open_lanes << " open\n";
  EXPECT_LT(counts.refused * 5, counts.formulas);
  EXPECT_LT(counts.open_lanes * 10, counts.lanes * 4);
}

}  // namespace
}  // namespace millrace::oracle
