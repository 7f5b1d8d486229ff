// Shapes: rows and chunks of every stored value, and what is refused when a run is given others than declared.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "src/graph/shape.hpp"
#include "tests/expect_error.hpp"
#include "tests/graph/resolved_graph.hpp"

namespace millrace::graph {
namespace {

using Lengths = std::vector<std::uint64_t>;

std::vector<Chunk> chunks_of(const Lengths& lengths) {
  std::vector<Chunk> chunks;
  for (const std::uint64_t rows : lengths) {
    chunks.push_back({.buffer = nullptr, .byte_offset = 0, .byte_stride = 4, .row_count = rows});
  }
  return chunks;
}

Shapes shapes_of(const ResolvedGraph& graph, const InputChunks& bound, const KernelPlan& plan = {}) {
  const Selection selection = select(graph, Outputs::terminal());
  return find_shapes(graph, find_row_classes(graph, selection), plan, bound);
}

ResolvedGraph sum_of(const ValueType& a, const ValueType& b) {
  return ResolvedGraphBuilder().input("a", a).input("b", b).operation("sum", {"a", "b"}).graph();
}

// C-04: a result would be chunked as some other operand, or as one chunk.
TEST(FindShapes, GivesEachStoredValueItsLeadersChunksAndScalarsOneRow) {
  const ResolvedGraph graph = sum_of(vector_of(Format::float32), vector_of(Format::float32));
  KernelPlan plan{};
  plan.stored.push_back({"a", Format::float32, StoredRole::input, ValueIndex{0}, ValueIndex{0}});
  plan.stored.push_back({"b", Format::float32, StoredRole::input, ValueIndex{1}, ValueIndex{1}});
  plan.stored.push_back({"sum", Format::float32, StoredRole::output, ValueIndex{0}, {}});
  plan.stored.push_back({"scalar", Format::float32, StoredRole::intermediate, {}, {}});
  const Shapes shapes = shapes_of(graph, {chunks_of({3, 0, 2}), chunks_of({1, 4})}, plan);
  const std::vector<Lengths> expected = {{3, 0, 2}, {1, 4}, {3, 0, 2}, {1}};
  EXPECT_EQ(shapes.chunk_lengths, expected);
}

// Rows past the shorter operand's end would be made up.
TEST(FindShapes, RefusesUnequalRowCounts) {
  const ResolvedGraph graph = sum_of(vector_of(Format::float32), vector_of(Format::float32));
  expect_error<BindingError>(
      [&] {
        (void)shapes_of(graph, {chunks_of({3}), chunks_of({1, 1})});
      },
      ErrorCode::row_count_mismatch, "b",
      "Input \"b\" has 2 rows but input \"a\" has 3; element-wise operands need equal row counts.");
  expect_error<BindingError>(
      [&] {
        (void)shapes_of(graph, {chunks_of({3}), chunks_of({})});
      },
      ErrorCode::row_count_mismatch, "b",
      "Input \"b\" has 0 rows but input \"a\" has 3; element-wise operands need equal row counts.");
}

// Two chunks of 2^32-1 rows each would be counted modulo 2^32.
TEST(FindShapes, CountsRowsInSixtyFourBits) {
  const ResolvedGraph graph = sum_of(vector_of(Format::float32), vector_of(Format::float32));
  expect_error<BindingError>(
      [&] {
        (void)shapes_of(graph, {chunks_of({0}), chunks_of({4294967295, 1})});
      },
      ErrorCode::row_count_mismatch, "b",
      "Input \"b\" has 4294967296 rows but input \"a\" has 0; element-wise operands need equal row counts.");
}

// Chunks that carry nothing would count as a difference.
TEST(FindShapes, TakesAnyChunkingOfEqualRows) {
  const ResolvedGraph graph = sum_of(vector_of(Format::float32), vector_of(Format::float32));
  EXPECT_NO_THROW((void)shapes_of(graph, {chunks_of({0, 3, 0}), chunks_of({1, 1, 1})}));
  EXPECT_NO_THROW((void)shapes_of(graph, {chunks_of({}), chunks_of({0, 0})}));
}

// A declared length would promise something that no run is held to.
TEST(FindShapes, HoldsInputsToTheirDeclaredShape) {
  const ResolvedGraph graph =
      sum_of(vector_of(Format::float32, {.length = 3}), vector_of(Format::float32, {.chunk_lengths = Lengths{1, 2}}));
  EXPECT_NO_THROW((void)shapes_of(graph, {chunks_of({3}), chunks_of({1, 2})}));
  expect_error<BindingError>(
      [&] {
        (void)shapes_of(graph, {chunks_of({4}), chunks_of({1, 2})});
      },
      ErrorCode::shape_mismatch, "a", "Input \"a\" was given 4 rows, and is declared with 3 rows.");
  expect_error<BindingError>(
      [&] {
        (void)shapes_of(graph, {chunks_of({3}), chunks_of({3})});
      },
      ErrorCode::shape_mismatch, "b",
      "Input \"b\" was given chunks of [3] rows, and is declared with chunks of [1, 2] rows.");
}

// An input declared like another could be given other chunks.
TEST(FindShapes, HoldsInputsToTheShapeOfTheirModel) {
  const ResolvedGraph graph = sum_of(vector_of(Format::float32), vector_of(Format::float32x2, like("a")));
  EXPECT_NO_THROW((void)shapes_of(graph, {chunks_of({1, 2}), chunks_of({1, 2})}));
  expect_error<BindingError>(
      [&] {
        (void)shapes_of(graph, {chunks_of({1, 2}), chunks_of({2, 1})});
      },
      ErrorCode::shape_mismatch, "b",
      "Input \"b\" was given chunks of [2, 1] rows, and is declared with the shape of \"a\", chunks of "
      "[1, 2] rows.");
}

// A vector that nothing reads, and that is therefore not bound, would be demanded.
TEST(FindShapes, IgnoresInputsThatAreNotBound) {
  const ResolvedGraph graph = ResolvedGraphBuilder()
                                  .vector_input("a")
                                  .input("b", vector_of(Format::float32, like("a")))
                                  .operation("twice", {"b"})
                                  .graph();
  EXPECT_NO_THROW((void)shapes_of(graph, {std::nullopt, chunks_of({5})}));
}

}  // namespace
}  // namespace millrace::graph
