// Folding rows over three dimensions of workgroups. Each answer is held against a walk over single invocations.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/graph/fold_dispatch.hpp"

namespace millrace::graph {
namespace {

// What is wrong with the groups; empty where nothing is. Visits each invocation as the shader does: (x, y, z) handles row
// x + fold_x * (y + fold_y * z) where that is below the row count.
std::string fault_of(const command::Workgroups& groups, std::uint64_t row_count, const DispatchLimits& limits) {
  const std::uint32_t most = limits.workgroups_per_dimension;
  if (groups.x > most || groups.y > most || groups.z > most) return "more workgroups than a dimension holds";
  const std::uint32_t fold_x = groups.x * limits.workgroup_size, fold_y = groups.y;
  std::vector<int> visits(row_count, 0);
  for (std::uint32_t z = 0; z < groups.z; ++z) {
    for (std::uint32_t y = 0; y < groups.y; ++y) {
      for (std::uint32_t x = 0; x < fold_x; ++x) {
        const std::uint32_t row = x + fold_x * (y + fold_y * z);
        if (row < row_count) ++visits[row];
      }
    }
  }
  if (std::count(visits.begin(), visits.end(), 1) != static_cast<std::ptrdiff_t>(row_count))
    return "rows not visited once";
  const std::uint64_t wanted = (row_count + limits.workgroup_size - 1) / limits.workgroup_size;
  const std::uint64_t x = groups.x, y = groups.y, z = groups.z;
  if (x != std::min<std::uint64_t>(wanted, most)) return "the first dimension not filled first";
  if (x * (y - 1) * z >= wanted || x * y * (z - 1) >= wanted) return "a plane for nothing";
  return "";
}

// A device that allows two groups a dimension would lose rows past the first 2 * 256.
TEST(FoldDispatch, VisitsEveryRowOnceWithinSmallLimits) {
  for (const std::uint32_t side : {1u, 2u, 3u, 5u}) {
    for (const std::uint32_t workgroup_size : {1u, 4u}) {
      const DispatchLimits limits{workgroup_size, side, 4294967295};
      for (std::uint64_t rows = 1; rows <= most_rows(limits); ++rows) {
        ASSERT_EQ(fault_of(fold_dispatch(rows, limits), rows, limits), "")
            << rows << " rows, " << side << " groups a dimension of " << workgroup_size;
      }
    }
  }
}

// The walk above would prove nothing if it let faults pass.
TEST(FoldDispatch, WalkFindsMutants) {
  const DispatchLimits limits{4, 3, 4294967295};
  EXPECT_EQ(fault_of({.x = 3, .y = 2, .z = 1}, 21, limits), "");
  EXPECT_EQ(fault_of({.x = 3, .y = 1, .z = 1}, 21, limits), "rows not visited once");
  EXPECT_EQ(fault_of({.x = 6, .y = 1, .z = 1}, 21, limits), "more workgroups than a dimension holds");
  EXPECT_EQ(fault_of({.x = 3, .y = 3, .z = 1}, 21, limits), "a plane for nothing");
  EXPECT_EQ(fault_of({.x = 2, .y = 3, .z = 1}, 21, limits), "the first dimension not filled first");
}

// A small dispatch would be spread over rows of groups that have nothing to do.
TEST(FoldDispatch, StaysInOneDimensionWhileThatHoldsTheGroups) {
  const DispatchLimits limits{256, 65535, 4294967295};
  const command::Workgroups groups = fold_dispatch(65535ull * 256, limits);
  EXPECT_EQ(groups.x, 65535u);
  EXPECT_EQ(groups.y, 1u);
  EXPECT_EQ(groups.z, 1u);
  const command::Workgroups folded = fold_dispatch(65535ull * 256 + 1, limits);
  EXPECT_EQ(folded.x, 65535u);
  EXPECT_EQ(folded.y, 2u);
  EXPECT_EQ(folded.z, 1u);
}

// A device's limits would be exceeded by one dispatch, or not used.
TEST(MostRows, IsWhatTheLimitsAllow) {
  EXPECT_EQ(most_rows({256, 2, 4294967295}), 2048u);
  EXPECT_EQ(most_rows({256, 1, 4294967295}), 256u);
  EXPECT_EQ(most_rows({256, 65535, 1000}), 1000u);
  EXPECT_EQ(most_rows({256, 65535, 4294967295}), 2147483648u);
  EXPECT_EQ(most_rows({256, 4294967295, 4294967295}), 2147483648u);
  EXPECT_EQ(most_rows({1, 1290, 4294967295}), 2146689000u);  // 1290^3
}

// An index would wrap in the shader's 32 bits, so that the last invocations write the first rows.
TEST(FoldDispatch, KeepsIndicesOfLargeDispatchesIn32Bits) {
  for (std::uint32_t seed = 0; seed < 20000; ++seed) {
    std::mt19937_64 random(seed);
    const DispatchLimits limits{256, static_cast<std::uint32_t>(1 + random() % (seed % 2 == 0 ? 65535 : 4294967295)),
                                4294967295};
    const std::uint64_t rows = most_rows(limits) - random() % std::min<std::uint64_t>(most_rows(limits), 1000);
    const command::Workgroups groups = fold_dispatch(rows, limits);
    ASSERT_LE(std::max({groups.x, groups.y, groups.z}), limits.workgroups_per_dimension) << "seed " << seed;
    const double invocations = 256.0 * groups.x * groups.y * groups.z;
    ASSERT_GE(invocations, static_cast<double>(rows)) << "seed " << seed;
    ASSERT_LE(invocations, 4294967296.0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace millrace::graph
