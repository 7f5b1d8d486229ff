// Tables, and lookups without regard to upper and lower case: SQL and spreadsheets shout.
#include "src/expression/foreign_names.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include <millrace/expression.hpp>

#include "src/base/near_name.hpp"
#include "src/expression/function_table.hpp"

namespace millrace::expression {
namespace {

struct Foreign {
  std::string_view name;  // in lower case
  std::string_view ours;
};

constexpr Foreign kFunctions[] = {
    {"ln", "log(x)"},
    {"log10", "log2(x) * 0.30103"},
    {"log1p", "log(1 + x)"},
    {"expm1", "exp(x) - 1"},
    {"exp10", "pow(10, x)"},
    {"power", "pow(x, y)"},
    {"sqr", "x * x"},
    {"square", "x * x"},
    {"cbrt", "sign(x) * pow(abs(x), 1.0 / 3)"},
    {"mod", "x % y, or x - y * floor(x / y) for a result with the sign of y"},
    {"fmod", "x % y"},
    {"remainder", "x % y"},
    {"div", "i32(x / y)"},
    {"hypot", "length(vec2(x, y))"},
    {"norm", "length(x)"},
    {"magnitude", "length(x)"},
    {"arcsin", "asin(x)"},
    {"arccos", "acos(x)"},
    {"arctan", "atan(x)"},
    {"arctan2", "atan2(y, x)"},
    {"atn2", "atan2(y, x)"},
    {"arcsinh", "asinh(x)"},
    {"arccosh", "acosh(x)"},
    {"arctanh", "atanh(x)"},
    {"cot", "1 / tan(x)"},
    {"sec", "1 / cos(x)"},
    {"csc", "1 / sin(x)"},
    {"deg2rad", "radians(x)"},
    {"rad2deg", "degrees(x)"},
    {"ceiling", "ceil(x)"},
    {"truncate", "trunc(x)"},
    {"rint", "round(x)"},
    {"nearbyint", "round(x)"},
    {"roundeven", "round(x)"},
    {"int", "i32(x)"},
    {"integer", "i32(x)"},
    {"uint", "u32(x)"},
    {"unsigned", "u32(x)"},
    {"float", "f32(x)"},
    {"double", "f32(x)"},
    {"real", "f32(x)"},
    {"cast", "f32(x), i32(x), u32(x) or bool(x)"},
    {"boolean", "bool(x)"},
    {"float2", "vec2(x, y)"},
    {"float3", "vec3(x, y, z)"},
    {"float4", "vec4(x, y, z, w)"},
    {"ivec2", "vec2(i32(x), i32(y))"},
    {"ivec3", "vec3(i32(x), i32(y), i32(z))"},
    {"ivec4", "vec4(i32(x), i32(y), i32(z), i32(w))"},
    {"uvec2", "vec2(u32(x), u32(y))"},
    {"uvec3", "vec3(u32(x), u32(y), u32(z))"},
    {"uvec4", "vec4(u32(x), u32(y), u32(z), u32(w))"},
    {"vec2f", "vec2(x, y)"},
    {"vec3f", "vec3(x, y, z)"},
    {"vec4f", "vec4(x, y, z, w)"},
    {"fabs", "abs(x)"},
    {"absolute", "abs(x)"},
    {"fmin", "min(x, y)"},
    {"fmax", "max(x, y)"},
    {"minimum", "min(x, y)"},
    {"maximum", "max(x, y)"},
    {"least", "min(x, y)"},
    {"greatest", "max(x, y)"},
    {"clip", "clamp(x, low, high)"},
    {"constrain", "clamp(x, low, high)"},
    {"sgn", "sign(x)"},
    {"signum", "sign(x)"},
    {"if", "condition ? a : b"},
    {"iif", "condition ? a : b"},
    {"iff", "condition ? a : b"},
    {"ifelse", "condition ? a : b"},
    {"where", "condition ? a : b"},
    {"cond", "condition ? a : b"},
    {"case", "condition ? a : b"},
    {"lerp", "mix(a, b, t)"},
    {"frac", "fract(x)"},
    {"rsqrt", "inverseSqrt(x)"},
    {"rsq", "inverseSqrt(x)"},
    {"rcp", "1 / x"},
    {"reciprocal", "1 / x"},
    {"mad", "fma(a, b, c)"},
    {"muladd", "fma(a, b, c)"},
    {"isfinite", "!(isnan(x) || isinf(x))"},
    {"not", "!x"},
    {"and", "a && b"},
    {"or", "a || b"},
    {"xor", "a != b, or a ^ b for bits"},
    {"equal", "a == b"},
    {"notequal", "a != b"},
    {"lessthan", "a < b"},
    {"greaterthan", "a > b"},
    {"popcount", "countOneBits(x)"},
    {"bitcount", "countOneBits(x)"},
    {"clz", "countLeadingZeros(x)"},
    {"ctz", "countTrailingZeros(x)"},
    {"findmsb", "firstLeadingBit(x)"},
    {"findlsb", "firstTrailingBit(x)"},
    {"firstbithigh", "firstLeadingBit(x)"},
    {"firstbitlow", "firstTrailingBit(x)"},
    {"bitreverse", "reverseBits(x)"},
    {"bitfieldreverse", "reverseBits(x)"},
    {"bitfieldextract", "extractBits(x, offset, count)"},
    {"bitfieldinsert", "insertBits(x, y, offset, count)"},
    {"bitcast", "bitcast<f32>(x), bitcast<i32>(x) or bitcast<u32>(x)"},
    {"asfloat", "bitcast<f32>(x)"},
    {"asint", "bitcast<i32>(x)"},
    {"asuint", "bitcast<u32>(x)"},
    {"floatbitstoint", "bitcast<i32>(x)"},
    {"floatbitstouint", "bitcast<u32>(x)"},
    {"intbitstofloat", "bitcast<f32>(x)"},
    {"uintbitstofloat", "bitcast<f32>(x)"},
    {"packunorm4x8", "pack4x8unorm(x)"},
    {"packsnorm4x8", "pack4x8snorm(x)"},
    {"packunorm2x16", "pack2x16unorm(x)"},
    {"packsnorm2x16", "pack2x16snorm(x)"},
    {"packhalf2x16", "pack2x16float(x)"},
    {"unpackunorm4x8", "unpack4x8unorm(x)"},
    {"unpacksnorm4x8", "unpack4x8snorm(x)"},
    {"unpackunorm2x16", "unpack2x16unorm(x)"},
    {"unpacksnorm2x16", "unpack2x16snorm(x)"},
    {"unpackhalf2x16", "unpack2x16float(x)"},
    {"f32tof16", "pack2x16float(vec2(x, 0))"},
    {"f16tof32", "unpack2x16float(x).x"},
};

struct ForeignArguments {
  std::string_view name;
  std::size_t count;
  std::string_view ours;
};
constexpr ForeignArguments kArguments[] = {
    {"atan", 2, "atan2(y, x)"},
    {"log", 2, "log(x) / log(base)"},
    {"round", 2, "round(x * 100) / 100, say"},
    {"min", 3, "min(min(a, b), c)"},
    {"max", 3, "max(max(a, b), c)"},
    {"length", 2, "length(vec2(x, y))"},
    {"length", 3, "length(vec3(x, y, z))"},
    {"distance", 4, "distance(vec2(a, b), vec2(c, d))"},
    {"select", 2, "select(where_false, where_true, condition)"},
    {"exp", 2, "pow(x, y)"},
};

constexpr Foreign kOperators[] = {
    {"and", "&&"},
    {"or", "||"},
    {"xor", "!= between bools, ^ between integers"},
    {"mod", "%"},
    {"=", "=="},
    {"<>", "!="},
    {"**", "pow(x, y)"},
    {"===", "=="},
    {"=>", ">="},
    {"=<", "<="},
    {"//", "i32(x / y), or floor(x / y)"},
    {"is", "=="},
    {"not", "!"},
    {"in", "== and || for each value"},
    {"between", "x >= a && x <= b"},
    {"then", "condition ? a : b"},
};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

// Functions as they are called: "frexp", not "frexp.exp".
std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const FunctionRow& row : function_table()) {
    if (!find_function(row.name)) continue;
    const std::string name(row.name.substr(0, row.name.find('.')));
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

}  // namespace

std::string unknown_function_advice(std::string_view name) {
  if (const auto constant = is_builtin(name) ? name : find_foreign_constant(name))
    return fmt::format("; write {}, which takes no arguments.", *constant);
  const std::string key = lower(name.substr(0, name.find('<')));
  const std::vector<std::string> names = function_names();
  for (const std::string& known : names) {
    if (lower(known) == key) return fmt::format("; did you mean \"{}\"?", known);
  }
  for (const Foreign& foreign : kFunctions) {
    if (foreign.name == key) return fmt::format("; write {}.", foreign.ours);
  }
  return name_advice(name, names);
}

std::string foreign_arguments_advice(std::string_view name, std::size_t count) {
  for (const ForeignArguments& foreign : kArguments) {
    if (foreign.name == name && foreign.count == count) return fmt::format("; write {}", foreign.ours);
  }
  return {};
}

std::string foreign_operator_advice(std::string_view symbol) {
  const std::string key = lower(symbol);
  for (const Foreign& foreign : kOperators) {
    if (foreign.name == key) return fmt::format("; write {}", foreign.ours);
  }
  return {};
}

std::optional<std::string_view> find_foreign_constant(std::string_view name) {
  const std::string key = lower(name);
  for (const std::string_view ours : {"pi", "true", "false", "nan", "inf", "row", "rows"}) {
    if (key == ours) return ours;
  }
  if (key == "infinity") return "inf";
  return std::nullopt;
}

std::string member_advice(std::string_view function, std::string_view call) {
  std::string advice;
  for (const FunctionIndex member : find_members(function)) {
    const std::string_view name = expression::function(member).name;
    advice += fmt::format("{}{}{}", advice.empty() ? "" : " or ", call, name.substr(function.size()));
  }
  return advice;
}

}  // namespace millrace::expression
