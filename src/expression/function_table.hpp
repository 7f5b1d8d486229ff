// The function table: each operator, cast, constructor and builtin is one row, with its types and how it is written in
// WGSL. To add a function is to add a row and its tests.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

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
  scale,         // (T, i32 lanes of T's width); result T: ldexp
  refraction,    // (T, T, one f32 lane); result T
  exponent,      // T; result i32 lanes of T's width: frexp.exp
  bits_to_f32,   // T; result its bits as f32 lanes, as many: bitcast<f32>
  bits_to_i32,
  bits_to_u32,
  pack,         // T, with all its lanes; result one u32 lane
  packed_dot,   // (one u32 lane, one u32 lane); result one i32 lane
  unpack2_f32,  // one u32 lane; result two f32 lanes
  unpack4_f32,  // one u32 lane; result four f32 lanes
  unpack4_i32,
  unpack4_u32,
};

struct FunctionRow {
  // "min"; operators are "+", "unary -", ...; one value of a function that gives several is "frexp.fract".
  std::string_view name;
  std::uint8_t least_operands;
  std::uint8_t most_operands;
  Signature signature;
  Lanes lanes;  // that its operands may have
  std::uint8_t least_width = 1;
  std::uint8_t most_width = 4;
  // WGSL with holes {0} {1} {2} {3} for operands (names of `let`s, so that no text is a constant expression of WGSL).
  // {T} is the result's type; {F} {I} {U} {B} are f32, i32, u32 and bool in the width of operand 0: "u32", "vec3<u32>".
  // {N} is false, which no compiler knows: compared with it, a condition is kept apart from what is chosen by it.
  // A constructor's operands differ in number, so its one hole is {*}: all of them, separated by ", ".
  // Where f32 needs a text of its own, wgsl_integer serves the other lane types of operand 0 (i32, u32, bool).
  std::string_view wgsl;
  std::string_view wgsl_integer = {};
  // The entry of the WGSL library that is called for each lane of f32 where the mathematics are ours (`wgsl` is then the
  // provider's own), and always where the operands have no text.
  std::string_view library = {};
  // The entries of the WGSL library that `wgsl` itself calls, separated by single spaces.
  std::string_view calls = {};
  // Serves operands of one lane, where vectors of them need a text that has no meaning for it.
  std::string_view wgsl_single = {};
  // Serves u32, where i32 needs a text of its own.
  std::string_view wgsl_unsigned = {};
  // Whether vectors of integers are computed lane by lane, because a driver gets them wrong as vectors.
  bool integers_by_lane = false;
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
// The type of an operand, and of the result, where T is the type of the first operand that a row's signature is about.
// Not for constructors.
[[nodiscard]] Type operand_type(const FunctionRow& row, std::size_t operand, Type t);
[[nodiscard]] Type result_type(const FunctionRow& row, Type t);
// The rows of a function that gives several values, of which a formula names one: "frexp.fract" and "frexp.exp" for
// "frexp". Empty for other names.
[[nodiscard]] std::vector<FunctionIndex> find_members(std::string_view name);
// Whether the set holds the lane type.
[[nodiscard]] bool holds(Lanes lanes, Lane lane);
// The row's text for a first operand of that type.
[[nodiscard]] std::string_view wgsl_text(const FunctionRow& row, Type operand);

}  // namespace millrace::expression
