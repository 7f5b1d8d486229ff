// Formulas through whole graphs, with fusion and without: the values are the same, and right.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/graph/on_device.hpp"

namespace millrace {
namespace {

class Expressions : public GraphOnDevice {
 protected:
  // The output of one run, the same with fusion and without.
  template <class Lane>
  std::vector<Lane> value(const Graph& graph, const Bindings& bindings, const char* output) {
    const std::vector<Lane> fused =
        graph.compile(device, {.outputs = {output}}).run(bindings).take(output).template read<Lane>();
    const std::vector<Lane> apart =
        graph.compile(device, {.outputs = {output}, .fusion = false}).run(bindings).take(output).template read<Lane>();
    EXPECT_EQ(bits(fused), bits(apart)) << output << " with fusion and without";
    return fused;
  }

  template <class Lane>
  static std::vector<std::uint32_t> bits(const std::vector<Lane>& lanes) {
    std::vector<std::uint32_t> words;
    for (const Lane lane : lanes) words.push_back(std::bit_cast<std::uint32_t>(lane));
    return words;
  }
};
MILLRACE_ON_DEVICES(Expressions);

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;
using Words = std::vector<std::uint32_t>;

// E-01: the second of two graphs that look alike would reuse the kernel of the first.
TEST_P(Expressions, ComputesTwoGraphsThatDifferInOneOperand) {
  const Vector a = device.upload(Format::float32, Floats{3, 3, 3}), b = device.upload(Format::float32, Floats{5, 5, 5}),
               c = device.upload(Format::float32, Floats{2, 2, 2});
  const std::initializer_list<InputOf> inputs = {
      {"a", vector_of(Format::float32)}, {"b", vector_of(Format::float32)}, {"c", vector_of(Format::float32)}};
  const Bindings bindings{.inputs = {{"a", a}, {"b", b}, {"c", c}}};
  EXPECT_EQ(value<float>(graph_of(inputs, {"d = a + b", "e = a + c", "r = d*e - e"}), bindings, "r"),
            (Floats{35, 35, 35}));
  EXPECT_EQ(value<float>(graph_of(inputs, {"d = a + b", "e = a + c", "r = d*e - d"}), bindings, "r"),
            (Floats{32, 32, 32}));
}

// Lengths of single lanes far from 1 would come out infinite or 0.
TEST_P(Expressions, TakesLengthsOfSingleLanes) {
  const Vector x = device.upload(Format::float32, Floats{-1e20f, 1e-30f, 3, 0});
  const Graph graph = graph_of({{"x", vector_of(Format::float32)}}, {"l = length(x)", "d = distance(1, x)"});
  const Bindings bindings{.inputs = {{"x", x}}};
  EXPECT_EQ(value<float>(graph, bindings, "l"), (Floats{1e20f, 1e-30f, 3, 0}));
  EXPECT_EQ(value<float>(graph, bindings, "d"), (Floats{1e20f, 1, 2, 1}));
}

// E-02: the same two values subtracted both ways would give one result twice.
TEST_P(Expressions, KeepsTheOrderOfOperands) {
  const Vector a = device.upload(Format::float32, Floats{2, 2}), b = device.upload(Format::float32, Floats{1, 1});
  const Graph graph = graph_of({{"a", vector_of(Format::float32)}, {"b", vector_of(Format::float32)}},
                               {"c = a + b", "d = a - b", "product = c * d", "cd = c - d", "dc = d - c"});
  for (const bool fusion : {true, false}) {
    const Results results = graph.compile(device, {.fusion = fusion}).run({.inputs = {{"a", a}, {"b", b}}});
    EXPECT_EQ(results["product"].read<float>(), (Floats{3, 3}));
    EXPECT_EQ(results["cd"].read<float>(), (Floats{2, 2}));
    EXPECT_EQ(results["dc"].read<float>(), (Floats{-2, -2}));
  }
}

// E-04: a mask that is compared would be grouped as a mask with a comparison.
TEST_P(Expressions, ComparesAMaskInParentheses) {
  const Vector x = device.upload(Format::uint32, Words{0, 1, 2, 3});
  const Graph graph = graph_of({{"x", vector_of(Format::uint32)}}, {"even = (x & 1) == 0"});
  EXPECT_EQ(value<std::uint32_t>(graph, {.inputs = {{"x", x}}}, "even"), (Words{1, 0, 1, 0}));
  try {
    (void)graph_of({{"x", vector_of(Format::uint32)}}, {"even = x & 1 == 0"}).compile(device);
    ADD_FAILURE() << "operators that WGSL does not mix were taken without parentheses";
  } catch (const ExpressionError& error) {
    EXPECT_EQ(to_string(error.code()), "parentheses_required");
  }
}

// E-07: a negative operand would be taken for a large positive one, so that a quotient is 0.
TEST_P(Expressions, DividesNegativeIntegers) {
  const Vector x = device.upload(Format::sint32, Ints{-5, -7, 7});
  const Graph integers = graph_of({{"x", vector_of(Format::sint32)}}, {"half = x / 2"});
  EXPECT_EQ(value<std::int32_t>(integers, {.inputs = {{"x", x}}}, "half"), (Ints{-2, -3, 3}));
  const Graph mixed =
      graph_of({{"x", vector_of(Format::sint32)}, {"d", vector_of(Format::float32)}}, {"quotient = x / d"});
  const Vector d = device.upload(Format::float32, Floats{2, 2, 2});
  EXPECT_EQ(value<float>(mixed, {.inputs = {{"x", x}, {"d", d}}}, "quotient"), (Floats{-2.5f, -3.5f, 3.5f}));
}

// E-10: a zero divisor in the data would fault; written as a literal it would pass unseen.
TEST_P(Expressions, DividesByZeroAsDocumentedAndRefusesTheLiteral) {
  const Vector x = device.upload(Format::sint32, Ints{7, -7, -2147483647 - 1}),
               zero = device.upload(Format::sint32, Ints{0, 0, -1});
  const std::initializer_list<InputOf> inputs = {{"x", vector_of(Format::sint32)}, {"d", vector_of(Format::sint32)}};
  const Bindings bindings{.inputs = {{"x", x}, {"d", zero}}};
  EXPECT_EQ(value<std::int32_t>(graph_of(inputs, {"q = x / d"}), bindings, "q"), (Ints{7, -7, -2147483647 - 1}));
  EXPECT_EQ(value<std::int32_t>(graph_of(inputs, {"r = x % d"}), bindings, "r"), (Ints{0, 0, 0}));
  try {
    (void)graph_of(inputs, {"q = x / 0"}).compile(device);
    ADD_FAILURE() << "a literal zero divisor was taken";
  } catch (const ExpressionError& error) {
    EXPECT_EQ(to_string(error.code()), "constant_division_by_zero");
  }
}

// E-13: fusion would keep a wider type, so that unsigned subtraction no longer wraps.
TEST_P(Expressions, WrapsUnsignedIntegersFusedToo) {
  const Vector a = device.upload(Format::uint32, Words{5}), b = device.upload(Format::uint32, Words{6});
  const Graph graph = graph_of({{"a", vector_of(Format::uint32)}, {"b", vector_of(Format::uint32)}},
                               {"d = a - b", "is_small = d < 4", "as_float = f32(d)"});
  const Bindings bindings{.inputs = {{"a", a}, {"b", b}}};
  EXPECT_EQ(value<std::uint32_t>(graph, bindings, "d"), Words{4294967295});
  EXPECT_EQ(value<std::uint32_t>(graph, bindings, "is_small"), Words{0});
  EXPECT_EQ(value<float>(graph, bindings, "as_float"), Floats{4294967296.0f});
}

// E-16: a negative base would give NaN, by way of its logarithm; as data and as a literal.
TEST_P(Expressions, RaisesNegativeBasesToWholePowers) {
  const Vector x = device.upload(Format::float32, Floats{-2000, -1.5f, -3, -2}),
               y = device.upload(Format::float32, Floats{2, 1, 3, -1});
  const Graph graph =
      graph_of({{"x", vector_of(Format::float32)}, {"y", vector_of(Format::float32)}},
               {"z = pow(x, y)", "one = pow(x, 1)", "two = pow(x, 2)", "three = pow(x, 3)", "four = pow(x, 4)"});
  const Bindings bindings{.inputs = {{"x", x}, {"y", y}}};
  const Floats powers = value<float>(graph, bindings, "z");
  const std::vector<double> right = {4000000, -1.5, -27, -0.5};
  for (std::size_t row = 0; row < right.size(); ++row) {
    EXPECT_LE(ulps_between(std::abs(powers[row]), std::abs(right[row])), 4) << "row " << row;
    EXPECT_EQ(std::signbit(powers[row]), right[row] < 0) << "row " << row;
  }
  EXPECT_EQ(value<float>(graph, bindings, "one"), (Floats{-2000, -1.5f, -3, -2}));
  EXPECT_EQ(value<float>(graph, bindings, "two"), (Floats{4000000, 2.25f, 9, 4}));
  EXPECT_EQ(value<float>(graph, bindings, "three"), (Floats{-8e9f, -3.375f, -27, -8}));
  EXPECT_EQ(value<float>(graph, bindings, "four"), (Floats{16e12f, 5.0625f, 81, 16}));
}

// E-17: a fractional power of a negative number would be a number with a juggled sign.
TEST_P(Expressions, HasNoFractionalPowersOfNegativeBases) {
  const Vector x = device.upload(Format::float32, Floats{-4, -8}),
               y = device.upload(Format::float32, Floats{1.5f, 0.1f});
  const Graph graph = graph_of({{"x", vector_of(Format::float32)}, {"y", vector_of(Format::float32)}},
                               {"z = pow(x, y)", "literal = pow(x, 1.5)", "constant = pow(-4, 1.5) + 0 * x"});
  const Bindings bindings{.inputs = {{"x", x}, {"y", y}}};
  for (const char* output : {"z", "literal", "constant"}) {
    const Floats powers = value<float>(graph, bindings, output);
    EXPECT_TRUE(std::isnan(powers[0]) && std::isnan(powers[1])) << output;
  }
}

// pow(x, 0) would be a single 1 without rows, or NaN where x is.
TEST_P(Expressions, RaisesEachRowToZero) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Vector x = device.upload(Format::float32, Floats{nan, 0, -3, 1e30f});
  const Graph graph = graph_of({{"x", vector_of(Format::float32)}}, {"one = pow(x, 0)"});
  EXPECT_EQ(value<float>(graph, {.inputs = {{"x", x}}}, "one"), (Floats{1, 1, 1, 1}));
}

// E-19: fast mathematics would decide that there is no NaN.
TEST_P(Expressions, FindsNanByItsBits) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Vector x = device.upload(Format::float32, Floats{infinity, 0.5f, 4, -38.8f, nan});
  const Graph graph = graph_of({{"x", vector_of(Format::float32)}}, {"is = isnan(x)"});
  EXPECT_EQ(value<std::uint32_t>(graph, {.inputs = {{"x", x}}}, "is"), (Words{0, 0, 0, 0, 1}));
}

