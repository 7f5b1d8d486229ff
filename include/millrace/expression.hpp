// Formulas: "name = expression". The language is that of the tool and of graph documents.
//
// A formula is computed for each row. Lanes are f32, i32, u32 or bool, a value has one to four of them.
// - Widths must be equal, or one of them 1, which is broadcast. Nothing is filled with zeros.
// - An integer literal takes the lane type of the other operand; a literal with ".", an exponent or "f" is f32.
//   Arithmetic on literals alone is exact, then typed: 1/2 is 0.5. (Those with ".", an exponent or "f" are computed in
//   double precision; those with "u" or "i" in their type.)
// - An integer with an f32 gives f32. i32 with u32 is an error that names the cast.
// - Integers wrap. x / 0 = x, x % 0 = 0, INT_MIN / -1 = INT_MIN, INT_MIN % -1 = 0; a shift takes its amount modulo 32.
//   The same with literals is an error with its column. f32 to integer clamps to the nearest f32 in range.
// - Comparisons, &&, ||, ! and ?: work lane by lane. A bool result is stored as uint32, 0 or 1.
// - Integers, comparisons and moves are exact on every driver; f32 results are within bounds: 0.5 ULP for + - *, 2.5 for /,
//   4 for sqrt and for sin, exp, pow, ..., which take every finite argument and have the special values of IEEE 754.
//   docs/numerics.md has the bound of each operation.
// - NaN and infinity pass through loads, stores, select, swizzles and bit tests, and comparisons with NaN are false. min,
//   max, clamp and saturate ignore NaN. + - * / and what is made of them give any value for NaN and infinity.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <millrace/format.hpp>

namespace [[gnu::visibility("default")]] millrace {

namespace expression {
struct Formula;
}

// Defines a new result from a formula: "lengths = length(positions * scale)". Its kind, width and format are inferred;
// a format given here, or in the text ("colors: unorm8x4 = ..."), is packed to. A name that is no identifier stands in
// `backticks`. Immutable; a copy is cheap.
class Expression {
 public:
  // ExpressionError `syntax_error`, `parentheses_required`, `literal_out_of_range`, `expression_too_long`,
  // `expression_too_deep`; `unsupported_format` where the text gives a format that there is not, `format_mismatch` where
  // it gives another than `format`. Names and types are checked by Graph::compile.
  explicit Expression(std::string formula, std::optional<Format> format = {});
  // A move is a copy, so that what was moved from stays good.
  Expression(const Expression&) = default;
  Expression& operator=(const Expression&) = default;

  // The text as given.
  [[nodiscard]] const std::string& text() const;
  // The name it defines.
  [[nodiscard]] const std::string& output() const;
  // The names it reads, each once, in the order of their first appearance. Constants and builtins (pi, row, ...) are
  // among them, since a declared value of that name would hide them; see is_builtin.
  [[nodiscard]] std::vector<std::string> operands() const;

 private:
  friend struct ExpressionAccess;
  std::shared_ptr<const expression::Formula> formula_;
};

// What `/` of two integers does: truncate, as in WGSL, or an ExpressionError `integer_division_refused`, for those whose
// column types are whatever a file holds.
enum class IntegerDivision : std::uint8_t { truncate, refuse };

// Whose sin, exp, pow, ... a kernel calls. own: WGSL of ours, at most 4 ULP from the true value, with the special values
// of IEEE 754, on every driver. native: the provider's builtins with the accuracy that WGSL asks of them, which near
// special points is none; for kernels in which they were measured to be faster.
enum class Mathematics : std::uint8_t { own, native };

// Whether an unquoted name that nothing declares means something by itself: pi, e, inf, nan, true, false, row, rows.
[[nodiscard]] bool is_builtin(std::string_view name);

}  // namespace millrace
