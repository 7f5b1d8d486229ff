// The text of kernels on the provider and adapter at hand: whether it compiles, and what it computes.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/expression/golden_cases.hpp"
#include "tests/expression/run_kernel.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace::expression {
namespace {

using ::testing::ElementsAre;
using Words = std::vector<std::uint32_t>;

webgpu::DeviceCore& core() { return *webgpu::DeviceAccess::core(shared_device()); }

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint32_t bits(std::int32_t value) { return static_cast<std::uint32_t>(value); }
float as_float(std::uint32_t word) { return std::bit_cast<float>(word); }
template <class Number>
Words words_of(const std::vector<Number>& numbers) {
  Words words;
  for (const Number number : numbers) words.push_back(bits(number));
  return words;
}
std::vector<float> floats(const Words& words) {
  std::vector<float> values;
  for (const std::uint32_t word : words) values.push_back(as_float(word));
  return values;
}
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// One kernel over the builder's vectors.
std::vector<Words> compute(const DagBuilder& build, const std::vector<NodeIndex>& inputs,
                           const std::vector<NodeIndex>& results, const std::vector<Words>& stored,
                           std::uint32_t row_count) {
  KernelCut cut;
  for (const NodeIndex input : inputs) cut.leaves.push_back(build.leaf(input));
  for (const NodeIndex result : results) cut.outputs.push_back(build.stored(result));
  return run_cut(core(), build.dag, cut, {.row_count = row_count, .stored = stored});
}

// A user's formula would be refused by one provider and not by the other.
TEST(EmitWgslProvider, CompilesTheGoldens) {
  for (const GoldenCase& golden : golden_cases()) {
    // Devices bind ten storage buffers at least; the widest golden is compiled in parts.
    for (std::size_t first = 0; first < golden.cut.outputs.size(); first += 4) {
      KernelCut part = golden.cut;
      const std::size_t last = std::min(first + 4, part.outputs.size());
      part.outputs = {golden.cut.outputs.begin() + static_cast<std::ptrdiff_t>(first),
                      golden.cut.outputs.begin() + static_cast<std::ptrdiff_t>(last)};
      EXPECT_NO_THROW((void)core().create_pipeline(pipeline_of(golden.name, golden.dag, part, golden.options)))
          << golden.name;
    }
  }
}

// Operands of a function-table row for one lane type and width, and its result's type.
class RowCall {
 public:
  explicit RowCall(DagBuilder& build) : build_(build) {
    for (const Format format : {Format::float32x4, Format::sint32x4, Format::uint32x4}) {
      inputs_.push_back(build.vector(format));
    }
  }
  [[nodiscard]] const std::vector<NodeIndex>& inputs() const { return inputs_; }
  [[nodiscard]] NodeIndex value(Type type) {
    static constexpr std::string_view lanes[] = {"x", "xy", "xyz", "xyzw"};
    const bool is_bool = type.lane == Lane::boolean;
    const NodeIndex input = inputs_[is_bool ? 0 : static_cast<std::size_t>(type.lane)];
    const NodeIndex node = build_.swizzle(input, lanes[type.width - 1u]);
    return is_bool ? build_.op("==", type, {node, node}) : node;
  }
  NodeIndex call(std::uint32_t row_index, const FunctionRow& row, Type type) {
    std::vector<NodeIndex> operands;
    for (std::size_t i = 0; i < row.least_operands; ++i) operands.push_back(value(operand_type(row, i, type)));
    return build_.dag.add(NodeKind::call, result_type(row, type), row_index, operands);
  }

