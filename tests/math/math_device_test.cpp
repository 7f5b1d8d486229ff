// Our mathematics on the device at hand, against the contract of docs/numerics.md; and what it promises of the device's
// own division and square roots. millrace_math_sweep measures the same over all arguments.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/math/accuracy.hpp"
#include "tests/math/arguments.hpp"
#include "tests/math/evaluator.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace::accuracy {

void PrintTo(const Function& function, std::ostream* stream) { *stream << function.name; }

void PrintTo(const Result& result, std::ostream* stream) {
  *stream << std::bit_cast<float>(result.a) << ", " << std::bit_cast<float>(result.b) << " -> "
          << std::bit_cast<float>(result.bits);
}

namespace {

constexpr std::uint64_t kStride = 4099;
constexpr unsigned kThreads = 2;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

void expect_holds(const Measured& measured) {
  EXPECT_GT(measured.results, 0u);
  EXPECT_EQ(measured.over_bound, 0u) << "the worst is " << measured.worst << " ULP, at "
                                     << testing::PrintToString(measured.worst_at);
  EXPECT_EQ(measured.wrong_class, 0u) << testing::PrintToString(measured.first_wrong_class);
  EXPECT_EQ(measured.wrong_sign, 0u) << testing::PrintToString(measured.first_wrong_sign);
}

std::vector<Function> functions_that(bool (*is_taken)(const Function&)) {
  std::vector<Function> taken;
  for (const Function& function : functions()) {
    if (is_taken(function)) taken.push_back(function);
  }
  return taken;
}

std::string name_of(const testing::TestParamInfo<Function>& info) { return std::string(info.param.name); }

class OfOne : public testing::TestWithParam<Function> {};
INSTANTIATE_TEST_SUITE_P(Device, OfOne,
                         testing::ValuesIn(functions_that([](const Function& f) { return !f.takes_two(); })), name_of);

class OfTwo : public testing::TestWithParam<Function> {};
INSTANTIATE_TEST_SUITE_P(Device, OfTwo,
                         testing::ValuesIn(functions_that([](const Function& f) { return f.takes_two(); })), name_of);

class Ours : public testing::TestWithParam<Function> {};
INSTANTIATE_TEST_SUITE_P(Device, Ours, testing::ValuesIn(functions_that([](const Function& f) { return f.is_ours; })),
                         name_of);

// Else results would be further off than documented at special values, near roots and poles, or somewhere.
TEST_P(OfOne, HoldsAtSpecialHardAndEvenlySpreadArguments) {
  Evaluator evaluator(shared_device(), GetParam());
  std::vector<float> arguments = special_arguments();
  const std::vector<float> hard = hard_arguments();
  const std::vector<float> spread = patterns(kStride / 2, kStride, (std::uint64_t{1} << 32) / kStride);
  arguments.insert(arguments.end(), hard.begin(), hard.end());
  arguments.insert(arguments.end(), spread.begin(), spread.end());
  expect_holds(measure_all(GetParam(), arguments, {}, evaluator.evaluate(arguments), kThreads));
}

// Else one of the rules for signs, zeros, infinities and NaN would be broken.
TEST_P(OfTwo, HoldsForEachPairOfSpecialArguments) {
  Evaluator evaluator(shared_device(), GetParam());
  const Pairs pairs = special_pairs();
  expect_holds(measure_all(GetParam(), pairs.a, pairs.b, evaluator.evaluate(pairs.a, pairs.b), kThreads));
}

// Else results would be further off than documented for some pairs.
TEST_P(OfTwo, HoldsForRandomPairs) {
  Evaluator evaluator(shared_device(), GetParam());
  const Pairs pairs = random_pairs(GetParam().name, 20, 1'000'000);
  expect_holds(measure_all(GetParam(), pairs.a, pairs.b, evaluator.evaluate(pairs.a, pairs.b), kThreads));
}

// Else lanes of a vector would be mixed up, or computed in another way.
TEST_P(Ours, HoldsInTheLanesOfVectors) {
  const Function& function = GetParam();
  Pairs pairs = random_pairs(function.name, 21, 30'000);
  if (!function.takes_two()) pairs.b.clear();
  Evaluator evaluator(shared_device(), function, Mathematics::own, Format::float32x3);
  const std::vector<float> lanes = evaluator.evaluate(pairs.a, pairs.b);
  ASSERT_EQ(lanes.size(), pairs.a.size());
  expect_holds(measure_all(function, pairs.a, pairs.b, lanes, kThreads));
}

// Else kernels with the provider's own mathematics would not compile, or call another function.
TEST_P(Ours, NativeOnesAreNearForEverydayArguments) {
  const Function& function = GetParam();
  const std::vector<float> a = {function.name == "acosh" ? 1.5f : 0.5f};
  const std::vector<float> b(function.takes_two() ? 1 : 0, 0.75f);
  const float native = Evaluator(shared_device(), function, Mathematics::native).evaluate(a, b)[0];
  EXPECT_NEAR(native, function.takes_two() ? function.of_two(a[0], b[0]) : function.of_one(a[0]), 0x1p-10);
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& numbers) {
  std::vector<std::uint32_t> bits;
  for (const float number : numbers) bits.push_back(std::bit_cast<std::uint32_t>(number));
  return bits;
}

class MathOnDevice : public testing::Test {
 protected:
  // The rows of y for x, and for the whole numbers n where the formula reads them.
  template <class Lane = float>
  static std::vector<Lane> rows_of(const char* formula, const std::vector<float>& x,
                                   const std::vector<std::int32_t>& n = {}) {
    Graph graph;
    graph.add_input("x", vector_of(Format::float32));
    if (!n.empty()) graph.add_input("n", vector_of(Format::sint32));
    graph.add(Expression{formula});
    const CompiledGraph compiled = graph.compile(shared_device());
    const Vector numbers = shared_device().upload(Format::float32, x);
    if (n.empty()) return compiled.run({.inputs = {{"x", numbers}}}).take("y").template read<Lane>();
    const Vector powers = shared_device().upload(Format::sint32, n);
    return compiled.run({.inputs = {{"x", numbers}, {"n", powers}}}).take("y").template read<Lane>();
  }
};

// Else a negative base gives NaN or the wrong sign where it has a power, and a number where it has none. E-16, E-17
TEST_F(MathOnDevice, PowersOfNegativeBasesFollowTheExponent) {
  EXPECT_EQ(rows_of("y = pow(x, 2.0)", {-2000, -3})[0], 4'000'000);
  EXPECT_EQ(rows_of("y = pow(-2000.0, x)", {2, 1})[0], 4'000'000);
  const std::vector<float> powers = rows_of("y = pow(x, f32(n))", {-1.5f, -2, -2, -2, -1}, {1, 3, -3, 16777216, 3});
  EXPECT_THAT(powers, testing::Pointwise(testing::FloatEq(), {-1.5f, -8.0f, -0.125f, kInfinity, -1.0f}));
  EXPECT_TRUE(std::isnan(rows_of("y = pow(x, 1.5)", {-4})[0]));
}

// Else calls with literals, which WGSL could evaluate or refuse before any device does, would differ or not compile.
TEST_F(MathOnDevice, LiteralArgumentsAreComputedAsOthers) {
  EXPECT_EQ(rows_of("y = x > 0.0 ? log(0.0) : pow(0.0, -1.0)", {1, -1}), (std::vector<float>{-kInfinity, kInfinity}));
  EXPECT_EQ(rows_of("y = x > 0.0 ? exp(1000.0) : exp(-1000.0)", {1, -1}), (std::vector<float>{kInfinity, 0}));
  EXPECT_TRUE(std::isnan(rows_of("y = x > 0.0 ? acos(2.0) : sin(0.0)", {1})[0]));
  EXPECT_EQ(rows_of("y = x * sin(0.0)", {1}), (std::vector<float>{0}));
}

std::vector<float> numbers_of_all_kinds() {
  std::vector<float> numbers = special_arguments();
  std::mt19937 words(22);
  for (int count = 0; count < 20'000; ++count)
    numbers.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(words())));
  return numbers;
}

// Else scaling by powers of two would overflow in between, or round twice where the result is subnormal.
TEST_F(MathOnDevice, LdexpIsExactOrRoundedOnceForEveryPower) {
  const std::vector<float> numbers = numbers_of_all_kinds();
  constexpr std::int32_t kPowers[] = {
      0,   1,    -1,  23,   -24,  100, -100, 127,  128,     -126,       -127,
      149, -150, 200, -252, -276, 277, 300,  -301, 1 << 30, 2147483647, -2147483647 - 1};
  std::vector<float> x;
  std::vector<std::int32_t> n;
  std::vector<float> expected;
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    const std::size_t tries = at < special_arguments().size() ? std::size(kPowers) : 1;
    for (std::size_t power = 0; power < tries; ++power) {
      x.push_back(numbers[at]);
      n.push_back(kPowers[(at + power) % std::size(kPowers)]);
      expected.push_back(std::ldexp(x.back(), n.back()));
    }
  }
  const std::vector<float> got = rows_of("y = ldexp(x, n)", x, n);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t at = 0; at < x.size(); ++at) {
    if (std::isnan(x[at])) {
      EXPECT_TRUE(std::isnan(got[at])) << at;
    } else {
      EXPECT_EQ(bits_of({got[at]}), bits_of({expected[at]})) << "ldexp(" << x[at] << ", " << n[at] << ")";
    }
  }
}

// Else the parts of a number would not give it back, as they do not for subnormals on some drivers.
TEST_F(MathOnDevice, FrexpIsExactForEveryNumber) {
  const std::vector<float> x = numbers_of_all_kinds();
  const std::vector<float> fractions = rows_of("y = frexp(x).fract", x);
  const std::vector<std::int32_t> exponents = rows_of<std::int32_t>("y = frexp(x).exp", x);
  for (std::size_t at = 0; at < x.size(); ++at) {
    if (std::isnan(x[at])) {
      EXPECT_TRUE(std::isnan(fractions[at])) << at;
      EXPECT_EQ(exponents[at], 0) << at;
    } else {
      int exponent = 0;
      const float fraction = std::frexp(x[at], &exponent);
      EXPECT_EQ(bits_of({fractions[at]}), bits_of({fraction})) << x[at];
      EXPECT_EQ(exponents[at], std::isfinite(x[at]) ? exponent : 0) << x[at];
    }
  }
}

}  // namespace
}  // namespace millrace::accuracy
