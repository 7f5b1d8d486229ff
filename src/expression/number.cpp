// Exact arithmetic on literals.
#include "src/expression/number.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace millrace::expression {
namespace {

__extension__ using Magnitude128 = unsigned __int128;

constexpr Int128 kLeastI32 = std::numeric_limits<std::int32_t>::min();
constexpr Int128 kMostI32 = std::numeric_limits<std::int32_t>::max();
constexpr Int128 kMostU32 = std::numeric_limits<std::uint32_t>::max();
constexpr Int128 kWord = kMostU32 + 1;
// Doubles below this round to the largest f32 or less: half a step past it is where f32 ends.
constexpr double kF32End = 0x1.ffffffp127;
// Whole numbers from here on are kept in double precision.
constexpr double kVast = 0x1p127;

// The least of the type has no negative: it counts as overflow, so that nothing after it has to ask.
constexpr Int128 kLeast = Int128{1} << 127;

Int128 greatest_common_divisor(Int128 a, Int128 b) {
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

// The quotient of whole numbers, the divisor positive, cut to the bits of a double, the last of which is 1 where anything
// was cut: what rounds to the right f32.
double odd_quotient(Int128 numerator, Int128 denominator) {
  constexpr int kDoubleBits = std::numeric_limits<double>::digits;
  const auto divisor = static_cast<Magnitude128>(denominator);
  const auto dividend = static_cast<Magnitude128>(numerator < 0 ? -numerator : numerator);
  if (dividend == 0) return 0;
  Magnitude128 quotient = dividend / divisor;
  Magnitude128 rest = dividend % divisor;
  int exponent = 0;
  for (; quotient >> (kDoubleBits - 1) == 0; --exponent) {
    rest *= 2;
    quotient = quotient * 2 + (rest >= divisor ? 1 : 0);
    if (rest >= divisor) rest -= divisor;
  }
  bool is_cut = rest != 0;
  for (; quotient >> kDoubleBits != 0; ++exponent) {
    is_cut = is_cut || (quotient & 1) != 0;
    quotient /= 2;
  }
  const double magnitude = std::ldexp(static_cast<double>(quotient | (is_cut ? 1 : 0)), exponent);
  return numerator < 0 ? -magnitude : magnitude;
}

// A double that rounds to the f32 nearest to the number. The nearest double may lie halfway between two f32, where the
// number does not.
double to_double(const Number& a) {
  if (a.kind == NumberKind::f32 || a.is_vast) return a.real;
  const double nearest = static_cast<double>(a.numerator) / static_cast<double>(a.denominator);
  const double odd = odd_quotient(a.numerator, a.denominator);
  return static_cast<float>(nearest) == static_cast<float>(odd) ? nearest : odd;
}

Folded checked_real(double value) {
  if (!(std::fabs(value) < kF32End)) return NumberFault::overflow;
  return make_real(value);
}

// A whole number past 2^127.
Folded checked_vast(double value) {
  if (!(std::fabs(value) < kF32End)) return NumberFault::overflow;
  Number number = make_whole(NumberKind::fraction, value < 0 ? kLeast + 1 : ~kLeast);
  number.real = value;
  number.is_vast = true;
  return number;
}

Folded checked_whole(NumberKind kind, Int128 value) {
  const Number number = make_whole(kind, value);
  const std::optional<Lane> lane = find_lane(number);
  if (value == kLeast || (lane && !fits(number, *lane))) return NumberFault::overflow;
  return number;
}

std::optional<Int128> multiply(Int128 a, Int128 b) {
  Int128 product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product == kLeast) return std::nullopt;
  return product;
}

std::optional<Int128> add(Int128 a, Int128 b) {
  Int128 sum = 0;
  if (__builtin_add_overflow(a, b, &sum) || sum == kLeast) return std::nullopt;
  return sum;
}

// In lowest terms with a positive denominator. Nothing where the terms overflowed.
std::optional<Number> make_fraction(std::optional<Int128> numerator, std::optional<Int128> denominator) {
  if (!numerator || !denominator) return std::nullopt;
  const Int128 divisor = greatest_common_divisor(*numerator, *denominator) * (*denominator < 0 ? -1 : 1);
  Number result;
  result.numerator = *numerator / divisor;
  result.denominator = *denominator / divisor;
  return result;
}

std::optional<Number> fold_fraction(char operation, const Number& a, const Number& b) {
  const auto left = multiply(a.numerator, b.denominator);
  const auto right = multiply(b.numerator, a.denominator);
  const auto denominator = multiply(a.denominator, b.denominator);
  switch (operation) {
    case '+':
      return left && right ? make_fraction(add(*left, *right), denominator) : std::nullopt;
    case '-':
      return left && right ? make_fraction(add(*left, -*right), denominator) : std::nullopt;
    case '*':
      return make_fraction(multiply(a.numerator, b.numerator), denominator);
    case '/':
      return make_fraction(left, right);
    default:  // %: what is left of truncated division
      return left && right ? make_fraction(*left % *right, denominator) : std::nullopt;
  }
}

double fold_real(char operation, double a, double b) {
  switch (operation) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      return std::fmod(a, b);
  }
}

