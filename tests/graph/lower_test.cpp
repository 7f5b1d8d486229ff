// Lowering: from kernels and chunks to dispatches. Each recipe is replayed on the host, byte for byte.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "src/graph/lower.hpp"
#include "tests/expect_error.hpp"
#include "tests/graph/replay.hpp"

namespace millrace::graph {
namespace {

using Lengths = std::vector<std::uint64_t>;

DeviceCapabilities roomy_device() {
  return {.timestamps = false,
          .subgroups = false,
          .f16 = false,
          .buffer_byte_size = std::uint64_t{1} << 31,
          .storage_binding_byte_size = std::uint64_t{1} << 27,
          .uniform_binding_byte_size = 65536,
          .storage_buffers_per_stage = 8,
          .storage_offset_alignment = 256,
          .uniform_offset_alignment = 256,
          .workgroups_per_dimension = 65535,
          .invocations_per_workgroup = 256,
          .rows_per_dispatch = 4294967295};
}

// Vectors a and b and a stored scalar k:  t = a + b,  then  out = t * k. Formats and chunks differ.
struct Problem {
  DeviceCapabilities device = roomy_device();
  KernelPlan plan{};
  Shapes shapes;
  InputChunks inputs;

  Problem(const std::vector<Chunk>& a, const std::vector<Chunk>& b) {
    add("a", Format::float32x3, StoredRole::input, ValueIndex{0}, lengths_of(a));
    add("b", Format::float32, StoredRole::input, ValueIndex{1}, lengths_of(b));
    add("k", Format::float32x2, StoredRole::intermediate, {}, {1});
    add("t", Format::float32x3, StoredRole::intermediate, ValueIndex{0}, lengths_of(a));
    add("out", Format::float32x2, StoredRole::output, ValueIndex{0}, lengths_of(a));
    plan.stored[0].input = ValueIndex{0};
    plan.stored[1].input = ValueIndex{1};
    plan.kernels.push_back({.cut = {}, .bindings = {{2}}, .output_count = 1, .operations = {}});
    plan.kernels.push_back({.cut = {}, .bindings = {{0}, {1}, {3}}, .output_count = 1, .operations = {}});
    plan.kernels.push_back({.cut = {}, .bindings = {{2}, {3}, {4}}, .output_count = 1, .operations = {}});
    plan.outputs = {{4}};
    plan.scalar_block_words = 4;
    inputs = {a, b};
  }

  [[nodiscard]] Recipe lowered() const { return lower(device, plan, shapes, inputs); }
  [[nodiscard]] std::string fault_of(const Recipe& recipe) const {
    return Replay{device, plan, shapes, inputs, recipe}.fault();
  }

 private:
  void add(const char* name, Format format, StoredRole role, std::optional<ValueIndex> leader, const Lengths& lengths) {
    plan.stored.push_back({.name = name, .format = format, .role = role, .leader = leader, .input = {}});
    shapes.chunk_lengths.push_back(lengths);
  }
  static Lengths lengths_of(const std::vector<Chunk>& chunks) {
    Lengths lengths;
    for (const Chunk& chunk : chunks) lengths.push_back(chunk.row_count);
    return lengths;
  }
};

std::vector<Chunk> packed(const Lengths& lengths, std::uint64_t row_byte_size) {
  std::vector<Chunk> chunks;
  for (const std::uint64_t rows : lengths) {
    chunks.push_back({.buffer = nullptr, .byte_offset = 0, .byte_stride = row_byte_size, .row_count = rows});
  }
  return chunks;
}

// A run of one chunk would be cut for nothing.
TEST(Lower, DispatchesEachKernelOnceForOneChunk) {
  const Problem problem(packed({5}, 12), packed({5}, 4));
  const Recipe recipe = problem.lowered();
  EXPECT_EQ(recipe.commands.nodes().size(), 3u);
  EXPECT_EQ(recipe.commands.buffers().size(), 5u);
  EXPECT_EQ(problem.fault_of(recipe), "");
}

// Rows of none, or of empty chunks, would be dispatched, or bound with size 0, which aborts a provider.
TEST(Lower, DispatchesNothingForNoRows) {
  for (const Lengths& lengths : {Lengths{}, Lengths{0}, Lengths{0, 0}}) {
    const Problem problem(packed(lengths, 12), packed({0}, 4));
    const Recipe recipe = problem.lowered();
    EXPECT_EQ(recipe.commands.nodes().size(), 1u) << "only the scalar's kernel";
    EXPECT_EQ(problem.fault_of(recipe), "");
  }
}

// D-09: a dispatch of many rows would trip a watchdog. 3,500 rows, 1,000 at most in each.
TEST(Lower, KeepsToTheRowsOfADispatch) {
  Problem problem(packed({3500}, 12), packed({3500}, 4));
  problem.device.rows_per_dispatch = 1000;
  const Recipe recipe = problem.lowered();
  EXPECT_EQ(recipe.commands.nodes().size(), 1u + 4 + 4);
  EXPECT_EQ(recipe.commands.bind_sets().size(), 3u) << "dispatches of one segment share their bindings";
  EXPECT_EQ(problem.fault_of(recipe), "");
}

// C-10: every operand's rows would be looked for at the wrong bytes behind a cut.
TEST(Lower, BindsSegmentsAtAlignedBytes) {
  Problem problem(packed({200}, 12), packed({200}, 4));
  problem.device.storage_binding_byte_size = 1000;
  const Recipe recipe = problem.lowered();
  std::vector<std::uint64_t> starts;
  for (const command::BindSet& set : recipe.commands.bind_sets()) {
    if (set.kernel.value == 1) starts.push_back(set.uses[0].byte_offset);
  }
  EXPECT_EQ(starts, (std::vector<std::uint64_t>{0, 768, 1536, 2304}));
  EXPECT_EQ(problem.fault_of(recipe), "");
}

Lengths random_lengths(std::mt19937& random, std::uint64_t rows) {
  Lengths lengths;
  while (rows != 0) {
    lengths.push_back(std::min<std::uint64_t>(random() % 400, rows));
    rows -= lengths.back();
  }
  return lengths;
}

std::vector<Chunk> random_chunks(std::mt19937& random, std::uint64_t rows, std::uint64_t row_byte_size) {
  std::vector<Chunk> chunks = packed(random_lengths(random, rows), row_byte_size);
  for (Chunk& chunk : chunks) {
    chunk.byte_offset = 4 * (random() % 300);
    if (random() % 2 == 0) chunk.byte_stride += 4 * (random() % 5);
  }
  return chunks;
}

Problem random_problem(std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::uint64_t rows = random() % (seed + 1);
  const std::vector<Chunk> a = random_chunks(random, rows, 12);
  Problem problem(a, random_chunks(random, rows, 4));
  problem.device.storage_offset_alignment = std::uint32_t{32} << random() % 4;
  problem.device.storage_binding_byte_size = problem.device.storage_offset_alignment + 28 + random() % 2000;
  problem.device.uniform_offset_alignment = std::uint32_t{64} << random() % 3;
  problem.device.workgroups_per_dimension = 1 + static_cast<std::uint32_t>(random() % 3);
  if (random() % 2 == 0) problem.device.rows_per_dispatch = 1 + random() % 600;
  return problem;
}

// Some mixture of chunks, strides, offsets and limits that nobody thought of would compute rows from other rows' bytes. Rows
// grow with the seed, so the first failure is a small one.
TEST(Lower, ReachesExactlyTheBytesOfEveryRow) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const Problem problem = random_problem(seed);
    ASSERT_EQ(problem.fault_of(problem.lowered()), "") << "seed " << seed;
  }
}

