// What a refused formula is told to write instead: it has to be right.
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/expect_error.hpp"
#include "tests/expression/declared_names.hpp"

namespace millrace::expression {
namespace {

void expect_refused(const std::string& text, ErrorCode code, const std::string& message) {
  DeclaredNames names;
  expect_error<Error>([&] { return names.infer(text); }, code, message);
}

// Who comes from another language is told how it is written here.
TEST(Advice, TranslateNamesOfOtherLanguages) {
  expect_refused("a = log10(x)", ErrorCode::unknown_function,
                 "There is no function \"log10\"; write log2(x) * 0.30103.\n"
                 "  a = log10(x)\n"
                 "      ^");
  expect_refused("a = SQRT(x)", ErrorCode::unknown_function,
                 "There is no function \"SQRT\"; did you mean \"sqrt\"?\n"
                 "  a = SQRT(x)\n"
                 "      ^");
  expect_refused("a = IF(x > 0, 1, 2)", ErrorCode::unknown_function,
                 "There is no function \"IF\"; write condition ? a : b.\n"
                 "  a = IF(x > 0, 1, 2)\n"
                 "      ^");
  expect_refused("a = bitcast<bool>(x)", ErrorCode::unknown_function,
                 "There is no function \"bitcast<bool>\"; write bitcast<f32>(x), bitcast<i32>(x) or bitcast<u32>(x).\n"
                 "  a = bitcast<bool>(x)\n"
                 "      ^");
  expect_refused("a = atan(x, 1)", ErrorCode::wrong_argument_count,
                 "\"atan\" takes 1 argument, but 2 are given; write atan2(y, x).\n"
                 "  a = atan(x, 1)\n"
                 "      ^");
  expect_refused(
      "a = x ^ 2", ErrorCode::type_mismatch,
      "\"^\" takes i32 or u32 lanes, but \"x\" is f32; write pow(x, 2) for a power, or i32(x) ^ 2 for bits.\n"
      "  a = x ^ 2\n"
      "        ^");
}

// Each name that another language has must be answered with a formula that this one takes.
TEST(Advice, TranslateIntoFormulasThatAreRight) {
  DeclaredNames names;
  for (const char* name : {"y", "z", "w", "a", "b", "c", "t", "low", "high", "base"}) names.add(name, Format::float32);
  for (const char* name : {"offset", "count"}) names.add(name, Format::uint32);
  names.define("condition", names.infer("o = x > 0").node);
  for (const char* foreign :
       {"ln",     "log10", "log1p",  "expm1",   "exp10",   "power", "sqr",     "cbrt",    "fmod",     "div",
        "hypot",  "norm",  "arcsin", "arctan2", "arcsinh", "cot",   "deg2rad", "ceiling", "truncate", "int",
        "uint",   "float", "float3", "ivec2",   "uvec4",   "vec4f", "fabs",    "fmin",    "greatest", "clip",
        "signum", "iif",   "where",  "lerp",    "frac",    "rsqrt", "rcp",     "mad",     "asfloat"}) {
    std::string message;
    try {
      static_cast<void>(names.infer(std::string("o = ") + foreign + "(x)"));
    } catch (const ExpressionError& error) {
      message = error.what();
    }
    const std::size_t at = message.find("; write ");
    ASSERT_NE(at, std::string::npos) << foreign << ": " << message;
    const std::string cure = message.substr(at + 8, message.find(".\n") - at - 8);
    EXPECT_NO_THROW(static_cast<void>(names.infer("o = " + cure))) << foreign << ": " << cure;
  }
}

// A cure that leads to the next error is none.
TEST(Advice, AdviseCastsThatTheFunctionTakes) {
  expect_refused("a = x & (x > 0)", ErrorCode::type_mismatch,
                 "\"&\" takes i32 or u32 lanes, but \"x\" is f32; write i32(x) & i32(x > 0).\n"
                 "  a = x & (x > 0)\n"
                 "        ^");
  expect_refused("a = x & u", ErrorCode::type_mismatch,
                 "\"&\" takes i32 or u32 lanes, but \"x\" is f32; write u32(x) & u.\n"
                 "  a = x & u\n"
                 "        ^");
  expect_refused("a = x << (x > 0)", ErrorCode::type_mismatch,
                 "\"<<\" takes i32 or u32 lanes, but \"x\" is f32; write i32(x) << i32(x > 0).\n"
                 "  a = x << (x > 0)\n"
                 "        ^");
  expect_refused("a = 5000000000 * (x > 0)", ErrorCode::type_mismatch,
                 "\"5000000000 * (x > 0)\" mixes bool with f32; write 5000000000 * f32(x > 0).\n"
                 "  a = 5000000000 * (x > 0)\n"
                 "                 ^");
  expect_refused("a = x && (x > 0)", ErrorCode::type_mismatch,
                 "\"&&\" takes bool lanes, but \"x\" is f32; write bool(x) && (x > 0).\n"
                 "  a = x && (x > 0)\n"
                 "        ^");
  expect_refused("a = clamp(x > 0, i > 0, 1)", ErrorCode::type_mismatch,
                 "\"clamp(x > 0, i > 0, 1)\" mixes bool with i32; write clamp(i32(x > 0), i32(i > 0), 1).\n"
                 "  a = clamp(x > 0, i > 0, 1)\n"
                 "      ^");
  expect_refused("a = u << (x > 0)", ErrorCode::type_mismatch,
                 "\"<<\" takes i32 or u32 lanes, but \"x > 0\" is bool; write u << u32(x > 0).\n"
                 "  a = u << (x > 0)\n"
                 "        ^");
  expect_refused("a = atan2(i, u)", ErrorCode::type_mismatch,
                 "\"atan2\" takes f32 lanes, but \"i\" is i32; write atan2(f32(i), f32(u)).\n"
                 "  a = atan2(i, u)\n"
                 "      ^");
  expect_refused("a = pack4xI8(vec4(1, 2, 3, 3000000000))", ErrorCode::literal_out_of_range,
                 "3000000000 does not fit i32 (-2147483648 to 2147483647); write pack4xI8(i32(vec4(1, 2, 3, "
                 "3000000000))).\n"
                 "  a = pack4xI8(vec4(1, 2, 3, 3000000000))\n"
                 "               ^");
  expect_refused("a = unpack4xU8(-1)", ErrorCode::literal_out_of_range,
                 "-1 does not fit u32 (0 to 4294967295); write unpack4xU8(u32(-1)).\n"
                 "  a = unpack4xU8(-1)\n"
                 "                 ^");
  expect_refused("a = countOneBits(5000000000)", ErrorCode::literal_out_of_range,
                 "5000000000 does not fit i32 (-2147483648 to 2147483647).\n"
                 "  a = countOneBits(5000000000)\n"
                 "                   ^");
  expect_refused("a = i & 5000000000", ErrorCode::literal_out_of_range,
                 "5000000000 does not fit i32 (-2147483648 to 2147483647), the lanes of \"i\".\n"
                 "  a = i & 5000000000\n"
                 "          ^");
  expect_refused("a = i & 0xf0000000", ErrorCode::literal_out_of_range,
                 "0xf0000000 does not fit i32 (-2147483648 to 2147483647), the lanes of \"i\"; write u32(i) & "
                 "0xf0000000.\n"
                 "  a = i & 0xf0000000\n"
                 "          ^");
  expect_refused("a = clamp(i, 3000000000, -1)", ErrorCode::literal_out_of_range,
                 "3000000000 does not fit i32 (-2147483648 to 2147483647), the lanes of \"i\"; write "
                 "clamp(f32(i), 3000000000, -1).\n"
                 "  a = clamp(i, 3000000000, -1)\n"
                 "               ^");
  expect_refused("a = ldexp(x, 5000000000)", ErrorCode::literal_out_of_range,
                 "5000000000 does not fit i32 (-2147483648 to 2147483647).\n"
                 "  a = ldexp(x, 5000000000)\n"
                 "               ^");
  expect_refused("a = u * 340282346638528859811704183484516925440", ErrorCode::literal_out_of_range,
                 "340282346638528859811704183484516925440 does not fit u32 (0 to 4294967295), the lanes of \"u\"; "
                 "write f32(u) * 340282346638528859811704183484516925440.\n"
                 "  a = u * 340282346638528859811704183484516925440\n"
                 "          ^");
  expect_refused("a = (x > 0) ^ (i > 0)", ErrorCode::type_mismatch,
                 "\"^\" takes i32 or u32 lanes, but \"x > 0\" is bool; write (x > 0) != (i > 0).\n"
                 "  a = (x > 0) ^ (i > 0)\n"
                 "              ^");
}

// The error of an expression, if it has one.
std::optional<ExpressionError> find_fault(DeclaredNames& names, const std::string& expression) {
  try {
    static_cast<void>(names.infer("o = " + expression));
  } catch (const ExpressionError& error) {
    return error;
  }
  return std::nullopt;
}

// The ways that the message says to write it, each with the condition that it is for: "(f == g) == h where "h" is a bool".
std::vector<std::string> find_ways(const ExpressionError& error) {
  const std::string message = error.what();
  const std::string sentence = message.substr(0, message.find('\n') - 1);
  const std::size_t at = sentence.rfind("; write ");
  std::vector<std::string> ways;
  for (std::size_t first = at + 8; at != std::string::npos && first != std::string::npos;) {
    const std::size_t end = sentence.find(" or ", first);
    std::string way = sentence.substr(first, end == std::string::npos ? end : end - first);
    if (way.ends_with(',')) way.pop_back();
    ways.push_back(std::move(way));
    first = end == std::string::npos ? end : end + 4;
  }
  return ways;
}

// The first way, which holds whatever its operands are.
std::optional<std::string> find_cure(const ExpressionError& error) {
  const std::vector<std::string> ways = find_ways(error);
  if (ways.empty()) return std::nullopt;
  return ways.front().substr(0, ways.front().find(" for "));
}

// Operands of all lane types and of several widths in a call of the row, or around its operator.
std::vector<std::string> calls_of(const FunctionRow& row) {
  static const std::vector<std::string> kOperands = {"x",   "i",    "u",  "p",  "iv",         "(x > 0)",   "1",
                                                     "1.5", "true", "-1", "2u", "3000000000", "5000000000"};
  std::vector<std::string> calls = {""};
  for (std::size_t operand = 0; operand < row.least_operands; ++operand) {
    std::vector<std::string> longer;
    for (const std::string& call : calls) {
      for (const std::string& value : kOperands) longer.push_back(call.empty() ? value : call + "," + value);
    }
    calls = std::move(longer);
  }
  const bool is_operator = !find_function(row.name);
  const std::size_t dot = std::min(row.name.find('.'), row.name.size());
  const std::string name(row.name == "unary -" ? "-" : row.name.substr(0, dot));
  for (std::string& call : calls) {
    if (is_operator && row.least_operands == 2) call.replace(call.find(','), 1, " " + name + " ");
    call = is_operator ? (row.least_operands == 1 ? name + call : call)
                       : name + "(" + call + ")" + std::string(row.name.substr(dot));
  }
  return calls;
}

// Advice that is refused in its turn would send a user in circles.
TEST(Advice, EndsInAFormulaThatIsTaken) {
  DeclaredNames names;
  std::size_t followed = 0;
  for (const FunctionRow& row : function_table()) {
    if (row.least_operands > 3) continue;
    for (const std::string& call : calls_of(row)) {
      std::string expression = call;
      for (int step = 0;; ++step) {
        const std::optional<ExpressionError> fault = find_fault(names, expression);
        if (!fault || fault->code() == ErrorCode::width_mismatch) break;  // widths are for the user to choose
        const std::optional<std::string> cure = find_cure(*fault);
        // What neither i32 nor u32 holds has no way into a function of integers.
        if (!cure && fault->code() == ErrorCode::literal_out_of_range) break;
        if (fault->code() == ErrorCode::constant_shift_too_wide || fault->code() == ErrorCode::constant_overflow) break;
        ASSERT_TRUE(cure) << call << " -> " << expression << "\n" << fault->what();
        ASSERT_LT(step, 4) << call << " -> " << expression << "\n" << fault->what();
        expression = *cure;
        ++followed;
      }
    }
  }
  EXPECT_GT(followed, 5'000u);
}

// What is refused for its parentheses, its numbers or its lanes has advice that is taken at the first try.
TEST(Advice, IsAFormulaAtOnce) {
  DeclaredNames names;
  names.add("v", Format::float32x4);
  names.add("j", Format::sint32);
  names.define("t", names.infer("o = x > 0").node);
  for (const char* text : {"x == s == 1",
                           "x < s < 1",
                           "1 == x == s",
                           "true == x == s",
                           "i & 1 == 0",
                           "0 != i | j",
                           "i & j == 0",
                           "i & j == i & j",
                           "i & 1 && t",
                           "t && i & 1",
                           "i & 1 || t && t",
                           "i & j && i & j",
                           "i & 1 == 0 & j == 0",
                           "i + j * 2 << 1",
                           "1 << i * 2 + j",
                           "t && t || t && t",
                           "x > 0 & s > 0",
                           "x > 0 & s + 1 > 0 | x < 1",
                           "(x > 0) ^ (s > 0)",
                           "x > 0 ^ s > 0",
                           "(t || x > 0) & s * 2 > 0",
                           "(t && t) & x > 0",
                           "min(i, x > 0 & (i > 0) ? 1 : 2)",
                           "i & 0xffffffff",
                           "u & -1",
                           "i * 5000000000",
                           "t ? i : 5000000000",
                           "vec2(i, 5000000000)",
                           "vec2(5000000000, 1)[i]",
                           "5000000000",
                           "u32(5000000000)",
                           "-5000000000i",
                           "2147483648i",
                           "0x80000000i + u",
                           "bitcast<f32>(5000000000)",
                           "insertBits(i, 3000000000, 1u, 2i)",
                           "insertBits(u, 1, iv, 2)",
                           "insertBits(u, 1, 3, -1)",
                           "extractBits(u, 1.5, 1)",
                           "extractBits(u, 1, 33)",
                           "v[1.0]",
                           "v[x]",
                           "v[iv]",
                           "v[t]",
                           "(p + q)[p + q]",
                           "x ^ 2",
                           "i ^ 1.5",
                           "PI()"}) {
    const std::optional<ExpressionError> fault = find_fault(names, text);
    ASSERT_TRUE(fault) << text;
    std::size_t taken = 0;
    for (const std::string& way : find_ways(*fault)) {
      if (way.find(" where ") != std::string::npos) continue;
      const std::string formula = way.substr(0, std::min(way.find(" for "), way.find(", which ")));
      const std::optional<ExpressionError> next = find_fault(names, formula);
      EXPECT_FALSE(next) << fault->what() << "\n" << (next ? next->what() : "");
      ++taken;
    }
    EXPECT_GT(taken, 0u) << fault->what();
  }
}

// A way that holds for bools is no way unless it says so, and then it is one.
TEST(Advice, SaysWhichOperandsAreToBeBools) {
  DeclaredNames names;
  for (const char* name : {"f", "g", "h"}) names.define(name, names.infer("o = x > 0").node);
  for (const char* text : {"f & g && h", "f | g && h", "f && g & h", "f ^ g || h", "f & g == h", "f == g & h",
                           "f ^ g == h", "f == g ^ h", "f == g == h", "x < s == f", "f == x < s"}) {
    const std::optional<ExpressionError> fault = find_fault(names, text);
    ASSERT_TRUE(fault) << text;
    const std::string way = find_ways(*fault).back();
    const std::size_t condition = way.find(" where \"");
    ASSERT_NE(condition, std::string::npos) << fault->what();
    const std::optional<ExpressionError> next = find_fault(names, way.substr(0, condition));
    EXPECT_FALSE(next) << fault->what() << "\n" << (next ? next->what() : "");
  }
}

// A format is given for what follows, so that the rows have to become right.
TEST(Advice, FitsValuesIntoTheirFormat) {
  DeclaredNames names;
  names.add("v", Format::float32x4);
  const auto expect_way = [&](const std::string& format, const std::string& expression, const std::string& way) {
    const std::string text = "a: " + format + " = ";
    try {
      static_cast<void>(names.infer(text + expression));
      ADD_FAILURE() << text << expression;
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.code(), ErrorCode::format_mismatch);
      EXPECT_NE(std::string(error.what()).find("; write " + way + "."), std::string::npos) << error.what();
    }
    EXPECT_NO_THROW(static_cast<void>(names.infer(text + way.substr(0, way.find(", or what else")))));
  };
  expect_way("unorm8x4", "p", "vec4(p, 0), or what else lane w is");
  expect_way("unorm8x4", "uv + 1", "vec4(uv + 1, 0, 0), or what else lanes z and w are");
  expect_way("unorm8x4", "iv", "vec4(f32(iv), 0), or what else lane w is");
  expect_way("unorm8x4", "i", "vec4(f32(i))");
  expect_way("sint16x2", "v", "i32(v.xy)");
  expect_way("float32", "-v", "(-v).x");
  expect_way("float32x2", "(p + q)", "(p + q).xy");
  expect_way("uint32", "p > 0", "u32((p > 0).x)");
  expect_way("float32", "x > 0", "f32(x > 0)");
}

}  // namespace
}  // namespace millrace::expression
