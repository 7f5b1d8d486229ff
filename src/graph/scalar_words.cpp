// Conversions that lose nothing but the rounding of a floating-point number, and of a NaN no bit that a float has.
#include "src/graph/scalar_words.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/expression/type.hpp"

namespace millrace::graph {
namespace {

using expression::Lane;
using expression::read_type;

template <class T>
[[noreturn]] void refuse(T number, Format format, const std::string& input, const char* expectation) {
  throw BindingError(ErrorCode::number_out_of_range, input,
                     fmt::format("Input \"{name}\" is a {format} scalar and was given {number}; {expectation}.",
                                 fmt::arg("name", input), fmt::arg("format", format_name(format)),
                                 fmt::arg("number", number), fmt::arg("expectation", expectation)));
}

// The NaN with the sign and the upper bits of this one, as many as a float has: one that came from a float is that float.
std::uint32_t nan_word(double number) {
  constexpr std::uint32_t kInfinity = 0x7f800000;
  constexpr std::uint32_t kQuiet = 0x00400000;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const auto sign = static_cast<std::uint32_t>(bits >> 63) << 31;
  const auto payload = static_cast<std::uint32_t>(bits >> 29) & 0x007fffffu;
  return sign | kInfinity | (payload != 0 ? payload : kQuiet);
}

std::uint32_t floating_word(double number, Format format, const std::string& input) {
  if (read_type(format).lane != Lane::f32) {
    refuse(number, format, input, "a floating-point number goes to float32 scalars only, so convert it first");
  }
  if (std::isnan(number)) return nan_word(number);
  const auto narrow = static_cast<float>(number);
  if (std::isinf(narrow) && !std::isinf(number)) {
    refuse(number, format, input, "float32 holds numbers up to 3.4028235e38");
  }
  return std::bit_cast<std::uint32_t>(narrow);
}

template <class Integer>
std::uint32_t integer_word(Integer number, Format format, const std::string& input) {
  switch (read_type(format).lane) {
    case Lane::f32: {
      const auto narrow = static_cast<float>(number);
      // The double holds every float exactly; 2^64 itself would not convert back.
      const bool is_exact = static_cast<double>(narrow) < 18446744073709551616.0 &&
                            (std::is_unsigned_v<Integer> || static_cast<double>(narrow) < 9223372036854775808.0) &&
                            static_cast<Integer>(narrow) == number;
      if (!is_exact) refuse(number, format, input, "float32 does not hold this integer exactly, so convert it first");
      return std::bit_cast<std::uint32_t>(narrow);
    }
    case Lane::i32:
      if (!std::in_range<std::int32_t>(number)) {
        refuse(number, format, input, "sint32 holds -2147483648 to 2147483647");
      }
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(number));
    case Lane::u32:
      if (!std::in_range<std::uint32_t>(number)) refuse(number, format, input, "uint32 holds 0 to 4294967295");
      return static_cast<std::uint32_t>(number);
    case Lane::boolean:
      break;
  }
  throw InternalError("A format's lanes are read as bool.");
}

}  // namespace

std::uint32_t scalar_word(const Number& number, Format format, const std::string& input) {
  if (const auto* floating = std::get_if<double>(&number.value())) return floating_word(*floating, format, input);
  if (const auto* sint = std::get_if<std::int64_t>(&number.value())) return integer_word(*sint, format, input);
  return integer_word(std::get<std::uint64_t>(number.value()), format, input);
}

}  // namespace millrace::graph
