// Formats by their names and lane widths, apart from the emitter's own tables.
#include "tests/oracle/stored_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "tests/expression/ulp.hpp"
#include "tests/oracle/float_rules.hpp"

namespace millrace::oracle {

using expression::Lane;

namespace {

// Lane i has bits[i] bits, from the lowest bit of the row up.
struct Fields {
  std::vector<unsigned> bits;
  enum class Kind { unsigned_integer, signed_integer, unsigned_norm, signed_norm, half, word } kind;
  bool swaps_red_and_blue = false;
};

Fields fields_of(Format format) {
  using enum Fields::Kind;
  const std::string_view name = format_name(format);
  if (format == Format::unorm10_10_10_2) return {{10, 10, 10, 2}, unsigned_norm};
  if (format == Format::unorm8x4_bgra) return {{8, 8, 8, 8}, unsigned_norm, true};
  const unsigned bits = name.find("32") != std::string_view::npos   ? 32
                        : name.find("16") != std::string_view::npos ? 16
                                                                    : 8;
  Fields fields{std::vector<unsigned>(lanes(format), bits), word};
  if (bits == 32) return fields;
  if (name.starts_with("float")) fields.kind = half;
  if (name.starts_with("uint")) fields.kind = unsigned_integer;
  if (name.starts_with("sint")) fields.kind = signed_integer;
  if (name.starts_with("unorm")) fields.kind = unsigned_norm;
  if (name.starts_with("snorm")) fields.kind = signed_norm;
  return fields;
}

double steps(const Fields& fields, std::size_t lane) {
  const bool is_signed = fields.kind == Fields::Kind::signed_norm || fields.kind == Fields::Kind::signed_integer;
  return std::ldexp(1.0, static_cast<int>(fields.bits[lane]) - (is_signed ? 1 : 0)) - 1;
}

std::uint32_t float_bits(double number) { return std::bit_cast<std::uint32_t>(static_cast<float>(number)); }

std::int32_t sign_extended(std::uint32_t field, unsigned bits) {
  return static_cast<std::int32_t>(field << (32 - bits)) >> (32 - bits);
}

// A step of a normalized format as the device reads it: a division, which a driver may make a product with a reciprocal and
// merge with what comes after it. The smallest signed value reads as -1, too.
Allowed norm_of(double step, double steps_in_all, bool has_sign) {
  Allowed read = quotient(between(Lane::f32, step, step), between(Lane::f32, steps_in_all, steps_in_all));
  if (has_sign) read.lower = std::max(read.lower, -1.0);
  if (has_sign) read.upper = std::max(read.upper, -1.0);
  return read;
}

Allowed read_field(const Fields& fields, std::size_t lane, std::uint32_t field, Lane word_lane) {
  switch (fields.kind) {
    case Fields::Kind::word:
      return exactly(word_lane, field);
    case Fields::Kind::unsigned_integer:
      return exactly(Lane::u32, field);
    case Fields::Kind::signed_integer:
      return exactly(Lane::i32, static_cast<std::uint32_t>(sign_extended(field, fields.bits[lane])));
    case Fields::Kind::unsigned_norm:
      return norm_of(field, steps(fields, lane), false);
    case Fields::Kind::signed_norm:
      return norm_of(sign_extended(field, fields.bits[lane]), steps(fields, lane), true);
    case Fields::Kind::half:
      break;
  }
  const float number = half_number(field);
  return std::isnan(number) ? not_a_number() : exactly(Lane::f32, float_bits(number));
}

// The steps that a number may be rounded to, in units of one.
std::pair<double, double> nearest_steps(const Allowed& value, double least, double steps_in_all) {
  const Allowed given = flushed(value);
  double lower = least;
  double upper = 1;
  if (!given.any && given.has_number()) {
    lower = std::clamp(given.lower, least, 1.0);
    upper = std::clamp(given.upper, least, 1.0);
  }
  if (!given.any && !given.has_number()) lower = upper = 0;
  if (!given.any && given.may_be_nan) {
    lower = std::min(lower, 0.0);
    upper = std::max(upper, 0.0);
  }
  // The product with the number of steps is rounded before it is rounded to a step.
  const auto step = [&](double number, double direction) {
    const double scaled = number * steps_in_all;
    return std::nearbyint(static_cast<float>(scaled) == scaled ? scaled
                                                               : scaled + direction * 0.5 * expression::ulp_at(scaled));
  };
  return {step(lower, -1), step(upper, 1)};
}

Allowed stored_norm(const Allowed& value, double least, double steps_in_all) {
  const auto [lower, upper] = nearest_steps(value, least, steps_in_all);
  return either(norm_of(lower, steps_in_all, least < 0), norm_of(upper, steps_in_all, least < 0));
}

Allowed stored_integer(const Allowed& value, double least, double most) {
  if (value.any) return between(value.lane, least, most);
  return between(value.lane, std::clamp(value.lower, least, most), std::clamp(value.upper, least, most));
}

}  // namespace

float half_number(std::uint32_t half) {
  const std::uint32_t exponent = half >> 10 & 31u;
  const double mantissa = half & 0x3ffu;
  double size = std::ldexp(mantissa + (exponent == 0 ? 0 : 1024), static_cast<int>(std::max(exponent, 1u)) - 25);
  if (exponent == 31) size = mantissa == 0 ? HUGE_VAL : NAN;
  return static_cast<float>((half & 0x8000u) != 0 ? -size : size);
}

double to_half(double number) {
  const double size = std::fabs(number);
  if (size >= 65520) return std::copysign(HUGE_VAL, number);
  const int exponent = size < 0x1p-14 ? -24 : std::ilogb(size) - 10;
  return std::copysign(std::ldexp(std::nearbyint(std::ldexp(size, -exponent)), exponent), number);
}

Lanes read_row(Format format, const std::vector<std::uint32_t>& words) {
  const Fields fields = fields_of(format);
  const Lane word_lane = expression::read_type(format).lane;
  Lanes result;
  unsigned at = 0;
  for (std::size_t lane = 0; lane < fields.bits.size(); ++lane) {
    const unsigned bits = fields.bits[lane];
    const std::uint32_t field = words.at(at / 32) >> (at % 32) & (bits == 32 ? 0xffffffffu : (1u << bits) - 1u);
    result.push_back(read_field(fields, lane, field, word_lane));
    at += bits;
  }
  if (fields.swaps_red_and_blue) std::swap(result[0], result[2]);
  return result;
}

Lanes requantized(Format format, const Lanes& value) {
  const Fields fields = fields_of(format);
  Lanes result;
  for (std::size_t lane = 0; lane < value.size(); ++lane) {
    const double most = steps(fields, lane);
    switch (fields.kind) {
      case Fields::Kind::unsigned_norm:
        result.push_back(stored_norm(value[lane], 0, most));
        break;
      case Fields::Kind::signed_norm:
        result.push_back(stored_norm(value[lane], -1, most));
        break;
      case Fields::Kind::unsigned_integer:
        result.push_back(stored_integer(value[lane], 0, most));
        break;
      case Fields::Kind::signed_integer:
        result.push_back(stored_integer(value[lane], -most - 1, most));
        break;
      case Fields::Kind::half: {
        const Allowed given = value[lane];
        if (given.any) {
          result.push_back(given);
          break;
        }
        Allowed stored = given.has_number() ? between(Lane::f32, to_half(given.lower), to_half(given.upper)) : given;
        stored.bits.reset();
        stored.may_be_nan = given.may_be_nan;
        result.push_back(stored);
        break;
      }
      case Fields::Kind::word:
        result.push_back(value[lane]);
        break;
    }
  }
  return result;
}

}  // namespace millrace::oracle
