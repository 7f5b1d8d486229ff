// The oracle itself, against values worked out by hand: were it wider than the contract, it would accept what is wrong.
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/expression/function_table.hpp"
#include "tests/expression/build_dag.hpp"
#include "tests/oracle/evaluate.hpp"
#include "tests/oracle/functions.hpp"

namespace millrace::oracle {
namespace {

using expression::Lane;
using expression::Type;

constexpr Type kF32{Lane::f32, 1};
constexpr Type kI32{Lane::i32, 1};
constexpr Type kU32{Lane::u32, 1};
constexpr Type kBool{Lane::boolean, 1};

std::uint32_t bits(float number) { return std::bit_cast<std::uint32_t>(number); }
Allowed f32(float number) { return exactly(Lane::f32, bits(number)); }
Allowed i32(std::int32_t number) { return exactly(Lane::i32, static_cast<std::uint32_t>(number)); }
Allowed u32(std::uint32_t number) { return exactly(Lane::u32, number); }

Allowed apply(std::string_view name, const std::vector<Allowed>& operands, Type result = kF32) {
  std::vector<Lanes> lanes;
  for (const Allowed& operand : operands) lanes.push_back({operand});
  return apply_function(name, lanes, result).at(0);
}

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();

// Operands of a row whose signature's T is of that lane type, all 0.
std::vector<Lanes> zeros_for(const expression::FunctionRow& row, Lane lane) {
  std::vector<Lanes> operands;
  for (std::size_t i = 0; i < row.least_operands; ++i) {
    const Type type = expression::operand_type(row, i, {lane, row.most_width});
    operands.push_back(Lanes(type.width, exactly(type.lane, 0)));
  }
  return operands;
}

// A function that the oracle does not know, or not for all its lane types, would be left out of the proof.
TEST(Oracle, KnowsEveryFunctionOfTheLanguage) {
  for (const expression::FunctionRow& row : expression::function_table()) {
    for (const Lane lane : {Lane::f32, Lane::i32, Lane::u32, Lane::boolean}) {
      if (!expression::holds(row.lanes, lane)) continue;
      const Type result = expression::result_type(row, {lane, row.most_width});
      EXPECT_EQ(apply_function(row.name, zeros_for(row, lane), result).size(), result.width) << row.name;
    }
  }
}

// The bits of a float taken for an integer would be a promise that nobody made.
TEST(Oracle, HasNoRuleForLanesThatAFunctionDoesNotTake) {
  EXPECT_THROW(static_cast<void>(apply("countOneBits", {f32(1.0f)})), std::logic_error);
}

// An oracle that allows a neighbour would miss sums that are off by one place.
TEST(Oracle, AllowsSumsAndProductsOneRounding) {
  const Allowed sum = apply("+", {f32(0.1f), f32(0.2f)});
  EXPECT_TRUE(sum.holds(bits(0.1f + 0.2f)));
  EXPECT_FALSE(sum.holds(bits(0.1f + 0.2f) + 2));
  EXPECT_FALSE(sum.holds(bits(0.1f + 0.2f) - 2));
  const Allowed product = apply("*", {f32(3.0f), f32(7.0f)});
  EXPECT_TRUE(product.holds(bits(21.0f)));
  EXPECT_FALSE(product.holds(bits(21.0f) + 1));
}

// Quotients may be off by 2.5 places, and no more.
TEST(Oracle, AllowsQuotientsTheirBound) {
  const Allowed quotient = apply("/", {f32(10.0f), f32(3.0f)});
  EXPECT_TRUE(quotient.holds(bits(10.0f / 3.0f) + 2));
  EXPECT_FALSE(quotient.holds(bits(10.0f / 3.0f) + 4));
  EXPECT_TRUE(apply("/", {f32(1.0f), f32(0.0f)}).any);
}

// A driver may add terms in another order, but not lose them.
TEST(Oracle, WidensChainsOfSumsByTheirTerms) {
  const Allowed first = apply("+", {f32(1e8f), f32(1.0f)});
  const Allowed chain = apply("-", {first, f32(1e8f)});
  EXPECT_TRUE(chain.holds(bits(0.0f)));
  EXPECT_TRUE(chain.holds(bits(1.0f)));
  EXPECT_TRUE(chain.holds(bits(8.0f)));
  EXPECT_FALSE(chain.holds(bits(100.0f)));
}

// Elementary functions are held to 4 places, with the special values of IEEE 754.
TEST(Oracle, HoldsElementaryFunctionsToTheirBound) {
  const Allowed sine = apply("sin", {f32(1.0f)});
  const std::uint32_t nearest = bits(static_cast<float>(std::sin(1.0)));
  EXPECT_TRUE(sine.holds(nearest + 3));
  EXPECT_FALSE(sine.holds(nearest + 6));
  EXPECT_TRUE(apply("log", {f32(0.0f)}).holds(bits(-kInfinity)));
  EXPECT_FALSE(apply("log", {f32(0.0f)}).holds(bits(-88.0f)));
  EXPECT_TRUE(apply("log", {f32(-1.0f)}).holds(bits(kNan)));
  EXPECT_FALSE(apply("log", {f32(-1.0f)}).holds(bits(0.0f)));
  EXPECT_TRUE(apply("tanh", {f32(89.0f)}).holds(bits(1.0f)));
  EXPECT_FALSE(apply("tanh", {f32(89.0f)}).holds(bits(kNan)));
  EXPECT_TRUE(apply("exp", {f32(1000.0f)}).holds(bits(kInfinity)));
  EXPECT_FALSE(apply("exp", {f32(1000.0f)}).holds(bits(1e30f)));
}

// E-16, E-17: powers of negative numbers.
TEST(Oracle, HoldsPowersToIeee) {
  EXPECT_TRUE(apply("pow", {f32(-2000.0f), f32(2.0f)}).holds(bits(4000000.0f)));
  EXPECT_TRUE(apply("pow", {f32(-1.5f), f32(1.0f)}).holds(bits(-1.5f)));
  EXPECT_FALSE(apply("pow", {f32(-1.5f), f32(1.0f)}).holds(bits(1.5f)));
  EXPECT_TRUE(apply("pow", {f32(-4.0f), f32(1.5f)}).holds(bits(kNan)));
  EXPECT_FALSE(apply("pow", {f32(-4.0f), f32(1.5f)}).holds(bits(8.0f)));
}

// E-12: a shift takes its amount modulo 32, as one value.
TEST(Oracle, ShiftsModulo32) {
  EXPECT_TRUE(apply("<<", {u32(1), u32(33)}, kU32).holds(2));
  EXPECT_FALSE(apply("<<", {u32(1), u32(33)}, kU32).holds(0));
  EXPECT_TRUE(apply(">>", {i32(-8), u32(33)}, kI32).holds(static_cast<std::uint32_t>(-4)));
}

// E-13, and division as the language defines it: whole numbers have one right value.
TEST(Oracle, ComputesIntegersExactly) {
  EXPECT_TRUE(apply("-", {u32(5), u32(6)}, kU32).holds(4294967295u));
  EXPECT_FALSE(apply("-", {u32(5), u32(6)}, kU32).holds(1));
  EXPECT_TRUE(apply("/", {i32(-7), i32(2)}, kI32).holds(static_cast<std::uint32_t>(-3)));
  EXPECT_TRUE(apply("/", {i32(9), i32(0)}, kI32).holds(9));
  EXPECT_TRUE(apply("%", {i32(-5), i32(2)}, kI32).holds(static_cast<std::uint32_t>(-1)));
  EXPECT_FALSE(apply("%", {i32(-5), i32(2)}, kI32).holds(1));
  EXPECT_TRUE(apply("%", {u32(5), u32(0)}, kU32).holds(0));
}

// E-14: casts truncate and clamp.
TEST(Oracle, ClampsCasts) {
  EXPECT_TRUE(apply("u32", {f32(-1.5f)}, kU32).holds(0));
  EXPECT_TRUE(apply("u32", {f32(3.7f)}, kU32).holds(3));
  EXPECT_FALSE(apply("u32", {f32(3.7f)}, kU32).holds(4));
  EXPECT_TRUE(apply("u32", {f32(1e20f)}, kU32).holds(4294967040u));
  EXPECT_TRUE(apply("i32", {f32(-1e20f)}, kI32).holds(0x80000000u));
  EXPECT_TRUE(apply("i32", {f32(kNan)}, kI32).any);
}

// E-15: a quotient at a whole number may fall on either side of it.
TEST(Oracle, LeavesTheTruncatedQuotientOpenByOne) {
  const Allowed whole = apply("trunc", {apply("/", {f32(148.0f), f32(37.0f)})});
  EXPECT_TRUE(whole.holds(bits(4.0f)));
  EXPECT_TRUE(whole.holds(bits(3.0f)));
  EXPECT_FALSE(whole.holds(bits(5.0f)));
}

// E-18: min and max ignore NaN; E-19: isnan is one value.
TEST(Oracle, IgnoresNanInMinAndMax) {
  EXPECT_TRUE(apply("max", {f32(kNan), f32(2.0f)}).holds(bits(2.0f)));
  EXPECT_FALSE(apply("max", {f32(kNan), f32(2.0f)}).holds(bits(kNan)));
  EXPECT_TRUE(apply("max", {f32(1.0f), f32(kNan)}).holds(bits(1.0f)));
  EXPECT_TRUE(apply("min", {f32(kNan), f32(kNan)}).holds(bits(kNan)));
  EXPECT_TRUE(apply("clamp", {f32(kNan), f32(0.0f), f32(1.0f)}).holds(bits(0.0f)));
  EXPECT_TRUE(apply("isnan", {f32(kNan)}, kBool).holds(1));
  EXPECT_FALSE(apply("isnan", {f32(kNan)}, kBool).holds(0));
  EXPECT_FALSE(apply("isnan", {f32(kInfinity)}, kBool).holds(1));
}

// Comparisons with NaN are false, != is true; moves keep every bit.
TEST(Oracle, ComparesAndMovesNan) {
  EXPECT_FALSE(apply("==", {f32(kNan), f32(kNan)}, kBool).holds(1));
  EXPECT_FALSE(apply("!=", {f32(kNan), f32(kNan)}, kBool).holds(0));
  EXPECT_FALSE(apply("<", {f32(kNan), f32(1.0f)}, kBool).holds(1));
  const Allowed moved = apply("select", {exactly(Lane::f32, 0x7fc12345u), f32(1.0f), exactly(Lane::boolean, 0)});
  EXPECT_TRUE(moved.holds(0x7fc12345u));
  EXPECT_FALSE(moved.holds(0x7fc00000u));
  EXPECT_FALSE(apply("select", {f32(-0.0f), f32(1.0f), exactly(Lane::boolean, 0)}).holds(bits(0.0f)));
}

// A driver may take subnormal numbers as zero, and nothing else.
TEST(Oracle, LetsSubnormalNumbersBeZero) {
  const Allowed doubled = apply("*", {exactly(Lane::f32, 0x00400000u), f32(2.0f)});
  EXPECT_TRUE(doubled.holds(bits(0.0f)));
  EXPECT_TRUE(doubled.holds(0x00800000u));
  EXPECT_FALSE(doubled.holds(bits(1e-37f)));
  EXPECT_FALSE(exactly(Lane::f32, 0x00400000u).holds(0));
}

// Rows of packed formats: rounding to the nearest step, ties to the even one, and clamping.
TEST(Oracle, RoundsPackedRows) {
  expression::DagBuilder build;
  const expression::NodeIndex value = build.vector(Format::float32x4);
  const expression::NodeIndex packed = build.requantize(value, Format::unorm8x4);
  const RowValues row{{{bits(0.5f / 255), bits(2.0f), bits(kNan), bits(0.25f)}}};
  const Lanes allowed = RowEvaluator(build.dag, row).evaluate(packed);
  EXPECT_TRUE(holds_row(allowed, Format::unorm8x4, {0x4000ff00u}));
  EXPECT_FALSE(holds_row(allowed, Format::unorm8x4, {0x4000fe00u}));
  EXPECT_FALSE(holds_row(allowed, Format::unorm8x4, {0x4100ff00u}));
}

// A lane picked by an index out of range is the nearest one.
TEST(Oracle, ClampsLaneIndices) {
  expression::DagBuilder build;
  const expression::NodeIndex value = build.vector(Format::uint32x3);
  const expression::NodeIndex index = build.vector(Format::sint32);
  const expression::NodeIndex lane = build.lane(value, index);
  const RowValues low{{{7, 8, 9}, {0xffffffffu}}};
  const RowValues high{{{7, 8, 9}, {5}}};
  EXPECT_TRUE(RowEvaluator(build.dag, low).evaluate(lane)[0].holds(7));
  EXPECT_TRUE(RowEvaluator(build.dag, high).evaluate(lane)[0].holds(9));
  EXPECT_FALSE(RowEvaluator(build.dag, high).evaluate(lane)[0].holds(7));
}

}  // namespace
}  // namespace millrace::oracle
