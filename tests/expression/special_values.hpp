// Functions on the device, over every combination of special values: NaN, infinities, zeros of both signs, subnormals, the
// limits of integers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/expression/build_dag.hpp"
#include "tests/expression/run_kernel.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace::expression {

using Words = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();

inline std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint32_t bits(std::int32_t value) { return static_cast<std::uint32_t>(value); }
inline std::uint32_t bits(std::uint32_t value) { return value; }
inline float as_float(std::uint32_t word) { return std::bit_cast<float>(word); }
inline bool is_subnormal(float value) { return value != 0 && std::fabs(value) < std::numeric_limits<float>::min(); }

inline const Floats kFloats = {0.0f,
                               -0.0f,
                               1.0f,
                               -1.0f,
                               0.5f,
                               -0.5f,
                               1.5f,
                               2.5f,
                               -2.5f,
                               3.0f,
                               0.1f,
                               -7.25f,
                               0.49999997f,
                               1.0000001f,
                               8388607.5f,
                               -16777217.0f,
                               1e20f,
                               -1e30f,
                               std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::lowest(),
                               std::numeric_limits<float>::min(),
                               -std::numeric_limits<float>::min(),
                               1e-40f,
                               -1e-45f,
                               kInf,
                               -kInf,
                               kNan,
                               as_float(0xffc00000u),
                               as_float(0x7f800001u),
                               as_float(0xff812345u)};

// One function whose operands have one lane each, on rows of words: columns[operand][row]. lane: of the operands that its
// signature calls T.
inline Words results_of(std::string_view name, Lane lane, const std::vector<Words>& columns) {
  const auto found = find_function(name);
  const FunctionIndex index = found ? *found : operator_function(name);
  DagBuilder build;
  std::vector<NodeIndex> inputs;
  KernelCut cut;
  for (std::size_t operand = 0; operand < columns.size(); ++operand) {
    inputs.push_back(build.vector(stored_format(operand_type(function(index), operand, {lane, 1}))));
    cut.leaves.push_back(build.leaf(inputs.back()));
  }
  const Type result = result_type(function(index), {lane, 1});
  cut.outputs = {build.stored(build.dag.add(NodeKind::call, result, index.value, inputs))};
  webgpu::DeviceCore& core = *webgpu::DeviceAccess::core(shared_device());
  return run_cut(core, build.dag, cut,
                 {.row_count = static_cast<std::uint32_t>(columns[0].size()), .stored = columns})[0];
}

// Every combination of the values, one column for each operand.
template <class Number>
std::vector<Words> combinations(const std::vector<Number>& values, std::size_t operands) {
  std::vector<Words> columns(operands);
  std::size_t count = 1;
  for (std::size_t operand = 0; operand < operands; ++operand) count *= values.size();
  for (std::size_t row = 0; row < count; ++row) {
    std::size_t rest = row;
    for (Words& column : columns) {
      column.push_back(bits(values[rest % values.size()]));
      rest /= values.size();
    }
  }
  return columns;
}

// Whether a device may give this for those operands.
using Allows = std::function<bool(float, const Floats&)>;

// Runs a function of f32 lanes on every combination of the values.
inline void expect_floats(std::string_view name, std::size_t operands, const Floats& values, const Allows& allows) {
  const std::vector<Words> columns = combinations(values, operands);
  const Words results = results_of(name, Lane::f32, columns);
  for (std::size_t row = 0; row < results.size(); ++row) {
    Floats given;
    std::string text;
    for (const Words& column : columns) {
      given.push_back(as_float(column[row]));
      text += fmt::format(" {} ({:#x})", given.back(), column[row]);
    }
    ASSERT_TRUE(allows(as_float(results[row]), given))
        << name << text << fmt::format(" gives {} ({:#x})", as_float(results[row]), results[row]);
  }
}

// A device may take a subnormal for 0, and may give 0 for one.
inline Floats readings(float value) {
  return is_subnormal(value) ? Floats{value, std::copysign(0.0f, value)} : Floats{value};
}

}  // namespace millrace::expression