Folded fold_typed(char operation, const Number& a, const Number& b) {
  const Int128 x = a.numerator;
  const Int128 y = b.numerator;
  switch (operation) {
    case '+':
      return checked_whole(a.kind, x + y);
    case '-':
      return checked_whole(a.kind, x - y);
    case '*':
      return checked_whole(a.kind, x * y);
    case '/':
      return checked_whole(a.kind, x / y);
    default:
      return checked_whole(a.kind, x % y);
  }
}

Folded fold_arithmetic(char operation, const Number& a, const Number& b) {
  const bool divides = operation == '/' || operation == '%';
  if (divides && b.is_zero()) return NumberFault::zero_divisor;
  if (a.kind == NumberKind::f32) return checked_real(fold_real(operation, a.real, b.real));
  // The one quotient of two i32 that i32 does not hold, also where the literals have no suffix.
  if (divides && a.is_whole() && b.is_whole() && a.numerator == kLeastI32 && b.numerator == -1)
    return NumberFault::quotient;
  if (a.kind != NumberKind::fraction) return fold_typed(operation, a, b);
  const bool is_exact = !a.is_vast && !b.is_vast;
  if (const std::optional<Number> exact = is_exact ? fold_fraction(operation, a, b) : std::nullopt) return *exact;
  const double value = fold_real(operation, to_double(a), to_double(b));
  const bool is_whole = !divides && a.is_whole() && b.is_whole();
  return is_whole && std::fabs(value) >= kVast ? checked_vast(value) : checked_real(value);
}

bool compare(std::string_view operation, const Number& a, const Number& b) {
  // Fractions in lowest terms are equal where their terms are; their order by products may overflow, by double it may
  // not: literals that are closer than a double's precision and yet unequal compare as equal only past 2^53.
  const auto left = multiply(a.numerator, b.denominator);
  const auto right = multiply(b.numerator, a.denominator);
  const bool exact = a.kind != NumberKind::f32 && !a.is_vast && !b.is_vast && left && right;
  const bool less = exact ? *left < *right : to_double(a) < to_double(b);
  const bool equal = exact ? *left == *right : to_double(a) == to_double(b);
  if (operation == "==") return equal;
  if (operation == "!=") return !equal;
  if (operation == "<") return less;
  if (operation == "<=") return less || equal;
  if (operation == ">") return !less && !equal;
  return !less;
}

Folded fold_shift(bool left, const Number& a, const Number& amount) {
  if (amount.numerator < 0 || amount.numerator > 31) return NumberFault::shift_too_wide;
  if (a.is_vast) return NumberFault::overflow;
  const int count = static_cast<int>(amount.numerator);
  if (!left) return make_whole(a.kind, a.numerator >> count);
  const std::optional<Int128> shifted = multiply(a.numerator, Int128{1} << count);
  if (!shifted) return NumberFault::overflow;
  if (a.kind == NumberKind::fraction) return make_whole(a.kind, *shifted);
  return make_whole(a.kind, a.kind == NumberKind::u32
                                ? static_cast<Int128>(static_cast<std::uint32_t>(*shifted))
                                : static_cast<Int128>(static_cast<std::int32_t>(static_cast<std::uint32_t>(*shifted))));
}

// f32 and fractions to an integer lane: towards zero, clamped to the nearest f32 in range.
Int128 truncate_into(Lane lane, double value) {
  const double least = lane == Lane::i32 ? -2147483648.0 : 0.0;
  const double most = lane == Lane::i32 ? 2147483520.0 : 4294967040.0;
  return static_cast<Int128>(std::trunc(std::fmin(std::fmax(value, least), most)));
}

