// Types, conversions and constants: what a formula becomes in the DAG.
#include "src/expression/formula.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/expression/declared_names.hpp"

namespace millrace::expression {
namespace {

using testing::ElementsAre;

std::string describe(const std::string& expression) { return DeclaredNames().describe(expression); }
std::string type(const std::string& expression) { return DeclaredNames().type(expression); }

std::string repeat(std::string_view part, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += part;
  return result;
}

// The formula of the first page.
TEST(Infer, BroadcastsOneLane) {
  EXPECT_EQ(describe("length(p * s)"), "length((p * splat3(s)))");
  EXPECT_EQ(describe("s + p"), "(splat3(s) + p)");
  EXPECT_EQ(describe("p * 2"), "(p * splat3(2f))");
  EXPECT_EQ(describe("clamp(p, 0, x)"), "clamp(p, splat3(0f), splat3(x))");
  EXPECT_EQ(type("p * s"), "vec3<f32>");
  EXPECT_EQ(type("length(p)"), "f32");
}

// The length of one lane would be infinite past 1.8e19, and 0 below 1e-23, by way of its square.
TEST(Infer, TakesTheLengthOfOneLaneAsItsMagnitude) {
  EXPECT_EQ(describe("length(x)"), "abs(x)");
  EXPECT_EQ(describe("distance(x, 2)"), "abs((x - 2f))");
  EXPECT_EQ(describe("distance(p, x)"), "distance(p, splat3(x))");
}

// E-07: an i32 with an f32 is arithmetic in f32; a negative operand stays negative.
TEST(Infer, MakesIntegersWithFloatsFloat) {
  EXPECT_EQ(describe("i / x"), "(f32(i) / x)");
  EXPECT_EQ(describe("x + u"), "(x + f32(u))");
  EXPECT_EQ(describe("iv * s"), "(f32(iv) * splat3(s))");
  EXPECT_EQ(describe("p * i"), "(p * splat3(f32(i)))");
  EXPECT_EQ(describe("i * 0.5"), "(f32(i) * 0.5f)");
  EXPECT_EQ(describe("-5i / 2"), "-2i");
  EXPECT_EQ(describe("i / 2"), "(i / 2i)");
}

// Without this each 1 would need its suffix.
TEST(Infer, GivesIntegerLiteralsTheOtherLaneType) {
  EXPECT_EQ(describe("i + 1"), "(i + 1i)");
  EXPECT_EQ(describe("1 + u"), "(1u + u)");
  EXPECT_EQ(describe("x + 1"), "(x + 1f)");
  EXPECT_EQ(describe("i + -2147483648"), "(i + -2147483648i)");
  EXPECT_EQ(describe("u + 0xffffffff"), "(u + 4294967295u)");
  EXPECT_EQ(describe("u + 2u"), "(u + 2u)");
  EXPECT_EQ(describe("max(1, x)"), "max(1f, x)");
  EXPECT_EQ(describe("sqrt(4)"), "sqrt(4f)");
  EXPECT_EQ(describe("u + vec3(1, 2, 3)"), "(splat3(u) + vec3(1u, 2u, 3u))");
}

// A literal alone has one type that its user can predict.
TEST(Infer, TypesLiteralsThatStandAlone) {
  EXPECT_EQ(describe("7"), "7i");
  EXPECT_EQ(describe("-2147483648"), "-2147483648i");
  EXPECT_EQ(describe("4294967295"), "4294967295u");
  EXPECT_EQ(describe("7u"), "7u");
  EXPECT_EQ(describe("7f"), "7f");
  EXPECT_EQ(describe("1e3"), "1000f");
  EXPECT_EQ(describe("true"), "true");
  EXPECT_EQ(describe("vec3(1)"), "splat3(1i)");
}

// Someone who writes a ratio of two numbers means the ratio.
TEST(Infer, ComputesLiteralsExactly) {
  EXPECT_EQ(describe("1/2"), "0.5f");
  EXPECT_EQ(describe("7/2*2"), "7i");
  EXPECT_EQ(describe("1/3*3 + u"), "(1u + u)");
  EXPECT_EQ(describe("i * (7/2)"), "(f32(i) * 3.5f)");
  EXPECT_EQ(describe("2147483647 + 1"), "2147483648u");
  EXPECT_EQ(describe("-7 % 4"), "-3i");
  EXPECT_EQ(describe("7.5 % 2"), "1.5f");
  EXPECT_EQ(describe("1 << 31"), "2147483648u");
  EXPECT_EQ(describe("(0xf0 | 0x0f) ^ 1"), "254i");
  EXPECT_EQ(describe("-1 & 4294967295"), "4294967295u");
  EXPECT_EQ(describe("0x1ffffffff & 0xff"), "255i");
  EXPECT_EQ(describe("~0"), "-1i");
  EXPECT_EQ(describe("~0u"), "4294967295u");
  EXPECT_EQ(describe("1 < 2"), "true");
  EXPECT_EQ(describe("!(1 < 2) || 3 == 3.0"), "true");
  EXPECT_EQ(describe("-vec2(1, 2) * 2"), "vec2(-2i, -4i)");
  EXPECT_EQ(describe("vec3(1, 2, 3).zy"), "vec2(3i, 2i)");
  EXPECT_EQ(describe("vec3(1, 2, 3)[2]"), "3i");
}

// Suffixes ask for a lane type, and arithmetic then follows it.
TEST(Infer, ComputesTypedLiteralsInTheirType) {
  EXPECT_EQ(describe("7u / 2u"), "3u");
  EXPECT_EQ(describe("-7i / 2"), "-3i");
  EXPECT_EQ(describe("-7i % 2i"), "-1i");
  EXPECT_EQ(describe("1u << 31"), "2147483648u");
  EXPECT_EQ(describe("3i << 31"), "-2147483648i");
  EXPECT_EQ(describe("-8i >> 1"), "-4i");
  EXPECT_EQ(describe("2.0 / 4"), "0.5f");
}

// E-22: the nearest f32, bit for bit.
TEST(Infer, KeepsEveryBitOfFloatLiterals) {
  DeclaredNames names;
  const auto bits = [&](const std::string& literal) {
    return names.dag.node(names.infer("a = " + literal).node).payload;
  };
  EXPECT_EQ(bits("3.4028234663852886e38"), 0x7f7fffffu);
  EXPECT_EQ(bits("0.1"), 0x3dcccccdu);
  EXPECT_EQ(bits("1.17549435e-38"), 0x00800000u);
  EXPECT_EQ(bits("-0.0"), 0x80000000u);
  EXPECT_EQ(bits("16777217.0"), 0x4b800000u);
  // Just above the middle of two f32: rounding to double first would make it a tie, and then even.
  EXPECT_EQ(bits("1.00000005960464477540"), 0x3f800001u);
  EXPECT_EQ(bits("pi"), 0x40490fdbu);
  EXPECT_EQ(bits("e"), 0x402df854u);
  EXPECT_EQ(bits("1e-60"), 0u);
}

// A whole number past 32 bits is a good f32: the nearest one, though the nearest double may lie halfway to the next.
TEST(Infer, RoundsWholeNumbersToTheNearestF32) {
  DeclaredNames names;
  const auto bits = [&](const std::string& number) {
    return names.dag.node(names.infer("a = f32(" + number + ")").node).payload;
  };
  EXPECT_EQ(bits("5000000000"), 0x4f9502f9u);
  EXPECT_EQ(bits("-5000000000"), 0xcf9502f9u);
  EXPECT_EQ(bits("16777217"), 0x4b800000u);
  EXPECT_EQ(bits("16777219"), 0x4b800002u);
  // 2^60 + 2^36, between two f32, and its neighbours.
  EXPECT_EQ(bits("1152921573326323711"), 0x5d800000u);
  EXPECT_EQ(bits("1152921573326323712"), 0x5d800000u);
  EXPECT_EQ(bits("1152921573326323713"), 0x5d800001u);
  EXPECT_EQ(bits("-1152921573326323713"), 0xdd800001u);
  EXPECT_EQ(bits("1152921573326323713 / 1024"), 0x58800001u);
  EXPECT_EQ(bits("1024 / 1152921573326323713"), 0x267fffffu);
  // Up to the largest f32, 2^128 - 2^104.
  EXPECT_EQ(bits("170141183460469231731687303715884105727"), 0x7f000000u);
  EXPECT_EQ(bits("170141183460469231731687303715884105728"), 0x7f000000u);
  EXPECT_EQ(bits("340282346638528859811704183484516925440"), 0x7f7fffffu);
  EXPECT_EQ(bits("-340282346638528859811704183484516925440"), 0xff7fffffu);
  EXPECT_EQ(bits("0xffffff00000000000000000000000000"), 0x7f7fffffu);
  EXPECT_EQ(bits("0x1" + std::string(31, '0')), 0x7d800000u);
  EXPECT_EQ(describe("x * 5000000000"), "(x * 5000000000f)");
  EXPECT_EQ(describe("vec2(x, 340282346638528859811704183484516925440)"), "vec2(x, 3.4028235e+38f)");
}

// Whole numbers past 2^127 would be taken for others in comparisons and sums.
TEST(Infer, ComputesWithWholeNumbersThatF32AloneHolds) {
  const std::string largest = "340282346638528859811704183484516925440";
  EXPECT_EQ(describe(largest + " > 170141183460469231731687303715884105727"), "true");
  EXPECT_EQ(describe("-" + largest + " < 1 && " + largest + " != 2"), "true");
  EXPECT_EQ(describe(largest + " / 2 == 170141173319264429905852091742258462720"), "true");
  EXPECT_EQ(describe("x + (" + largest + " - " + largest + ")"), "(x + 0f)");
  EXPECT_EQ(describe("x + (170141183460469231731687303715884105727 + 1)"), "(x + 1.7014118e+38f)");
  EXPECT_EQ(describe("bool(" + largest + ")"), "true");
}

// -2147483648 with its suffix is a number like others, though 2147483648i by itself is none.
TEST(Infer, TakesTheLeastI32WithItsSuffix) {
  EXPECT_EQ(describe("-2147483648i"), "-2147483648i");
  EXPECT_EQ(describe("- 0x80000000i"), "-2147483648i");
  EXPECT_EQ(describe("i - -2147483648i"), "(i - -2147483648i)");
  EXPECT_EQ(describe("vec2(-2147483648i)[1] + i"), "(-2147483648i + i)");
  EXPECT_EQ(describe("-2147483648i / 2"), "-1073741824i");
}

// E-14: a cast of a literal and of the same number as data agree.
TEST(Infer, CastsLiteralsAsTheDeviceWould) {
  EXPECT_EQ(describe("f32(7)"), "7f");
  EXPECT_EQ(describe("u32(-1)"), "4294967295u");
  EXPECT_EQ(describe("i32(4294967295)"), "-1i");
  EXPECT_EQ(describe("i32(-2.7)"), "-2i");
  EXPECT_EQ(describe("u32(1e20)"), "4294967040u");
  EXPECT_EQ(describe("i32(1e20)"), "2147483520i");
  EXPECT_EQ(describe("i32(-1e20)"), "-2147483648i");
  EXPECT_EQ(describe("bool(2)"), "true");
  EXPECT_EQ(describe("u32(true)"), "1u");
}

// A cast of a vector keeps its width; a cast to its own type costs nothing.
TEST(Infer, CastsLaneByLane) {
  EXPECT_EQ(describe("u32(p)"), "u32(p)");
  EXPECT_EQ(type("u32(p)"), "vec3<u32>");
  EXPECT_EQ(describe("f32(x)"), "x");
  EXPECT_EQ(describe("bool(i)"), "bool(i)");
}

// A choice between vectors by one condition would take its first lane only.
TEST(Infer, ComparesAndChoosesLaneByLane) {
  EXPECT_EQ(describe("p < 1"), "(p < splat3(1f))");
  EXPECT_EQ(type("p < 1"), "vec3<bool>");
  EXPECT_EQ(describe("p < 1 && x > 0"), "((p < splat3(1f)) && splat3((x > 0f)))");
  EXPECT_EQ(describe("x > 0 ? p : 0"), "select(splat3(0f), p, splat3((x > 0f)))");
  EXPECT_EQ(describe("p > q ? 1 : 0"), "select(splat3(0i), splat3(1i), (p > q))");
  EXPECT_EQ(describe("select(i, 2.5, x > 0)"), "select(f32(i), 2.5f, (x > 0f))");
  EXPECT_EQ(describe("x != x"), "(x != x)");
  EXPECT_EQ(describe("isnan(p)"), "isnan(p)");
  EXPECT_EQ(type("isnan(p)"), "vec3<bool>");
  EXPECT_EQ(describe("(x > 0) == (i > 0)"), "((x > 0f) == (i > 0i))");
}

// Lanes and narrower vectors join in the order written.
TEST(Infer, BuildsVectors) {
  EXPECT_EQ(describe("vec4(p, 1)"), "vec4(p, 1f)");
  EXPECT_EQ(describe("vec4(uv, uv)"), "vec4(uv, uv)");
  EXPECT_EQ(describe("vec3(i, x, 0)"), "vec3(f32(i), x, 0f)");
  EXPECT_EQ(describe("vec3(x)"), "splat3(x)");
  EXPECT_EQ(describe("vec3(p)"), "p");
  EXPECT_EQ(type("vec2(x > 0, true)"), "vec2<bool>");
  EXPECT_EQ(describe("cross(p, q) + normalize(p) * dot(p, q)"), "(cross(p, q) + (normalize(p) * splat3(dot(p, q))))");
}

// A swizzle off by one lane swaps red and blue.
TEST(Infer, PicksLanes) {
  EXPECT_EQ(describe("p.zyx"), "p.zyx");
  EXPECT_EQ(describe("p.bgr"), "p.zyx");
  EXPECT_EQ(describe("p.xyz"), "p");
  EXPECT_EQ(describe("p.z"), "p.z");
  EXPECT_EQ(describe("x.xx"), "splat2(x)");
  EXPECT_EQ(describe("p[1]"), "p.y");
  EXPECT_EQ(describe("p[i]"), "p[i]");
  EXPECT_EQ(describe("p[u + 1]"), "p[(u + 1u)]");
  EXPECT_EQ(type("p[i]"), "f32");
}

// E-12: the amount is data in u32, whatever integer it came as; WGSL takes nothing else.
TEST(Infer, ShiftsByU32) {
  EXPECT_EQ(describe("u << 31"), "(u << 31u)");
  EXPECT_EQ(describe("i >> u"), "(i >> u)");
  EXPECT_EQ(describe("u << i"), "(u << u32(i))");
  EXPECT_EQ(describe("iv << u"), "(iv << splat3(u))");
  EXPECT_EQ(describe("1 << u"), "(1i << u)");
}

// WGSL takes offset and count as u32 only, and one for all lanes.
TEST(Infer, TakesBitRangesAsU32) {
  EXPECT_EQ(describe("extractBits(u, 4, 8)"), "extractBits(u, 4u, 8u)");
  EXPECT_EQ(describe("insertBits(iv, 1, u, 2)"), "insertBits(iv, splat3(1i), u, 2u)");
  EXPECT_EQ(describe("countOneBits(i)"), "countOneBits(i)");
}

// A function of two values is one call for each, so that nothing that WGSL calls a structure is needed.
TEST(Infer, NamesOneOfTwoValues) {
  EXPECT_EQ(describe("modf(x).fract"), "modf.fract(x)");
  EXPECT_EQ(describe("modf(p).whole.zx"), "modf.whole(p).zx");
  EXPECT_EQ(describe("(frexp(p)).exp[1]"), "frexp.exp(p).y");
  EXPECT_EQ(describe("frexp(2).fract"), "frexp.fract(2f)");
  EXPECT_EQ(type("frexp(p).fract"), "vec3<f32>");
  EXPECT_EQ(type("frexp(p).exp"), "vec3<i32>");
}

// Bits would be converted, or a vector's width lost.
TEST(Infer, ReinterpretsBits) {
  EXPECT_EQ(describe("bitcast<f32>(i)"), "bitcast<f32>(i)");
  EXPECT_EQ(describe("bitcast<u32>(p + 1)"), "bitcast<u32>((p + splat3(1f)))");
  EXPECT_EQ(type("bitcast<u32>(p)"), "vec3<u32>");
  EXPECT_EQ(describe("bitcast < i32 > (iv)"), "iv");
  EXPECT_EQ(describe("bitcast<u32>(-1)"), "bitcast<u32>(-1i)");
  EXPECT_EQ(describe("bitcast<i32>(7) / 2"), "(7i / 2i)");
  DeclaredNames names;
  names.add("bitcast", Format::float32);
  EXPECT_EQ(names.describe("bitcast < x || bitcast<f32>(u) > (x)"), "((bitcast < x) || (bitcast<f32>(u) > x))");
}

// pow(x, 2) is a square to the last bit, also of a negative x; pow(x, 0) still has the rows of x.
TEST(Infer, MultipliesForSmallPowers) {
  EXPECT_EQ(describe("pow(x, 1)"), "x");
  EXPECT_EQ(describe("pow(p, 2)"), "(p * p)");
  EXPECT_EQ(describe("pow(x, 3u)"), "((x * x) * x)");
  EXPECT_EQ(describe("pow(x, 2 * 2)"), "((x * x) * (x * x))");
  EXPECT_EQ(describe("pow(x, 0)"), "select(1f, 1f, (x == x))");
  EXPECT_EQ(describe("pow(x, vec2(2, 2))"), "(splat2(x) * splat2(x))");
  EXPECT_EQ(describe("pow(3, 2)"), "(3f * 3f)");
  EXPECT_EQ(describe("pow(x, 2.0)"), "pow(x, 2f)");
  EXPECT_EQ(describe("pow(x, -1)"), "pow(x, -1f)");
  EXPECT_EQ(describe("pow(x, 5)"), "pow(x, 5f)");
  EXPECT_EQ(describe("pow(x, vec2(1, 2))"), "pow(splat2(x), vec2(1f, 2f))");
  EXPECT_EQ(describe("pow(x, i)"), "pow(x, f32(i))");
}

// Each operand of another type than the first is converted to what WGSL takes, or refused.
TEST(Infer, GivesFunctionsOfSeveralTypesTheirOperands) {
  EXPECT_EQ(describe("ldexp(x, 3)"), "ldexp(x, 3i)");
  EXPECT_EQ(describe("ldexp(2, i)"), "ldexp(2f, i)");
  EXPECT_EQ(describe("ldexp(x, iv)"), "ldexp(splat3(x), iv)");
  EXPECT_EQ(describe("ldexp(p, i)"), "ldexp(p, splat3(i))");
  EXPECT_EQ(describe("refract(p, q, 1)"), "refract(p, q, 1f)");
  EXPECT_EQ(describe("refract(p, x, i)"), "refract(p, splat3(x), f32(i))");
  EXPECT_EQ(describe("faceForward(p, q, 1)"), "faceForward(p, q, splat3(1f))");
  EXPECT_EQ(type("reflect(uv, uv)"), "vec2<f32>");
  EXPECT_EQ(describe("atan2(i, x)"), "atan2(f32(i), x)");
}

// A word has no lanes until it is taken apart.
TEST(Infer, PacksAndUnpacksWords) {
  EXPECT_EQ(type("pack4x8unorm(vec4(p, 1))"), "u32");
  EXPECT_EQ(type("pack2x16float(uv)"), "u32");
  EXPECT_EQ(describe("pack4xU8(vec4(1, 2, 3, 4))"), "pack4xU8(vec4(1u, 2u, 3u, 4u))");
  EXPECT_EQ(type("pack4xI8(vec4(iv, 1))"), "u32");
  EXPECT_EQ(type("unpack4x8snorm(u)"), "vec4<f32>");
  EXPECT_EQ(type("unpack2x16float(u)"), "vec2<f32>");
  EXPECT_EQ(type("unpack4xI8(u)"), "vec4<i32>");
  EXPECT_EQ(type("unpack4xU8(u)"), "vec4<u32>");
  EXPECT_EQ(describe("unpack4x8unorm(255)"), "unpack4x8unorm(255u)");
  EXPECT_EQ(describe("dot4U8Packed(u, 3)"), "dot4U8Packed(u, 3u)");
  EXPECT_EQ(type("dot4U8Packed(u, u)"), "u32");
  EXPECT_EQ(type("dot4I8Packed(u, u)"), "i32");
}

// A test of all lanes would stay a vector, and the choice after it with it.
TEST(Infer, JoinsBools) {
  EXPECT_EQ(describe("all(p > q)"), "all((p > q))");
  EXPECT_EQ(type("any(p > q)"), "bool");
  EXPECT_EQ(describe("all(x > s)"), "(x > s)");
  EXPECT_EQ(type("any(p > 0) ? p : 0"), "vec3<f32>");
}

// E-21: infinity and NaN reach the shader as data, never as text.
TEST(Infer, KeepsInfinityAndNanApart) {
  EXPECT_EQ(describe("x + inf"), "(x + inf)");
  EXPECT_EQ(describe("x * nan"), "(x * nan)");
  EXPECT_EQ(describe("-inf"), "-inf");
}

// The row's own index is a u32 that mixes like one.
TEST(Infer, KnowsTheRowAndTheirCount) {
  EXPECT_EQ(describe("x * row"), "(x * f32(row))");
  EXPECT_EQ(describe("select(row, rows, x > 0)"), "select(row, rows, (x > 0f))");
}

// A column named "e" is the column, and the report says so.
TEST(Infer, LetsDeclaredNamesHideBuiltins) {
  DeclaredNames names;
  names.add("e", Format::float32);
  const Inferred inferred = names.infer("a = e * pi + e");
  EXPECT_THAT(inferred.hidden_builtins, ElementsAre("e"));
  EXPECT_THAT(names.infer("a = `e` * pi").hidden_builtins, ElementsAre());
  EXPECT_EQ(names.describe("e + length(p)"), "(e + length(p))");
  names.add("length", Format::float32);
  EXPECT_EQ(names.describe("length * length(p)"), "(length * length(p))");
}

// A result of the wrong format cannot be read as what it is.
TEST(Infer, StoresResultsAsTheirType) {
  DeclaredNames names;
  EXPECT_EQ(names.infer("a = p").format, Format::float32x3);
  EXPECT_EQ(names.infer("a = p > q").format, Format::uint32x3);
  EXPECT_EQ(names.infer("a = i").format, Format::sint32);
  EXPECT_EQ(names.infer("a: uint32 = x > 0").format, Format::uint32);
  EXPECT_EQ(names.describe(names.infer("a: float32 = 7").node), "7f");
  EXPECT_EQ(names.describe(names.infer("a: uint32 = 7").node), "7u");
}

// A packed result reads back as what fits into it, also for formulas that use it in the same kernel.
TEST(Infer, RequantizesPackedResults) {
  DeclaredNames names;
  const Inferred inferred = names.infer("a: unorm8x4 = vec4(p, 1)");
  EXPECT_EQ(inferred.format, Format::unorm8x4);
  EXPECT_EQ(names.describe(inferred.node), "unorm8x4<vec4(p, 1f)>");
  EXPECT_EQ(to_string(names.dag.node(inferred.node).type), "vec4<f32>");
  EXPECT_EQ(names.describe(names.infer("b: uint16x2 = vec2(1, 2)").node), "uint16x2<vec2(1u, 2u)>");
}

// 50,000 terms come from generators too.
TEST(Infer, TakesLongChains) {
  DeclaredNames names;
  EXPECT_EQ(names.type("x" + repeat("+x", 49'000)), "f32");
  EXPECT_EQ(names.type(repeat("-", 90'000) + "x"), "f32");
  EXPECT_EQ(names.type(repeat("x>0?x:", 16'000) + "0"), "f32");
  EXPECT_EQ(names.type("1" + repeat("+1", 49'000)), "i32");
  EXPECT_EQ(names.type("0" + repeat("+1/3", 16'000)), "f32");
}

// Errors and shaders spell types alike, and each format is read as its lanes.
TEST(Types, NameThemselvesAndTheirFormats) {
  EXPECT_EQ(to_string(Type{Lane::boolean, 2}), "vec2<bool>");
  EXPECT_EQ(to_string(read_type(Format::unorm8x4)), "vec4<f32>");
  EXPECT_EQ(to_string(read_type(Format::sint16x2)), "vec2<i32>");
  EXPECT_EQ(to_string(read_type(Format::float16x2)), "vec2<f32>");
  EXPECT_EQ(to_string(read_type(Format::unorm10_10_10_2)), "vec4<f32>");
  EXPECT_EQ(to_string(read_type(Format::uint8x4)), "vec4<u32>");
  EXPECT_EQ(stored_format({Lane::boolean, 3}), Format::uint32x3);
  EXPECT_EQ(stored_format({Lane::i32, 2}), Format::sint32x2);
}

}  // namespace
}  // namespace millrace::expression