// E-21: infinity and NaN would reach the shader as names that it does not know.
TEST_P(Expressions, TakesInfinityAndNan) {
  const Vector x = device.upload(Format::float32, Floats{1, -1});
  const Graph graph =
      graph_of({{"x", vector_of(Format::float32)}},
               {"a = x + inf", "b = x * nan", "c = select(nan, -inf, x < 0)", "d = isinf(c)", "e = isnan(c)"});
  const Bindings bindings{.inputs = {{"x", x}}};
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(value<float>(graph, bindings, "a"), (Floats{infinity, infinity}));
  EXPECT_TRUE(std::isnan(value<float>(graph, bindings, "b")[0]));
  EXPECT_TRUE(std::isnan(value<float>(graph, bindings, "c")[0]));
  EXPECT_EQ(value<float>(graph, bindings, "c")[1], -infinity);
  EXPECT_EQ(value<std::uint32_t>(graph, bindings, "d"), (Words{0, 1}));
  EXPECT_EQ(value<std::uint32_t>(graph, bindings, "e"), (Words{1, 0}));
}

// E-22: a literal would lose digits on its way, so that the largest float becomes infinity.
TEST_P(Expressions, KeepsLiteralsToTheLastBit) {
  const Vector zero = device.upload(Format::float32, Floats{0});
  const Graph graph =
      graph_of({{"x", vector_of(Format::float32)}},
               {"largest = x + 3.4028234663852886e38", "tenth = x + 0.1", "smallest = x + 1.17549435e-38"});
  const Bindings bindings{.inputs = {{"x", zero}}};
  EXPECT_EQ(bits(value<float>(graph, bindings, "largest")), Words{0x7f7fffff});
  EXPECT_EQ(bits(value<float>(graph, bindings, "tenth")), Words{0x3dcccccd});
  EXPECT_EQ(bits(value<float>(graph, bindings, "smallest")), Words{0x00800000});
}

