// Random graphs on a device against their values worked out on the host.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/graph/on_device.hpp"
#include "tests/graph/random_graph.hpp"

namespace millrace {
namespace {

class RandomGraphs : public GraphOnDevice {
 protected:
  // What is wrong with the outputs of one run; empty where nothing is.
  std::string fault_of(RandomGraph& random, bool fusion) {
    std::vector<Vector> storage;
    const Bindings bindings = random.upload(device, storage);
    const CompiledGraph compiled = random.graph().compile(device, {.outputs = random.outputs(), .fusion = fusion});
    const Results results = compiled.run(bindings);
    for (const Name& output : random.outputs()) {
      if (results[output.text()].read<std::uint32_t>() != random.result(output.text()).lanes) return output.text();
    }
    return "";
  }
};
MILLRACE_ON_DEVICES(RandomGraphs);

// P-10: right answers would depend on what is fused, how chunks meet, and how much a device allows.
TEST_P(RandomGraphs, GiveTheValuesWorkedOutOnTheHost) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    for (const bool fusion : {true, false}) {
      RandomGraph random(seed);
      ASSERT_EQ(fault_of(random, fusion), "")
          << "seed " << seed << (fusion ? " fused\n" : " unfused\n") << testing::PrintToString(random.formulas());
    }
  }
}

// The property above would prove nothing if it let swapped operands pass.
TEST_P(RandomGraphs, FindSwappedOperands) {
  int found = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    RandomGraph mutant(seed, Mutant::swapped_subtraction);
    if (!fault_of(mutant, true).empty()) ++found;
  }
  EXPECT_GT(found, 5);
}

}  // namespace
}  // namespace millrace
