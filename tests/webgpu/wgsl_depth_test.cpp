// How deep shaders nest, measured before a provider sees them.
#include <string>

#include <gtest/gtest.h>

#include "src/webgpu/wgsl_depth.hpp"

namespace millrace::webgpu {
namespace {

// Ordinary shaders are far below the bounds.
TEST(WgslDepth, CountsBracketsOfEveryKind) {
  const WgslDepth depth = measure_wgsl_depth("fn f() {\n  let x = a[(1 + 2) * 3];\n}\n");
  EXPECT_EQ(depth.nesting, 3u);
  EXPECT_EQ(depth.nesting_line, 0u);
  EXPECT_EQ(depth.operators_line, 0u);
}

// The line at which nesting goes past the bound is told, and 120 levels are allowed.
TEST(WgslDepth, FindsTheLineThatNestsTooDeep) {
  const std::string allowed = "\n" + std::string(120, '(') + "1" + std::string(120, ')');
  EXPECT_EQ(measure_wgsl_depth(allowed).nesting, 120u);
  EXPECT_EQ(measure_wgsl_depth(allowed).nesting_line, 0u);
  const std::string refused = "\n" + std::string(121, '(') + "1" + std::string(121, ')');
  EXPECT_EQ(measure_wgsl_depth(refused).nesting, 121u);
  EXPECT_EQ(measure_wgsl_depth(refused).nesting_line, 2u);
}

// A chain of operators counts over brackets inside it, and ends at a comma or semicolon.
TEST(WgslDepth, CountsOperatorsOfOneExpression) {
  std::string chain = "v";
  for (int i = 0; i < 501; ++i) chain += i % 2 == 0 ? "+v" : "*(v)";
  EXPECT_EQ(measure_wgsl_depth(chain).operators, 501u);
  EXPECT_EQ(measure_wgsl_depth(chain).operators_line, 1u);
  std::string statements;
  for (int i = 0; i < 1000; ++i) statements += "x = a + b;\n";
  EXPECT_EQ(measure_wgsl_depth(statements).operators, 2u);
}

// What stands in comments is not code.
TEST(WgslDepth, LeavesCommentsOut) {
  EXPECT_EQ(measure_wgsl_depth("// ((((\nf()").nesting, 1u);
  EXPECT_EQ(measure_wgsl_depth("/* (( /* [[ */ {{ \n */ f()").nesting, 1u);
  EXPECT_EQ(measure_wgsl_depth("/* \n\n */" + std::string(121, '(')).nesting_line, 3u);
  EXPECT_EQ(measure_wgsl_depth("/* unclosed ((((").nesting, 0u);
}

}  // namespace
}  // namespace millrace::webgpu
