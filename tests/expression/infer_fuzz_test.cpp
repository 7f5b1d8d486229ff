// Formulas at random, from seeds that are printed: whatever the text, no fault of ours.
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "tests/expression/declared_names.hpp"

namespace millrace::expression {
namespace {

// Whatever the text, the answer is a result or an error of ours: never a signal, never another exception.
void expect_result_or_fault(DeclaredNames& names, const std::string& text, std::size_t& accepted) {
  try {
    static_cast<void>(names.infer(text));
    ++accepted;
  } catch (const ExpressionError& error) {
    EXPECT_GE(error.column(), 1u);
    EXPECT_EQ(error.text(), text);
  } catch (const GraphError& error) {
    EXPECT_EQ(error.code(), ErrorCode::missing_producer);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << " from " << testing::PrintToString(text);
  }
}

// What stands between spaces.
std::vector<std::string> words_of(const char* text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Any bytes at all may come from a file or a network.
TEST(InferFuzz, SurvivesRandomBytes) {
  constexpr unsigned seed = 20240917;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  DeclaredNames names;
  std::size_t accepted = 0;
  for (int round = 0; round < 10'000; ++round) {
    std::string text = round % 2 == 0 ? "a = " : "";
    for (unsigned length = random() % 40; length > 0; --length) text += static_cast<char>(random() % 256);
    expect_result_or_fault(names, text, accepted);
  }
}

// Nonsense of right words reaches further than random bytes.
TEST(InferFuzz, SurvivesRandomTokens) {
  constexpr unsigned seed = 7;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const std::vector<std::string> tokens = words_of(
      "x i u p uv iv s 0 1 2u 3i 4294967295 -2147483648 1e38 0.5 31 32 "
      "170141183460469231731687303715884105727 pi inf nan true row ( ) ( ) [ ] , .x .zy .a ? : + - * / % & "
      "| ^ << >> && || == != < >= ! ~ min( vec3( vec2( select( length( u32( f32( i32( bool( extractBits( "
      "dot( pow( frexp( .exp modf( .whole bitcast<f32>( bitcast ldexp( unpack4xU8( all( refract(");
  std::size_t accepted = 0;
  for (int round = 0; round < 15'000; ++round) {
    DeclaredNames names;
    std::string text = "a = ";
    for (unsigned length = random() % 10 + 1; length > 0; --length) text += tokens[random() % tokens.size()] + ' ';
    expect_result_or_fault(names, text, accepted);
  }
  EXPECT_GT(accepted, 200u);
}

// Formulas that are right as text, so that types are what is tried: numbers near every limit under every operator.
TEST(InferFuzz, SurvivesRandomTrees) {
  constexpr unsigned seed = 99;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const std::vector<std::string> leaves = words_of(
      "x i u p iv 0 1 -1 2147483647 2147483648 4294967295 4294967296 (-2147483647i-1) 4294967295u 3.4e38 "
      "1e-40 0.1 true 170141183460469231731687303715884105727 vec3(1,0,31) inf 31 32u");
  const std::vector<std::string> operators = {"+",  "-",  "*",  "/",  "%", "&", "|",  "^",
                                              "<<", ">>", "==", "!=", "<", ">", "&&", "||"};
  std::size_t accepted = 0;
  for (int round = 0; round < 6'000; ++round) {
    DeclaredNames names;
    std::string text = leaves[random() % leaves.size()];
    for (unsigned depth = random() % 5; depth > 0; --depth) {
      const std::string& leaf = leaves[random() % leaves.size()];
      const unsigned form = random() % 8;
      if (form < 5) text = "(" + text + ") " + operators[random() % operators.size()] + " (" + leaf + ")";
      if (form == 5) text = std::string(1, "-!~"[random() % 3]) + "(" + text + ")";
      if (form == 6) text = "(" + text + ")[" + leaf + "]";
      if (form == 7) text = leaf + " == 1 ? (" + text + ") : " + leaf;
    }
    expect_result_or_fault(names, "a = " + text, accepted);
  }
  EXPECT_GT(accepted, 200u);
}

}  // namespace
}  // namespace millrace::expression
