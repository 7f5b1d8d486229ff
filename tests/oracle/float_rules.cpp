// How each rule widens: by rounding, by flushing, by what a chain may be off by.
#include "tests/oracle/float_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "tests/expression/ulp.hpp"

namespace millrace::oracle {

using expression::Lane;

namespace {

constexpr double kLargest = 0x1.fffffep127;
constexpr double kLeastNormal = 0x1p-126;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Results in double are themselves rounded; this is much more than that and much less than an ULP.
constexpr double kSlack = 1e-6;

Allowed any_float() { return any_of(Lane::f32); }

Allowed boolean(bool may_be_false, bool may_be_true) {
  return between(Lane::boolean, may_be_false ? 0 : 1, may_be_true ? 1 : 0);
}

// The interval of f(a, b) over the ends of both.
template <class Function>
std::pair<double, double> over_corners(const Allowed& a, const Allowed& b, Function function) {
  const double values[] = {function(a.lower, b.lower), function(a.lower, b.upper), function(a.upper, b.lower),
                           function(a.upper, b.upper)};
  return {*std::min_element(values, values + 4), *std::max_element(values, values + 4)};
}

// Zero with its sign, which our own mathematics have right.
Allowed signed_zero(double zero) { return exactly(Lane::f32, std::signbit(zero) ? 0x80000000u : 0); }

double largest_magnitude(const Allowed& a) { return std::max(std::fabs(a.lower), std::fabs(a.upper)); }

}  // namespace

Allowed flushed(Allowed operand) {
  if (operand.lane != Lane::f32 || operand.any || !operand.has_number()) return operand;
  const bool is_subnormal =
      (operand.lower > 0 && operand.lower < kLeastNormal) || (operand.upper < 0 && operand.upper > -kLeastNormal);
  if (!is_subnormal) return operand;
  operand.bits.reset();
  operand.lower = std::min(operand.lower, 0.0);
  operand.upper = std::max(operand.upper, 0.0);
  return operand;
}

Allowed rounded(double lower, double upper, double ulps) {
  if (std::isnan(lower) || std::isnan(upper)) return any_float();
  if (lower == 0 && upper == 0) return between(Lane::f32, 0, 0);
  lower -= std::isinf(lower) ? 0 : (ulps + (ulps > 0 ? kSlack : 0)) * expression::ulp_at(lower);
  upper += std::isinf(upper) ? 0 : (ulps + (ulps > 0 ? kSlack : 0)) * expression::ulp_at(upper);
  // Past the largest float: infinity, or the largest.
  if (upper > kLargest) upper = kInfinity;
  if (lower < -kLargest) lower = -kInfinity;
  lower = std::min(lower, kLargest);
  upper = std::max(upper, -kLargest);
  return flushed(between(Lane::f32, lower, upper));
}

namespace {

// What the terms of a chain, added in any order, may be off by.
double chain_error(int operations, double size) { return (operations + 1) * 0x1p-24 * size; }

// A result of operands of which one may be subnormal: a driver that takes those for zero may also leave one where zero
// is meant (NVIDIA: 0 * x is x for a literal x of 7 * 2^-149).
Allowed settled(Allowed result, const std::vector<Allowed>& operands) {
  const bool may_be_subnormal = std::any_of(operands.begin(), operands.end(), [](const Allowed& operand) {
    const bool is_zero = operand.lower == 0 && operand.upper == 0;
    return operand.has_number() && !is_zero && operand.lower < kLeastNormal && operand.upper > -kLeastNormal;
  });
  if (result.any || !may_be_subnormal || result.lower > kLeastNormal || result.upper < -kLeastNormal) return result;
  result.lower = std::min(result.lower, -kLeastNormal);
  result.upper = std::max(result.upper, kLeastNormal);
  return result;
}

double log_of(double size) { return size == 0 ? 0 : std::log2(size); }

// The result of a factor and another, or the divisor, with what is known of the chain; `any` where one of its partial
// products may leave the range of normal floats.
Allowed with_chain(Allowed result, const Allowed& a, const Allowed& b, bool divides) {
  result.product_operations = a.product_operations + b.product_operations + 1;
  for (const Allowed* factor : {&a, &b}) {
    double high = factor->highest_power;
    double low = factor->lowest_power;
    if (factor->product_operations == 0) {
      high = std::max(0.0, log_of(largest_magnitude(*factor)));
      low = std::min(0.0, log_of(magnitude(*factor).lower));
    }
    if (divides && factor == &b) std::tie(high, low) = std::pair(-low, -high);
    result.highest_power += high;
    result.lowest_power += low;
  }
  const bool may_leave = result.highest_power > 127 || result.lowest_power < -126;
  return result.product_operations > 1 && may_leave ? any_float() : result;
}

}  // namespace

Allowed product(const Allowed& a_given, const Allowed& b_given) {
  const Allowed a = flushed(a_given);
  const Allowed b = flushed(b_given);
  if (!a.is_finite() || !b.is_finite()) return any_float();
  const auto [lower, upper] = over_corners(a, b, [](double x, double y) { return x * y; });
  // A factor may be multiplied into the terms of a sum.
  const Allowed& terms = a.sum_operations > 0 ? a : b;
  const double factor = largest_magnitude(a.sum_operations > 0 ? b : a);
  const double error = terms.sum_operations > 0 ? chain_error(terms.sum_operations, factor * terms.sum_size) : 0;
  Allowed result = with_chain(rounded(lower - error, upper + error, 0.5), a, b, false);
  if (result.any) return result;
  result.sum_operations = terms.sum_operations;
  result.sum_size = factor * terms.sum_size;
  return settled(result, {a_given, b_given});
}

Allowed quotient(const Allowed& a_given, const Allowed& b_given) {
  const Allowed a = flushed(a_given);
  const Allowed b = flushed(b_given);
  if (!a.is_finite() || !b.is_finite()) return any_float();
  const bool is_near_zero = b.lower < kLeastNormal && b.upper > -kLeastNormal;
  if (is_near_zero || largest_magnitude(b) > 0x1p126) return any_float();
  const auto [lower, upper] = over_corners(a, b, [](double x, double y) { return x / y; });
  // A divisor may be divided into the terms of a sum.
  const double divisor = magnitude(b).lower;
  const double error = a.sum_operations > 0 ? 3 * chain_error(a.sum_operations, a.sum_size / divisor) : 0;
  return settled(with_chain(rounded(lower - error, upper + error, 2.5), a, b, true), {a_given, b_given});
}

Allowed sum(const std::vector<Allowed>& terms) {
  double lower = 0;
  double upper = 0;
  int operations = static_cast<int>(terms.size()) - 1;
  int products = 0;
  Allowed chain;
  for (const Allowed& given : terms) {
    const Allowed term = flushed(given);
    if (!term.is_finite()) return any_float();
    lower += term.lower;
    upper += term.upper;
    chain.sum_size += term.sum_operations == 0 ? largest_magnitude(term) : term.sum_size;
    operations += term.sum_operations;
    products += term.product_operations > 0 ? 1 : 0;
    chain.product_operations = std::max(chain.product_operations, term.product_operations);
    chain.highest_power = std::max(chain.highest_power, term.highest_power);
    chain.lowest_power = std::min(chain.lowest_power, term.lowest_power);
  }
  // A product may have a factor that is taken out: a * b + a * c, a * b + a.
  const bool is_chain = operations > 1 || products > 0;
  if (is_chain && chain.sum_size > kLargest) return any_float();
  // x * a + x * b as x * (a + b), which may overflow where a or b is large and x small.
  if (products > 1 && chain.highest_power + std::log2(products) > 127) return any_float();
  const double error = is_chain ? chain_error(operations, chain.sum_size) : 0;
  Allowed result = rounded(lower - error, upper + error, 0.5);
  result.sum_operations = operations;
  result.sum_size = chain.sum_size;
  result.product_operations = chain.product_operations;
  result.highest_power = chain.highest_power;
  result.lowest_power = chain.lowest_power;
  return settled(result, terms);
}

Allowed negated(const Allowed& a) {
  if (a.any) return a;
  Allowed result = flushed(a);
  if (a.has_number()) {
    std::swap(result.lower, result.upper);
    result.lower = -result.lower;
    result.upper = -result.upper;
  }
  if (result.bits) result.bits = a.may_be_nan ? std::nullopt : std::optional(*result.bits ^ 0x80000000u);
  return result;
}

Allowed magnitude(const Allowed& a) {
  if (a.any) return either(not_a_number(), between(Lane::f32, 0, kInfinity));
  Allowed result = flushed(a);
  if (a.has_number()) {
    const double largest = largest_magnitude(result);
    const bool has_zero = result.lower <= 0 && result.upper >= 0;
    result.lower = has_zero ? 0 : std::min(std::fabs(result.lower), std::fabs(result.upper));
    result.upper = largest;
  }
  if (result.bits) result.bits = a.may_be_nan ? std::nullopt : std::optional(*result.bits & 0x7fffffffu);
  return result;
}

Allowed square_root(const Allowed& given) {
  const Allowed a = flushed(given);
  if (!a.is_finite() || a.lower < 0) return any_float();
  const Allowed root = rounded(std::sqrt(a.lower), std::sqrt(a.upper), 4);
  return a.lower == 0 ? between(Lane::f32, 0, root.upper) : root;
}

Allowed dot_product(const Lanes& a, const Lanes& b) {
  std::vector<Allowed> terms;
  for (std::size_t lane = 0; lane < a.size(); ++lane) {
    Allowed term = product(a[lane], b[lane]);
    // A square is not negative, which the product of two intervals does not know.
    const bool is_square = a[lane].lower == b[lane].lower && a[lane].upper == b[lane].upper && &a == &b;
    if (is_square && !term.any) term.lower = std::max(term.lower, 0.0);
    terms.push_back(term);
  }
  if (terms.size() == 1) return terms[0];
  return sum(terms);
}

namespace {

// Its subnormal numbers and zeros.
Allowed tiny_part(const Allowed& a) {
  constexpr double kLargestTiny = kLeastNormal - 0x1p-149;
  return between(Lane::f32, std::max(a.lower, -kLargestTiny), std::min(a.upper, kLargestTiny));
}

Allowed extreme(const Allowed& a_given, const Allowed& b_given, const double& (*pick)(const double&, const double&)) {
  // A driver knows a range for some open values and compares by it: on lavapipe max(inverseSqrt(-0.0), -0.0) is -inf,
  // because it takes a reciprocal root for positive.
  if (a_given.any || b_given.any) return any_float();
  const Allowed a = flushed(a_given);
  const Allowed b = flushed(b_given);
  Allowed result = not_a_number();
  result.may_be_nan = a.may_be_nan && b.may_be_nan;
  if (a.has_number() && b.has_number())
    result = either(result, between(Lane::f32, pick(a.lower, b.lower), pick(a.upper, b.upper)));
  if (a.may_be_nan && b.has_number()) result = either(result, between(Lane::f32, b.lower, b.upper));
  if (b.may_be_nan && a.has_number()) result = either(result, between(Lane::f32, a.lower, a.upper));
  // Subnormal numbers and zeros may compare as equal, and then either is picked.
  const Allowed tiny_a = tiny_part(a);
  const Allowed tiny_b = tiny_part(b);
  if (tiny_a.has_number() && tiny_b.has_number()) result = either(result, either(tiny_a, tiny_b));
  result.may_be_nan = a.may_be_nan && b.may_be_nan;
  return settled(result, {a_given, b_given});
}

}  // namespace

Allowed least(const Allowed& a, const Allowed& b) { return extreme(a, b, &std::min<double>); }
Allowed greatest(const Allowed& a, const Allowed& b) { return extreme(a, b, &std::max<double>); }

Allowed stepwise(const Allowed& given, double (*function)(double)) {
  const Allowed a = flushed(given);
  if (!a.is_finite()) return any_float();
  return settled(between(Lane::f32, function(a.lower), function(a.upper)), {given});
}

Allowed along(const Curve& curve, const Allowed& given) {
  const Allowed a = flushed(given);
  if (a.any) return any_float();
  Allowed result = not_a_number();
  const bool leaves_domain = a.has_number() && (a.lower < curve.domain_lower || a.upper > curve.domain_upper);
  const double lower = std::max(a.lower, curve.domain_lower);
  const double upper = std::min(a.upper, curve.domain_upper);
  result.may_be_nan = a.may_be_nan || leaves_domain;
  if (!a.has_number() || lower > upper) return result;
  if (a.bits && lower == upper && curve.function(lower) == 0) return signed_zero(curve.function(lower));
  std::vector<double> values = {curve.function(lower), curve.function(upper)};
  if (curve.inner && lower < upper) curve.inner(lower, upper, values);
  Allowed numbers = not_a_number();
  bool has_nan = false;
  for (const double value : values) {
    if (std::isnan(value))
      has_nan = true;
    else
      numbers = either(numbers, rounded(value, value, curve.ulps));
  }
  numbers.may_be_nan = result.may_be_nan || has_nan;
  return numbers;
}

Allowed power(const Allowed& x_given, const Allowed& y_given) {
  const Allowed x = flushed(x_given);
  const Allowed y = flushed(y_given);
  const auto is_just = [](const Allowed& a, double number) {
    return !a.any && !a.may_be_nan && a.lower == number && a.upper == number;
  };
  if (is_just(y, 0) || is_just(x, 1)) return between(Lane::f32, 1, 1);  // with NaN, too
  if (x.any || y.any) return any_float();
  if (!x.has_number() && !y.has_number()) return not_a_number();
  const bool is_one_point = is_just(x, x.lower) && is_just(y, y.lower);
  const bool is_signed_zero_open = x.lower == 0 && !x.bits && y.upper < 0;
  if (is_one_point && !is_signed_zero_open) {
    const double value = std::pow(x.lower, y.lower);
    if (value == 0 && x.bits && y.bits) return signed_zero(value);
    return std::isnan(value) ? not_a_number() : rounded(value, value, 4);
  }
  const bool is_simple = x.has_number() && y.has_number() && !x.may_be_nan && !y.may_be_nan && x.lower > 0 &&
                         std::isfinite(x.upper) && std::isfinite(y.lower) && std::isfinite(y.upper);
  if (!is_simple) return any_float();
  const auto [lower, upper] = over_corners(x, y, [](double a, double b) { return std::pow(a, b); });
  return rounded(lower, upper, 4);
}

Allowed angle(const Allowed& y_given, const Allowed& x_given) {
  const Allowed y = flushed(y_given);
  const Allowed x = flushed(x_given);
  if (y.any || x.any) return any_float();
  if (!y.has_number() || !x.has_number()) return not_a_number();
  // The sign of a zero decides on which side of the cut it lies.
  const bool meets_cut = y.lower <= 0 && y.upper >= 0 && x.lower <= 0 && !(y.bits && x.bits);
  if (meets_cut || y.may_be_nan || x.may_be_nan) return any_float();
  const auto [lower, upper] = over_corners(y, x, [](double a, double b) { return std::atan2(a, b); });
  if (y.bits && x.bits && lower == 0) return signed_zero(lower);
  return either(rounded(lower, lower, 4), rounded(upper, upper, 4));
}

namespace {

// A comparison, false with NaN. may_be_false and may_be_true are asked of two intervals.
template <class MayBeFalse, class MayBeTrue>
Allowed compared(const Allowed& a_given, const Allowed& b_given, MayBeFalse may_be_false, MayBeTrue may_be_true) {
  if (a_given.any || b_given.any) return boolean(true, true);
  const Allowed a = flushed(a_given);
  const Allowed b = flushed(b_given);
  if (!a.has_number() || !b.has_number()) return boolean(true, false);
  return boolean(a.may_be_nan || b.may_be_nan || may_be_false(a, b), may_be_true(a, b));
}

}  // namespace

Allowed less(const Allowed& a_given, const Allowed& b_given) {
  return compared(
      a_given, b_given, [](const Allowed& a, const Allowed& b) { return a.upper >= b.lower; },
      [](const Allowed& a, const Allowed& b) { return a.lower < b.upper; });
}

Allowed at_most(const Allowed& a_given, const Allowed& b_given) {
  return compared(
      a_given, b_given, [](const Allowed& a, const Allowed& b) { return a.upper > b.lower; },
      [](const Allowed& a, const Allowed& b) { return a.lower <= b.upper; });
}

Allowed equal(const Allowed& a_given, const Allowed& b_given) {
  return compared(
      a_given, b_given,
      [](const Allowed& a, const Allowed& b) { return a.lower != a.upper || b.lower != b.upper || a.lower != b.lower; },
      [](const Allowed& a, const Allowed& b) { return a.lower <= b.upper && b.lower <= a.upper; });
}

Allowed negation(const Allowed& truth) { return between(Lane::boolean, 1 - truth.upper, 1 - truth.lower); }

Allowed chosen(const Allowed& where_false, const Allowed& where_true, const Allowed& condition) {
  if (condition.lower == 1) return where_true;
  if (condition.upper == 0) return where_false;
  return either(where_false, where_true);
}

}  // namespace millrace::oracle