// A scalar alone would have no rows to be computed for, or would not reach the vectors that use it.
TEST_P(Expressions, ComputesScalarsAloneAndForVectors) {
  const Vector x = device.upload(Format::float32, ramp(5));
  const Graph graph = graph_of({{"scale", scalar_of(Format::float32)}, {"x", vector_of(Format::float32)}},
                               {"k = scale * 2", "k2 = k + 1", "scaled = x * k2"});
  const Bindings bindings{.inputs = {{"scale", 3}, {"x", x}}};
  EXPECT_EQ(value<float>(graph, bindings, "k"), Floats{6});
  EXPECT_EQ(value<float>(graph, bindings, "k2"), Floats{7});
  EXPECT_EQ(value<float>(graph, bindings, "scaled"), (Floats{0, 7, 14, 21, 28}));
  const Results results = graph.compile(device, {.outputs = {"scaled", "k"}}).run(bindings);
  EXPECT_EQ(results["k"].read_scalar<float>(), 6.0f);
  EXPECT_EQ(results["scaled"].read<float>(), (Floats{0, 7, 14, 21, 28}));
}

// A graph whose inputs are scalars alone would not run.
TEST_P(Expressions, RunsGraphsOfScalarsAlone) {
  const Graph graph = graph_of({{"scale", scalar_of(Format::float32)}, {"axis", scalar_of(Format::float32x3)}},
                               {"k = scale * 2", "scaled = axis * k"});
  const Bindings bindings{.inputs = {{"scale", 2.5f}, {"axis", std::array{1.0f, 0.0f, -2.0f}}}};
  EXPECT_EQ(value<float>(graph, bindings, "scaled"), (Floats{5, 0, -10}));
  EXPECT_EQ(value<float>(graph, bindings, "k"), Floats{5});
}

