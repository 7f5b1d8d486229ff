// Formulas as long and as deep as generators write them, from their text to their values.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/graph/on_device.hpp"

namespace millrace {
namespace {

class BigExpressions : public GraphOnDevice {
 protected:
  template <class Lane>
  std::vector<Lane> value(const std::string& expression, Format format, const std::vector<Lane>& rows) {
    Graph graph;
    graph.add_input("x", vector_of(format));
    graph.add(Expression("r = " + expression));
    const Vector x = device.upload(format, rows);
    return graph.compile(device).run({.inputs = {{"x", x}}}).take("r").template read<Lane>();
  }
};
MILLRACE_ON_DEVICES(BigExpressions);

using Floats = std::vector<float>;
using Words = std::vector<std::uint32_t>;

std::string repeat(std::string_view text, int times) {
  std::string repeated;
  for (int time = 0; time < times; ++time) repeated += text;
  return repeated;
}

// A formula that a generator wrote would be refused, take the process's stack, or be cut wrongly. Each factor is another
// literal, so that no operation is found to be done already.
TEST_P(BigExpressions, ComputesTwentyThousandOperations) {
  std::string sum = "x";
  std::uint32_t factor = 1;  // of x, modulo 2^32
  for (std::uint32_t term = 1; term <= 10'000; ++term) {
    const bool is_added = term % 3 != 0;
    sum += (is_added ? "+x*" : "-x*") + std::to_string(term);
    factor += is_added ? term : 0u - term;
  }
  EXPECT_EQ(value<std::uint32_t>(sum, Format::uint32, {0, 1, 7, 4'000'000'000u}),
            (Words{0, factor, factor * 7, factor * 4'000'000'000u}));
}

// Tint refuses expressions of more than 512 operators, naga's stack ends at some thousands.
TEST_P(BigExpressions, ComputesAThousandChainedTerms) {
  EXPECT_EQ(value<float>("x" + repeat(" + x", 999), Format::float32, {0, 1, -3, 1024}),
            (Floats{0, 1000, -3000, 1'024'000}));
}

// Tint refuses brackets that nest more than 125 levels deep.
TEST_P(BigExpressions, ComputesNineHundredNestedParentheses) {
  EXPECT_EQ(value<float>(repeat("(", 900) + "x" + repeat(" + 1)", 900), Format::float32, {0, 1, -900, 0.5f}),
            (Floats{900, 901, 0, 900.5f}));
  EXPECT_EQ(value<float>(repeat("(1 - ", 900) + "x" + repeat(")", 900), Format::float32, {0, 3, -5}),
            (Floats{0, 3, -5}));
}

}  // namespace
}  // namespace millrace
