// Tables by name: functions of single f32 lanes, of integer words, and of whole vectors.
#include "tests/expression/function_references.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>

namespace millrace::expression {
namespace {

using Kind = ExpectedLane::Kind;
using Reals = std::vector<double>;
using Words = std::vector<std::uint32_t>;

double real(std::uint32_t word) { return static_cast<double>(std::bit_cast<float>(word)); }
std::int32_t whole(std::uint32_t word) { return static_cast<std::int32_t>(word); }
double number(std::uint32_t word, Lane lane) {
  if (lane == Lane::f32) return real(word);
  return lane == Lane::i32 ? static_cast<double>(whole(word)) : static_cast<double>(word);
}
std::uint32_t word_of(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

double ulp_of(double value) {
  const float magnitude = std::min(std::fabs(static_cast<float>(value)), 1.7e38f);
  return static_cast<double>(std::nextafter(magnitude, std::numeric_limits<float>::infinity())) -
         static_cast<double>(magnitude);
}

ExpectedLane exactly(std::uint32_t bits) { return {.kind = Kind::bits, .bits = bits}; }
ExpectedLane near(double value, double ulps, double scale = 0) {
  return {.kind = Kind::near, .value = value, .tolerance = ulps * ulp_of(value) + scale * 0x1p-22};
}

// Functions of one f32 lane of each operand, with the ULP that they may be off by. Nothing where any value will do.
struct LaneFunction {
  std::function<std::optional<double>(const Reals&)> value;
  double ulps;
};

std::optional<double> only_if(bool is_defined, double value) {
  return is_defined ? std::optional(value) : std::nullopt;
}

double smoothstep(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// Nearest even at 11 bits, 24 in all of the exponents that 16-bit floats have.
double to_f16(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 11, -24));
  const double rounded = std::nearbyint(x / step) * step;
  return std::fabs(rounded) > 65504 ? std::copysign(std::numeric_limits<double>::infinity(), x) : rounded;
}

const std::map<std::string_view, LaneFunction>& lane_functions() {
  static const std::map<std::string_view, LaneFunction> kFunctions = {
      {"+", {[](const Reals& a) { return a[0] + a[1]; }, 1}},
      {"-", {[](const Reals& a) { return a[0] - a[1]; }, 1}},
      {"*", {[](const Reals& a) { return a[0] * a[1]; }, 1}},
      {"/", {[](const Reals& a) { return only_if(a[1] != 0, a[0] / a[1]); }, 2.5}},
      {"unary -", {[](const Reals& a) { return -a[0]; }, 0}},
      {"min", {[](const Reals& a) { return std::fmin(a[0], a[1]); }, 0}},
      {"max", {[](const Reals& a) { return std::fmax(a[0], a[1]); }, 0}},
      {"clamp", {[](const Reals& a) { return std::fmin(std::fmax(a[0], a[1]), a[2]); }, 0}},
      {"saturate", {[](const Reals& a) { return std::fmin(std::fmax(a[0], 0), 1); }, 0}},
      {"step", {[](const Reals& a) { return a[0] <= a[1] ? 1.0 : 0.0; }, 0}},
      {"abs", {[](const Reals& a) { return std::fabs(a[0]); }, 0}},
      {"sign", {[](const Reals& a) { return a[0] > 0   ? 1.0
                                            : a[0] < 0 ? -1.0
                                                       : 0.0; }, 0}},
      {"floor", {[](const Reals& a) { return std::floor(a[0]); }, 0}},
      {"ceil", {[](const Reals& a) { return std::ceil(a[0]); }, 0}},
      {"round", {[](const Reals& a) { return std::nearbyint(a[0]); }, 0}},
      {"trunc", {[](const Reals& a) { return std::trunc(a[0]); }, 0}},
      {"modf.whole", {[](const Reals& a) { return std::trunc(a[0]); }, 0}},
      {"modf.fract", {[](const Reals& a) { return a[0] - std::trunc(a[0]); }, 0}},
      {"fract", {[](const Reals& a) { return a[0] - std::floor(a[0]); }, 2}},
      {"sqrt", {[](const Reals& a) { return only_if(a[0] >= 0, std::sqrt(a[0])); }, 4}},
      {"inverseSqrt", {[](const Reals& a) { return only_if(a[0] > 0, 1 / std::sqrt(a[0])); }, 3}},
      {"degrees", {[](const Reals& a) { return a[0] * 180 / std::numbers::pi; }, 2}},
      {"radians", {[](const Reals& a) { return a[0] * std::numbers::pi / 180; }, 2}},
      {"quantizeToF16", {[](const Reals& a) { return to_f16(a[0]); }, 0}},
      {"sin", {[](const Reals& a) { return std::sin(a[0]); }, 4}},
      {"cos", {[](const Reals& a) { return std::cos(a[0]); }, 4}},
      {"tan", {[](const Reals& a) { return std::tan(a[0]); }, 4}},
      {"asin", {[](const Reals& a) { return std::asin(a[0]); }, 4}},
      {"acos", {[](const Reals& a) { return std::acos(a[0]); }, 4}},
      {"atan", {[](const Reals& a) { return std::atan(a[0]); }, 4}},
      {"sinh", {[](const Reals& a) { return std::sinh(a[0]); }, 4}},
      {"cosh", {[](const Reals& a) { return std::cosh(a[0]); }, 4}},
      {"tanh", {[](const Reals& a) { return std::tanh(a[0]); }, 4}},
      {"asinh", {[](const Reals& a) { return std::asinh(a[0]); }, 4}},
      {"acosh", {[](const Reals& a) { return std::acosh(a[0]); }, 4}},
      {"atanh", {[](const Reals& a) { return std::atanh(a[0]); }, 4}},
      {"exp", {[](const Reals& a) { return std::exp(a[0]); }, 4}},
      {"exp2", {[](const Reals& a) { return std::exp2(a[0]); }, 4}},
      {"log", {[](const Reals& a) { return std::log(a[0]); }, 4}},
      {"log2", {[](const Reals& a) { return std::log2(a[0]); }, 4}},
      {"pow", {[](const Reals& a) { return std::pow(a[0], a[1]); }, 4}},
      {"atan2", {[](const Reals& a) { return std::atan2(a[0], a[1]); }, 4}},
      {"frexp.fract",
       {[](const Reals& a) {
          int exponent = 0;
          return std::frexp(a[0], &exponent);
        },
        0}},
  };
  return kFunctions;
}

// Those whose terms may cancel: off by a part of the largest of them.
std::optional<ExpectedLane> cancelling(std::string_view name, const Reals& a) {
  if (name == "fma") return near(a[0] * a[1] + a[2], 2, std::fabs(a[0] * a[1]) + std::fabs(a[2]));
  if (name == "mix") {
    const double left = a[0] * (1 - a[2]), right = a[1] * a[2];
    return near(left + right, 4, 2 * (std::fabs(left) + std::fabs(a[0]) + std::fabs(right)));
  }
  if (name == "smoothstep") {
    if (std::fabs(a[1] - a[0]) < 1e-3) return ExpectedLane{};
    const double scale = (std::fabs(a[0]) + std::fabs(a[1]) + std::fabs(a[2])) / std::fabs(a[1] - a[0]);
    return near(smoothstep(a[0], a[1], a[2]), 8, 8 * scale);
  }
  if (name == "%") {
    const double quotient = a[0] / a[1];
    const bool is_near_whole = std::fabs(quotient - std::nearbyint(quotient)) < 1e-6 * std::fabs(quotient) + 1e-30;
    if (a[1] == 0 || is_near_whole) return ExpectedLane{};
    return near(std::fmod(a[0], a[1]), 1, 4 * std::fabs(a[0]));
  }
  return std::nullopt;
}

std::optional<bool> comparison(std::string_view name, double a, double b) {
  if (name == "==") return a == b;
  if (name == "!=") return a != b;
  if (name == "<") return a < b;
  if (name == "<=") return a <= b;
  if (name == ">") return a > b;
  if (name == ">=") return a >= b;
  if (name == "isnan" || name == "isinf") return false;
  return std::nullopt;
}

std::uint32_t low_mask(std::uint32_t count) { return count >= 32 ? 0xffffffffu : (1u << count) - 1; }

// Bit by bit, from the highest down or from the lowest up.
std::uint32_t find_bit(std::uint32_t x, bool from_top) {
  for (std::uint32_t i = 0; i < 32; ++i) {
    const std::uint32_t bit = from_top ? 31 - i : i;
    if ((x >> bit & 1u) != 0) return bit;
  }
  return 0xffffffffu;
}

std::uint32_t one_bits(std::uint32_t x) {
  std::uint32_t count = 0;
  for (std::uint32_t bit = 0; bit < 32; ++bit) count += x >> bit & 1u;
  return count;
}

std::uint32_t reversed(std::uint32_t x) {
  std::uint32_t result = 0;
  for (std::uint32_t bit = 0; bit < 32; ++bit) result |= (x >> bit & 1u) << (31 - bit);
  return result;
}

std::optional<std::uint32_t> arithmetic(std::string_view name, const Words& a, bool is_signed) {
  const std::int64_t x = is_signed ? whole(a[0]) : std::int64_t{a[0]};
  const std::int64_t y = a.size() < 2 ? 0 : is_signed ? whole(a[1]) : std::int64_t{a[1]};
  const auto word = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
  if (name == "+") return word(x + y);
  if (name == "-") return word(x - y);
  if (name == "*") return a[0] * a[1];
  if (name == "/") return word(y == 0 ? x : x / y);
  if (name == "%") return word(y == 0 ? 0 : x % y);
  if (name == "unary -") return word(-x);
  if (name == "abs") return word(x < 0 ? -x : x);
  if (name == "sign") return word(x > 0 ? 1 : x < 0 ? -1 : 0);
  if (name == "min") return word(std::min(x, y));
  if (name == "max") return word(std::max(x, y));
  if (name == "clamp") {
    const std::int64_t high = is_signed ? whole(a[2]) : std::int64_t{a[2]};
    return word(std::min(std::max(x, y), high));
  }
  if (name == ">>") return word(x >> (a[1] % 32));
  return std::nullopt;
}

std::optional<std::uint32_t> bits(std::string_view name, const Words& a, bool is_signed) {
  if (name == "&") return a[0] & a[1];
  if (name == "|") return a[0] | a[1];
  if (name == "^") return a[0] ^ a[1];
  if (name == "~") return 0xffffffffu - a[0];
  if (name == "<<") return static_cast<std::uint32_t>(std::uint64_t{a[0]} << (a[1] % 32));
  if (name == "countOneBits") return one_bits(a[0]);
  if (name == "countLeadingZeros") return a[0] == 0 ? 32 : 31 - find_bit(a[0], true);
  if (name == "countTrailingZeros") return a[0] == 0 ? 32 : find_bit(a[0], false);
  if (name == "firstLeadingBit") return find_bit(is_signed && whole(a[0]) < 0 ? ~a[0] : a[0], true);
  if (name == "firstTrailingBit") return find_bit(a[0], false);
  if (name == "reverseBits") return reversed(a[0]);
  if (name == "extractBits") {
    const std::uint32_t offset = std::min(a[1], 32u), count = std::min(a[2], 32u - offset);
    if (count == 0) return 0;
    const std::uint32_t field = a[0] >> offset & low_mask(count);
    const bool is_negative = is_signed && (field >> (count - 1) & 1u) != 0;
    return is_negative ? field | ~low_mask(count) : field;
  }
  if (name == "insertBits") {
    const std::uint32_t offset = std::min(a[2], 32u), count = std::min(a[3], 32u - offset);
    if (count == 0) return a[0];
    const std::uint32_t mask = low_mask(count) << offset;
    return (a[0] & ~mask) | (a[1] << offset & mask);
  }
  return std::nullopt;
}

ExpectedLane cast(const FunctionRow& row, std::uint32_t word, Lane from) {
  const double value = number(word, from);
  switch (row.signature) {
    case Signature::to_f32:
      return from == Lane::f32 ? exactly(word) : near(value, 1);
    case Signature::to_i32:
      if (from != Lane::f32) return exactly(word);
      return exactly(static_cast<std::uint32_t>(static_cast<std::int32_t>(std::clamp(value, -0x1p31, 0x1.fffffep30))));
    case Signature::to_u32:
      if (from != Lane::f32) return exactly(word);
      return exactly(static_cast<std::uint32_t>(std::clamp(value, 0.0, 0x1.fffffep31)));
    default:
      return exactly(value != 0 ? 1 : 0);
  }
}

// One lane of those that work lane by lane; the operands' lanes in order.
std::optional<ExpectedLane> lane_by_lane(const FunctionRow& row, const Words& a, Lane lane) {
  const std::string_view name = row.name;
  if (row.signature >= Signature::to_f32 && row.signature <= Signature::to_bool) return cast(row, a[0], lane);
  if (name.starts_with("bitcast")) return exactly(a[0]);
  if (name == "select") return exactly(a[2] != 0 ? a[1] : a[0]);
  if (name == "ldexp") return near(std::ldexp(real(a[0]), std::clamp(whole(a[1]), -2000, 2000)), 0);
  if (lane == Lane::boolean) {
    if (name == "&&") return exactly(a[0] & a[1]);
    if (name == "||") return exactly(a[0] | a[1]);
    if (name == "!") return exactly(1 - a[0]);
  }
  Reals reals;
  for (const std::uint32_t word : a) reals.push_back(number(word, lane));
  if (row.signature == Signature::comparison) {
    if (const auto is_true = comparison(name, reals[0], reals.back())) return exactly(*is_true ? 1 : 0);
  }
  if (lane != Lane::f32) {
    std::optional<std::uint32_t> result = arithmetic(name, a, lane == Lane::i32);
    if (!result) result = bits(name, a, lane == Lane::i32);
    return result ? std::optional(exactly(*result)) : std::nullopt;
  }
  if (name == "frexp.exp") {
    int exponent = 0;
    std::frexp(reals[0], &exponent);
    return exactly(static_cast<std::uint32_t>(exponent));
  }
  if (const auto lane_result = cancelling(name, reals)) return lane_result;
  const auto found = lane_functions().find(name);
  if (found == lane_functions().end()) return std::nullopt;
  const std::optional<double> value = found->second.value(reals);
  return value ? near(*value, found->second.ulps) : ExpectedLane{};
}

double dot(const Reals& a, const Reals& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
double size_of(const Reals& a) { return std::sqrt(dot(a, a)); }

// What functions of whole f32 vectors give. Magnitudes say how far rounding may carry them.
std::optional<std::vector<ExpectedLane>> of_vectors(std::string_view name, const std::vector<Reals>& a) {
  const double product = a.size() > 1 ? size_of(a[0]) * size_of(a[1]) : 0;
  const auto each = [&](const std::function<ExpectedLane(std::size_t)>& lane) {
    std::vector<ExpectedLane> lanes;
    for (std::size_t i = 0; i < a[0].size(); ++i) lanes.push_back(lane(i));
    return lanes;
  };
  if (name == "length") return std::vector{near(size_of(a[0]), 8)};
  if (name == "distance") {
    Reals difference;
    for (std::size_t i = 0; i < a[0].size(); ++i) difference.push_back(a[0][i] - a[1][i]);
    return std::vector{near(size_of(difference), 8, size_of(a[0]) + size_of(a[1]))};
  }
  if (name == "dot") return std::vector{near(dot(a[0], a[1]), 1, 2 * product)};
  if (name == "normalize") {
    if (size_of(a[0]) == 0) return each([](std::size_t) { return ExpectedLane{}; });
    return each([&](std::size_t i) { return near(a[0][i] / size_of(a[0]), 16); });
  }
  if (name == "cross") {
    return each([&](std::size_t i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      return near(a[0][j] * a[1][k] - a[0][k] * a[1][j], 1, product);
    });
  }
  if (name == "reflect") {
    const double twice = 2 * dot(a[1], a[0]);
    return each([&](std::size_t i) { return near(a[0][i] - twice * a[1][i], 1, 8 * product * size_of(a[1])); });
  }
  if (name == "faceForward") {
    const double side = dot(a[1], a[2]);
    const bool is_clear = std::fabs(side) > 1e-4 * size_of(a[1]) * size_of(a[2]);
    return each(
        [&](std::size_t i) { return is_clear ? exactly(word_of(side < 0 ? a[0][i] : -a[0][i])) : ExpectedLane{}; });
  }
  if (name == "refract") {
    const double ratio = a[2][0], d = dot(a[1], a[0]), k = 1 - ratio * ratio * (1 - d * d);
    const double scale = 1 + ratio * ratio * (1 + product * product);
    return each([&](std::size_t i) {
      if (std::fabs(k) < 1e-3 * scale) return ExpectedLane{};
      if (k < 0) return near(0, 0);
      const double large = (std::fabs(ratio) * (1 + product) + std::sqrt(scale)) * (size_of(a[1]) + size_of(a[0]) + 1);
      return near(ratio * a[0][i] - (ratio * d + std::sqrt(k)) * a[1][i], 1, 64 * large);
    });
  }
  return std::nullopt;
}

// floor(0.5 + steps * x), or any where rounding of the sum may decide.
std::optional<std::uint32_t> normalized(double x, double least, double steps) {
  const double sum = 0.5 + steps * std::clamp(x, least, 1.0);
  const double distance = std::fabs(sum - std::nearbyint(sum));
  if (distance != 0 && distance < 1e-2) return std::nullopt;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(sum)));
}

std::uint32_t half_bits(double x) {
  const double value = to_f16(x);
  const std::uint32_t sign = std::signbit(x) ? 0x8000u : 0;
  if (std::isinf(value)) return sign | 0x7c00u;
  int exponent = 0;
  std::frexp(value, &exponent);
  if (value == 0 || exponent < -13) return sign | static_cast<std::uint32_t>(std::fabs(value) * 0x1p24);
  const auto mantissa = static_cast<std::uint32_t>(std::ldexp(std::fabs(value), 11 - exponent));  // 11 bits
  return sign | static_cast<std::uint32_t>((exponent + 14) << 10) | (mantissa & 0x3ffu);
}

ExpectedLane packed(std::string_view name, const Words& lanes) {
  const std::uint32_t width = name.find("4x") != std::string_view::npos ? 8 : 16;
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const double steps = static_cast<double>(low_mask(width));
    std::optional<std::uint32_t> field = lanes[i];
    if (name.ends_with("unorm")) field = normalized(real(lanes[i]), 0, steps);
    if (name.ends_with("snorm")) field = normalized(real(lanes[i]), -1, std::floor(steps / 2));
    if (name.ends_with("float")) field = half_bits(real(lanes[i]));
    if (name == "pack4xI8Clamp") field = static_cast<std::uint32_t>(std::clamp(whole(lanes[i]), -128, 127));
    if (name == "pack4xU8Clamp") field = std::min(lanes[i], 255u);
    if (!field) return {};
    word |= (*field & low_mask(width)) << (width * static_cast<std::uint32_t>(i));
  }
  return exactly(word);
}

