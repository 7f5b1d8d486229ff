// How near an f32 is to what it should be, in units of the last place: what tests of floats compare with, since devices
// round, contract and flush in ways of their own.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace millrace::expression {

// The distance from one f32 to the next at that magnitude; 2^-149 where it is subnormal or 0.
inline double ulp_at(double value) {
  const int exponent = value == 0 ? -126 : std::max(std::ilogb(value), -126);
  return std::ldexp(1.0, exponent - 23);
}

// Whether `computed` is within so many ULP of the true value. Zeros are equal. A NaN is met by a NaN alone; past the
// largest f32 either that or infinity will do; in the subnormal range also 0.
inline bool is_within_ulps(float computed, double expected, double ulps) {
  if (std::isnan(computed) || std::isnan(expected)) return std::isnan(computed) && std::isnan(expected);
  constexpr float kLargest = std::numeric_limits<float>::max();
  if (std::fabs(expected) > static_cast<double>(kLargest)) {
    return std::fabs(computed) >= kLargest && std::signbit(computed) == std::signbit(expected);
  }
  const bool may_be_flushed = std::fabs(expected) < static_cast<double>(std::numeric_limits<float>::min());
  if (computed == 0 && may_be_flushed) return true;
  return std::fabs(static_cast<double>(computed) - expected) <= ulps * ulp_at(expected);
}

}  // namespace millrace::expression
