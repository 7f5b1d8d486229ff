// The numeric contract (docs/numerics.md) on the provider and adapter at hand, over special values: NaN, infinities,
// zeros of both signs, subnormals, the limits of integers and of conversions. Expected values are worked out here, from
// the contract. Elementary functions have tests of their own.
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
#include "tests/expression/ulp.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace::expression {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint32_t bits(std::int32_t value) { return static_cast<std::uint32_t>(value); }
float as_float(std::uint32_t word) { return std::bit_cast<float>(word); }
double exact(float value) { return static_cast<double>(value); }
bool is_subnormal(float value) { return value != 0 && std::fabs(value) < std::numeric_limits<float>::min(); }

const std::vector<float> kFloats = {0.0f,
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

// One function of operands of the same type, on rows of words: columns[operand][row].
Words results_of(std::string_view name, Format format, Type result, const std::vector<Words>& columns) {
  DagBuilder build;
  std::vector<NodeIndex> inputs;
  KernelCut cut;
  for (std::size_t operand = 0; operand < columns.size(); ++operand) {
    inputs.push_back(build.vector(format));
    cut.leaves.push_back(build.leaf(inputs.back()));
  }
  const auto found = find_function(name);
  const FunctionIndex index = found ? *found : operator_function(name);
  cut.outputs = {build.stored(build.dag.add(NodeKind::call, result, index.value, inputs))};
  const auto row_count = static_cast<std::uint32_t>(columns[0].size() * 4 / bytes_per_row(format));
  webgpu::DeviceCore& core = *webgpu::DeviceAccess::core(shared_device());
  return run_cut(core, build.dag, cut, {.row_count = row_count, .stored = columns})[0];
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

using Floats = std::vector<float>;
// Whether a device may give this for those operands.
using Allows = std::function<bool(float, const Floats&)>;

// Runs a function of f32 lanes on every combination of the values.
void expect_floats(std::string_view name, std::size_t operands, const Floats& values, const Allows& allows) {
  const std::vector<Words> columns = combinations(values, operands);
  const Words results = results_of(name, Format::float32, kF32, columns);
  for (std::size_t row = 0; row < results.size(); ++row) {
    Floats given;
    std::string text;
    for (const Words& column : columns) {
      given.push_back(as_float(column[row]));
      text += fmt::format(" {} ({:#x})", given.back(), column[row]);
    }
    ASSERT_TRUE(allows(as_float(results[row]), given))
        << name << text << " gives " << as_float(results[row]) << " (" << std::hex << results[row] << ")";
  }
}

// A device may take a subnormal for 0, and may give 0 for one.
Floats readings(float value) { return is_subnormal(value) ? Floats{value, std::copysign(0.0f, value)} : Floats{value}; }

bool is_reading(float result, float operand) {
  if (std::isnan(operand)) return std::isnan(result);
  for (const float reading : readings(operand)) {
    if (result == reading) return true;
  }
  return false;
}

// Whether `result` is the one of a and b that `wins` tells, NaN ignored. Among subnormals and zeros either may win.
bool is_choice(float result, float a, float b, bool (*wins)(float, float)) {
  if (std::isnan(a)) return is_reading(result, b);
  if (std::isnan(b)) return is_reading(result, a);
  for (const float first : readings(a)) {
    for (const float second : readings(b)) {
      if (!wins(second, first) && is_reading(result, a)) return true;
      if (!wins(first, second) && is_reading(result, b)) return true;
    }
  }
  return false;
}

bool less(float a, float b) { return a < b; }
bool greater(float a, float b) { return a > b; }

// E-18: one missing measurement would hide the others on one driver and not on the next.
TEST(NumericsProvider, IgnoresNanInMinAndMax) {
  const Words results = results_of("max", Format::float32, kF32, {{bits(kNan), bits(1.0f)}, {bits(2.0f), bits(kNan)}});
  EXPECT_EQ(results, (Words{bits(2.0f), bits(1.0f)}));
  expect_floats("min", 2, kFloats, [](float result, const Floats& a) { return is_choice(result, a[0], a[1], less); });
  expect_floats("max", 2, kFloats,
                [](float result, const Floats& a) { return is_choice(result, a[0], a[1], greater); });
}

// E-18: clamp of a NaN, of crossed bounds and of infinities would be whatever the driver's formula makes of them.
TEST(NumericsProvider, ClampsToHighAfterLow) {
  EXPECT_EQ(results_of("clamp", Format::float32, kF32, {{bits(kNan)}, {bits(0.0f)}, {bits(1.0f)}}), Words{0});
  const Floats values = {0.0f,  -0.0f,  1.0f, -1.0f, 0.5f, 3e38f,
                         -2.5f, 1e-40f, kInf, -kInf, kNan, as_float(0xffc00000u)};
  expect_floats("clamp", 3, values, [](float result, const Floats& a) {
    for (const float inner : {a[0], a[1]}) {
      if (is_choice(inner, a[0], a[1], greater) && is_choice(result, inner, a[2], less)) return true;
    }
    return false;
  });
  expect_floats("saturate", 1, kFloats, [](float result, const Floats& a) {
    return std::isnan(a[0]) ? result == 0 : is_reading(result, std::fmin(std::fmax(a[0], 0.0f), 1.0f));
  });
  const std::vector<std::int32_t> integers = {kLeast, -5, -1, 0, 1, 7, 2147483647};
  const std::vector<Words> columns = combinations(integers, 3);
  const Words results = results_of("clamp", Format::sint32, kI32, columns);
  for (std::size_t row = 0; row < results.size(); ++row) {
    const auto at = [&](std::size_t operand) { return static_cast<std::int32_t>(columns[operand][row]); };
    ASSERT_EQ(static_cast<std::int32_t>(results[row]), std::min(std::max(at(0), at(1)), at(2)));
  }
}

// A NaN would become a sign, or -0 lose its own; a NaN edge would let everything pass.
TEST(NumericsProvider, KeepsNanAndZeroInSignAndComparesInStep) {
  expect_floats("sign", 1, kFloats, [](float result, const Floats& a) {
    if (std::isnan(a[0])) return std::isnan(result);
    if (a[0] == 0) return bits(result) == bits(a[0]);
    return result == std::copysign(1.0f, a[0]);
  });
  expect_floats("step", 2, kFloats, [](float result, const Floats& a) {
    for (const float edge : readings(a[0])) {
      for (const float x : readings(a[1])) {
        if (result == (edge <= x ? 1.0f : 0.0f)) return true;
      }
    }
    return false;
  });
}

// E-19: comparisons with NaN would be true, or a NaN equal to itself.
TEST(NumericsProvider, ComparesAsIeeeDoes) {
  struct Comparison {
    std::string_view name;
    bool (*holds)(float, float);
  };
  const std::vector<Comparison> comparisons = {
      {"==", [](float a, float b) { return a == b; }}, {"!=", [](float a, float b) { return a != b; }},
      {"<", [](float a, float b) { return a < b; }},   {"<=", [](float a, float b) { return a <= b; }},
      {">", [](float a, float b) { return a > b; }},   {">=", [](float a, float b) { return a >= b; }}};
  const std::vector<Words> columns = combinations(kFloats, 2);
  for (const Comparison& comparison : comparisons) {
    const Words results = results_of(comparison.name, Format::float32, kBool, columns);
    for (std::size_t row = 0; row < results.size(); ++row) {
      const float a = as_float(columns[0][row]), b = as_float(columns[1][row]);
      bool is_allowed = false;
      for (const float first : readings(a)) {
        for (const float second : readings(b)) is_allowed |= (results[row] == 1) == comparison.holds(first, second);
      }
      ASSERT_TRUE(is_allowed && results[row] <= 1) << a << ' ' << comparison.name << ' ' << b;
    }
  }
}

// Sign changes by arithmetic would lose -0 and the bits of NaN; rounding of halves and of large numbers differs by habit.
TEST(NumericsProvider, RoundsExactly) {
  expect_floats("unary -", 1, kFloats, [](float result, const Floats& a) {
    return std::isnan(a[0]) ? std::isnan(result)
                            : bits(result) == (bits(a[0]) ^ 0x80000000u) ||
                                  (is_subnormal(a[0]) && bits(result) == (bits(-a[0]) & 0x80000000u));
  });
  expect_floats("abs", 1, kFloats, [](float result, const Floats& a) {
    return std::isnan(a[0]) ? std::isnan(result) : is_reading(result, std::fabs(a[0])) && !std::signbit(result);
  });
  const auto expect_rounding = [](std::string_view name, float (*round)(float)) {
    expect_floats(name, 1, kFloats, [round](float result, const Floats& a) {
      if (!std::isfinite(a[0])) return true;
      return result == round(a[0]) || (is_subnormal(a[0]) && result == 0);
    });
  };
  expect_rounding("floor", [](float x) { return std::floor(x); });
  expect_rounding("ceil", [](float x) { return std::ceil(x); });
  expect_rounding("trunc", [](float x) { return std::trunc(x); });
  expect_rounding("round", [](float x) { return std::nearbyint(x); });
  expect_floats("fract", 1, kFloats, [](float result, const Floats& a) {
    if (!std::isfinite(a[0])) return true;
    return result == a[0] - std::floor(a[0]) || (is_subnormal(a[0]) && result == 0);
  });
}

// E-14: an f32 out of range would become garbage, or the last value in range another one.
TEST(NumericsProvider, CutsConversionsToTheRange) {
  Floats values = kFloats;
  for (const float value : {3.7f, -1.5f, 2147483520.0f, 2147483648.0f, -2147483648.0f, -2147483904.0f, 4294967040.0f,
                            4294967296.0f, 2147483904.0f, 16777215.0f, -0.99999994f})
    values.push_back(value);
  const std::vector<Words> column = combinations(values, 1);
  const Words to_signed = results_of("i32", Format::float32, kI32, column);
  const Words to_unsigned = results_of("u32", Format::float32, kU32, column);
  const Words to_bool = results_of("bool", Format::float32, kBool, column);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const float x = values[row];
    EXPECT_TRUE(to_bool[row] == (x == 0 ? 0 : 1) || is_subnormal(x)) << x;
    if (std::isnan(x)) continue;
    const double whole = std::trunc(exact(x));
    EXPECT_EQ(static_cast<std::int32_t>(to_signed[row]), std::min(std::max(whole, -2147483648.0), 2147483520.0)) << x;
    EXPECT_EQ(to_unsigned[row], std::min(std::max(whole, 0.0), 4294967040.0)) << x;
  }
}

// Integers past 2^24 would come out further off than the two floats beside them.
TEST(NumericsProvider, ConvertsIntegersToANeighbour) {
  Words words = {0,           1,           16777215,    16777217,    16777219,    0x7fffffff,
                 0x7fffffc0,  0x7fffffbf,  0x80000000u, 0x80000001u, 0x80000080u, 0x80000081u,
                 0x8000017fu, 0xff7fffffu, 0xffffff7fu, 0xffffff80u, 0xffffffffu, 0xdeadbeefu};
  for (std::uint32_t seed = 1; words.size() < 2000;) words.push_back(seed = seed * 1664525u + 1013904223u);
  const Words from_unsigned = results_of("f32", Format::uint32, kF32, {words});
  const Words from_signed = results_of("f32", Format::sint32, kF32, {words});
  for (std::size_t row = 0; row < words.size(); ++row) {
    const double as_unsigned = words[row], as_signed = static_cast<std::int32_t>(words[row]);
    ASSERT_LT(std::fabs(exact(as_float(from_unsigned[row])) - as_unsigned), ulp_at(as_unsigned)) << words[row];
    ASSERT_LT(std::fabs(exact(as_float(from_signed[row])) - as_signed), ulp_at(as_signed))
        << static_cast<std::int32_t>(words[row]);
  }
}

}  // namespace
}  // namespace millrace::expression
