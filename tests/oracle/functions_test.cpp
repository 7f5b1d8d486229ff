// The oracle's functions, one by one, against values worked out by hand from WGSL's definitions: were one wrong or wider
// than the contract, faults of that function would pass.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "src/expression/function_table.hpp"
#include "tests/expression/ulp.hpp"
#include "tests/oracle/float_rules.hpp"
#include "tests/oracle/functions.hpp"

namespace millrace::oracle {
namespace {

using expression::FunctionRow;
using expression::Lane;
using expression::Signature;
using expression::Type;

constexpr Type kF32{Lane::f32, 1};
constexpr Type kI32{Lane::i32, 1};
constexpr Type kU32{Lane::u32, 1};

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();
const float kSubnormal = 0x1p-130f;

std::uint32_t bits(float number) { return std::bit_cast<std::uint32_t>(number); }
Allowed f32(float number) { return exactly(Lane::f32, bits(number)); }
Allowed i32(std::int32_t number) { return exactly(Lane::i32, static_cast<std::uint32_t>(number)); }
Allowed u32(std::uint32_t number) { return exactly(Lane::u32, number); }

Lanes floats(std::initializer_list<float> numbers) {
  Lanes lanes;
  for (const float number : numbers) lanes.push_back(f32(number));
  return lanes;
}

Allowed apply(std::string_view name, const std::vector<Allowed>& operands, Type result = kF32) {
  std::vector<Lanes> lanes;
  for (const Allowed& operand : operands) lanes.push_back({operand});
  return apply_function(name, lanes, result).at(0);
}

bool has_one_value(const Allowed& allowed) {
  return allowed.bits || (!allowed.any && !allowed.may_be_nan && allowed.lower == allowed.upper);
}

// That value and no other, where zeros are equal unless the bits are promised.
testing::AssertionResult is_only(const Allowed& allowed, std::uint32_t value) {
  if (has_one_value(allowed) && allowed.holds(value)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "it may be " << allowed.text();
}

// Within that many ULP of the true value, to which a driver's result is rounded once more.
testing::AssertionResult is_within(const Allowed& allowed, double value, double ulps) {
  const double most = (ulps + 0.5) * expression::ulp_at(value);
  const bool has_value = !allowed.any && !allowed.may_be_nan && allowed.lower <= value && value <= allowed.upper;
  if (has_value && value - allowed.lower <= most && allowed.upper - value <= most) return testing::AssertionSuccess();
  return testing::AssertionFailure() << value << ", but it may be " << allowed.text();
}

// Whole numbers and moves have one value for every function; a range would hide a wrong one.
TEST(OracleFunctions, GiveIntegersOneValue) {
  for (const FunctionRow& row : expression::function_table()) {
    if (row.signature == Signature::construct) continue;
    for (const Lane lane : {Lane::i32, Lane::u32, Lane::boolean}) {
      if (!expression::holds(row.lanes, lane)) continue;
      const Type t{lane, row.most_width};
      std::vector<Lanes> operands;
      for (std::uint32_t index = 0; index < row.most_operands; ++index) {
        const Type type = expression::operand_type(row, index, t);
        operands.emplace_back(type.width, exactly(type.lane, type.lane == Lane::boolean ? 1 : 5 + index));
      }
      const Type result = expression::result_type(row, t);
      if (result.lane == Lane::f32) continue;
      for (const Allowed& allowed : apply_function(row.name, operands, result))
        EXPECT_TRUE(has_one_value(allowed)) << row.name << " of " << to_string(t) << ": " << allowed.text();
    }
  }
}

// An f32 function that is open, or wide, for plain numbers would accept anything.
TEST(OracleFunctions, HoldFloatsClose) {
  for (const FunctionRow& row : expression::function_table()) {
    if (row.signature == Signature::construct || !expression::holds(row.lanes, Lane::f32)) continue;
    const Type t{Lane::f32, row.most_width};
    std::vector<Lanes> operands;
    for (std::size_t index = 0; index < row.most_operands; ++index) {
      const Type type = expression::operand_type(row, index, t);
      const float number = row.name == "acosh" ? 1.75f : 0.375f + 0.5f * static_cast<float>(index);
      operands.emplace_back(type.width, type.lane == Lane::f32 ? f32(number) : exactly(type.lane, 1));
    }
    for (const Allowed& allowed : apply_function(row.name, operands, expression::result_type(row, t))) {
      EXPECT_FALSE(allowed.any || allowed.may_be_nan) << row.name << ": " << allowed.text();
      // A whole quotient below leaves % open by the divisor, and there is none here.
      if (allowed.lane == Lane::f32)
        EXPECT_LE(allowed.upper - allowed.lower, 64 * expression::ulp_at(std::max(std::fabs(allowed.upper), 0.25)))
            << row.name;
      else
        EXPECT_TRUE(has_one_value(allowed)) << row.name << ": " << allowed.text();
    }
  }
}

// The bounds of docs/numerics.md are those of the single operations.
TEST(OracleFunctions, HaveTheBoundsOfTheContract) {
  EXPECT_TRUE(is_within(apply("+", {f32(1), f32(2)}), 3, 0.5));
  EXPECT_TRUE(is_within(apply("*", {f32(0.1f), f32(0.3f)}), double{0.1f} * double{0.3f}, 0.5));
  EXPECT_TRUE(is_within(apply("/", {f32(1), f32(3)}), 1.0 / 3, 2.5));
  EXPECT_TRUE(is_within(apply("sqrt", {f32(2)}), std::sqrt(2.0), 4));
  EXPECT_TRUE(is_within(apply("inverseSqrt", {f32(2)}), 1 / std::sqrt(2.0), 3));
  EXPECT_TRUE(is_within(apply("sin", {f32(1e30f)}), std::sin(double{1e30f}), 4));
  EXPECT_TRUE(is_within(apply("pow", {f32(1.5f), f32(2.5f)}), std::pow(1.5, 2.5), 4));
  EXPECT_TRUE(is_within(apply("atan2", {f32(1), f32(-2)}), std::atan2(1.0, -2.0), 4));
  EXPECT_TRUE(is_within(apply("degrees", {f32(1)}), 57.29577951308232, 1.5));
  EXPECT_TRUE(is_within(apply("mix", {f32(1), f32(3), f32(0.5f)}), 2, 4));
  EXPECT_TRUE(is_within(apply("smoothstep", {f32(0), f32(4), f32(1)}), 0.15625, 24));
  EXPECT_TRUE(is_within(apply("fma", {f32(3), f32(5), f32(7)}), 22, 2));
}

// Our own mathematics promise the signs of zeros, which drivers' own lose.
TEST(OracleFunctions, KnowSignsOfZeros) {
  for (const char* name : {"sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "sign", "abs", "unary -"}) {
    const bool is_flipped = std::string_view(name) == "unary -", is_lost = std::string_view(name) == "abs";
    EXPECT_TRUE(is_only(apply(name, {f32(-0.0f)}), is_flipped || is_lost ? 0 : 0x80000000u)) << name;
    EXPECT_TRUE(is_only(apply(name, {f32(0.0f)}), is_flipped ? 0x80000000u : 0)) << name;
  }
  EXPECT_TRUE(is_only(apply("log", {f32(1)}), 0));
  EXPECT_TRUE(is_only(apply("acos", {f32(1)}), 0));
  EXPECT_TRUE(is_only(apply("pow", {f32(-0.0f), f32(3)}), 0x80000000u));
  EXPECT_TRUE(is_only(apply("atan2", {f32(-0.0f), f32(1)}), 0x80000000u));
  EXPECT_TRUE(apply("atan2", {f32(-0.0f), f32(-1)}).holds(bits(-3.1415927f)));
  EXPECT_FALSE(apply("atan2", {f32(-0.0f), f32(-1)}).holds(bits(3.1415927f)));
}

// What is promised of NaN is promised of values that are open, too, where it rests on bits and not on comparisons.
TEST(OracleFunctions, HoldWhatIsPromisedOfAnyOperand) {
  const Allowed any = any_of(Lane::f32);
  EXPECT_TRUE(is_only(apply("pow", {any, f32(0)}), bits(1)));
  EXPECT_TRUE(is_only(apply("pow", {f32(1), any}), bits(1)));
  EXPECT_TRUE(is_only(apply("pow", {f32(1), f32(kNan)}), bits(1)));
  EXPECT_FALSE(apply("abs", {any}).holds(bits(-1)));
  EXPECT_FALSE(apply("sign", {any}).holds(bits(2)));
  EXPECT_TRUE(apply("clamp", {any, f32(2), f32(3)}).any);
  EXPECT_TRUE(is_only(apply("step", {f32(kNan), f32(1)}), 0));
}

// Either of two tiny numbers may be picked, but nothing that is not one of them.
TEST(OracleFunctions, LetMinAndMaxPickAnyTinyNumber) {
  EXPECT_TRUE(apply("min", {f32(kSubnormal), f32(0)}).holds(bits(kSubnormal)));
  EXPECT_TRUE(apply("min", {f32(kSubnormal), f32(0)}).holds(0));
  EXPECT_FALSE(apply("min", {f32(kSubnormal), f32(0)}).holds(bits(1e-37f)));
  EXPECT_FALSE(apply("max", {f32(kSubnormal), f32(1)}).holds(0));
}

// Parts of floats are exact, those of subnormal numbers may be those of 0.
TEST(OracleFunctions, TakeFloatsApart) {
  EXPECT_TRUE(is_only(apply("frexp.fract", {f32(-6)}), bits(-0.75f)));
  EXPECT_TRUE(is_only(apply("frexp.exp", {f32(-6)}, kI32), 3));
  EXPECT_TRUE(is_only(apply("frexp.exp", {f32(kInfinity)}, kI32), 0));
  EXPECT_TRUE(apply("frexp.exp", {f32(kSubnormal)}, kI32).holds(static_cast<std::uint32_t>(-129)));
  EXPECT_TRUE(apply("frexp.exp", {f32(kSubnormal)}, kI32).holds(0));
  EXPECT_TRUE(is_only(apply("modf.whole", {f32(-2.75f)}), bits(-2)));
  EXPECT_TRUE(is_within(apply("modf.fract", {f32(-2.75f)}), -0.75, 0.5));
  EXPECT_TRUE(is_within(apply("fract", {f32(-2.75f)}), 0.25, 0.5));
  EXPECT_TRUE(apply("fract", {f32(-1e-10f)}).holds(bits(1)));
  EXPECT_TRUE(is_within(apply("ldexp", {f32(0.75f), i32(3)}), 6, 0.5));
  EXPECT_TRUE(apply("ldexp", {f32(1), i32(std::numeric_limits<std::int32_t>::max())}).holds(bits(kInfinity)));
  EXPECT_TRUE(is_only(apply("ldexp", {f32(-kInfinity), i32(-300)}), bits(-kInfinity)));
  EXPECT_TRUE(is_only(apply("round", {f32(2.5f)}), bits(2)));
  EXPECT_TRUE(is_only(apply("round", {f32(-3.5f)}), bits(-4)));
}

// Halves: nearest, ties to the even one, infinity from 65520 on.
TEST(OracleFunctions, RoundToHalves) {
  EXPECT_TRUE(is_only(apply("quantizeToF16", {f32(0.1f)}), bits(0.0999755859375f)));
  EXPECT_TRUE(is_only(apply("quantizeToF16", {f32(2049)}), bits(2048)));
  EXPECT_TRUE(is_only(apply("quantizeToF16", {f32(2051)}), bits(2052)));
  EXPECT_TRUE(is_only(apply("quantizeToF16", {f32(65519)}), bits(65504)));
  EXPECT_TRUE(is_only(apply("quantizeToF16", {f32(65520)}), bits(kInfinity)));
  EXPECT_TRUE(is_only(apply("quantizeToF16", {f32(0x1p-24f)}), bits(0x1p-24f)));
  EXPECT_TRUE(apply("quantizeToF16", {f32(kNan)}).holds(bits(kNan)));
  EXPECT_TRUE(is_only(apply_function("pack2x16float", {floats({1, -2})}, kU32)[0], 0xc0003c00u));
}

// Packing is lowest lane first; a lane is cut to its range and rounded half up.
TEST(OracleFunctions, PackNormalizedLanes) {
  EXPECT_TRUE(is_only(apply_function("pack4x8unorm", {floats({0, 1, 2, -1})}, kU32)[0], 0x00ffff00u));
  EXPECT_TRUE(is_only(apply_function("pack4x8snorm", {floats({-1, 1, -5, 0})}, kU32)[0], 0x00817f81u));
  EXPECT_TRUE(is_only(apply_function("pack2x16unorm", {floats({1, 0.25f})}, kU32)[0], 0x4000ffffu));
  EXPECT_TRUE(is_only(apply_function("pack2x16snorm", {floats({-1, 1})}, kU32)[0], 0x7fff8001u));
  EXPECT_TRUE(apply_function("pack4x8unorm", {floats({kNan, 0, 0, 0})}, kU32)[0].any);
}

TEST(OracleFunctions, PackWholeLanes) {
  const Lanes whole = {i32(-1), i32(127), i32(128), i32(-129)};
  EXPECT_TRUE(is_only(apply_function("pack4xI8", {whole}, kU32)[0], 0x7f807fffu));
  EXPECT_TRUE(is_only(apply_function("pack4xI8Clamp", {whole}, kU32)[0], 0x807f7fffu));
  const Lanes counts = {u32(255), u32(256), u32(1), u32(0xffffffffu)};
  EXPECT_TRUE(is_only(apply_function("pack4xU8", {counts}, kU32)[0], 0xff0100ffu));
  EXPECT_TRUE(is_only(apply_function("pack4xU8Clamp", {counts}, kU32)[0], 0xff01ffffu));
}

TEST(OracleFunctions, UnpackWords) {
  const std::vector<Lanes> word = {{u32(0x80ff7f01u)}};
  const Lanes bytes = apply_function("unpack4xI8", word, {Lane::i32, 4});
  EXPECT_TRUE(is_only(bytes[0], 1));
  EXPECT_TRUE(is_only(bytes[2], static_cast<std::uint32_t>(-1)));
  EXPECT_TRUE(is_only(bytes[3], static_cast<std::uint32_t>(-128)));
  EXPECT_TRUE(is_only(apply_function("unpack4xU8", word, {Lane::u32, 4})[3], 128));
  const Lanes norms = apply_function("unpack4x8unorm", word, {Lane::f32, 4});
  EXPECT_TRUE(is_within(norms[0], 1.0 / 255, 2.5));
  EXPECT_TRUE(is_within(norms[2], 1, 2.5));
  EXPECT_FALSE(apply_function("unpack4x8snorm", word, {Lane::f32, 4})[3].holds(bits(-128.0f / 127)));
  EXPECT_TRUE(is_within(apply_function("unpack2x16unorm", word, {Lane::f32, 2})[0], 32513.0 / 65535, 2.5));
  EXPECT_TRUE(is_within(apply_function("unpack2x16snorm", word, {Lane::f32, 2})[1], -32513.0 / 32767, 2.5));
  const Lanes halves = apply_function("unpack2x16float", {{u32(0x00013c00u)}}, {Lane::f32, 2});
  EXPECT_TRUE(is_only(halves[0], bits(1)));
  EXPECT_TRUE(is_only(halves[1], bits(0x1p-24f)));
}

TEST(OracleFunctions, CountAndMoveBits) {
  EXPECT_TRUE(is_only(apply("countLeadingZeros", {u32(0)}, kU32), 32));
  EXPECT_TRUE(is_only(apply("countTrailingZeros", {u32(0x50)}, kU32), 4));
  EXPECT_TRUE(is_only(apply("firstLeadingBit", {i32(-1)}, kI32), 0xffffffffu));
  EXPECT_TRUE(is_only(apply("firstLeadingBit", {i32(-2)}, kI32), 0));
  EXPECT_TRUE(is_only(apply("firstLeadingBit", {u32(0xfffffffeu)}, kU32), 31));
  EXPECT_TRUE(is_only(apply("firstTrailingBit", {u32(0)}, kU32), 0xffffffffu));
  EXPECT_TRUE(is_only(apply("reverseBits", {u32(0x80000001u)}, kU32), 0x80000001u));
  EXPECT_TRUE(is_only(apply("extractBits", {i32(0xf0), u32(4), u32(4)}, kI32), 0xffffffffu));
  EXPECT_TRUE(is_only(apply("extractBits", {u32(0xf0), u32(4), u32(40)}, kU32), 0xf));
  EXPECT_TRUE(is_only(apply("extractBits", {u32(0xf0), u32(40), u32(4)}, kU32), 0));
  EXPECT_TRUE(is_only(apply("insertBits", {u32(0), u32(0xff), u32(28), u32(8)}, kU32), 0xf0000000u));
  EXPECT_TRUE(is_only(apply("dot4U8Packed", {u32(0x02020202u), u32(0x01020304u)}, kU32), 20));
  EXPECT_TRUE(is_only(apply("dot4I8Packed", {u32(0xffu), u32(0x7fu)}, kI32), static_cast<std::uint32_t>(-127)));
  EXPECT_TRUE(is_only(apply("bitcast<u32>", {f32(-0.0f)}, kU32), 0x80000000u));
  EXPECT_TRUE(is_only(apply("bitcast<f32>", {u32(0x7fc12345u)}), 0x7fc12345u));
}

// What WGSL defines over whole vectors.
TEST(OracleFunctions, SeeWholeVectors) {
  const Lanes across = floats({3, 0, 4});
  EXPECT_TRUE(is_within(apply_function("length", {across}, kF32)[0], 5, 8));
  EXPECT_TRUE(is_within(apply_function("normalize", {across}, {Lane::f32, 3})[2], 0.8, 12));
  EXPECT_TRUE(is_within(apply_function("dot", {across, floats({1, 2, 3})}, kF32)[0], 15, 4));
  EXPECT_TRUE(is_only(apply_function("dot", {{u32(0x80000000u), u32(3)}, {u32(2), u32(5)}}, kU32)[0], 15));
  EXPECT_TRUE(is_within(apply_function("cross", {across, floats({1, 2, 3})}, {Lane::f32, 3})[1], -5, 8));
  EXPECT_TRUE(is_within(apply_function("reflect", {floats({1, -1}), floats({0, 1})}, {Lane::f32, 2})[1], 1, 16));
  const Lanes straight = apply_function("refract", {floats({0, -1}), floats({0, 1}), floats({0.5f})}, {Lane::f32, 2});
  EXPECT_TRUE(is_within(straight[1], -1, 24));
  const Lanes turned = apply_function("faceForward", {floats({1, 2}), floats({0, 1}), floats({0, 1})}, {Lane::f32, 2});
  EXPECT_TRUE(is_only(turned[0], bits(-1)));
  EXPECT_TRUE(is_only(
      apply_function("any", {{exactly(Lane::boolean, 0), exactly(Lane::boolean, 1)}}, {Lane::boolean, 1})[0], 1));
}

}  // namespace
}  // namespace millrace::oracle
