// The comparison that tests of floats rest on.
#include "tests/expression/ulp.hpp"

#include <gtest/gtest.h>

namespace millrace::expression {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// N-12: a comparison by bits fails on a device that rounds otherwise; one too lenient passes what is wrong.
TEST(Ulp, AllowsSoManyAndNoMore) {
  EXPECT_TRUE(is_within_ulps(1.0f, 1.0000001, 1));
  EXPECT_FALSE(is_within_ulps(1.0f, 1.0000004, 1));
  EXPECT_FALSE(is_within_ulps(1.0000004f, 1.0, 1));
  EXPECT_TRUE(is_within_ulps(1.0000004f, 1.0, 4));
  EXPECT_FALSE(is_within_ulps(-1.0f, 1.0, 4));
  // A quotient that is 2.5 ULP off may lie 3 from the correctly rounded one, not 4.
  EXPECT_TRUE(is_within_ulps(0x1.000004p0f, 0x1.000000p0, 2.5));
  EXPECT_FALSE(is_within_ulps(0x1.000006p0f, 0x1.000000p0, 2.5));
}

// N-12: relu of a negative number is -0 on some devices.
TEST(Ulp, TakesZerosAsEqual) {
  EXPECT_TRUE(is_within_ulps(-0.0f, 0.0, 0));
  EXPECT_TRUE(is_within_ulps(0.0f, -0.0, 0));
}

// What is no number, or past all of them, has no distance.
TEST(Ulp, KnowsNanInfinityAndSubnormals) {
  EXPECT_TRUE(is_within_ulps(std::numeric_limits<float>::quiet_NaN(), kNan, 0));
  EXPECT_FALSE(is_within_ulps(std::numeric_limits<float>::quiet_NaN(), 1.0, 1e9));
  EXPECT_FALSE(is_within_ulps(1.0f, kNan, 1e9));
  EXPECT_TRUE(is_within_ulps(std::numeric_limits<float>::infinity(), kInf, 0));
  EXPECT_TRUE(is_within_ulps(std::numeric_limits<float>::max(), 1e39, 0));
  EXPECT_FALSE(is_within_ulps(-std::numeric_limits<float>::infinity(), kInf, 0));
  EXPECT_FALSE(is_within_ulps(1e38f, kInf, 0));
  EXPECT_FALSE(is_within_ulps(std::numeric_limits<float>::infinity(), 1.0, 4));
  EXPECT_TRUE(is_within_ulps(0.0f, 0x1p-127, 0));
  EXPECT_TRUE(is_within_ulps(0x1p-149f, 0x1p-148, 1));
  EXPECT_FALSE(is_within_ulps(0x1p-147f, 0x1p-149, 1));
  EXPECT_FALSE(is_within_ulps(0.0f, 0x1p-126, 1));
}

}  // namespace
}  // namespace millrace::expression