// Scalars of integer lanes would arrive as floats, or in each other's place.
TEST_P(Expressions, PlacesScalarsOfAllLaneTypesAndWidths) {
  const Vector x = device.upload(Format::uint32, Words{1, 2});
  const Graph graph = graph_of({{"f", scalar_of(Format::float32)},
                                {"i", scalar_of(Format::sint32x3)},
                                {"u", scalar_of(Format::uint32x2)},
                                {"g", scalar_of(Format::float32x4)},
                                {"x", vector_of(Format::uint32)}},
                               {"r = vec4(f32(x) * f, f32(i.z), f32(u.y), g.w)"});
  const Bindings bindings{.inputs = {{"f", 0.5},
                                     {"i", std::array{-1, -2, -3}},
                                     {"u", std::array{7u, 8u}},
                                     {"g", std::array{1.0f, 2.0f, 3.0f, 4.0f}},
                                     {"x", x}}};
  EXPECT_EQ(value<float>(graph, bindings, "r"), (Floats{0.5, -3, 8, 4, 1, -3, 8, 4}));
}

// A scalar or a literal whose bits are looked at would have passed through a number: no NaN but one, no sign of 0.
TEST_P(Expressions, KeepsTheBitsOfScalarsAndLiterals) {
  const Graph graph = graph_of({{"k", scalar_of(Format::float32)}, {"l", scalar_of(Format::float32x2)}},
                               {"a = bitcast<u32>(k)", "b = bitcast<u32>(l)", "copy = l",
                                "c = bitcast<u32>(vec4(-0.0, 1e-45, -1.17549421e-38, 0))",
                                "d = bitcast<f32>(vec4(0x7fa00001, 0xffc12345, 0x80000000, 0x00000001))"});
  for (const std::uint32_t word : {0x7fa00001u, 0xffc12345u, 0x80000000u, 0x00000001u, 0x807fffffu}) {
    const auto number = std::bit_cast<float>(word);
    const Bindings bindings{.inputs = {{"k", number}, {"l", std::array{number, 2.0f}}}};
    EXPECT_EQ(value<std::uint32_t>(graph, bindings, "a"), Words{word});
    EXPECT_EQ(value<std::uint32_t>(graph, bindings, "b"), (Words{word, 0x40000000}));
    EXPECT_EQ(bits(value<float>(graph, bindings, "copy")), (Words{word, 0x40000000}));
    EXPECT_EQ(value<std::uint32_t>(graph, bindings, "c"), (Words{0x80000000, 0x00000001, 0x807fffff, 0}));
    EXPECT_EQ(bits(value<float>(graph, bindings, "d")), (Words{0x7fa00001, 0xffc12345, 0x80000000, 0x00000001}));
  }
}

