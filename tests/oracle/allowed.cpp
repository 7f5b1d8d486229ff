// Sets of values: what they hold, their texts, their makers.
#include "tests/oracle/allowed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace millrace::oracle {

using expression::Lane;

namespace {

double number_of(Lane lane, std::uint32_t bits) {
  switch (lane) {
    case Lane::f32:
      return std::bit_cast<float>(bits);
    case Lane::i32:
      return static_cast<std::int32_t>(bits);
    case Lane::u32:
      return bits;
    case Lane::boolean:
      break;
  }
  return bits != 0 ? 1 : 0;
}

}  // namespace

bool Allowed::holds(std::uint32_t value) const {
  if (lane == Lane::boolean && value > 1) return false;
  if (any) return true;
  if (bits) return value == *bits;
  const double number = number_of(lane, value);
  if (std::isnan(number)) return may_be_nan;
  return lower <= number && number <= upper;
}

std::string Allowed::text() const {
  const std::string type = expression::to_string(lane);
  if (any) return "any " + type;
  if (bits)
    return fmt::format("{type} {number} ({bits:#010x})", fmt::arg("type", type),
                       fmt::arg("number", number_of(lane, *bits)), fmt::arg("bits", *bits));
  std::string range = has_number() ? fmt::format("{type} from {lower:.9g} to {upper:.9g}", fmt::arg("type", type),
                                                 fmt::arg("lower", lower), fmt::arg("upper", upper))
                                   : "no number";
  if (may_be_nan) range += " or NaN";
  return range;
}

bool Allowed::is_finite() const {
  return !any && !may_be_nan && has_number() && std::isfinite(lower) && std::isfinite(upper);
}

Allowed any_of(Lane lane) {
  if (lane == Lane::boolean) return between(lane, 0, 1);
  Allowed result;
  result.lane = lane;
  result.any = true;
  return result;
}

Allowed exactly(Lane lane, std::uint32_t bits) {
  const double number = number_of(lane, bits);
  Allowed result = std::isnan(number) ? not_a_number() : between(lane, number, number);
  result.bits = bits;
  return result;
}

Allowed between(Lane lane, double lower, double upper) {
  Allowed result;
  result.lane = lane;
  result.lower = lower;
  result.upper = upper;
  return result;
}

Allowed not_a_number() {
  Allowed result = between(Lane::f32, 1, 0);
  result.may_be_nan = true;
  return result;
}

Allowed either(const Allowed& a, const Allowed& b) {
  if (a.any || b.any) return any_of(a.lane);
  if (a.bits && a.bits == b.bits) return a;
  Allowed result = a;
  result.bits.reset();
  result.may_be_nan = a.may_be_nan || b.may_be_nan;
  if (!b.has_number()) return result;
  result.lower = a.has_number() ? std::min(a.lower, b.lower) : b.lower;
  result.upper = a.has_number() ? std::max(a.upper, b.upper) : b.upper;
  return result;
}

}  // namespace millrace::oracle