// The replay would prove nothing if it let faults pass.
TEST(Lower, ReplayFindsMutants) {
  using expression::RecordLayout;
  const Problem problem(packed({4, 3}, 12), packed({2, 5}, 4));
  const Recipe right = problem.lowered();
  ASSERT_EQ(problem.fault_of(right), "");
  const auto mutant = [&](std::size_t word, std::uint32_t change) {
    Recipe recipe = problem.lowered();
    const std::size_t second_dispatch = recipe.parameters.record_byte_stride / 4 * 2;
    recipe.records[second_dispatch + word] += change;
    return problem.fault_of(recipe);
  };
  EXPECT_EQ(mutant(RecordLayout::kRowBase, 1), "another row's bytes");
  EXPECT_EQ(mutant(RecordLayout::kRowCount, ~std::uint32_t{0}), "a row that is not computed once");
  EXPECT_EQ(mutant(RecordLayout::kRowCount, 1), "a row outside of its binding");
  EXPECT_EQ(mutant(RecordLayout::kRows, 1), "a wrong row count of the vector");
  EXPECT_EQ(mutant(RecordLayout::kOperands, 3), "another row's bytes");
  EXPECT_EQ(mutant(RecordLayout::kOperands + 1, ~std::uint32_t{0}), "another row's bytes");

  Problem folded(packed({600}, 12), packed({600}, 4));
  folded.device.workgroups_per_dimension = 2;
  Recipe recipe = folded.lowered();
  recipe.records[recipe.parameters.record_byte_stride / 4 + RecordLayout::kFoldX] -= 1;
  EXPECT_EQ(folded.fault_of(recipe), "a row that is not computed once");
}

// A device whose bindings hold no row would be given cut rows, or loop forever.
TEST(Lower, RefusesRowsThatNoBindingHolds) {
  Problem problem(packed({5}, 12), packed({5}, 4));
  problem.device.storage_binding_byte_size = 10;
  expect_error<DeviceError>(
      [&] { (void)problem.lowered(); }, ErrorCode::over_device_limit, "a",
      "A row of \"a\" takes 12 bytes and does not fit a storage binding of 8 bytes that begins on 256.");
}

// A run of more chunks than a parameter buffer holds records would write past its end.
TEST(Lower, RefusesMoreDispatchesThanAParameterBufferHolds) {
  Problem problem(packed(Lengths(10, 1), 12), packed({10}, 4));
  problem.device.buffer_byte_size = 4096;
  expect_error<DeviceError>([&] { (void)problem.lowered(); }, ErrorCode::over_device_limit, "",
                            "The chunks of this run need 21 dispatches, whose parameters take 5632 bytes; this device "
                            "allows 4096. Fewer, larger "
                            "chunks need fewer dispatches.");
}

}  // namespace
}  // namespace millrace::graph