double half_value(std::uint32_t half) {
  const double sign = (half & 0x8000u) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(half >> 10 & 31u);
  const double fraction = half & 0x3ffu;
  if (exponent == 31) return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

std::vector<std::int32_t> fields(std::uint32_t word, std::uint32_t width, bool is_signed) {
  std::vector<std::int32_t> lanes;
  for (std::uint32_t at = 0; at < 32; at += width) {
    const auto field = static_cast<std::int32_t>(word >> at & low_mask(width));
    const bool is_negative = is_signed && (static_cast<std::uint32_t>(field) >> (width - 1)) != 0;
    lanes.push_back(is_negative ? field - (1 << width) : field);
  }
  return lanes;
}

std::vector<ExpectedLane> unpacked(std::string_view name, std::uint32_t word) {
  const std::uint32_t width = name.find("4x") != std::string_view::npos ? 8 : 16;
  const bool is_signed = name.ends_with("snorm") || name.ends_with("I8");
  const double steps = static_cast<double>(low_mask(is_signed ? width - 1 : width));
  std::vector<ExpectedLane> lanes;
  for (const std::int32_t field : fields(word, width, is_signed)) {
    if (name.ends_with("norm"))
      lanes.push_back(near(std::max(field / steps, -1.0), 2.5));
    else if (name.ends_with("float"))
      lanes.push_back(near(half_value(static_cast<std::uint32_t>(field)), 0));
    else
      lanes.push_back(exactly(static_cast<std::uint32_t>(field)));
  }
  return lanes;
}

std::vector<ExpectedLane> integer_dot(std::string_view name, const std::vector<Words>& a) {
  std::uint32_t sum = 0;
  if (name == "dot") {
    for (std::size_t i = 0; i < a[0].size(); ++i) sum += a[0][i] * a[1][i];
    return {exactly(sum)};
  }
  const bool is_signed = name == "dot4I8Packed";
  const auto x = fields(a[0][0], 8, is_signed), y = fields(a[1][0], 8, is_signed);
  for (std::size_t i = 0; i < 4; ++i) sum += static_cast<std::uint32_t>(x[i] * y[i]);
  return {exactly(sum)};
}

}  // namespace

