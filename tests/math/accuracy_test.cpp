// The measure itself: that it knows an error, and lets pass what the contract leaves open.
#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/math/accuracy.hpp"
#include "tests/math/arguments.hpp"

namespace millrace::accuracy {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Measured measure_one(const char* name, float a, float b, float got) {
  Measured measured;
  measure(*find_function(name),
          {std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b), std::bit_cast<std::uint32_t>(got)},
          measured);
  return measured;
}

// Else bounds would be checked against numbers that are no ULP. N-12
TEST(ErrorInUlps, CountsUnitsOfTheTrueValuesBinade) {
  EXPECT_EQ(error_in_ulps(1.0, 1.0f), 0.0);
  EXPECT_EQ(error_in_ulps(1.0, 1.00000012f), 1.0);
  EXPECT_EQ(error_in_ulps(1.0, 1.0000004f), 3.0);
  EXPECT_EQ(error_in_ulps(1.0, 0.99999994f), 0.5);  // the neighbour below 1 is nearer
  EXPECT_EQ(error_in_ulps(-1.5, -1.5f - 0x1p-22f), 2.0);
  EXPECT_EQ(error_in_ulps(1 + 0x1p-24, 1.0f), 0.5);
  EXPECT_EQ(error_in_ulps(0x1p-130, 0x1p-130f + 0x1p-149f), 1.0);
}

// Else an overflow would be as good as the number, or no number as good as infinity.
TEST(ErrorInUlps, TakesInfinityForTheNextPowerOfTwo) {
  const float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(error_in_ulps(1e300, kInfinity), 0.0);
  EXPECT_EQ(error_in_ulps(0x1p128, largest), 1.0);
  EXPECT_EQ(error_in_ulps(largest, kInfinity), 1.0);
  EXPECT_EQ(error_in_ulps(1e300, -kInfinity), 0x1p25);
  EXPECT_EQ(error_in_ulps(1e30, kInfinity), std::nullopt);
  EXPECT_EQ(error_in_ulps(double{kInfinity}, largest), std::nullopt);
  EXPECT_EQ(error_in_ulps(double{kInfinity}, kInfinity), 0.0);
}

// Else NaN would pass for a number, as it does in comparisons.
TEST(ErrorInUlps, HasNoneBetweenClasses) {
  EXPECT_EQ(error_in_ulps(1.0, kNan), std::nullopt);
  EXPECT_EQ(error_in_ulps(double{kNan}, 1.0f), std::nullopt);
  EXPECT_EQ(error_in_ulps(double{kNan}, kNan), 0.0);
  EXPECT_EQ(error_in_ulps(0.0, 0x1p-149f), std::nullopt);
  EXPECT_EQ(error_in_ulps(0.0, -0.0f), 0.0);
}

// Else a function that is just past its bound, or has the wrong sign or class, would go unnoticed.
TEST(Measure, NoticesWhatIsOutsideTheContract) {
  const float right = std::sin(1.0f);
  EXPECT_TRUE(measure_one("sin", 1, 0, right + 3 * 0x1p-24f).holds());
  EXPECT_EQ(measure_one("sin", 1, 0, right + 5 * 0x1p-24f).over_bound, 1u);
  EXPECT_EQ(measure_one("sin", 1, 0, right + 2 * 0x1p-24f).over_one, 1u);
  EXPECT_EQ(measure_one("sin", -0.0f, 0, 0.0f).wrong_sign, 1u);
  EXPECT_EQ(measure_one("log", -1, 0, 0).wrong_class, 1u);
  EXPECT_EQ(measure_one("pow", -8, 3, 512).over_bound, 1u);
  EXPECT_EQ(measure_one("pow", -1e-30f, 3, 0.0f).wrong_sign, 1u);
}

// Else drivers that flush subnormals would fail, or a flush of normal numbers would pass.
TEST(Measure, LetsSubnormalsBeZero) {
  EXPECT_TRUE(measure_one("exp", -90, 0, 0).holds());
  EXPECT_TRUE(measure_one("exp", -87.336549f, 0, 0).holds()) << "four units above the least normal number";
  EXPECT_FALSE(measure_one("exp", -87.3f, 0, 0).holds());
  EXPECT_TRUE(measure_one("log", 1e-40f, 0, -kInfinity).holds());
  EXPECT_TRUE(measure_one("log", 1e-40f, 0, std::log(1e-40f)).holds());
  EXPECT_FALSE(measure_one("log", 1e-40f, 0, -90).holds());
}

// Else what WGSL leaves open would be held against a driver.
TEST(Measure, SkipsWhatIsUnspecified) {
  EXPECT_EQ(measure_one("division", 1, 0, 5).results, 0u);
  EXPECT_EQ(measure_one("sqrt", -1, 0, 5).results, 0u);
  EXPECT_EQ(measure_one("division", 1, 2, 5).over_bound, 1u);
}

// Else results of a part of the threads would be lost.
TEST(MeasureAll, AddsUpTheThreads) {
  const std::vector<float> x = {0.5f, 1, 2, 3, 4, 5, 6};
  std::vector<float> y;
  for (const float argument : x) y.push_back(std::exp(argument));
  y[6] = -1;
  const Measured measured = measure_all(*find_function("exp"), x, {}, y, 3);
  EXPECT_EQ(measured.results, 7u);
  EXPECT_EQ(measured.over_bound, 1u);
  EXPECT_EQ(std::bit_cast<float>(measured.worst_at.a), 6.0f);
}

// Else a sweep would leave out arguments.
TEST(Patterns, StepOverAllBits) {
  EXPECT_EQ(patterns(0x3f800000u, 2, 3), (std::vector<float>{1, 1 + 0x1p-22f, 1 + 0x1p-21f}));
}

}  // namespace
}  // namespace millrace::accuracy
