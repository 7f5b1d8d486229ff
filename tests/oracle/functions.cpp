// A table of rules for single f32 lanes, one for whole vectors; the exact functions of words stand in word_rules.
#include "tests/oracle/functions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>

#include "tests/oracle/curves.hpp"
#include "tests/oracle/float_rules.hpp"
#include "tests/oracle/stored_rows.hpp"
#include "tests/oracle/word_rules.hpp"

namespace millrace::oracle {

using expression::Lane;
using expression::Type;

namespace {

using Operands = std::vector<Lanes>;
using Lane1 = std::vector<Allowed>;  // one lane of each operand
using LaneRule = Allowed (*)(const Lane1&);
using VectorRule = Lanes (*)(const Operands&, Type result);

Allowed number(double value) { return between(Lane::f32, value, value); }
Allowed any_float() { return any_of(Lane::f32); }

Allowed difference(const Allowed& a, const Allowed& b) { return sum({a, negated(b)}); }

Allowed floored(const Allowed& a) {
  return stepwise(a, [](double x) { return std::floor(x); });
}
Allowed truncated(const Allowed& a) {
  return stepwise(a, [](double x) { return std::trunc(x); });
}

// a - b * trunc(a / b), and as b divides a it is below |b| but for the quotient's error.
Allowed float_remainder(const Lane1& v) { return difference(v[0], product(v[1], truncated(quotient(v[0], v[1])))); }

// x - floor(x) or x - trunc(x), a sum like any other: a driver may take its terms apart.
Allowed fraction(const Allowed& a, double (*whole)(double), double least) {
  const Allowed x = flushed(a);
  if (!x.is_finite()) return any_float();
  Allowed result = between(Lane::f32, least, 1);
  if (whole(x.lower) == whole(x.upper)) {
    const Allowed rest = rounded(x.lower - whole(x.lower), x.upper - whole(x.upper), 0.5);
    result = between(Lane::f32, std::max(rest.lower, least), std::min(rest.upper, 1.0));
  }
  const Allowed size = magnitude(x);
  result.sum_operations = 1;
  result.sum_size = 2 * size.upper + 1;
  return result;
}

Allowed sign_of(const Lane1& v) {
  if (v[0].any) return either(not_a_number(), between(Lane::f32, -1, 1));
  if (v[0].bits && (v[0].lower == 0 || v[0].may_be_nan)) return v[0];
  Allowed x = flushed(v[0]);
  if (x.has_number()) {
    x.lower = (x.lower > 0) - (x.lower < 0);
    x.upper = (x.upper > 0) - (x.upper < 0);
  }
  x.bits.reset();
  return x;
}

Allowed saturated(const Allowed& a) { return least(greatest(a, number(0)), number(1)); }

Allowed mixed(const Lane1& v) { return sum({product(v[0], difference(number(1), v[2])), product(v[1], v[2])}); }

Allowed smooth(const Lane1& v) {
  const Allowed place = quotient(difference(v[2], v[0]), difference(v[1], v[0]));
  if (place.any) return any_float();
  const Allowed t = saturated(place);
  const auto cubic = [](double x) { return x * x * (3 - 2 * x); };
  const Allowed result = rounded(cubic(t.lower), cubic(t.upper), 4);
  // Where t * t is subnormal it may be 0, though three times as much is not.
  const bool may_vanish = t.lower * t.lower < 0x1p-126;
  return may_vanish ? between(Lane::f32, 0, result.upper) : result;
}

Allowed fused(const Lane1& v) { return sum({product(v[0], v[1]), v[2]}); }

Allowed inverse_root(const Lane1& v) {
  const Allowed x = flushed(v[0]);
  if (!x.is_finite() || x.lower < 0x1p-126) return any_float();
  return rounded(1 / std::sqrt(x.upper), 1 / std::sqrt(x.lower), 3);
}

Allowed to_integer(const Allowed& given, Lane lane, double least, double most) {
  const Allowed x = flushed(given);
  if (x.any || x.may_be_nan || !x.has_number()) return any_of(lane);
  const double lower = std::trunc(std::clamp(x.lower, least, most));
  const double upper = std::trunc(std::clamp(x.upper, least, most));
  if (lower == upper) return exactly(lane, static_cast<std::uint32_t>(static_cast<std::int64_t>(lower)));
  return between(lane, lower, upper);
}

Allowed to_float(const Lane1& v) {
  const Allowed& x = v[0];
  if (x.lane == Lane::f32) return x;
  if (x.any) return x.lane == Lane::i32 ? between(Lane::f32, -0x1p31, 0x1p31) : between(Lane::f32, 0, 0x1p32);
  const auto is_exact = [](double n) { return static_cast<double>(static_cast<float>(n)) == n; };
  return either(rounded(x.lower, x.lower, is_exact(x.lower) ? 0 : 1),
                rounded(x.upper, x.upper, is_exact(x.upper) ? 0 : 1));
}

// The bits of a number that no rule leaves open.
std::optional<std::uint32_t> known_bits(const Allowed& x) {
  if (x.bits) return x.bits;
  const bool is_one_number = x.is_finite() && x.lower == x.upper && x.lower != 0;
  if (!is_one_number) return std::nullopt;
  return std::bit_cast<std::uint32_t>(static_cast<float>(x.lower));
}

Allowed reinterpreted(const Allowed& x, Lane lane) {
  if (x.lane == lane) return x;
  if (x.lane == Lane::f32) {
    const std::optional<std::uint32_t> bits = known_bits(x);
    return bits ? exactly(lane, *bits) : any_of(lane);
  }
  return over_words({x}, lane, [](std::span<const std::uint32_t> words) { return words[0]; });
}

Allowed scaled(const Lane1& v) {
  if (v[0].bits && !v[0].is_finite()) return v[0];
  const Allowed x = flushed(v[0]);
  if (!x.is_finite()) return any_float();
  if (v[1].any) return any_float();
  const auto scale = [](double number, double power) {
    return std::ldexp(number, static_cast<int>(std::clamp(power, -700.0, 700.0)));
  };
  const double ends[] = {scale(x.lower, v[1].lower), scale(x.lower, v[1].upper), scale(x.upper, v[1].lower),
                         scale(x.upper, v[1].upper)};
  return rounded(*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4), 0.5);
}

Allowed fraction_of_float(const Lane1& v) {
  const Allowed& x = v[0];
  if (x.any) return x;
  if (!x.has_number()) return not_a_number();
  if (x.lower != x.upper || x.may_be_nan) return any_float();
  if (x.lower == 0 || std::isinf(x.lower)) return x;
  int exponent = 0;
  const double exact = std::frexp(x.lower, &exponent);
  return std::fabs(x.lower) < 0x1p-126 ? either(number(exact), number(0)) : number(exact);
}

Allowed exponent_of_float(const Lane1& v) {
  const Allowed& x = v[0];
  if (x.any || x.lower != x.upper || x.may_be_nan) return any_of(Lane::i32);
  if (x.lower == 0 || std::isinf(x.lower)) return exactly(Lane::i32, 0);
  int exponent = 0;
  static_cast<void>(std::frexp(x.lower, &exponent));
  const Allowed exact = exactly(Lane::i32, static_cast<std::uint32_t>(exponent));
  return std::fabs(x.lower) < 0x1p-126 ? either(exact, exactly(Lane::i32, 0)) : exact;
}

Allowed as_half(const Lane1& v) { return requantized(Format::float16x2, {v[0], v[0]})[0]; }

// A product with the constant's nearest float.
template <int kDegrees>
Allowed converted_angle(const Lane1& v) {
  const float factor = static_cast<float>(kDegrees != 0 ? 180 / std::numbers::pi : std::numbers::pi / 180);
  Allowed result = product(v[0], number(factor));
  if (result.any) return result;
  const Allowed wider = rounded(result.lower, result.upper, 1);
  result.lower = wider.lower;
  result.upper = wider.upper;
  return result;
}

Allowed bool_of(const Lane1& v) {
  const Allowed& x = v[0];
  if (x.lane != Lane::f32)
    return over_words({x}, Lane::boolean, [](std::span<const std::uint32_t> w) { return w[0] != 0 ? 1u : 0u; });
  return negation(equal(x, number(0)));
}

Allowed has_bits(const Allowed& x, bool (*test)(float)) {
  const std::optional<std::uint32_t> bits = known_bits(x);
  if (bits) return exactly(Lane::boolean, test(std::bit_cast<float>(*bits)) ? 1 : 0);
  return any_of(Lane::boolean);
}

Allowed is_nan(const Lane1& v) {
  if (v[0].any) return any_of(Lane::boolean);
  if (!v[0].may_be_nan) return exactly(Lane::boolean, 0);
  return v[0].has_number() ? any_of(Lane::boolean) : exactly(Lane::boolean, 1);
}

Allowed is_infinite(const Lane1& v) {
  if (v[0].is_finite()) return exactly(Lane::boolean, 0);
  return has_bits(v[0], [](float x) { return std::isinf(x); });
}

const std::map<std::string, LaneRule, std::less<>>& float_rules() {
  static const std::map<std::string, LaneRule, std::less<>> kRules = {
      {"+",
       [](const Lane1& v) {
         return sum({v[0], v[1]});
       }},
      {"-", [](const Lane1& v) { return difference(v[0], v[1]); }},
      {"*", [](const Lane1& v) { return product(v[0], v[1]); }},
      {"/", [](const Lane1& v) { return quotient(v[0], v[1]); }},
      {"%", float_remainder},
      {"unary -", [](const Lane1& v) { return negated(v[0]); }},
      {"==", [](const Lane1& v) { return equal(v[0], v[1]); }},
      {"!=", [](const Lane1& v) { return negation(equal(v[0], v[1])); }},
      {"<", [](const Lane1& v) { return less(v[0], v[1]); }},
      {"<=", [](const Lane1& v) { return at_most(v[0], v[1]); }},
      {">", [](const Lane1& v) { return less(v[1], v[0]); }},
      {">=", [](const Lane1& v) { return at_most(v[1], v[0]); }},
      {"f32", to_float},
      {"i32", [](const Lane1& v) { return to_integer(v[0], Lane::i32, -2147483648.0, 2147483520.0); }},
      {"u32", [](const Lane1& v) { return to_integer(v[0], Lane::u32, 0, 4294967040.0); }},
      {"bool", bool_of},
      {"min", [](const Lane1& v) { return least(v[0], v[1]); }},
      {"max", [](const Lane1& v) { return greatest(v[0], v[1]); }},
      {"clamp", [](const Lane1& v) { return least(greatest(v[0], v[1]), v[2]); }},
      {"saturate", [](const Lane1& v) { return saturated(v[0]); }},
      {"step", [](const Lane1& v) { return chosen(number(0), number(1), at_most(v[0], v[1])); }},
      {"mix", mixed},
      {"smoothstep", smooth},
      {"abs", [](const Lane1& v) { return magnitude(v[0]); }},
      {"sign", sign_of},
      {"floor", [](const Lane1& v) { return floored(v[0]); }},
      {"ceil", [](const Lane1& v) { return stepwise(v[0], [](double x) { return std::ceil(x); }); }},
      {"round", [](const Lane1& v) { return stepwise(v[0], [](double x) { return std::nearbyint(x); }); }},
      {"trunc", [](const Lane1& v) { return truncated(v[0]); }},
      {"fract",
       [](const Lane1& v) {
         return fraction(
             v[0], [](double x) { return std::floor(x); }, 0);
       }},
      {"modf.fract",
       [](const Lane1& v) {
         return fraction(
             v[0], [](double x) { return std::trunc(x); }, -1);
       }},
      {"modf.whole", [](const Lane1& v) { return truncated(v[0]); }},
      {"sqrt", [](const Lane1& v) { return square_root(v[0]); }},
      {"inverseSqrt", inverse_root},
      {"isnan", is_nan},
      {"isinf", is_infinite},
      {"pow", [](const Lane1& v) { return power(v[0], v[1]); }},
      {"atan2", [](const Lane1& v) { return angle(v[0], v[1]); }},
      {"fma", fused},
      {"ldexp", scaled},
      {"frexp.fract", fraction_of_float},
      {"frexp.exp", exponent_of_float},
      {"degrees", converted_angle<1>},
      {"radians", converted_angle<0>},
      {"quantizeToF16", as_half},
      {"bitcast<f32>", [](const Lane1& v) { return reinterpreted(v[0], Lane::f32); }},
      {"bitcast<i32>", [](const Lane1& v) { return reinterpreted(v[0], Lane::i32); }},
      {"bitcast<u32>", [](const Lane1& v) { return reinterpreted(v[0], Lane::u32); }},
  };
  return kRules;
}

// Rules that see all lanes.

Allowed length_of(const Lanes& v) {
  if (v.size() == 1) return magnitude(v[0]);
  return square_root(dot_product(v, v));
}

Lanes normalized(const Operands& v, Type) {
  const Allowed length = length_of(v[0]);
  Lanes result;
  for (const Allowed& lane : v[0]) result.push_back(quotient(lane, length));
  return result;
}

Lanes distance_of(const Operands& v, Type) {
  Lanes between_them;
  for (std::size_t lane = 0; lane < v[0].size(); ++lane) between_them.push_back(difference(v[0][lane], v[1][lane]));
  return {length_of(between_them)};
}

Lanes crossed(const Operands& v, Type) {
  Lanes result;
  for (std::size_t lane = 0; lane < 3; ++lane) {
    const std::size_t j = (lane + 1) % 3;
    const std::size_t k = (lane + 2) % 3;
    result.push_back(difference(product(v[0][j], v[1][k]), product(v[0][k], v[1][j])));
  }
  return result;
}

Lanes reflected(const Operands& v, Type) {
  const Allowed twice = product(number(2), dot_product(v[1], v[0]));
  Lanes result;
  for (std::size_t lane = 0; lane < v[0].size(); ++lane)
    result.push_back(difference(v[0][lane], product(twice, v[1][lane])));
  return result;
}

Lanes refracted(const Operands& v, Type) {
  const Allowed& ratio = v[2][0];
  const Allowed cosine = dot_product(v[1], v[0]);
  const Allowed k =
      difference(number(1), product(product(ratio, ratio), difference(number(1), product(cosine, cosine))));
  if (k.any) return Lanes(v[0].size(), any_float());
  Allowed positive = k;
  positive.lower = std::max(k.lower, 0.0);
  Lanes result;
  for (std::size_t lane = 0; lane < v[0].size(); ++lane) {
    if (k.upper < 0) {
      result.push_back(number(0));
      continue;
    }
    const Allowed along_normal = sum({product(ratio, cosine), square_root(positive)});
    const Allowed bent = difference(product(ratio, v[0][lane]), product(along_normal, v[1][lane]));
    result.push_back(k.lower >= 0 ? bent : either(bent, number(0)));
  }
  return result;
}

Lanes faced(const Operands& v, Type) {
  const Allowed away = less(dot_product(v[1], v[2]), number(0));
  Lanes result;
  for (const Allowed& lane : v[0]) {
    result.push_back(chosen(negated(lane), lane, away));
    result.back().bits.reset();  // a formula: the sign of a zero is open
  }
  return result;
}

Lanes over_all_words(std::string_view name, const Operands& v, Type result) {
  std::vector<Allowed> all;
  for (const Lanes& operand : v) all.insert(all.end(), operand.begin(), operand.end());
  return {over_words(all, result.lane, find_word_function(name, v[0][0].lane))};
}

// floor(0.5 + steps * clamp(lane)), each field in its place.
Lanes packed_norm(const Lanes& v, double least, double steps, unsigned bits) {
  std::vector<Allowed> fields;
  for (const Allowed& lane : v) {
    const Allowed x = flushed(lane);
    if (x.any || x.may_be_nan) return {any_of(Lane::u32)};
    const Allowed clamped = between(Lane::f32, std::clamp(x.lower, least, 1.0), std::clamp(x.upper, least, 1.0));
    const Allowed field = floored(sum({number(0.5), product(number(steps), clamped)}));
    fields.push_back(between(Lane::i32, field.lower, field.upper));
  }
  return {over_words(fields, Lane::u32, [bits](std::span<const std::uint32_t> words) {
    std::uint32_t result = 0;
    for (std::size_t lane = 0; lane < words.size(); ++lane)
      result |= (words[lane] & ((1u << bits) - 1u)) << (bits * lane);
    return result;
  })};
}

std::uint32_t half_bits(float number) {
  for (std::uint32_t half = 0; half < 0x10000u; ++half) {
    const float candidate = half_number(half);
    if (candidate == number && std::signbit(candidate) == std::signbit(number)) return half;
  }
  throw std::logic_error("The number is no half.");
}

Lanes packed_halves(const Operands& v, Type) {
  std::uint32_t word = 0;
  for (std::size_t lane = 0; lane < 2; ++lane) {
    const Allowed half = requantized(Format::float16x2, v[0])[lane];
    const bool is_zero = half.lower == 0 && half.upper == 0 && !v[0][lane].bits;
    if (half.any || half.may_be_nan || half.lower != half.upper || is_zero) return {any_of(Lane::u32)};
    const bool is_negative = v[0][lane].bits ? (*v[0][lane].bits >> 31) != 0 : half.lower < 0;
    const float exact = static_cast<float>(half.lower);
    word |= half_bits(is_negative ? -std::fabs(exact) : std::fabs(exact)) << (16 * lane);
  }
  return {exactly(Lane::u32, word)};
}

// What the word reads as in a packed format, for each word that it may be.
template <Format kFormat>
Lanes unpacked(const Operands& v, Type result) {
  const Allowed& word = v[0][0];
  if (word.any || word.upper - word.lower > 64) return Lanes(result.width, any_of(result.lane));
  std::optional<Lanes> all;
  for (double at = word.lower; at <= word.upper; ++at) {
    const Lanes row = read_row(kFormat, {static_cast<std::uint32_t>(at)});
    if (!all) all = row;
    for (std::size_t lane = 0; lane < row.size(); ++lane) (*all)[lane] = either((*all)[lane], row[lane]);
  }
  return *all;
}

const std::map<std::string, VectorRule, std::less<>>& vector_rules() {
  static const std::map<std::string, VectorRule, std::less<>> kRules = {
      {"length", [](const Operands& v, Type) { return Lanes{length_of(v[0])}; }},
      {"distance", distance_of},
      {"normalize", normalized},
      {"cross", crossed},
      {"reflect", reflected},
      {"refract", refracted},
      {"faceForward", faced},
      {"dot",
       [](const Operands& v, Type result) {
         if (result.lane != Lane::f32) return over_all_words("dot", v, result);
         return Lanes{dot_product(v[0], v[1])};
       }},
      {"all", [](const Operands& v, Type result) { return over_all_words("all", v, result); }},
      {"any", [](const Operands& v, Type result) { return over_all_words("any", v, result); }},
      {"dot4U8Packed", [](const Operands& v, Type result) { return over_all_words("dot4U8Packed", v, result); }},
      {"dot4I8Packed", [](const Operands& v, Type result) { return over_all_words("dot4I8Packed", v, result); }},
      {"pack4xI8", [](const Operands& v, Type result) { return over_all_words("pack4xI8", v, result); }},
      {"pack4xU8", [](const Operands& v, Type result) { return over_all_words("pack4xU8", v, result); }},
      {"pack4xI8Clamp", [](const Operands& v, Type result) { return over_all_words("pack4xI8Clamp", v, result); }},
      {"pack4xU8Clamp", [](const Operands& v, Type result) { return over_all_words("pack4xU8Clamp", v, result); }},
      {"pack4x8snorm", [](const Operands& v, Type) { return packed_norm(v[0], -1, 127, 8); }},
      {"pack4x8unorm", [](const Operands& v, Type) { return packed_norm(v[0], 0, 255, 8); }},
      {"pack2x16snorm", [](const Operands& v, Type) { return packed_norm(v[0], -1, 32767, 16); }},
      {"pack2x16unorm", [](const Operands& v, Type) { return packed_norm(v[0], 0, 65535, 16); }},
      {"pack2x16float", packed_halves},
      {"unpack4x8snorm", unpacked<Format::snorm8x4>},
      {"unpack4x8unorm", unpacked<Format::unorm8x4>},
      {"unpack4xI8", unpacked<Format::sint8x4>},
      {"unpack4xU8", unpacked<Format::uint8x4>},
      {"unpack2x16snorm", unpacked<Format::snorm16x2>},
      {"unpack2x16unorm", unpacked<Format::unorm16x2>},
      {"unpack2x16float", unpacked<Format::float16x2>},
  };
  return kRules;
}

bool is_constructor(std::string_view name) { return name == "vec2" || name == "vec3" || name == "vec4"; }

Allowed apply_to_lane(std::string_view name, const Lane1& lanes, Lane result) {
  const bool has_float = lanes[0].lane == Lane::f32;
  if (name == "select") return chosen(lanes[0], lanes[1], lanes[2]);
  if (name == "f32") return to_float(lanes);
  if (const Curve* curve = find_curve(name)) return along(*curve, lanes[0]);
  if (name.starts_with("bitcast<") || has_float) {
    const auto rule = float_rules().find(name);
    if (rule != float_rules().end()) return rule->second(lanes);
  }
  const WordFunction function = find_word_function(name, lanes[0].lane);
  if (function && !has_float) return over_words(lanes, result, function);
  throw std::logic_error("The oracle does not know the function " + std::string(name) + " for " +
                         expression::to_string(lanes[0].lane) + " lanes.");
}

}  // namespace

Lanes apply_function(std::string_view name, const Operands& operands, Type result) {
  if (const auto rule = vector_rules().find(name); rule != vector_rules().end()) return rule->second(operands, result);
  if (is_constructor(name)) {
    Lanes all;
    for (const Lanes& operand : operands) all.insert(all.end(), operand.begin(), operand.end());
    if (all.size() == 1) all.resize(result.width, all[0]);
    return all;
  }
  Lanes lanes;
  for (std::size_t lane = 0; lane < result.width; ++lane) {
    Lane1 values;
    for (const Lanes& operand : operands) values.push_back(operand.size() == 1 ? operand[0] : operand.at(lane));
    lanes.push_back(apply_to_lane(name, values, result.lane));
  }
  return lanes;
}

}  // namespace millrace::oracle