std::vector<ExpectedLane> expected_lanes(const FunctionRow& row, const ReferenceCall& call) {
  const std::string_view name = row.name;
  const std::vector<Words>& operands = call.operands;
  if (name.starts_with("pack")) return {packed(name, operands[0])};
  if (name.starts_with("unpack")) return unpacked(name, operands[0][0]);
  if (name.starts_with("dot") && call.type.lane != Lane::f32) return integer_dot(name, operands);
  if (name == "all" || name == "any") {
    const auto is_true = [](std::uint32_t word) { return word != 0; };
    const bool all = std::all_of(operands[0].begin(), operands[0].end(), is_true);
    const bool any = std::any_of(operands[0].begin(), operands[0].end(), is_true);
    return {exactly((name == "all" ? all : any) ? 1 : 0)};
  }
  if (call.type.lane == Lane::f32) {
    std::vector<Reals> vectors;
    for (const Words& words : operands) {
      vectors.emplace_back();
      for (const std::uint32_t word : words) vectors.back().push_back(real(word));
    }
    if (auto lanes = of_vectors(name, vectors)) return *lanes;
  }
  std::vector<ExpectedLane> lanes;
  for (std::size_t i = 0; i < call.type.width; ++i) {
    Words words;
    for (const Words& operand : operands) words.push_back(operand[operand.size() == 1 ? 0 : i]);
    const std::optional<ExpectedLane> lane = lane_by_lane(row, words, call.type.lane);
    if (!lane) ADD_FAILURE() << row.name << " has no reference.";
    lanes.push_back(lane.value_or(ExpectedLane{}));
  }
  return lanes;
}

bool is_expected(std::uint32_t word, Lane lane, const ExpectedLane& expected) {
  if (expected.kind == Kind::any) return true;
  if (expected.kind == Kind::bits) {
    const bool is_zero = lane == Lane::f32 && (expected.bits & 0x7fffffffu) == 0;
    return word == expected.bits || (is_zero && (word & 0x7fffffffu) == 0);
  }
  const double given = real(word);
  const auto nearest = static_cast<double>(static_cast<float>(expected.value));
  if (std::isnan(nearest)) return std::isnan(given);
  if (std::isinf(nearest) || std::isinf(given)) return given == nearest;
  // Subnormals may be zero.
  return std::fabs(given - expected.value) <= expected.tolerance + ulp_of(expected.value) / 2 + 0x1p-126;
}

}  // namespace millrace::expression