NumberKind kind_of(Lane lane) {
  switch (lane) {
    case Lane::f32:
      return NumberKind::f32;
    case Lane::i32:
      return NumberKind::i32;
    case Lane::u32:
      return NumberKind::u32;
    case Lane::boolean:
      return NumberKind::boolean;
  }
  return NumberKind::f32;
}

// Whether a literal with a point or an exponent that no double holds is too small rather than too large: by the power of ten of its first digit.
bool is_tiny(std::string_view digits) {
  const std::size_t exponent_at = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, exponent_at);
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());

  std::int64_t exponent = 0;
  if (exponent_at < digits.size()) {
    std::string_view power = digits.substr(exponent_at + 1);
    const bool negative = power.front() == '-';
    if (negative || power.front() == '+') power.remove_prefix(1);
    const std::from_chars_result read = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (read.ec != std::errc{}) return negative;
    if (negative) exponent = -exponent;
  }
  const auto distance = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return exponent < -distance;
}

// The double from which rounding to f32 gives the f32 nearest to the text. The nearest double may lie halfway between
// two f32, where the text does not; a step towards the right one keeps the second rounding from a wrong tie.
std::optional<double> read_double(std::string_view digits, std::chars_format form) {
  double wide = 0;
  const std::from_chars_result read = std::from_chars(digits.data(), digits.data() + digits.size(), wide, form);
  if (read.ec == std::errc::result_out_of_range) return std::nullopt;
  float narrow = 0;
  const std::from_chars_result read_narrow =
      std::from_chars(digits.data(), digits.data() + digits.size(), narrow, form);
  if (read_narrow.ec == std::errc{} && static_cast<double>(narrow) != wide && std::fabs(wide) < kF32End &&
      static_cast<float>(wide) != narrow) {
    wide = std::nextafter(wide, static_cast<double>(narrow));
  }
  return wide;
}

Folded read_real(std::string_view digits) {
  if (const std::optional<double> value = read_double(digits, std::chars_format::general)) return checked_real(*value);
  if (is_tiny(digits)) return make_real(0);
  return NumberFault::overflow;
}

Folded read_vast(std::string_view digits, bool is_hex) {
  const std::optional<double> value = read_double(digits, is_hex ? std::chars_format::hex : std::chars_format::general);
  return value ? checked_vast(*value) : NumberFault::overflow;
}

Folded read_whole(std::string_view digits, bool is_hex, NumberKind kind) {
  Int128 value = 0;
  for (const char digit : digits) {
    const int worth = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
    const std::optional<Int128> shifted = multiply(value, is_hex ? 16 : 10);
    const std::optional<Int128> next = shifted ? add(*shifted, worth) : std::nullopt;
    if (!next) return kind == NumberKind::fraction ? read_vast(digits, is_hex) : NumberFault::overflow;
    value = *next;
  }
  return checked_whole(kind, value);
}

}  // namespace

Number make_boolean(bool value) { return make_whole(NumberKind::boolean, value ? 1 : 0); }

Number make_real(double value) {
  Number number;
  number.kind = NumberKind::f32;
  number.real = value;
  return number;
}

Number make_whole(NumberKind kind, Int128 value) {
  Number number;
  number.kind = kind;
  number.numerator = value;
  return number;
}

Folded read_number(std::string_view text) {
  const bool hex = text.size() > 1 && text[0] == '0' && (text[1] | 0x20) == 'x';
  NumberKind kind = NumberKind::fraction;
  const char suffix = text.back();
  if (suffix == 'u') kind = NumberKind::u32;
  if (suffix == 'i') kind = NumberKind::i32;
  if (suffix == 'f' && !hex) kind = NumberKind::f32;
  if (kind != NumberKind::fraction) text.remove_suffix(1);
  if (hex) return read_whole(text.substr(2), true, kind);
  if (kind == NumberKind::f32 || text.find_first_of(".eE") != std::string_view::npos) return read_real(text);
  return read_whole(text, false, kind);
}

std::optional<Number> find_least_i32(std::string_view text) {
  if (text.back() != 'i') return std::nullopt;
  const Folded read = read_number(text.substr(0, text.size() - 1));
  const Number* const magnitude = std::get_if<Number>(&read);
  if (magnitude == nullptr || magnitude->numerator != -kLeastI32) return std::nullopt;
  return make_whole(NumberKind::i32, kLeastI32);
}

