// Formats: what a stored row reads as, and what a value becomes in one.
#pragma once

#include <cstdint>
#include <vector>

#include <millrace/format.hpp>

#include "tests/oracle/allowed.hpp"

namespace millrace::oracle {

// What a row of these words reads as.
[[nodiscard]] Lanes read_row(Format format, const std::vector<std::uint32_t>& words);
// What the value reads as once it was stored in the packed format.
[[nodiscard]] Lanes requantized(Format format, const Lanes& value);
// The nearest half-precision number, as a float; past 65504 by half a step or more, infinity.
[[nodiscard]] double to_half(double number);
// The float of a half's bits.
[[nodiscard]] float half_number(std::uint32_t half);

}  // namespace millrace::oracle
