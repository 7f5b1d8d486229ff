// The numeric contract (docs/numerics.md) on the provider and adapter at hand, over special values. Expected values are
// worked out here, from the contract. Elementary functions have tests of their own.
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/expression/function_references.hpp"
#include "tests/expression/special_values.hpp"
#include "tests/expression/ulp.hpp"

namespace millrace::expression {
namespace {

double exact(float value) { return static_cast<double>(value); }

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
  const Words results = results_of("max", Lane::f32, {{bits(kNan), bits(1.0f)}, {bits(2.0f), bits(kNan)}});
  EXPECT_EQ(results, (Words{bits(2.0f), bits(1.0f)}));
  expect_floats("min", 2, kFloats, [](float result, const Floats& a) { return is_choice(result, a[0], a[1], less); });
  expect_floats("max", 2, kFloats,
                [](float result, const Floats& a) { return is_choice(result, a[0], a[1], greater); });
}

// E-18: clamp of a NaN, of crossed bounds and of infinities would be whatever the driver's formula makes of them.
TEST(NumericsProvider, ClampsToHighAfterLow) {
  EXPECT_EQ(results_of("clamp", Lane::f32, {{bits(kNan)}, {bits(0.0f)}, {bits(1.0f)}}), Words{0});
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
    const Words results = results_of(comparison.name, Lane::f32, columns);
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
  const Words to_signed = results_of("i32", Lane::f32, column);
  const Words to_unsigned = results_of("u32", Lane::f32, column);
  const Words to_bool = results_of("bool", Lane::f32, column);
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
  const Words from_unsigned = results_of("f32", Lane::u32, {words});
  const Words from_signed = results_of("f32", Lane::i32, {words});
  for (std::size_t row = 0; row < words.size(); ++row) {
    const double as_unsigned = words[row], as_signed = static_cast<std::int32_t>(words[row]);
    ASSERT_LT(std::fabs(exact(as_float(from_unsigned[row])) - as_unsigned), ulp_at(as_unsigned)) << words[row];
    ASSERT_LT(std::fabs(exact(as_float(from_signed[row])) - as_signed), ulp_at(as_signed))
        << static_cast<std::int32_t>(words[row]);
  }
}

// Integers at their limits would wrap, trap or be undefined, each driver in its own way: x / 0, -2147483648 / -1,
// abs(-2147483648), shifts past the width, bit ranges past the word, bits of 0.
TEST(NumericsProvider, ComputesIntegersExactly) {
  const std::vector<std::uint32_t> values = {0,  1,          2,           5,           31,          32,         33,
                                             40, 0x7fffffff, 0x80000000u, 0x80000001u, 0xffffffffu, 0xfffffff9u};
  for (const FunctionRow& row : function_table()) {
    for (const Lane lane : {Lane::i32, Lane::u32}) {
      if (!holds(row.lanes, lane) || row.signature == Signature::construct) continue;
      const Type result = result_type(row, {lane, 1});
      if (row.least_width > 1 || result.width > 1 || result.lane == Lane::f32) continue;
      if (row.signature == Signature::select) continue;  // a move
      const std::vector<Words> columns = combinations(values, row.least_operands);
      const Words results = results_of(row.name, lane, columns);
      for (std::size_t at = 0; at < results.size(); ++at) {
        ReferenceCall call{.operands = {}, .type = {lane, 1}};
        for (const Words& column : columns) call.operands.push_back({column[at]});
        const ExpectedLane expected = expected_lanes(row, call).at(0);
        ASSERT_TRUE(is_expected(results[at], result.lane, expected))
            << row.name << " of " << to_string(lane) << testing::PrintToString(call.operands) << " gives "
            << results[at] << " instead of " << expected.bits;
      }
    }
  }
}

// Dot products of integers wrap; a driver that sums in floats would round them.
TEST(NumericsProvider, WrapsDotProductsOfIntegers) {
  DagBuilder build;
  const NodeIndex a = build.vector(Format::sint32x4);
  const NodeIndex b = build.vector(Format::sint32x4);
  const NodeIndex narrow = build.call("dot", kI32, {build.swizzle(a, "xy"), build.swizzle(b, "xy")});
  const NodeIndex wide = build.call("dot", kU32, {build.reinterpret(a, Lane::u32), build.reinterpret(b, Lane::u32)});
  const Words left = {0x80000000u, 16777217, 3, 0xffffffffu}, right = {0xffffffffu, 16777217, 0x7fffffff, 5};
  const auto results = run_cut(*webgpu::DeviceAccess::core(shared_device()), build.dag,
                               {{build.leaf(a), build.leaf(b)}, {build.stored(narrow), build.stored(wide)}},
                               {.row_count = 1, .stored = {left, right}});
  EXPECT_EQ(results[0][0], 0x80000000u + 16777217u * 16777217u);
  EXPECT_EQ(results[1][0], 0x80000000u + 16777217u * 16777217u + 3u * 0x7fffffffu - 5u);
}

// Whether the result is within so many ULP of what the function gives for one reading of the operands.
Allows near(double (*function)(double, double), double ulps) {
  return [function, ulps](float result, const Floats& a) {
    for (const float operand : a) {
      if (!std::isfinite(operand)) return true;
    }
    for (const float first : readings(a[0])) {
      for (const float second : readings(a.back())) {
        if (is_within_ulps(result, function(exact(first), exact(second)), ulps)) return true;
      }
    }
    return false;
  };
}

// Arithmetic would be less exact than the bounds that users are given: 0.5 ULP, 2.5 for quotients, 4 and 3 for roots.
TEST(NumericsProvider, KeepsItsBounds) {
  expect_floats("+", 2, kFloats, near([](double a, double b) { return a + b; }, 0.5));
  expect_floats("-", 2, kFloats, near([](double a, double b) { return a - b; }, 0.5));
  expect_floats("*", 2, kFloats, near([](double a, double b) { return a * b; }, 0.5));
  const Allows quotient = near([](double a, double b) { return a / b; }, 2.5);
  expect_floats("/", 2, kFloats, [&](float result, const Floats& a) {
    const bool is_in_range = std::fabs(a[1]) >= 0x1p-126f && std::fabs(a[1]) <= 0x1p126f;
    return !is_in_range || quotient(result, a);
  });
  const Allows root = near([](double a, double) { return std::sqrt(a); }, 4);
  expect_floats("sqrt", 1, kFloats, [&](float result, const Floats& a) { return a[0] < 0 || root(result, a); });
  const Allows inverse = near([](double a, double) { return 1 / std::sqrt(a); }, 3);
  expect_floats("inverseSqrt", 1, kFloats,
                [&](float result, const Floats& a) { return a[0] < 0x1p-126f || inverse(result, a); });
  expect_floats("distance", 2, kFloats, near([](double a, double b) { return std::fabs(a - b); }, 0.5));
}

// E-15: 148 / 37 may be 3.9999998 on a device, so that trunc gives 3. In integers it is exact.
TEST(NumericsProvider, DividesWholeNumbersExactlyAsIntegers) {
  DagBuilder build;
  const NodeIndex a = build.vector(Format::float32);
  const NodeIndex b = build.vector(Format::float32);
  const auto integer = [&](NodeIndex node) { return build.call("i32", kI32, {node}); };
  const NodeIndex truncated = build.call("trunc", {build.op("/", {a, b})});
  const NodeIndex quotient = build.op("/", {integer(a), integer(b)});
  const NodeIndex above = build.op("-", {build.op("+", {integer(a), integer(b)}), build.i32(1)});
  const NodeIndex ceiling = build.op("/", {above, integer(b)});
  const auto words = [](const Floats& values) {
    Words result;
    for (const float value : values) result.push_back(bits(value));
    return result;
  };
  const auto results = run_cut(*webgpu::DeviceAccess::core(shared_device()), build.dag,
                               {{build.leaf(a), build.leaf(b)},
                                {build.stored(truncated), build.stored(build.call("f32", kF32, {quotient})),
                                 build.stored(build.call("f32", kF32, {ceiling}))}},
                               {.row_count = 4, .stored = {words({148, 1073, 2112, 165}), words({37, 37, 33, 15})}});
  EXPECT_EQ(results[1], words({4, 29, 64, 11}));
  EXPECT_EQ(results[2], words({4, 29, 64, 11}));
  const Floats exact_quotients = {4, 29, 64, 11};
  for (std::size_t row = 0; row < 4; ++row) {
    const float result = as_float(results[0][row]);
    EXPECT_TRUE(result == exact_quotients[row] || result == exact_quotients[row] - 1) << result;
  }
}

// What WGSL defines by a formula would be another on a driver with a formula of its own, most of all at the ends.
TEST(NumericsProvider, FollowsTheFormulas) {
  const auto of = [](std::string_view name, const std::vector<Floats>& columns) {
    std::vector<Words> words(columns.size());
    for (std::size_t operand = 0; operand < columns.size(); ++operand) {
      for (const float value : columns[operand]) words[operand].push_back(bits(value));
    }
    Floats results;
    for (const std::uint32_t word : results_of(name, Lane::f32, words)) results.push_back(as_float(word));
    return results;
  };
  EXPECT_EQ(of("mix", {{3, 3, 1e20f, 2, 2}, {7, 7, 1, 4, 4}, {0, 1, 1, 0.5f, -1}}), (Floats{3, 7, 1, 3, 0}));
  // Also with the bounds crossed, where Vulkan's own smoothstep is undefined.
  EXPECT_EQ(of("smoothstep", {{0, 0, 0, 1, 1, 1}, {1, 1, 1, 0, 0, 0}, {-5, 0.25f, 9, 0.25f, 2, -1}}),
            (Floats{0, 0.15625f, 1, 0.84375f, 0, 1}));
  EXPECT_EQ(of("%", {{5.5f, -5.5f, 5.5f, 1, -1e-3f, 7}, {2, 2, -2, 3, 4, 0.5f}}),
            (Floats{1.5f, -1.5f, 1.5f, 1, -1e-3f, 0}));
}

}  // namespace
}  // namespace millrace::expression
