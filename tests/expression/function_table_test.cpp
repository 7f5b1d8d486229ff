// The table as data: names, holes and lane sets that its users rely on.
#include "src/expression/function_table.hpp"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "src/expression/wgsl_library.hpp"

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
    for (const std::string_view text : {row.wgsl, row.wgsl_integer, row.wgsl_single}) {
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
  EXPECT_EQ(wgsl_text(to_u32, {Lane::f32, 1}), "{U}(clamp({0}, {F}(0.0), {F}(4294967040.0)))");
  EXPECT_EQ(wgsl_text(to_u32, {Lane::i32, 1}), "{U}({0})");
  EXPECT_EQ(wgsl_text(to_u32, {Lane::boolean, 1}), "{U}({0})");
  EXPECT_EQ(wgsl_text(function(cast_function(Lane::i32)), {Lane::f32, 1}),
            "{I}(clamp({0}, {F}(-2147483648.0), {F}(2147483520.0)))");
}

// E-12, E-19: shifts past the width, and `x != x`, mean different things on different devices.
TEST(FunctionTable, LeavesDevicesNoChoice) {
  EXPECT_EQ(function(operator_function("<<")).wgsl, "({0} << ({1} & {U}(31u)))");
  EXPECT_EQ(function(operator_function("!=")).wgsl, "!({0} == {1})");
  EXPECT_NE(function(*find_function("isnan")).wgsl.find("bitcast<{U}>"), std::string_view::npos);
}

// A row that calls what is not there would fail when a formula is compiled.
TEST(FunctionTable, CallsFunctionsThatAreThere) {
  for (const FunctionRow& row : function_table()) {
    std::set<std::string_view> called;
    for (const std::string_view name : names_in(row.calls)) called.insert(name);
    if (!row.library.empty()) called.insert(row.library);
    const std::string text = library_text(called);
    for (const std::string_view name : called)
      EXPECT_NE(text.find("fn m_" + std::string(name) + "("), std::string::npos) << row.name;
    for (const std::string_view name : names_in(row.calls))
      EXPECT_NE(row.wgsl.find("m_" + std::string(name) + "("), std::string_view::npos) << row.name;
  }
}

// A result of another type than WGSL gives would not compile, or be stored as another format.
TEST(FunctionTable, KnowsTheTypesOfResults) {
  const std::map<std::string_view, std::string_view> others = {{"==", "vec4<bool>"},
                                                               {"!=", "vec4<bool>"},
                                                               {"<", "vec4<bool>"},
                                                               {"<=", "vec4<bool>"},
                                                               {">", "vec4<bool>"},
                                                               {">=", "vec4<bool>"},
                                                               {"isnan", "vec4<bool>"},
                                                               {"isinf", "vec4<bool>"},
                                                               {"i32", "vec4<i32>"},
                                                               {"u32", "vec4<u32>"},
                                                               {"bool", "vec4<bool>"},
                                                               {"length", "f32"},
                                                               {"distance", "f32"},
                                                               {"dot", "f32"},
                                                               {"all", "bool"},
                                                               {"any", "bool"},
                                                               {"frexp.exp", "vec4<i32>"},
                                                               {"bitcast<i32>", "vec4<i32>"},
                                                               {"bitcast<u32>", "vec4<u32>"},
                                                               {"pack4x8snorm", "u32"},
                                                               {"pack4x8unorm", "u32"},
                                                               {"pack4xI8", "u32"},
                                                               {"pack4xU8", "u32"},
                                                               {"pack4xI8Clamp", "u32"},
                                                               {"pack4xU8Clamp", "u32"},
                                                               {"pack2x16snorm", "u32"},
                                                               {"pack2x16unorm", "u32"},
                                                               {"pack2x16float", "u32"},
                                                               {"unpack4x8snorm", "vec4<f32>"},
                                                               {"unpack4x8unorm", "vec4<f32>"},
                                                               {"unpack4xI8", "vec4<i32>"},
                                                               {"unpack4xU8", "vec4<u32>"},
                                                               {"unpack2x16snorm", "vec2<f32>"},
                                                               {"unpack2x16unorm", "vec2<f32>"},
                                                               {"unpack2x16float", "vec2<f32>"},
                                                               {"dot4I8Packed", "i32"}};
  for (const FunctionRow& row : function_table()) {
    if (row.signature == Signature::construct) continue;
    Type type{Lane::f32, row.most_width};
    for (const Lane lane : {Lane::boolean, Lane::u32, Lane::i32, Lane::f32}) {
      if (holds(row.lanes, lane)) type.lane = lane;
    }
    const auto other = others.find(row.name);
    EXPECT_EQ(to_string(result_type(row, type)), other == others.end() ? to_string(type) : other->second) << row.name;
  }
}

// An operand of another type than WGSL takes would not compile.
TEST(FunctionTable, KnowsTheTypesOfOperands) {
  const auto types = [](std::string_view name, Type type) {
    const FunctionRow& row = function(find_function(name).value_or(operator_function("<<")));
    std::string text;
    for (std::size_t i = 0; i < row.most_operands; ++i) text += to_string(operand_type(row, i, type)) + ' ';
    return text;
  };
  EXPECT_EQ(types("clamp", {Lane::f32, 3}), "vec3<f32> vec3<f32> vec3<f32> ");
  EXPECT_EQ(types("select", {Lane::i32, 2}), "vec2<i32> vec2<i32> vec2<bool> ");
  EXPECT_EQ(types("<<", {Lane::i32, 2}), "vec2<i32> vec2<u32> ");
  EXPECT_EQ(types("ldexp", {Lane::f32, 4}), "vec4<f32> vec4<i32> ");
  EXPECT_EQ(types("refract", {Lane::f32, 4}), "vec4<f32> vec4<f32> f32 ");
  EXPECT_EQ(types("extractBits", {Lane::i32, 2}), "vec2<i32> u32 u32 ");
  EXPECT_EQ(types("insertBits", {Lane::u32, 2}), "vec2<u32> vec2<u32> u32 u32 ");
}

// `frexp(x).exp` would be sought among lanes.
TEST(FunctionTable, FindsFunctionsOfSeveralValues) {
  const auto members = [](std::string_view name) {
    std::string text;
    for (const FunctionIndex member : find_members(name)) text += std::string(function(member).name) + ' ';
    return text;
  };
  EXPECT_EQ(members("frexp"), "frexp.fract frexp.exp ");
  EXPECT_EQ(members("modf"), "modf.fract modf.whole ");
  EXPECT_EQ(members("mod"), "");
  EXPECT_EQ(members("frexp.exp"), "");
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
