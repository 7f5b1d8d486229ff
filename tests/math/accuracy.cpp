// The table of what is measured, and the measure.
#include "tests/math/accuracy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

namespace millrace::accuracy {
namespace {

constexpr double kLeastNormal = 0x1p-126;
constexpr double kPastLargest = 0x1p128;

bool is_normal_or_zero(float x) { return x == 0 || std::isnormal(x); }

constexpr Function kFunctions[] = {
    {"sin", "y = sin(x)", 4, [](double x) { return std::sin(x); }},
    {"cos", "y = cos(x)", 4, [](double x) { return std::cos(x); }},
    {"tan", "y = tan(x)", 4, [](double x) { return std::tan(x); }},
    {"asin", "y = asin(x)", 4, [](double x) { return std::asin(x); }},
    {"acos", "y = acos(x)", 4, [](double x) { return std::acos(x); }},
    {"atan", "y = atan(x)", 4, [](double x) { return std::atan(x); }},
    {"sinh", "y = sinh(x)", 4, [](double x) { return std::sinh(x); }},
    {"cosh", "y = cosh(x)", 4, [](double x) { return std::cosh(x); }},
    {"tanh", "y = tanh(x)", 4, [](double x) { return std::tanh(x); }},
    {"asinh", "y = asinh(x)", 4, [](double x) { return std::asinh(x); }},
    {"acosh", "y = acosh(x)", 4, [](double x) { return std::acosh(x); }},
    {"atanh", "y = atanh(x)", 4, [](double x) { return std::atanh(x); }},
    {"exp", "y = exp(x)", 4, [](double x) { return std::exp(x); }},
    {"exp2", "y = exp2(x)", 4, [](double x) { return std::exp2(x); }},
    {"log", "y = log(x)", 4, [](double x) { return std::log(x); }},
    {"log2", "y = log2(x)", 4, [](double x) { return std::log2(x); }},
    {"pow", "y = pow(a, b)", 4, nullptr, [](double a, double b) { return std::pow(a, b); }},
    {"atan2", "y = atan2(a, b)", 4, nullptr, [](double a, double b) { return std::atan2(a, b); }},
    {"sqrt", "y = sqrt(x)", 4, [](double x) { return std::sqrt(x); }, nullptr, false,
     [](float x, float) { return x >= 0 && std::isfinite(x); }},
    {"inverseSqrt", "y = inverseSqrt(x)", 3, [](double x) { return 1 / std::sqrt(x); }, nullptr, false,
     [](float x, float) { return x > 0 && std::isnormal(x); }},
    {"division", "y = a / b", 2.5, nullptr, [](double a, double b) { return a / b; }, false,
     [](float a, float b) { return std::isfinite(a) && std::isnormal(b) && std::abs(b) <= 0x1p126f; }},
};

// 2^(23 - e) for 2^e <= |expected| < 2^(e + 1), by the bits of the double: std::frexp takes longer than the functions.
double units_per_one(double expected) {
  const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(expected) >> 52 & 0x7ff) - 1023;
  const int unit = 23 - std::clamp(exponent, -126, 127);
  return std::bit_cast<double>(static_cast<std::uint64_t>(unit + 1023) << 52);
}

struct Judgement {
  std::optional<double> ulps;
  bool is_right_sign = true;
};

Judgement judge(const Function& function, double expected, float got) {
  const bool may_flush = std::abs(expected) < kLeastNormal + function.bound * 0x1p-149;
  if (got == 0 && may_flush) return {0, !function.is_ours || std::signbit(expected) == std::signbit(got)};
  return {error_in_ulps(expected, got)};
}

// The best judgement over what subnormal operands may be taken for.
Judgement judge(const Function& function, float a, float b, float got) {
  const auto expected = [&](float x, float y) {
    return function.takes_two() ? function.of_two(x, y) : function.of_one(x);
  };
  Judgement best = judge(function, expected(a, b), got);
  if (is_normal_or_zero(a) && is_normal_or_zero(b)) return best;
  const auto zero_if_subnormal = [](float x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
  };
  for (const float x : {a, zero_if_subnormal(a)}) {
    for (const float y : {b, zero_if_subnormal(b)}) {
      const Judgement other = judge(function, expected(x, y), got);
      if (!best.ulps || (other.ulps && *other.ulps < *best.ulps)) best = other;
    }
  }
  return best;
}

}  // namespace

