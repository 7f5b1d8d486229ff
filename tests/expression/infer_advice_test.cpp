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
      "\"^\" takes i32 or u32 lanes, but \"x\" is f32; write pow(x, y) for a power, or for bits i32(x) ^ 2.\n"
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
                 "3000000000 does not fit i32 (-2147483648 to 2147483647); write i32(vec4(1, 2, 3, 3000000000)).\n"
                 "  a = pack4xI8(vec4(1, 2, 3, 3000000000))\n"
                 "               ^");
  expect_refused("a = unpack4xU8(-1)", ErrorCode::literal_out_of_range,
                 "-1 does not fit u32 (0 to 4294967295); write u32(-1).\n"
                 "  a = unpack4xU8(-1)\n"
                 "                 ^");
  expect_refused("a = countOneBits(5000000000)", ErrorCode::literal_out_of_range,
                 "5000000000 does not fit i32 (-2147483648 to 2147483647).\n"
                 "  a = countOneBits(5000000000)\n"
                 "                   ^");
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

// What the message says to write. Of two ways the first, which ends where the other begins.
std::optional<std::string> find_cure(const ExpressionError& error) {
  const std::string message = error.what();
  const std::string sentence = message.substr(0, message.find('\n'));
  const std::size_t at = sentence.rfind("; write ");
  if (at == std::string::npos) return std::nullopt;
  const std::string cure = sentence.substr(at + 8, sentence.size() - at - 9);
  return cure.substr(0, cure.find(" or "));
}

// Operands of all lane types and of several widths in a call of the row, or around its operator.
std::vector<std::string> calls_of(const FunctionRow& row) {
  static const std::vector<std::string> kOperands = {"x", "i", "u", "p", "iv", "(x > 0)", "1", "1.5", "true"};
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
        ASSERT_TRUE(cure) << call << " -> " << expression << "\n" << fault->what();
        // "write && instead of &", and of two readings of ^.
        if (cure->find(" instead of ") != std::string::npos || cure->find(" for a power") != std::string::npos) break;
        ASSERT_LT(step, 3) << call << " -> " << expression << "\n" << fault->what();
        expression = *cure;
        ++followed;
      }
    }
  }
  EXPECT_GT(followed, 5'000u);
}

}  // namespace
}  // namespace millrace::expression
