// The contract's rules for f32, on intervals: operands may be taken as zero where they are subnormal, results are widened
// by their bound in ULP and may be zero where they are subnormal, and infinity where they pass the largest float.
#pragma once

#include <functional>

#include "tests/oracle/allowed.hpp"

namespace millrace::oracle {

// As an operand: with zero where a subnormal number may be taken as it.
[[nodiscard]] Allowed flushed(Allowed operand);
// A result whose true values lie in [lower, upper], each wrong by at most that many ULP.
[[nodiscard]] Allowed rounded(double lower, double upper, double ulps);

// One rounding each; `any` where an operand may be NaN or infinite.
[[nodiscard]] Allowed product(const Allowed& a, const Allowed& b);
[[nodiscard]] Allowed quotient(const Allowed& a, const Allowed& b);
// The sum of the terms, added in any order.
[[nodiscard]] Allowed sum(const std::vector<Allowed>& terms);
[[nodiscard]] Allowed negated(const Allowed& a);
[[nodiscard]] Allowed magnitude(const Allowed& a);
[[nodiscard]] Allowed square_root(const Allowed& a);
[[nodiscard]] Allowed dot_product(const Lanes& a, const Lanes& b);

// min, max: the number where one is NaN.
[[nodiscard]] Allowed least(const Allowed& a, const Allowed& b);
[[nodiscard]] Allowed greatest(const Allowed& a, const Allowed& b);

// An exact function that never falls: floor, trunc, ...
[[nodiscard]] Allowed stepwise(const Allowed& a, double (*function)(double));
// A function within `ulps` of its true value, which has its extremes over an interval at the interval's ends and at the
// points that `inner` adds. Outside of [domain_lower, domain_upper] it is NaN; NaN gives NaN.
struct Curve {
  double (*function)(double);
  double domain_lower;
  double domain_upper;
  double ulps;
  std::function<void(double lower, double upper, std::vector<double>& values)> inner = {};
};
[[nodiscard]] Allowed along(const Curve& curve, const Allowed& a);

[[nodiscard]] Allowed power(const Allowed& x, const Allowed& y);
[[nodiscard]] Allowed angle(const Allowed& y, const Allowed& x);

// Comparisons as bools. less: a < b; at_most: a <= b; equal: a == b.
[[nodiscard]] Allowed less(const Allowed& a, const Allowed& b);
[[nodiscard]] Allowed at_most(const Allowed& a, const Allowed& b);
[[nodiscard]] Allowed equal(const Allowed& a, const Allowed& b);
[[nodiscard]] Allowed negation(const Allowed& boolean);
// The one or the other, or either where the condition is open.
[[nodiscard]] Allowed chosen(const Allowed& where_false, const Allowed& where_true, const Allowed& condition);

}  // namespace millrace::oracle