std::span<const Function> functions() { return kFunctions; }

const Function* find_function(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &Function::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

std::optional<double> error_in_ulps(double expected, float got) {
  constexpr double kRoundsToInfinity = kPastLargest - 0x1p103;
  const double size = std::abs(expected);
  // First what nearly all are.
  if (size > 0 && size < kRoundsToInfinity && std::abs(got) <= std::numeric_limits<float>::max())
    return std::abs(static_cast<double>(got) - expected) * units_per_one(expected);
  if (std::isnan(expected) || std::isnan(got)) {
    if (std::isnan(expected) && std::isnan(got)) return 0;
    return std::nullopt;
  }
  if (size == 0) return got == 0 ? std::optional<double>(0) : std::nullopt;
  if (std::isinf(got) && size >= kRoundsToInfinity && std::signbit(expected) == std::signbit(got)) return 0;
  if (std::isinf(expected) || (std::isinf(got) && size < kPastLargest / 2)) return std::nullopt;
  const double value = std::isinf(got) ? std::copysign(kPastLargest, got) : static_cast<double>(got);
  const double bounded = std::clamp(expected, -kPastLargest, kPastLargest);
  return std::abs(value - bounded) * units_per_one(bounded);
}

void measure(const Function& function, const Result& result, Measured& measured) {
  const auto a = std::bit_cast<float>(result.a);
  const auto b = std::bit_cast<float>(result.b);
  if (function.is_specified != nullptr && !function.is_specified(a, b)) return;
  ++measured.results;
  const Judgement judgement = judge(function, a, b, std::bit_cast<float>(result.bits));
  if (!judgement.is_right_sign && ++measured.wrong_sign == 1) measured.first_wrong_sign = result;
  if (!judgement.ulps) {
    if (++measured.wrong_class == 1) measured.first_wrong_class = result;
    return;
  }
  if (*judgement.ulps > 1) ++measured.over_one;
  if (*judgement.ulps > function.bound) ++measured.over_bound;
  if (*judgement.ulps > measured.worst) {
    measured.worst = *judgement.ulps;
    measured.worst_at = result;
  }
}

void Measured::add(const Measured& more) {
  results += more.results;
  over_one += more.over_one;
  over_bound += more.over_bound;
  wrong_class += more.wrong_class;
  wrong_sign += more.wrong_sign;
  if (!first_wrong_class) first_wrong_class = more.first_wrong_class;
  if (!first_wrong_sign) first_wrong_sign = more.first_wrong_sign;
  if (more.worst > worst) {
    worst = more.worst;
    worst_at = more.worst_at;
  }
}

Measured measure_all(const Function& function, std::span<const float> a, std::span<const float> b,
                     std::span<const float> results, unsigned thread_count) {
  const auto bits = [](std::span<const float> rows, std::size_t row) {
    return rows.empty() ? 0u : std::bit_cast<std::uint32_t>(rows[row]);
  };
  std::vector<Measured> parts(thread_count);
  std::vector<std::thread> threads;
  for (unsigned part = 0; part < thread_count; ++part) {
    threads.emplace_back([&, part] {
      const std::size_t last = results.size() * (part + 1) / thread_count;
      Measured measured;
      for (std::size_t row = results.size() * part / thread_count; row < last; ++row)
        measure(function, {bits(a, row), bits(b, row), bits(results, row)}, measured);
      parts[part] = measured;
    });
  }
  for (std::thread& thread : threads) thread.join();
  Measured all;
  for (const Measured& part : parts) all.add(part);
  return all;
}

}  // namespace millrace::accuracy