// An amount of either integer type shifts by its last five bits; a negative one would shift by nothing, or the other way.
TEST_P(Expressions, ShiftsByAmountsOfBothIntegerTypes) {
  const Vector i = device.upload(Format::sint32, Ints{-1, 33, -31, 4});
  const Graph graph = graph_of({{"i", vector_of(Format::sint32)}},
                               {"a = 1u << i", "b = 1u << u32(i)", "c = -16 >> i", "d = (-16 >> u32(i)) + 0 * i"});
  const Bindings bindings{.inputs = {{"i", i}}};
  EXPECT_EQ(value<std::uint32_t>(graph, bindings, "a"), (Words{0x80000000, 2, 2, 16}));
  EXPECT_EQ(value<std::uint32_t>(graph, bindings, "b"), (Words{0x80000000, 2, 2, 16}));
  EXPECT_EQ(value<std::int32_t>(graph, bindings, "c"), (Ints{-1, -8, -8, -1}));
  EXPECT_EQ(value<std::int32_t>(graph, bindings, "d"), (Ints{-1, -8, -8, -1}));
}

// Results that are equal by construction would share one vector, or only one of them would exist.
TEST_P(Expressions, GivesEqualResultsStorageOfTheirOwn) {
  const Graph graph = graph_of({{"x", vector_of(Format::float32)}}, {"a = x + 1", "b = x + 1"});
  for (const bool fusion : {true, false}) {
    const Vector x = device.upload(Format::float32, Floats{1, 2});
    Results results = graph.compile(device, {.fusion = fusion}).run({.inputs = {{"x", x}}});
    Vector a = results.take("a");
    a.write(Floats{70, 80});
    EXPECT_EQ(results["b"].read<float>(), (Floats{2, 3}));
    EXPECT_EQ(a.read<float>(), (Floats{70, 80}));
  }
}

// A renamed input would be the caller's own rows, which the result then gives away.
TEST_P(Expressions, CopiesARenamedInput) {
  const Graph graph = graph_of({{"a", vector_of(Format::float32x3)}}, {"b = a", "c = b"});
  for (const bool fusion : {true, false}) {
    Vector a = device.upload(Format::float32x3, ramp(300));
    const Results results =
        graph.compile(device, {.outputs = {"b", "c"}, .fusion = fusion}).run({.inputs = {{"a", a}}});
    a.write(std::vector<float>(300, 0));
    EXPECT_EQ(results["b"].read<float>(), ramp(300));
    EXPECT_EQ(results["c"].read<float>(), ramp(300));
  }
}

// A result in a packed format would be kept unpacked for those that read it, so that fusion changes values.
TEST_P(Expressions, PacksResultsForTheirReadersToo) {
  const Vector x = device.upload(Format::float32x4, Floats{0.1f, 0.5f, 2.0f, -1.0f});
  const Graph graph = graph_of({{"x", vector_of(Format::float32x4)}}, {"c: unorm8x4 = x", "d = c * 255.0"});
  const Bindings bindings{.inputs = {{"x", x}}};
  const Results results = graph.compile(device, {.outputs = {"c"}}).run(bindings);
  const std::vector<std::uint8_t> packed = results["c"].read<std::uint8_t>();
  EXPECT_EQ(packed[0], 26u);  // 25.5 rounds up, as WGSL's pack4x8unorm does
  EXPECT_EQ(packed[2], 255u);
  EXPECT_EQ(packed[3], 0u);
  const Floats lanes = value<float>(graph, bindings, "d");
  ASSERT_EQ(lanes.size(), 4u);
  for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_NEAR(lanes[lane], packed[lane], 1e-4) << "lane " << lane;
}

}  // namespace
}  // namespace millrace
