// Numbers in the text of a formula, and arithmetic on them by the host.
//
// An integer literal without suffix is an exact fraction, and stays one through + - * / %: 7 / 2 * 2 is 7. What it ends
// up as is decided where it meets a typed operand, or at the end. Whole numbers past 2^127, which f32 alone holds, are kept
// in double precision. Numbers with a lane type are kept in it. Nothing here has undefined behaviour for any text: 128-bit
// arithmetic is checked, shifts are bounded, divisors are looked at first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "src/expression/type.hpp"

namespace millrace::expression {

__extension__ using Int128 = __int128;

enum class NumberKind : std::uint8_t { fraction, f32, i32, u32, boolean };

struct Number {
  NumberKind kind = NumberKind::fraction;
  Int128 numerator = 0;    // of all kinds but f32
  Int128 denominator = 1;  // positive; 1 unless a fraction; in lowest terms
  double real = 0;         // of f32: the exact value in double precision, rounded to f32 at the end
  // A whole fraction past 2^127: its value is `real`, and its numerator the last one of its sign, so that comparing it
  // with a limit of integers is right.
  bool is_vast = false;

  [[nodiscard]] bool is_whole() const { return kind != NumberKind::f32 && denominator == 1; }
  [[nodiscard]] bool is_zero() const { return kind == NumberKind::f32 ? real == 0 : numerator == 0; }
};

// Why arithmetic on literals has no result.
enum class NumberFault : std::uint8_t {
  zero_divisor,
  overflow,        // no lane type holds it, or not the lane type that a suffix asks for
  quotient,        // -2147483648 by -1, which i32 does not hold
  shift_too_wide,  // a shift by less than 0 or more than 31
};
using Folded = std::variant<Number, NumberFault>;

[[nodiscard]] Number make_boolean(bool value);
[[nodiscard]] Number make_real(double value);
[[nodiscard]] Number make_whole(NumberKind kind, Int128 value);

// The number that is written so: "1", "2u", "0xff", "1e-3", "2.5f". Its shape must be right, as the lexer makes sure of.
// overflow where its type does not hold it.
[[nodiscard]] Folded read_number(std::string_view text);

// -2147483648 where the text is that number without its sign, as an i32: "2147483648i", which i32 holds after a minus alone.
[[nodiscard]] std::optional<Number> find_least_i32(std::string_view text);

// operation: a binary operator of the language, "+", "<<", "==", "&&", ... Both of one kind; that of a shift's amount
// may differ, and is whole.
[[nodiscard]] Folded fold_binary(std::string_view operation, const Number& a, const Number& b);
// operation: "unary -", "!" or "~".
[[nodiscard]] Folded fold_unary(std::string_view operation, const Number& a);
// f32(a), i32(a), u32(a), bool(a), as the device converts; a whole fraction that no integer lane holds overflows.
[[nodiscard]] Folded fold_cast(Lane lane, const Number& a);

// The lane type of a number that has one.
[[nodiscard]] std::optional<Lane> find_lane(const Number& number);
// Whether the lane type holds the number: integers exactly, f32 by rounding.
[[nodiscard]] bool fits(const Number& number, Lane lane);
// What a lane type holds, as a message puts it: "0 to 4294967295".
[[nodiscard]] std::string_view range_of(Lane lane);
// The bits of the number in a lane type that it fits.
[[nodiscard]] std::uint32_t lane_bits(const Number& number, Lane lane);
// As it would be written: "-3", "1/3", "2.5".
[[nodiscard]] std::string to_string(const Number& number);

}  // namespace millrace::expression
