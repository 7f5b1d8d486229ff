// Host numbers as words of a scalar: what each lane type takes, and what it refuses.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "src/graph/scalar_words.hpp"
#include "tests/expect_error.hpp"

namespace millrace::graph {
namespace {

std::uint32_t word(const Number& number, Format format) { return scalar_word(number, format, "k"); }

void expect_refused(const Number& number, Format format, const char* message) {
  expect_error<BindingError>([&] { (void)word(number, format); }, ErrorCode::number_out_of_range, "k", message);
}

// A number bound to a float would arrive with other bits.
TEST(ScalarWord, RoundsFloatingPointNumbersToTheNearestFloat) {
  EXPECT_EQ(word(2.0f, Format::float32), 0x40000000u);
  EXPECT_EQ(word(0.1, Format::float32), 0x3dcccccdu);
  EXPECT_EQ(word(-0.0, Format::float32x2), 0x80000000u);
  EXPECT_EQ(word(3.4028234663852886e38, Format::float32x4), 0x7f7fffffu);
  EXPECT_EQ(word(1.17549435e-38, Format::float32), 0x00800000u);
  EXPECT_EQ(word(std::numeric_limits<double>::infinity(), Format::float32), 0x7f800000u);
  EXPECT_EQ(word(-std::numeric_limits<float>::infinity(), Format::float32), 0xff800000u);
  EXPECT_TRUE(std::isnan(std::bit_cast<float>(word(std::nan(""), Format::float32))));
}

// A NaN that marks something by its bits, or a zero by its sign, would mark something else.
TEST(ScalarWord, KeepsEveryBitOfAFloat) {
  for (const std::uint32_t bits : {0x7fa00001u, 0x7f800001u, 0xffbfffffu, 0x7fc00000u, 0xffc12345u, 0x7fffffffu,
                                   0x80000000u, 0x00000001u, 0x807fffffu, 0xff800000u, 0xff7fffffu}) {
    const auto number = std::bit_cast<float>(bits);
    EXPECT_EQ(word(number, Format::float32), bits) << std::hex << bits;
    const NumberLanes lanes(std::array{1.0f, number});
    EXPECT_EQ(word(lanes.lane(1), Format::float32x2), bits) << std::hex << bits;
  }
  // A double has more bits, of which the lower ones are cut; a NaN stays one.
  EXPECT_EQ(word(std::bit_cast<double>(0xfff8000000000001u), Format::float32), 0xffc00000u);
  EXPECT_EQ(word(std::bit_cast<double>(0x7ff0000000000001u), Format::float32), 0x7fc00000u);
}

// An integer that a float holds would be refused, or one that it does not hold would be rounded in silence.
TEST(ScalarWord, TakesIntegersThatAFloatHoldsExactly) {
  EXPECT_EQ(word(2, Format::float32), 0x40000000u);
  EXPECT_EQ(word(-16777216, Format::float32), 0xcb800000u);
  EXPECT_EQ(word(std::numeric_limits<std::int64_t>::min(), Format::float32), 0xdf000000u);
  EXPECT_EQ(word(std::uint64_t{1} << 63, Format::float32), 0x5f000000u);
  expect_refused(
      16777217, Format::float32,
      "Input \"k\" is a float32 scalar and was given 16777217; float32 does not hold this integer exactly, so "
      "convert it first.");
  expect_refused(
      std::numeric_limits<std::int64_t>::max(), Format::float32,
      "Input \"k\" is a float32 scalar and was given 9223372036854775807; float32 does not hold this integer "
      "exactly, so convert it first.");
  expect_refused(
      std::numeric_limits<std::uint64_t>::max(), Format::float32x3,
      "Input \"k\" is a float32x3 scalar and was given 18446744073709551615; float32 does not hold this integer "
      "exactly, so convert it first.");
}

// A large number would become infinity without a word.
TEST(ScalarWord, RefusesNumbersPastTheLargestFloat) {
  expect_refused(1e39, Format::float32,
                 "Input \"k\" is a float32 scalar and was given 1e+39; float32 holds numbers up to 3.4028235e38.");
  expect_refused(-1e300, Format::float32x2,
                 "Input \"k\" is a float32x2 scalar and was given -1e+300; float32 holds numbers up to 3.4028235e38.");
}

// Integers at the edge of their range would be refused, or those past it would wrap.
TEST(ScalarWord, TakesIntegersInRange) {
  EXPECT_EQ(word(-2147483648ll, Format::sint32), 0x80000000u);
  EXPECT_EQ(word(2147483647u, Format::sint32x3), 0x7fffffffu);
  EXPECT_EQ(word(-5, Format::sint32), 0xfffffffbu);
  EXPECT_EQ(word(4294967295ll, Format::uint32), 0xffffffffu);
  EXPECT_EQ(word(std::uint8_t{7}, Format::uint32x4), 7u);
  expect_refused(2147483648ll, Format::sint32,
                 "Input \"k\" is a sint32 scalar and was given 2147483648; sint32 holds -2147483648 to 2147483647.");
  expect_refused(-2147483649ll, Format::sint32x2,
                 "Input \"k\" is a sint32x2 scalar and was given -2147483649; sint32 holds -2147483648 to 2147483647.");
  expect_refused(-1, Format::uint32, "Input \"k\" is a uint32 scalar and was given -1; uint32 holds 0 to 4294967295.");
  expect_refused(std::uint64_t{4294967296}, Format::uint32,
                 "Input \"k\" is a uint32 scalar and was given 4294967296; uint32 holds 0 to 4294967295.");
}

// A fraction, or a float that happens to be whole, would be cut to an integer in silence.
TEST(ScalarWord, RefusesFloatingPointNumbersForIntegers) {
  expect_refused(
      2.5f, Format::sint32,
      "Input \"k\" is a sint32 scalar and was given 2.5; a floating-point number goes to float32 scalars only, so "
      "convert it first.");
  expect_refused(
      2.0, Format::uint32,
      "Input \"k\" is a uint32 scalar and was given 2; a floating-point number goes to float32 scalars only, so "
      "convert it first.");
}

}  // namespace
}  // namespace millrace::graph
