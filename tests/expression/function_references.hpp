// Each row of the function table computed again on the CPU, in double precision or in integers, from the definitions of
// WGSL and without the emitter. Values of ordinary size: NaN, infinities and subnormals are for the tests of numerics.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "src/expression/function_table.hpp"

namespace millrace::expression {

// What one lane of the result may be.
struct ExpectedLane {
  enum class Kind : std::uint8_t { any, bits, near } kind = Kind::any;
  std::uint32_t bits = 0;  // of an integer, a bool (0 or 1) or an f32 that must be met exactly
  double value = 0;        // of an f32, with what it may be off by
  double tolerance = 0;
};

// The operands' lanes as words, as many as operand_type says; bools are 0 or 1.
struct ReferenceCall {
  std::vector<std::vector<std::uint32_t>> operands;
  Type type;  // of the operands that the row's signature calls T
};

// The lanes of the result. Fails the test that calls it for a row that it does not know.
[[nodiscard]] std::vector<ExpectedLane> expected_lanes(const FunctionRow& row, const ReferenceCall& call);

// Whether the word that a device gave is what is expected.
[[nodiscard]] bool is_expected(std::uint32_t word, Lane lane, const ExpectedLane& expected);

}  // namespace millrace::expression