 private:
  DagBuilder& build_;
  std::vector<NodeIndex> inputs_;
};

// A function would work for some types and fail to compile for others.
TEST(EmitWgslProvider, CompilesEachFunctionForEachType) {
  for (std::uint32_t index = 0; index < function_table().size(); ++index) {
    const FunctionRow& row = function_table()[index];
    if (row.signature == Signature::construct) continue;  // among the goldens
    DagBuilder build;
    RowCall calls(build);
    NodeIndex sum = build.u32(0);
    for (const Lane lane : {Lane::f32, Lane::i32, Lane::u32, Lane::boolean}) {
      for (std::uint8_t width = row.least_width; holds(row.lanes, lane) && width <= row.most_width; ++width) {
        const NodeIndex result = calls.call(index, row, {lane, width});
        sum = build.op("^", {sum, build.swizzle(build.reinterpret(result, Lane::u32), "x")});
      }
    }
    KernelCut cut;
    for (const NodeIndex input : calls.inputs()) cut.leaves.push_back(build.leaf(input));
    cut.outputs = {build.stored(sum)};
    for (const Mathematics math : {Mathematics::own, Mathematics::native}) {
      if (math == Mathematics::native && row.library.empty()) continue;  // the same text
      EXPECT_NO_THROW((void)core().create_pipeline(pipeline_of(std::string(row.name), build.dag, cut, {.math = math})))
          << row.name;
    }
  }
}

// E-12: a shift by 32 or more gives one answer for all rows: the amount modulo 32.
TEST(EmitWgslProvider, ShiftsModulo32) {
  for (const std::uint32_t rows : {1u, 3u, 4u, 7u}) {
    DagBuilder build;
    const NodeIndex ones = build.vector(Format::uint32);
    const NodeIndex amounts = build.vector(Format::uint32);
    const NodeIndex shifted = build.op("<<", {ones, amounts});
    const NodeIndex literal = build.op("<<", {ones, build.u32(33)});
    Words amount_words, expected;
    for (std::uint32_t row = 0; row < rows; ++row) {
      amount_words.push_back(Words{0, 31, 32, 33}[row % 4]);
      expected.push_back(Words{1, 2147483648u, 1, 2}[row % 4]);
    }
    const auto results = compute(build, {ones, amounts}, {shifted, literal}, {Words(rows, 1), amount_words}, rows);
    EXPECT_EQ(results[0], expected);
    EXPECT_EQ(results[1], Words(rows, 2));
  }
}

// E-13: in a fused kernel an unsigned difference wraps before it is compared or cast.
TEST(EmitWgslProvider, WrapsUnsignedDifferences) {
  DagBuilder build;
  const NodeIndex a = build.vector(Format::uint32);
  const NodeIndex b = build.vector(Format::uint32);
  const NodeIndex difference = build.op("-", {a, b});
  const NodeIndex less = build.op("<", kBool, {difference, build.u32(4)});
  const NodeIndex cast = build.call("f32", kF32, {difference});
  const auto results = compute(build, {a, b}, {difference, less, cast}, {{5}, {6}}, 1);
  EXPECT_EQ(results, (std::vector<Words>{{4294967295u}, {0}, {bits(4294967296.0f)}}));
}

// E-14: an f32 out of range becomes the nearest one in range; NaN becomes something, without a fault.
TEST(EmitWgslProvider, ClampsCastsToIntegers) {
  DagBuilder build;
  const NodeIndex x = build.vector(Format::float32);
  const NodeIndex to_unsigned = build.call("u32", kU32, {x});
  const NodeIndex to_signed = build.call("i32", kI32, {x});
  const auto results =
      compute(build, {x}, {to_unsigned, to_signed}, {words_of<float>({-1.5f, 3.7f, 1e20f, -1e20f, kNan})}, 5);
  EXPECT_THAT(results[0], ElementsAre(0, 3, 4294967040u, 0, ::testing::_));
  EXPECT_THAT(results[1], ElementsAre(bits(-1), 3, 2147483520, 0x80000000u, ::testing::_));
}

// E-19: a NaN in the data would be taken for a number.
TEST(EmitWgslProvider, FindsNan) {
  DagBuilder build;
  const NodeIndex x = build.vector(Format::float32);
  const auto results = compute(build, {x}, {build.call("isnan", kBool, {x}), build.op("!=", kBool, {x, x})},
                               {words_of<float>({kInf, 0.5f, 4.0f, -38.8f, kNan})}, 5);
  EXPECT_EQ(results[0], (Words{0, 0, 0, 0, 1}));
  EXPECT_EQ(results[1], (Words{0, 0, 0, 0, 1}));
}

// E-21: x + inf and y * nan would be invalid WGSL, or a finite number.
TEST(EmitWgslProvider, HasInfinityAndNan) {
  DagBuilder build;
  const NodeIndex x = build.vector(Format::float32);
  const auto results =
      compute(build, {x}, {build.op("+", {x, build.infinity()}), build.op("*", {x, build.nan()}), build.infinity()},
              {{bits(1.0f)}}, 1);
  EXPECT_EQ(results[0], Words{0x7f800000u});
  EXPECT_TRUE(std::isnan(as_float(results[1][0])));
  EXPECT_EQ(results[2], Words{0x7f800000u});
}

// E-22: literals would lose bits on the way through the text.
TEST(EmitWgslProvider, KeepsTheBitsOfLiterals) {
  DagBuilder build;
  const NodeIndex x = build.vector(Format::float32);
  const auto plus = [&](std::uint32_t word) { return build.op("+", {x, build.literal(kF32, word)}); };
  const auto sums = compute(build, {x}, {plus(0x7f7fffffu), plus(0x3dcccccdu), plus(0x00800000u)}, {{0}}, 1);
  EXPECT_EQ(sums, (std::vector<Words>{{0x7f7fffffu}, {0x3dcccccdu}, {0x00800000u}}));
  const auto stored =
      compute(build, {x},
              {build.f32(-0.0f), build.literal(kF32, 1), build.literal(kF32, 0x7f800000u), build.f32(-2.5f),
               build.i32(std::numeric_limits<std::int32_t>::min()), build.u32(0xffffffffu)},
              {{0}}, 1);
  EXPECT_EQ(stored,
            (std::vector<Words>{{0x80000000u}, {1}, {0x7f800000u}, {bits(-2.5f)}, {0x80000000u}, {0xffffffffu}}));
}

// E-07, E-10: integer division by data truncates towards zero; by zero it gives the dividend, and nothing faults.
TEST(EmitWgslProvider, DividesIntegers) {
  DagBuilder build;
  const NodeIndex a = build.vector(Format::sint32);
  const NodeIndex b = build.vector(Format::sint32);
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  const auto results =
      compute(build, {a, b},
              {build.op("/", {a, b}), build.op("%", {a, b}), build.op("/", {a, build.i32(0)}),
               build.op("/", {a, build.i32(-1)})},
              {words_of<std::int32_t>({-5, -7, 9, kLeast, 7}), words_of<std::int32_t>({2, 2, 0, -1, -2})}, 5);
  EXPECT_EQ(results[0], words_of<std::int32_t>({-2, -3, 9, kLeast, -3}));
  EXPECT_EQ(results[1], words_of<std::int32_t>({-1, -1, 0, 0, 1}));
  EXPECT_EQ(results[2], words_of<std::int32_t>({-5, -7, 9, kLeast, 7}));
  EXPECT_EQ(results[3], words_of<std::int32_t>({5, 7, -9, kLeast, -7}));
}

// A lane index out of range would read another value, or a fault.
TEST(EmitWgslProvider, ClampsLaneIndices) {
  DagBuilder build;
  const NodeIndex v = build.vector(Format::float32x3);
  const NodeIndex index = build.vector(Format::sint32);
  const NodeIndex large = build.call("u32", kU32, {index});
  const Words row = words_of<float>({1.0f, 2.0f, 3.0f});
  Words rows;
  for (int repeat = 0; repeat < 4; ++repeat) rows.insert(rows.end(), row.begin(), row.end());
  const auto results = compute(build, {v, index}, {build.lane(v, index), build.lane(v, large)},
                               {rows, words_of<std::int32_t>({-1, 0, 2, 1000})}, 4);
  EXPECT_EQ(floats(results[0]), (std::vector<float>{1, 1, 3, 3}));
  EXPECT_EQ(floats(results[1]), (std::vector<float>{3, 1, 3, 3}));
}

// K-36: a kernel that writes positions of interleaved records would destroy their ids, or read them as positions.
TEST(EmitWgslProvider, ReadsAndWritesInterleavedRows) {
  DagBuilder build;
  const NodeIndex position = build.vector(Format::float32x3);
  const NodeIndex row = build.splat(build.call("f32", kF32, {build.row()}), 3);
  const NodeIndex moved = build.op("+", {position, row});
  const KernelCut cut{{build.leaf(position)}, {build.stored(moved)}};
  KernelRun run{.row_count = 2, .stored = {}, .row_base = 100};
  run.stored = {{0, bits(1.0f), bits(2.0f), bits(3.0f), 70, 71, bits(4.0f), bits(5.0f), bits(6.0f)}};
  run.outputs = {{50, 51, 0, 0, 0, 7, 0, 0, 0, 8}};
  run.placements = {{.word_offset = 1, .word_stride = 5}, {.word_offset = 2, .word_stride = 4}};
  const auto results = run_cut(core(), build.dag, cut, run);
  EXPECT_EQ(results[0],
            (Words{50, 51, bits(101.0f), bits(102.0f), bits(103.0f), 7, bits(105.0f), bits(106.0f), bits(107.0f), 8}));
}

// More rows than one line of workgroups holds would be left out, or rows past the last written.
TEST(EmitWgslProvider, FoldsRowsOverTwoDimensions) {
  DagBuilder build;
  const KernelCut cut{{}, {build.stored(build.row())}};
  KernelRun run{.row_count = 1500};
  run.outputs = {Words(1600, 9)};
  run.groups_x = 2;
  const auto results = run_cut(core(), build.dag, cut, run);
  for (std::uint32_t row = 0; row < 1600; ++row) ASSERT_EQ(results[0][row], row < 1500 ? row : 9) << row;
}

// Scalars of the host and of earlier kernels would be taken from the wrong place.
TEST(EmitWgslProvider, ReadsScalars) {
  DagBuilder build;
  const NodeIndex host = build.scalar(Format::float32x3);
  const NodeIndex stored = build.scalar(Format::float32);
  const NodeIndex product = build.op("*", {host, build.splat(stored, 3)});
  const KernelCut cut{{build.leaf(host, 5), {stored, LeafKind::stored_scalar, Format::float32}},
                      {build.stored(product)}};
  KernelRun run{
      .row_count = 1, .stored = {words_of<float>({0.0f, 0.0f, 10.0f})}, .placements = {{.word_offset = 2}, {}}};
  run.host_scalars = words_of<float>({-1.0f, -1.0f, -1.0f, 1.0f, 2.0f, 3.0f});
  EXPECT_EQ(floats(run_cut(core(), build.dag, cut, run)[0]), (std::vector<float>{10, 20, 30}));
}

// Operands that were stored side by side would come back swapped or with other bits.
TEST(EmitWgslProvider, TakesPackedOperandsApart) {
  DagBuilder build;
  const NodeIndex a = build.vector(Format::float32);
  const NodeIndex b = build.vector(Format::sint32);
  const NodeIndex c = build.vector(Format::uint32);
  const NodeIndex d = build.vector(Format::uint32);
  const NodeIndex sum = build.call(
      "insertBits", {build.call("u32", kU32, {build.op("*", {a, a})}), build.reinterpret(b, Lane::u32), c, d});
  const std::vector<Leaf> leaves = {build.leaf(a), build.leaf(b), build.leaf(c), build.leaf(d)};
  const std::vector<KernelCut> cuts = cut_kernels(build.dag, leaves, {build.stored(sum)}, 4);
  ASSERT_EQ(cuts.size(), 2u);
  std::map<NodeIndex, Words> memory = {{a, {bits(3.0f)}}, {b, {bits(-1)}}, {c, {4}}, {d, {8}}};
  for (const KernelCut& cut : cuts) {
    KernelRun run{.row_count = 1};
    for (const Leaf& leaf : cut.leaves) run.stored.push_back(memory.at(leaf.node));
    const auto results = run_cut(core(), build.dag, cut, run);
    for (std::size_t output = 0; output < results.size(); ++output) memory[cut.outputs[output].node] = results[output];
  }
  EXPECT_EQ(memory.at(sum), Words{0xff9u});  // 9 with bits 4 to 11 all set
}

}  // namespace
}  // namespace millrace::expression
