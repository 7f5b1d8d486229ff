// Each function on the provider and adapter at hand, for all the lane types and widths that it takes, beside the CPU.
#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/expression/build_dag.hpp"
#include "tests/expression/function_references.hpp"
#include "tests/expression/run_kernel.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace::expression {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kRowCount = 200;

// Rows of four lanes: round numbers, the limits of integers, and bits at random.
class Samples {
 public:
  Words rows(Lane lane) {
    Words words;
    for (std::uint32_t i = 0; i < 4 * kRowCount; ++i) words.push_back(word(lane));
    return words;
  }

 private:
  std::uint32_t word(Lane lane) {
    static constexpr float kReals[] = {0,     1,     -1,  0.5f,  -0.5f, 2,     -2,    3,     -1.5f, 0.1f,
                                       -0.3f, 7.25f, 100, -1000, 65535, 1e-3f, 0.99f, -2.5f, 3.5f,  0.75f};
    static constexpr std::uint32_t kWords[] = {
        0, 1, 2, 5, 31, 32, 33, 255, 128, 256, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff9, 0xffffff80};
    const std::uint32_t pick = random_();
    if (lane == Lane::boolean) return pick & 1u;
    if (lane != Lane::f32) return pick % 4 == 0 ? random_() : kWords[random_() % std::size(kWords)];
    if (pick % 4 == 0) return std::bit_cast<std::uint32_t>(static_cast<float>(random_() % 2001) / 250.0f - 4.0f);
    return std::bit_cast<std::uint32_t>(kReals[random_() % std::size(kReals)]);
  }
  std::mt19937 random_{20240611};
};

// One kernel: the row's function of the first lanes of its operands, in each width that it takes.
class FunctionKernel {
 public:
  FunctionKernel(std::uint32_t index, Lane lane) : index_(index), row_(function_table()[index]), lane_(lane) {
    for (std::size_t i = 0; i < row_.least_operands; ++i) {
      const Lane operand = operand_type(row_, i, {lane, 1}).lane;
      const Lane stored = operand == Lane::boolean ? Lane::u32 : operand;
      inputs_.push_back(build_.vector(stored_format({stored, 4})));
      words_.push_back(samples_.rows(operand));
    }
  }

  void run() {
    KernelCut cut;
    for (const NodeIndex input : inputs_) cut.leaves.push_back(build_.leaf(input));
    for (std::uint8_t width = row_.least_width; width <= row_.most_width; ++width)
      cut.outputs.push_back(build_.stored(call({lane_, width})));
    webgpu::DeviceCore& core = *webgpu::DeviceAccess::core(shared_device());
    const auto results = run_cut(core, build_.dag, cut, {.row_count = kRowCount, .stored = words_});
    for (std::uint8_t width = row_.least_width; width <= row_.most_width; ++width)
      check({lane_, width}, results[width - row_.least_width]);
  }

 private:
  NodeIndex call(Type type) {
    static constexpr std::string_view kLanes[] = {"x", "xy", "xyz", "xyzw"};
    std::vector<NodeIndex> operands;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const Type wanted = operand_type(row_, i, type);
      NodeIndex node = build_.swizzle(inputs_[i], kLanes[wanted.width - 1u]);
      if (wanted.lane == Lane::boolean) node = build_.call("bool", wanted, {node});
      operands.push_back(node);
    }
    return build_.dag.add(NodeKind::call, result_type(row_, type), index_, operands);
  }

  void check(Type type, const Words& results) const {
    const Type result = result_type(row_, type);
    for (std::uint32_t at = 0; at < kRowCount; ++at) {
      ReferenceCall reference{.operands = {}, .type = type};
      for (std::size_t i = 0; i < words_.size(); ++i) {
        const auto first = words_[i].begin() + 4 * at;
        reference.operands.emplace_back(first, first + operand_type(row_, i, type).width);
      }
      const std::vector<ExpectedLane> expected = expected_lanes(row_, reference);
      ASSERT_EQ(expected.size(), result.width) << row_.name;
      for (std::size_t lane = 0; lane < result.width; ++lane) {
        const std::uint32_t word = results[at * result.width + lane];
        ASSERT_TRUE(is_expected(word, result.lane, expected[lane]))
            << row_.name << " of " << to_string(type) << " in row " << at << " lane " << lane << ": "
            << testing::PrintToString(reference.operands) << " gave " << word << " = " << std::bit_cast<float>(word)
            << ", not " << expected[lane].value << " or bits " << expected[lane].bits;
      }
    }
  }

  std::uint32_t index_;
  const FunctionRow& row_;
  Lane lane_;
  DagBuilder build_;
  Samples samples_;
  std::vector<NodeIndex> inputs_;
  std::vector<Words> words_;
};

// A function would give something else than its name promises, on one device, for one lane type, or in one width.
TEST(FunctionValuesProvider, AreThoseOfTheCpu) {
  for (std::uint32_t index = 0; index < function_table().size(); ++index) {
    const FunctionRow& row = function_table()[index];
    if (row.signature == Signature::construct) continue;  // moves of lanes, among the goldens
    for (const Lane lane : {Lane::f32, Lane::i32, Lane::u32, Lane::boolean}) {
      if (holds(row.lanes, lane)) FunctionKernel(index, lane).run();
    }
  }
}

}  // namespace
}  // namespace millrace::expression