Folded fold_binary(std::string_view operation, const Number& a, const Number& b) {
  if (operation == "&&") return make_boolean(a.numerator != 0 && b.numerator != 0);
  if (operation == "||") return make_boolean(a.numerator != 0 || b.numerator != 0);
  if (operation == "<<" || operation == ">>") return fold_shift(operation == "<<", a, b);
  const bool is_bitwise = operation == "&" || operation == "|" || operation == "^";
  if (is_bitwise && (a.is_vast || b.is_vast)) return NumberFault::overflow;
  if (operation == "&") return checked_whole(a.kind, a.numerator & b.numerator);
  if (operation == "|") return checked_whole(a.kind, a.numerator | b.numerator);
  if (operation == "^") return checked_whole(a.kind, a.numerator ^ b.numerator);
  const bool compares = operation.size() == 2 || operation == "<" || operation == ">";
  if (compares) return make_boolean(compare(operation, a, b));
  return fold_arithmetic(operation.front(), a, b);
}

Folded fold_unary(std::string_view operation, const Number& a) {
  if (operation == "!") return make_boolean(a.numerator == 0);
  if (operation == "~" && a.is_vast) return NumberFault::overflow;
  if (operation == "~") return checked_whole(a.kind, a.kind == NumberKind::u32 ? kMostU32 - a.numerator : ~a.numerator);
  if (a.kind == NumberKind::f32) return make_real(-a.real);
  Number negated = a;
  negated.real = -a.real;
  if (__builtin_sub_overflow(Int128{0}, a.numerator, &negated.numerator)) return NumberFault::overflow;
  if (a.kind == NumberKind::i32) return checked_whole(a.kind, negated.numerator);
  return negated;
}

Folded fold_cast(Lane lane, const Number& a) {
  if (lane == Lane::boolean) return make_boolean(!a.is_zero());
  if (lane == Lane::f32) return checked_real(to_double(a));
  if (!a.is_whole()) return make_whole(kind_of(lane), truncate_into(lane, to_double(a)));
  if (a.numerator < kLeastI32 || a.numerator > kMostU32) return NumberFault::overflow;
  const Int128 word = (a.numerator + kWord) % kWord;
  const bool negative = lane == Lane::i32 && word > kMostI32;
  return make_whole(kind_of(lane), negative ? word - kWord : word);
}

std::optional<Lane> find_lane(const Number& number) {
  switch (number.kind) {
    case NumberKind::f32:
      return Lane::f32;
    case NumberKind::i32:
      return Lane::i32;
    case NumberKind::u32:
      return Lane::u32;
    case NumberKind::boolean:
      return Lane::boolean;
    case NumberKind::fraction:
      break;
  }
  return std::nullopt;
}

bool fits(const Number& number, Lane lane) {
  switch (lane) {
    case Lane::f32:
      return number.kind != NumberKind::boolean && std::fabs(to_double(number)) < kF32End;
    case Lane::i32:
      return number.is_whole() && number.kind != NumberKind::boolean && number.numerator >= kLeastI32 &&
             number.numerator <= kMostI32;
    case Lane::u32:
      return number.is_whole() && number.kind != NumberKind::boolean && number.numerator >= 0 &&
             number.numerator <= kMostU32;
    case Lane::boolean:
      return number.kind == NumberKind::boolean;
  }
  return false;
}

std::string_view range_of(Lane lane) {
  switch (lane) {
    case Lane::f32:
      return "up to 3.4028235e38";
    case Lane::i32:
      return "-2147483648 to 2147483647";
    case Lane::u32:
      return "0 to 4294967295";
    case Lane::boolean:
      break;
  }
  return "true or false";
}

std::uint32_t lane_bits(const Number& number, Lane lane) {
  if (lane == Lane::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(to_double(number)));
  return static_cast<std::uint32_t>(number.numerator);
}

std::string to_string(const Number& number) {
  if (number.kind == NumberKind::f32 || number.is_vast) return fmt::format("{value}", fmt::arg("value", number.real));
  if (number.kind == NumberKind::boolean) return number.numerator != 0 ? "true" : "false";
  if (number.denominator == 1) return fmt::format("{value}", fmt::arg("value", number.numerator));
  return fmt::format("{value}", fmt::arg("value", to_double(number)));
}

}  // namespace millrace::expression
