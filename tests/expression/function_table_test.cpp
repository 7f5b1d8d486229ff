// The table as data: names, holes and lane sets that its users rely on.
#include "src/expression/function_table.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace millrace::expression {
namespace {

// A name that stood twice would make one of its rows unreachable.
TEST(FunctionTable, HoldsEachNameOnce) {
  std::set<std::string_view> names;
  for (const FunctionRow& row : function_table()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

// A user who writes `+(a, b)` or finds `unary -` by name would reach operators as calls.
TEST(FunctionTable, KeepsOperatorsOutOfCalls) {
  EXPECT_EQ(find_function("+"), std::nullopt);
  EXPECT_EQ(find_function("unary -"), std::nullopt);
  EXPECT_EQ(find_function("nothing"), std::nullopt);
  EXPECT_EQ(function(operator_function("unary -")).least_operands, 1);
  EXPECT_EQ(function(*find_function("clamp")).least_operands, 3);
}

// A text that leaves an operand out, or names one that is not there, would compute something else in WGSL.
TEST(FunctionTable, UsesEachOperandInItsText) {
  for (const FunctionRow& row : function_table()) {
    for (const std::string_view text : {row.wgsl, row.wgsl_integer}) {
      if (text.empty()) continue;
      if (row.signature == Signature::construct) {
        EXPECT_NE(text.find("{*}"), std::string_view::npos) << row.name;
        continue;
      }
      for (int operand = 0; operand < 4; ++operand) {
        const bool is_used = text.find("{" + std::to_string(operand) + "}") != std::string_view::npos;
        EXPECT_EQ(is_used, operand < row.most_operands) << row.name << ' ' << operand;
      }
    }
  }
}

// E-14: without the clamp, what a device makes of 1e20 is its own choice.
TEST(FunctionTable, ClampsBeforeConversionFromFloat) {
  const FunctionRow& to_u32 = function(cast_function(Lane::u32));
  EXPECT_EQ(wgsl_text(to_u32, Lane::f32), "{U}(clamp({0}, {F}(0.0), {F}(4294967040.0)))");
  EXPECT_EQ(wgsl_text(to_u32, Lane::i32), "{U}({0})");
  EXPECT_EQ(wgsl_text(to_u32, Lane::boolean), "{U}({0})");
  EXPECT_EQ(wgsl_text(function(cast_function(Lane::i32)), Lane::f32),
            "{I}(clamp({0}, {F}(-2147483648.0), {F}(2147483520.0)))");
}

// E-12, E-19: shifts past the width, and `x != x`, mean different things on different devices.
TEST(FunctionTable, LeavesDevicesNoChoice) {
  EXPECT_EQ(function(operator_function("<<")).wgsl, "({0} << ({1} & {U}(31u)))");
  EXPECT_EQ(function(operator_function("!=")).wgsl, "!({0} == {1})");
  EXPECT_NE(function(*find_function("isnan")).wgsl.find("bitcast<{U}>"), std::string_view::npos);
}

// A set that holds a lane too many lets a formula through that WGSL refuses.
TEST(FunctionTable, TellsWhichLanesASetHolds) {
  EXPECT_TRUE(holds(Lanes::any, Lane::boolean));
  EXPECT_FALSE(holds(Lanes::numeric, Lane::boolean));
  EXPECT_TRUE(holds(Lanes::integer, Lane::u32));
  EXPECT_FALSE(holds(Lanes::integer, Lane::f32));
  EXPECT_TRUE(holds(Lanes::with_sign, Lane::i32));
  EXPECT_FALSE(holds(Lanes::with_sign, Lane::u32));
}

}  // namespace
}  // namespace millrace::expression
