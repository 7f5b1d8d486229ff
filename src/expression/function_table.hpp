// The function table: each operator, cast, constructor and builtin is one row, with its types and how it is written in
// WGSL. To add a function is to add a row and its tests.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "src/expression/dag.hpp"

namespace millrace::expression {

// Sets of lane types, as bits.
enum class Lanes : std::uint8_t {
  f32 = 1,
  i32 = 2,
  u32 = 4,
  boolean = 8,
  integer = 6,
  with_sign = 3,
  numeric = 7,
  any = 15
};

// How operand types relate to each other and to the result.
enum class Signature : std::uint8_t {
  same,         // all operands one type T; result T:            a + b, min, clamp, abs
  comparison,   // all operands one type T; result bool lanes:   a < b, isnan
  reduction,    // all operands one type T; result T's lane:     length, dot
  fixed_three,  // three-lane operands; result the same:         cross
  select,       // (T, T, bool lanes of T's width); result T
  shift,        // (T, u32 lanes of T's width); result T
  to_f32,       // casts, lane by lane
  to_i32,
  to_u32,
  to_bool,
  extract_bits,  // (T, one u32 lane, one u32 lane); result T
  insert_bits,   // (T, T, one u32 lane, one u32 lane); result T
  construct,     // operands of one lane type, widths that add up to the result's
};

struct FunctionRow {
  std::string_view name;  // "min"; operators are "+", "unary -", ...
  std::uint8_t least_operands;
  std::uint8_t most_operands;
  Signature signature;
  Lanes lanes;  // that its operands may have
  std::uint8_t least_width = 1;
  std::uint8_t most_width = 4;
  // WGSL with holes {0} {1} {2} {3} for operands (names of `let`s, so that no text is a constant expression of WGSL).
  // {T} is the result's type; {F} {I} {U} {B} are f32, i32, u32 and bool in the width of operand 0: "u32", "vec3<u32>".
  // A constructor's operands differ in number, so its one hole is {*}: all of them, separated by ", ".
  // Where f32 needs a text of its own, wgsl_integer serves the other lane types of operand 0 (i32, u32, bool).
  std::string_view wgsl;
  std::string_view wgsl_integer = {};
  // The entry of the WGSL library that is called for each lane where the mathematics are ours, and always where `wgsl` is
  // empty. `wgsl` is then the provider's own.
  std::string_view library = {};
};

[[nodiscard]] std::span<const FunctionRow> function_table();
[[nodiscard]] const FunctionRow& function(FunctionIndex index);
// The row of that name; operators have names of their own, so a call never finds them.
[[nodiscard]] std::optional<FunctionIndex> find_function(std::string_view name);
// The row of an operator, which must exist: "+", "<<", "!", "unary -", ...
[[nodiscard]] FunctionIndex operator_function(std::string_view name);
// The row of the cast to a lane type, and of the constructor of two to four lanes.
[[nodiscard]] FunctionIndex cast_function(Lane lane);
[[nodiscard]] FunctionIndex constructor_function(std::uint8_t width);
// Whether the set holds the lane type.
[[nodiscard]] bool holds(Lanes lanes, Lane lane);
// The row's text for a first operand of that lane type.
[[nodiscard]] std::string_view wgsl_text(const FunctionRow& row, Lane operand_lane);

}  // namespace millrace::expression
