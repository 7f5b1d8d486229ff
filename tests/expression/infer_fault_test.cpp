// What a user reads when names or types of a formula do not fit, whole.
#include <string>

#include <gtest/gtest.h>

#include "tests/expect_error.hpp"
#include "tests/expression/declared_names.hpp"

namespace millrace::expression {
namespace {

// subject: the name at fault, the formula's output unless said otherwise.
void expect_refused(const std::string& text, ErrorCode code, const std::string& message, InferOptions options = {}) {
  DeclaredNames names;
  expect_error<Error>([&] { return names.infer(text, options); }, code, message);
}

bool is_refused_with(const std::string& text, ErrorCode code) {
  DeclaredNames names;
  try {
    static_cast<void>(names.infer(text));
  } catch (const Error& error) {
    return error.code() == code;
  }
  return false;
}

// The two messages that examples/errors.cpp promises.
TEST(InferFaults, AskForTheNameThatWasMeant) {
  DeclaredNames names;
  names.add("sum", Format::float32);
  expect_error<Error>(
      [&] { return names.infer("twice = summ * 2"); }, ErrorCode::missing_producer,
      "Operation \"twice = summ * 2\" reads \"summ\", which nothing before it defines; did you mean \"sum\"?");
  expect_error<Error>(
      [&] { return names.infer("a = rowz + x"); }, ErrorCode::missing_producer,
      "Operation \"a = rowz + x\" reads \"rowz\", which nothing before it defines; did you mean \"row\"?");
  expect_error<Error>([&] { return names.infer("a = PI + x"); }, ErrorCode::missing_producer,
                      "Operation \"a = PI + x\" reads \"PI\", which nothing before it defines; did you mean \"pi\"?");
  expect_error<Error>([&] { return names.infer("a = x + `row`"); }, ErrorCode::missing_producer,
                      "Operation \"a = x + `row`\" reads \"row\", which nothing before it defines; the language's own "
                      "row stands without backticks.");
  try {
    static_cast<void>(names.infer("a = `pi` + x"));
    ADD_FAILURE();
  } catch (const GraphError& error) {
    EXPECT_EQ(error.subject(), "pi");
  }
}

// Where no name is near, the names that there are help.
TEST(InferFaults, ListTheNamesThereAre) {
  expect_refused(
      "a = altitude", ErrorCode::missing_producer,
      "Operation \"a = altitude\" reads \"altitude\", which nothing before it defines; there are \"x\", \"i\", "
      "\"u\", \"p\", \"q\", \"uv\", \"iv\" and \"s\".");
}

// -1 with a u32 is 4294967295 for one reader and -1 for another.
TEST(InferFaults, RefuseMixedSignedness) {
  DeclaredNames names;
  names.add("offsets", Format::sint32);
  names.add("counts", Format::uint32);
  expect_error<Error>([&] { return names.infer("ends = offsets + counts"); }, ErrorCode::mixed_signedness,
                      "\"offsets + counts\" mixes i32 and u32; write u32(offsets) + counts or offsets + i32(counts).\n"
                      "  ends = offsets + counts\n"
                      "                 ^");
  expect_refused("a = (u + 1) * -i", ErrorCode::mixed_signedness,
                 "\"(u + 1) * -i\" mixes u32 and i32; write i32(u + 1) * -i or (u + 1) * u32(-i).\n"
                 "  a = (u + 1) * -i\n"
                 "              ^");
  expect_refused("a = min(i, u)", ErrorCode::mixed_signedness,
                 "\"min(i, u)\" mixes i32 and u32; write min(u32(i), u) or min(i, i32(u)).\n"
                 "  a = min(i, u)\n"
                 "      ^");
  expect_refused("a = x > 0 ? i : u", ErrorCode::mixed_signedness,
                 "\"x > 0 ? i : u\" mixes i32 and u32; write x > 0 ? u32(i) : u or x > 0 ? i : i32(u).\n"
                 "  a = x > 0 ? i : u\n"
                 "            ^");
  expect_refused("a = clamp(i, i, u)", ErrorCode::mixed_signedness,
                 "\"clamp(i, i, u)\" mixes i32 and u32; write clamp(u32(i), u32(i), u) or clamp(i, i, i32(u)).\n"
                 "  a = clamp(i, i, u)\n"
                 "      ^");
  expect_refused("a = dot4U8Packed(i, u)", ErrorCode::type_mismatch,
                 "\"dot4U8Packed\" takes u32 lanes, but \"i\" is i32; write dot4U8Packed(u32(i), u).\n"
                 "  a = dot4U8Packed(i, u)\n"
                 "      ^");
  EXPECT_TRUE(is_refused_with("a = i + 2u", ErrorCode::mixed_signedness));
  EXPECT_TRUE(is_refused_with("a = vec2(i, u)", ErrorCode::mixed_signedness));
  EXPECT_FALSE(is_refused_with("a = clamp(i, u, 0.5)", ErrorCode::mixed_signedness));
}

// Counting with conditions is fine once it says which numbers they are.
TEST(InferFaults, RefuseArithmeticWithBool) {
  expect_refused("a = (x > 1) + (i > 2)", ErrorCode::type_mismatch,
                 "\"+\" takes f32, i32 or u32 lanes, but \"x > 1\" is bool; write u32(x > 1) + u32(i > 2).\n"
                 "  a = (x > 1) + (i > 2)\n"
                 "              ^");
  expect_refused("a = x * (x > 1)", ErrorCode::type_mismatch,
                 "\"x * (x > 1)\" mixes bool with f32; write x * f32(x > 1).\n"
                 "  a = x * (x > 1)\n"
                 "        ^");
  expect_refused("a = (i > 2) & (u > 3)", ErrorCode::type_mismatch,
                 "\"&\" takes i32 or u32 lanes, but \"i > 2\" is bool; write (i > 2) && (u > 3).\n"
                 "  a = (i > 2) & (u > 3)\n"
                 "              ^");
  EXPECT_TRUE(is_refused_with("a = -(x > 1)", ErrorCode::type_mismatch));
  EXPECT_TRUE(is_refused_with("a = true < false", ErrorCode::type_mismatch));
  EXPECT_TRUE(is_refused_with("a = sqrt(x > 1)", ErrorCode::type_mismatch));
}

// 0.0 and 0 and NaN have no truth that everyone agrees on.
TEST(InferFaults, RefuseLogicOnNumbers) {
  expect_refused("a = x && u", ErrorCode::type_mismatch,
                 "\"&&\" takes bool lanes, but \"x\" is f32; write bool(x) && bool(u).\n"
                 "  a = x && u\n"
                 "        ^");
  expect_refused("a = !x", ErrorCode::type_mismatch,
                 "\"!\" takes bool lanes, but \"x\" is f32; write !bool(x).\n"
                 "  a = !x\n"
                 "      ^");
  expect_refused("a = u ? 1 : 2", ErrorCode::type_mismatch,
                 "A choice needs a bool, but \"u\" is u32; write bool(u).\n"
                 "  a = u ? 1 : 2\n"
                 "      ^");
}

// WGSL's own message would name generated identifiers.
TEST(InferFaults, RefuseLanesThatAFunctionDoesNotTake) {
  expect_refused("a = sqrt(i)", ErrorCode::type_mismatch,
                 "\"sqrt\" takes f32 lanes, but \"i\" is i32; write sqrt(f32(i)).\n"
                 "  a = sqrt(i)\n"
                 "      ^");
  expect_refused("a = x & 1", ErrorCode::type_mismatch,
                 "\"&\" takes i32 or u32 lanes, but \"x\" is f32; write i32(x) & 1.\n"
                 "  a = x & 1\n"
                 "        ^");
  expect_refused("a = u << 1.5", ErrorCode::type_mismatch,
                 "\"<<\" takes i32 or u32 lanes, but \"1.5\" is f32; write u << i32(1.5).\n"
                 "  a = u << 1.5\n"
                 "        ^");
  expect_refused("a = -u", ErrorCode::type_mismatch,
                 "\"-\" takes f32 or i32 lanes, but \"u\" is u32; write -i32(u).\n"
                 "  a = -u\n"
                 "      ^");
  expect_refused("a = extractBits(u, i, 8)", ErrorCode::type_mismatch,
                 "Offset and count of \"extractBits\" are one u32 each, but \"i\" is i32; write extractBits(u, u32(i), "
                 "8).\n"
                 "  a = extractBits(u, i, 8)\n"
                 "                     ^");
  expect_refused("a = p[x]", ErrorCode::type_mismatch,
                 "A lane is picked by one i32 or u32, but \"x\" is f32; write p[i32(x)].\n"
                 "  a = p[x]\n"
                 "        ^");
}

// Lanes filled up with zeros would be a wrong answer without a word.
TEST(InferFaults, RefuseUnequalWidths) {
  expect_refused("a = p * uv", ErrorCode::width_mismatch,
                 "\"p\" has 3 lanes but \"uv\" has 2; widths must be equal, or one of them 1.\n"
                 "  a = p * uv\n"
                 "        ^");
  expect_refused("a = dot(x, s)", ErrorCode::width_mismatch,
                 "\"dot\" takes values of 2 to 4 lanes, but \"x\" has 1.\n"
                 "  a = dot(x, s)\n"
                 "      ^");
  expect_refused("a = cross(uv, uv)", ErrorCode::width_mismatch,
                 "\"cross\" takes values of 3 lanes, but \"uv\" has 2.\n"
                 "  a = cross(uv, uv)\n"
                 "      ^");
  expect_refused("a = vec3(p, 1)", ErrorCode::width_mismatch,
                 "\"vec3\" takes 3 lanes, or one for all of them, but \"vec3(p, 1)\" gives it 4.\n"
                 "  a = vec3(p, 1)\n"
                 "      ^");
  expect_refused("a = pack4x8unorm(x)", ErrorCode::width_mismatch,
                 "\"pack4x8unorm\" takes values of 4 lanes, but \"x\" has 1; write pack4x8unorm(vec4(x)).\n"
                 "  a = pack4x8unorm(x)\n"
                 "      ^");
  expect_refused("a = unpack4xU8(vec2(u))", ErrorCode::width_mismatch,
                 "\"unpack4xU8\" takes values of 1 lane, but \"vec2(u)\" has 2; write unpack4xU8(vec2(u).x).\n"
                 "  a = unpack4xU8(vec2(u))\n"
                 "      ^");
  EXPECT_TRUE(is_refused_with("a = p > 0 ? uv : 0", ErrorCode::width_mismatch));
  EXPECT_TRUE(is_refused_with("a = vec3(uv)", ErrorCode::width_mismatch));
}

// A misspelled function asks for the near one.
TEST(InferFaults, RefuseUnknownFunctions) {
  expect_refused("a = lenght(p)", ErrorCode::unknown_function,
                 "There is no function \"lenght\"; did you mean \"length\"?\n"
                 "  a = lenght(p)\n"
                 "      ^");
  expect_refused("a = x(u + 1)", ErrorCode::unknown_function,
                 "\"x\" is a value and no function; write x * (...) for a product.\n"
                 "  a = x(u + 1)\n"
                 "      ^");
}

// Two values in one would be a type that rows have not.
TEST(InferFaults, RefuseTwoValuesAtOnce) {
  expect_refused("a = 1 + frexp(x)", ErrorCode::unknown_member,
                 "\"frexp\" gives two values; write frexp(x).fract or frexp(x).exp.\n"
                 "  a = 1 + frexp(x)\n"
                 "          ^");
  expect_refused("a = modf(p).x", ErrorCode::unknown_member,
                 "\"modf\" gives two values, and \"x\" is none of them; write modf(p).fract or modf(p).whole.\n"
                 "  a = modf(p).x\n"
                 "              ^");
  expect_refused("a = frexp(x).", ErrorCode::unknown_member,
                 "\"frexp\" gives two values; write frexp(x).fract or frexp(x).exp.\n"
                 "  a = frexp(x).\n"
                 "               ^");
  expect_refused("a = frexp(i).exp", ErrorCode::type_mismatch,
                 "\"frexp.exp\" takes f32 lanes, but \"i\" is i32; write frexp(f32(i)).exp.\n"
                 "  a = frexp(i).exp\n"
                 "      ^");
}

// Operands of another type than the first have a cure of their own.
TEST(InferFaults, RefuseOperandsOfTheWrongType) {
  expect_refused("a = ldexp(x, u)", ErrorCode::type_mismatch,
                 "The exponent of \"ldexp\" is i32, but \"u\" is u32; write ldexp(x, i32(u)).\n"
                 "  a = ldexp(x, u)\n"
                 "               ^");
  expect_refused("a = ldexp(x, 2.5)", ErrorCode::type_mismatch,
                 "The exponent of \"ldexp\" is i32, but \"2.5\" is f32; write ldexp(x, i32(2.5)).\n"
                 "  a = ldexp(x, 2.5)\n"
                 "               ^");
  expect_refused("a = refract(p, q, p + q)", ErrorCode::width_mismatch,
                 "The ratio of \"refract\" is one f32, but \"p + q\" has 3 lanes; write refract(p, q, (p + q).x).\n"
                 "  a = refract(p, q, p + q)\n"
                 "                      ^");
  expect_refused(
      "a = extractBits(u, 0, -1)", ErrorCode::literal_out_of_range,
      "The count of \"extractBits\" is 0 to 32, but -1 is given; write extractBits(u, 0, 32) for all bits from "
      "the offset on.\n"
      "  a = extractBits(u, 0, -1)\n"
      "                        ^");
  expect_refused("a = insertBits(u, 1, -8, 8)", ErrorCode::literal_out_of_range,
                 "The offset of \"insertBits\" is 0 to 32, but -8 is given; the lowest bit is 0 and the highest 31.\n"
                 "  a = insertBits(u, 1, -8, 8)\n"
                 "                       ^");
  for (const char* text : {"extractBits(u, 33, 1)", "extractBits(u, 0, 33u)", "insertBits(i, 1, 40i, 1)"})
    EXPECT_TRUE(is_refused_with("a = " + std::string(text), ErrorCode::literal_out_of_range)) << text;
  EXPECT_FALSE(is_refused_with("a = extractBits(u, 32, 32)", ErrorCode::literal_out_of_range));
  expect_refused("a = extractBits(u, iv, 1)", ErrorCode::type_mismatch,
                 "Offset and count of \"extractBits\" are one u32 each, but \"iv\" is vec3<i32>; write "
                 "extractBits(u, u32(iv.x), 1).\n"
                 "  a = extractBits(u, iv, 1)\n"
                 "                     ^");
  expect_refused("a = bitcast<f32>(x > 0)", ErrorCode::type_mismatch,
                 "\"bitcast<f32>\" takes f32, i32 or u32 lanes, but \"x > 0\" is bool; write "
                 "bitcast<f32>(u32(x > 0)).\n"
                 "  a = bitcast<f32>(x > 0)\n"
                 "      ^");
  expect_refused("a = pow(i, 2)", ErrorCode::type_mismatch,
                 "\"pow\" takes f32 lanes, but \"i\" is i32; write pow(f32(i), 2).\n"
                 "  a = pow(i, 2)\n"
                 "      ^");
  expect_refused("a = any(p)", ErrorCode::type_mismatch,
                 "\"any\" takes bool lanes, but \"p\" is vec3<f32>; write any(bool(p)).\n"
                 "  a = any(p)\n"
                 "      ^");
}

// A missing argument is named before any shader is made.
TEST(InferFaults, RefuseWrongArgumentCounts) {
  expect_refused("a = clamp(x, 1)", ErrorCode::wrong_argument_count,
                 "\"clamp\" takes 3 arguments, but 2 are given.\n"
                 "  a = clamp(x, 1)\n"
                 "      ^");
  expect_refused("a = sqrt()", ErrorCode::wrong_argument_count,
                 "\"sqrt\" takes 1 argument, but 0 are given.\n"
                 "  a = sqrt()\n"
                 "      ^");
  expect_refused("a = vec2(1, 2, 3)", ErrorCode::wrong_argument_count,
                 "\"vec2\" takes 1 to 2 arguments, but 3 are given.\n"
                 "  a = vec2(1, 2, 3)\n"
                 "      ^");
}

// A literal that wraps into its type would be another number.
TEST(InferFaults, RefuseLiteralsThatTheirTypeDoesNotHold) {
  expect_refused("a = i + 3000000000", ErrorCode::literal_out_of_range,
                 "3000000000 does not fit i32 (-2147483648 to 2147483647), the lanes of \"i\"; write u32(i) + "
                 "3000000000.\n"
                 "  a = i + 3000000000\n"
                 "          ^");
  expect_refused("a = u + -1", ErrorCode::literal_out_of_range,
                 "-1 does not fit u32 (0 to 4294967295), the lanes of \"u\"; write i32(u) + -1.\n"
                 "  a = u + -1\n"
                 "          ^");
  expect_refused("a = max(5000000000, u)", ErrorCode::literal_out_of_range,
                 "5000000000 does not fit u32 (0 to 4294967295), the lanes of \"u\"; write max(5000000000, "
                 "f32(u)).\n"
                 "  a = max(5000000000, u)\n"
                 "          ^");
  expect_refused("a = 5000000000", ErrorCode::literal_out_of_range,
                 "5000000000 does not fit i32 (-2147483648 to 2147483647); write f32(5000000000).\n"
                 "  a = 5000000000\n"
                 "      ^");
  expect_refused("a: uint32 = -1", ErrorCode::literal_out_of_range,
                 "-1 does not fit u32 (0 to 4294967295); write u32(-1).\n"
                 "  a: uint32 = -1\n"
                 "              ^");
  expect_refused("a: uint32 = 5000000000", ErrorCode::literal_out_of_range,
                 "5000000000 does not fit u32 (0 to 4294967295).\n"
                 "  a: uint32 = 5000000000\n"
                 "              ^");
  expect_refused("a = i32(5000000000)", ErrorCode::literal_out_of_range,
                 "5000000000 fits neither i32 nor u32; write f32(5000000000).\n"
                 "  a = i32(5000000000)\n"
                 "      ^");
}

// E-10, E-11: providers differ on these, and folding them on the host would be a signal.
TEST(InferFaults, RefuseDivisionByLiteralZero) {
  expect_refused("a = i / 0", ErrorCode::constant_division_by_zero,
                 "\"i / 0\" divides by a literal zero.\n"
                 "  a = i / 0\n"
                 "        ^");
  for (const char* text : {"i % 0", "u / 0u", "1 / 0", "1 % 0", "1i / 0i", "x / 0", "x % 0.0", "1.0 / 0.0",
                           "iv / vec3(1, 0, 2)", "i / (1 - 1)", "u / u32(0)", "1 / (1/2 - 1/2)"})
    EXPECT_TRUE(is_refused_with("a = " + std::string(text), ErrorCode::constant_division_by_zero)) << text;
  EXPECT_FALSE(is_refused_with("a = i / (i - i)", ErrorCode::constant_division_by_zero));
}

// E-11: the host never computes what it cannot hold.
TEST(InferFaults, RefuseOverflowOfLiterals) {
  expect_refused("a = -2147483648 / -1", ErrorCode::constant_overflow,
                 "\"-2147483648 / -1\" divides -2147483648 by -1, whose quotient i32 does not hold.\n"
                 "  a = -2147483648 / -1\n"
                 "                  ^");
  expect_refused("a = 2147483647i + 1", ErrorCode::constant_overflow,
                 "\"2147483647i + 1\" is arithmetic on literals whose result does not fit i32.\n"
                 "  a = 2147483647i + 1\n"
                 "                  ^");
  for (const char* text :
       {"-2147483648 % -1", "(-2147483647i - 1) / -1", "(-2147483647i - 1) % -1i", "0u - 1", "3e38 * 10",
        "170141183460469231731687303715884105727 * 1000000000", "-(-2147483647i - 1)", "1e38 * 1e38 / 1e38"})
    EXPECT_TRUE(is_refused_with("a = " + std::string(text), ErrorCode::constant_overflow)) << text;
}

// E-12: a literal shift of 32 or more is a mistake on every device, and each has its own answer.
TEST(InferFaults, RefuseShiftsPastTheWord) {
  expect_refused("a = u << 32", ErrorCode::constant_shift_too_wide,
                 "\"u << 32\" shifts by a literal that is not 0 to 31.\n"
                 "  a = u << 32\n"
                 "        ^");
  for (const char* text : {"u >> -1", "1 << 40", "iv << vec3(1, 2, 32)", "u << 99999999999", "1u >> 32u"})
    EXPECT_TRUE(is_refused_with("a = " + std::string(text), ErrorCode::constant_shift_too_wide)) << text;
}

// A lane past the width would be clamped to another one.
TEST(InferFaults, RefuseLanesThatAreNotThere) {
  expect_refused("a = p.xyw", ErrorCode::lane_out_of_range,
                 "\".xyw\" asks for lane \"w\", but \"p\" has 3 lanes: p.xyz.\n"
                 "  a = p.xyw\n"
                 "       ^");
  expect_refused("a = x.y", ErrorCode::lane_out_of_range,
                 "\".y\" asks for lane \"y\", but \"x\" has 1 lane: x.x.\n"
                 "  a = x.y\n"
                 "       ^");
  expect_refused("a = p[3]", ErrorCode::lane_out_of_range,
                 "Lane 3 is out of range: \"p\" has 3 lanes, p[0] to p[2].\n"
                 "  a = p[3]\n"
                 "        ^");
  expect_refused("a = (uv + 1).bg", ErrorCode::lane_out_of_range,
                 "\".bg\" asks for lane \"b\", but \"uv + 1\" has 2 lanes: (uv + 1).rg.\n"
                 "  a = (uv + 1).bg\n"
                 "              ^");
  expect_refused("a = x[1]", ErrorCode::lane_out_of_range,
                 "Lane 1 is out of range: \"x\" has 1 lane, x[0].\n"
                 "  a = x[1]\n"
                 "        ^");
  expect_refused(
      "a = x[row - 1u]", ErrorCode::lane_out_of_range,
      "\"x[row - 1u]\" is always \"x\", which has 1 lane: an index picks a lane of the row, and other rows cannot be "
      "reached.\n"
      "  a = x[row - 1u]\n"
      "            ^");
  EXPECT_TRUE(is_refused_with("a = p[-1]", ErrorCode::lane_out_of_range));
  EXPECT_TRUE(is_refused_with("a = p[4294967296]", ErrorCode::lane_out_of_range));
}

// The tool asks for this: a table's columns are whatever the file holds.
TEST(InferFaults, RefuseIntegerDivisionWhereAsked) {
  const InferOptions options{.integer_division = IntegerDivision::refuse};
  DeclaredNames names;
  names.add("distance", Format::sint32);
  names.add("air_time", Format::sint32);
  expect_error<Error>(
      [&] { return names.infer("speed = distance / air_time * 60", options); }, ErrorCode::integer_division_refused,
      "\"distance / air_time\" divides i32 by i32, which would drop the fraction; write f32(distance) / "
      "air_time, or allow it with integer_division = truncate (in the tool, --integer-division truncate).\n"
      "  speed = distance / air_time * 60\n"
      "                   ^");
  expect_refused("a = 100 / u", ErrorCode::integer_division_refused,
                 "\"100 / u\" divides u32 by u32, which would drop the fraction; write 100 / f32(u), or allow it with "
                 "integer_division = truncate (in the tool, --integer-division truncate).\n"
                 "  a = 100 / u\n"
                 "          ^",
                 options);
  EXPECT_EQ(names.describe(names.infer("speed = f32(distance) / air_time * 60", options).node),
            "((f32(distance) / f32(air_time)) * 60f)");
  EXPECT_EQ(names.describe(names.infer("a = i % 2", options).node), "(i % 2i)");
  EXPECT_EQ(names.describe(names.infer("a = 1 / 2", options).node), "0.5f");
}

// A formula without rows has no row to count.
TEST(InferFaults, RefuseRowsWithoutAVector) {
  expect_refused("a = row", ErrorCode::row_without_vector,
                 "\"row\" is the index of each row of the vectors that a formula reads, but this formula reads none.\n"
                 "  a = row\n"
                 "      ^");
  expect_refused("a = s * rows", ErrorCode::row_without_vector,
                 "\"rows\" is the number of rows of the vectors that a formula reads, but this formula reads none.\n"
                 "  a = s * rows\n"
                 "          ^");
  expect_refused("a = x + row(1)", ErrorCode::unknown_function,
                 "There is no function \"row\"; write row, which takes no arguments.\n"
                 "  a = x + row(1)\n"
                 "          ^");
  expect_refused("a = x * Pi()", ErrorCode::unknown_function,
                 "There is no function \"Pi\"; write pi, which takes no arguments.\n"
                 "  a = x * Pi()\n"
                 "          ^");
  EXPECT_FALSE(is_refused_with("a = x * rows", ErrorCode::row_without_vector));
}

// Converting silently to the declared format would hide a wrong formula.
TEST(InferFaults, RefuseFormatsThatDoNotFit) {
  expect_refused("a: float32 = i", ErrorCode::format_mismatch,
                 "\"i\" is i32, but a row of float32 is f32; write f32(i).\n"
                 "  a: float32 = i\n"
                 "               ^");
  expect_refused("a: unorm8x4 = p", ErrorCode::format_mismatch,
                 "\"p\" is vec3<f32>, but a row of unorm8x4 is vec4<f32>; write vec4(p, 0), or what else lane w "
                 "is.\n"
                 "  a: unorm8x4 = p\n"
                 "                ^");
  expect_refused("a: float32x3 = x + 1", ErrorCode::format_mismatch,
                 "\"x + 1\" is f32, but a row of float32x3 is vec3<f32>; write vec3(x + 1).\n"
                 "  a: float32x3 = x + 1\n"
                 "                   ^");
  EXPECT_TRUE(is_refused_with("a: float32 = x > 0", ErrorCode::format_mismatch));
  EXPECT_TRUE(is_refused_with("a: uint16x2 = uv > 0", ErrorCode::format_mismatch));
  EXPECT_TRUE(is_refused_with("a: sint32 = 1.5", ErrorCode::format_mismatch));
}

// A program that shows faults beside formulas finds the formula by its output.
TEST(InferFaults, NameTheOutputAsTheirSubject) {
  DeclaredNames names;
  try {
    static_cast<void>(names.infer("`the end` = i + u"));
    ADD_FAILURE();
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.subject(), "the end");
    EXPECT_EQ(error.text(), "`the end` = i + u");
    EXPECT_EQ(error.column(), 15u);
  }
}

}  // namespace
}  // namespace millrace::expression
