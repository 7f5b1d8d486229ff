// The set of values that the numeric contract allows one lane to have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/expression/type.hpp"

namespace millrace::oracle {

struct Allowed {
  expression::Lane lane = expression::Lane::f32;
  bool any = false;
  // f32: numbers in [lower, upper], where an infinite bound means that infinity is among them (lower > upper: none), and
  // NaN. i32, u32: whole numbers in [lower, upper]. bool: 0 and 1 in [lower, upper].
  double lower = 0;
  double upper = 0;
  bool may_be_nan = false;
  // The very bits, where the contract promises them: moves, literals, integers. Zeros keep their sign then, NaN its bits.
  std::optional<std::uint32_t> bits = {};
  // Of f32 that a chain of sums or products gave: how many operations, the sum of its terms' magnitudes, and the powers of
  // two that its partial products may reach in either direction. A driver may reorder a chain, so its error is of the
  // whole.
  int sum_operations = 0;
  double sum_size = 0;
  int product_operations = 0;
  double highest_power = 0;
  double lowest_power = 0;

  // Whether that value, given as the lane's bits (bool: 0 or 1), is among them. Where `bits` is not set, zeros are equal.
  [[nodiscard]] bool holds(std::uint32_t value) const;
  // "f32 from 0.99999994 to 1.0000001", "any f32", "i32 7", for messages.
  [[nodiscard]] std::string text() const;

  // Whether there is a number among them.
  [[nodiscard]] bool has_number() const { return lower <= upper; }
  // Whether all are finite numbers.
  [[nodiscard]] bool is_finite() const;
};

using Lanes = std::vector<Allowed>;

[[nodiscard]] Allowed any_of(expression::Lane lane);
// Of a lane's bits, as a move keeps them.
[[nodiscard]] Allowed exactly(expression::Lane lane, std::uint32_t bits);
// Numbers from lower to upper; outwards already.
[[nodiscard]] Allowed between(expression::Lane lane, double lower, double upper);
[[nodiscard]] Allowed not_a_number();
// What one of two may be.
[[nodiscard]] Allowed either(const Allowed& a, const Allowed& b);

}  // namespace millrace::oracle
