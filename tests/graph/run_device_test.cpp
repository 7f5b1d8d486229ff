// The whole path on a device: values, chunks, views and batches of any size.
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/webgpu_interop.hpp>

#include "tests/graph/on_device.hpp"

namespace millrace {
namespace {

class Run : public GraphOnDevice {};
MILLRACE_ON_DEVICES(Run);

using Lengths = std::vector<std::uint64_t>;

struct Point {
  float x, y, z;
};

std::vector<Point> points(std::size_t count) {
  std::vector<Point> rows(count);
  for (std::size_t row = 0; row < count; ++row) {
    const auto value = static_cast<float>(row);
    rows[row] = {0.37f * value, 1.0f - value, 0.001f * value * value};
  }
  return rows;
}

double length_of(const Point& point, double scale) {
  const double x = point.x * scale, y = point.y * scale, z = point.z * scale;
  return std::sqrt(x * x + y * y + z * z);
}

Graph lengths_graph() {
  return graph_of({{"positions", vector_of(Format::float32x3)}, {"scale", scalar_of(Format::float32)}},
                  {"scaled = positions * scale", "lengths = length(scaled)"});
}

// The first program that a user writes would not work.
TEST_P(Run, GivesTheLengthsOfScaledPoints) {
  const std::vector<Point> rows = {{3, 4, 0}, {0, 0, 0}, {1, 2, 2}};
  const Vector positions = device.upload(Format::float32x3, rows);
  const CompiledGraph compiled = lengths_graph().compile(device, {.outputs = {"lengths"}});
  Results results = compiled.run({.inputs = {{"positions", positions}, {"scale", 2.0f}}});
  const Vector lengths = results.take("lengths");
  EXPECT_EQ(lengths.format(), Format::float32);
  EXPECT_EQ(lengths.read<float>(), (std::vector<float>{10, 0, 6}));
}

// Rows past some boundary of chunks, bindings or dispatches would be wrong. The second vector is chunked otherwise.
TEST_P(Run, ComputesLengthsWithinTwoUlpOverAnyChunks) {
  const Graph graph = graph_of({{"positions", vector_of(Format::float32x3)}, {"scales", vector_of(Format::float32)}},
                               {"scaled = positions * scales", "lengths = length(scaled)"});
  const CompiledGraph compiled = graph.compile(device, {.outputs = {"lengths"}});
  const std::vector<Point> a(0), b = points(3), c(1, {1, 2, 3}), d = points(70'000);
  const Vector positions = device.upload_chunks(Format::float32x3, {a, b, c, d});
  const std::vector<float> head(60'001, 0.5f), tail(10'003, 3.0f);
  const Vector scales = device.upload_chunks(Format::float32, {head, tail});

  const Results results = compiled.run({.inputs = {{"positions", positions}, {"scales", scales}}});
  EXPECT_EQ(results["lengths"].chunk_lengths(), (Lengths{0, 3, 1, 70'000}));
  const std::vector<float> lengths = results["lengths"].read<float>();
  ASSERT_EQ(lengths.size(), 70'004u);
  std::vector<Point> all = b;
  all.insert(all.end(), c.begin(), c.end());
  all.insert(all.end(), d.begin(), d.end());
  double worst = 0;
  for (std::size_t row = 0; row < all.size(); ++row) {
    worst = std::max(worst, ulps_between(lengths[row], length_of(all[row], row < head.size() ? 0.5 : 3.0)));
  }
  EXPECT_LE(worst, 2.0);
}

// Interleaved vertices would have to be repacked: {position, id, weight} in 20 bytes, of which the position is read.
TEST_P(Run, ReadsPositionsOutOfTwentyByteRecords) {
  struct Record {
    Point position;
    std::uint32_t id;
    float weight;
  };
  static_assert(sizeof(Record) == 20);
  std::vector<Record> records;
  for (const Point& point : points(500)) records.push_back({point, 0xffffffff, 0.25f});
  const std::vector<std::uint32_t> words = [&] {
    std::vector<std::uint32_t> copied(records.size() * 5);
    std::memcpy(copied.data(), records.data(), records.size() * sizeof(Record));
    return copied;
  }();
  const Vector storage = device.upload(Format::uint32, words);
  const webgpu::BorrowedBuffer buffer = webgpu::borrow_buffer(device, webgpu::native_chunks(storage)[0].buffer);
  const VectorView positions = buffer.rows({.format = Format::float32x3, .byte_stride = 20, .row_count = 500});
  const VectorView weights =
      buffer.rows({.format = Format::float32, .byte_offset = 16, .byte_stride = 20, .row_count = 500});

  const Graph graph = graph_of({{"positions", vector_of(Format::float32x3)}, {"weights", vector_of(Format::float32)}},
                               {"lengths = length(positions * weights)"});
  const Results results = graph.compile(device).run({.inputs = {{"positions", positions}, {"weights", weights}}});
  const std::vector<float> lengths = results["lengths"].read<float>();
  ASSERT_EQ(lengths.size(), records.size());
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    EXPECT_LE(ulps_between(lengths[row], length_of(records[row].position, 0.25)), 2.0) << "row " << row;
  }
}

// C-04: a chunk boundary of one operand would split pairs at the wrong rows.
TEST_P(Run, PairsRowsOfUnequalChunks) {
  const Graph graph = graph_of({{"a", vector_of(Format::float32)}, {"b", vector_of(Format::float32)}},
                               {"sum = a + b", "swapped = b + a"});
  const CompiledGraph compiled = graph.compile(device);
  const std::vector<float> a1{1, 2, 3}, a2{4, 5}, b1{10}, b2{20, 30, 40, 50};
  const Vector a = device.upload_chunks(Format::float32, {a1, a2}), b = device.upload_chunks(Format::float32, {b1, b2});
  const Results results = compiled.run({.inputs = {{"a", a}, {"b", b}}});
  EXPECT_EQ(results["sum"].read<float>(), (std::vector<float>{11, 22, 33, 44, 55}));
  EXPECT_EQ(results["sum"].chunk_lengths(), (Lengths{3, 2}));
  EXPECT_EQ(results["swapped"].read<float>(), (std::vector<float>{11, 22, 33, 44, 55}));
  EXPECT_EQ(results["swapped"].chunk_lengths(), (Lengths{1, 4}));
}

// C-05: every chunk after the first would be read from the beginning of their common buffer.
TEST_P(Run, ReadsChunksOfOneBufferAtTheirOffsets) {
  const CompiledGraph compiled = graph_of({{"x", vector_of(Format::float32)}}, {"twice = x * 2"}).compile(device);
  const Vector storage = device.upload(Format::float32, ramp(6));
  const VectorView x = VectorView::join({storage.rows({0, 3}), storage.rows({3, 3})});
  const Results results = compiled.run({.inputs = {{"x", x}}});
  EXPECT_EQ(results["twice"].chunk_lengths(), (Lengths{3, 3}));
  EXPECT_EQ(results["twice"].read<float>(), (std::vector<float>{0, 2, 4, 6, 8, 10}));
  const Results reversed = compiled.run(
      {.inputs = {{"x", VectorView::join({storage.rows({4, 2}), storage.rows({1, 1}), storage.rows({0, 2})})}}});
  EXPECT_EQ(reversed["twice"].read<float>(), (std::vector<float>{8, 10, 2, 0, 2}));
}

// C-07: a view's row offset would be applied twice, or not at all. The same compiled graph meets each offset anew.
TEST_P(Run, ReadsViewsOfRowsWhereverTheyBegin) {
  const CompiledGraph compiled = graph_of({{"p", vector_of(Format::float32x2)}}, {"same = p + 0.0"}).compile(device);
  const Vector storage = device.upload(Format::float32x2, {0.0f, 0.0f, 1.0f, 2.0f, 3.0f, 4.0f});
  const VectorView slice = storage.rows({1, 2});
  EXPECT_EQ(slice.read<float>(), (std::vector<float>{1, 2, 3, 4}));
  const Results results = compiled.run({.inputs = {{"p", slice}}});
  EXPECT_EQ(results["same"].read<float>(), (std::vector<float>{1, 2, 3, 4}));
  const Results again = compiled.run({.inputs = {{"p", slice.rows({1, 1})}}});
  EXPECT_EQ(again["same"].read<float>(), (std::vector<float>{3, 4}));
  EXPECT_EQ(results["same"].rows({1, 1}).read<float>(), (std::vector<float>{3, 4}));
}

// C-09: an empty chunk at either end would be read out of range, or lost from the result.
TEST_P(Run, KeepsChunksWithoutRows) {
  const CompiledGraph compiled = graph_of({{"x", vector_of(Format::float32)}}, {"next = x + 1"}).compile(device);
  const std::vector<float> none, seven{7};
  const Vector x = device.upload_chunks(Format::float32, {none, seven, none, none});
  const Results results = compiled.run({.inputs = {{"x", x}}});
  EXPECT_EQ(results["next"].chunk_lengths(), (Lengths{0, 1, 0, 0}));
  EXPECT_EQ(results["next"].read<float>(), std::vector<float>{8});
}

// A batch that happens to be empty would fail, or give rows.
TEST_P(Run, GivesNoRowsForNoRows) {
  const CompiledGraph compiled = lengths_graph().compile(device);
  const Vector empty = device.create_vector(Format::float32x3, {.length = 0});
  const Vector no_chunks = device.create_vector(Format::float32x3, {.chunk_lengths = Lengths{}});
  for (const Vector* positions : {&empty, &no_chunks}) {
    const Results results = compiled.run({.inputs = {{"positions", *positions}, {"scale", 2}}});
    EXPECT_EQ(results["lengths"].chunk_lengths(), positions->chunk_lengths());
    EXPECT_TRUE(results["lengths"].read<float>().empty());
  }
}

// P-11: a batch of another size would be computed with the rows of an earlier one.
TEST_P(Run, ServesBatchesOfAnySize) {
  const CompiledGraph compiled = graph_of({{"x", vector_of(Format::float32)}}, {"y = 2 * x + 1"}).compile(device);
  for (const std::size_t rows : {4u, 9u, 0u, 4u}) {
    const Vector x = device.upload(Format::float32, std::vector<float>(rows, 1.0f));
    const Results results = compiled.run({.inputs = {{"x", x}}});
    EXPECT_EQ(results["y"].read<float>(), std::vector<float>(rows, 3.0f)) << rows << " rows";
  }
}

// More shapes than the recipe cache holds would be served with another shape's recipe.
TEST_P(Run, ServesMoreShapesThanItKeepsRecipesFor) {
  const CompiledGraph compiled = graph_of({{"x", vector_of(Format::float32)}}, {"y = x + 1"}).compile(device);
  const Vector storage = device.upload(Format::float32, ramp(50));
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t rows = 1; rows <= 40; ++rows) {
      const Results results = compiled.run({.inputs = {{"x", storage.rows({.first = rows / 4, .count = rows})}}});
      ASSERT_EQ(results["y"].read<float>(), ramp(rows, static_cast<float>(rows / 4) + 1)) << rows << " rows";
    }
  }
}

// K-02: a row of twelve bytes would be bound or read with sixteen.
TEST_P(Run, ServesASingleThreeLaneRow) {
  const CompiledGraph compiled = graph_of({{"x", vector_of(Format::float32x3)}}, {"y = x * 1.0"}).compile(device);
  const Vector x = device.upload(Format::float32x3, {2.0f, 2.0f, 2.0f});
  EXPECT_EQ(x.read<float>(), (std::vector<float>{2, 2, 2}));
  EXPECT_EQ(compiled.run({.inputs = {{"x", x}}}).take("y").read<float>(), (std::vector<float>{2, 2, 2}));
}

// K-35: a row that begins at an odd word would be read from its neighbour, on the host or in a kernel.
TEST_P(Run, ReadsPackedRowsAtOddWords) {
  const CompiledGraph compiled = graph_of({{"x", vector_of(Format::uint8x4)}}, {"y = x + vec4(1u)"}).compile(device);
  const Vector x = device.upload(Format::uint8x4, std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_EQ(x.rows({1, 1}).read<std::uint8_t>(), (std::vector<std::uint8_t>{4, 5, 6, 7}));
  const Results results = compiled.run({.inputs = {{"x", x.rows({1, 1})}}});
  EXPECT_EQ(results["y"].read<std::uint32_t>(), (std::vector<std::uint32_t>{5, 6, 7, 8}));
}

// `row` would count from the beginning of a chunk, a cut or a dispatch, and `rows` only a part.
TEST_P(Run, NumbersRowsOverTheWholeVector) {
  const Graph graph =
      graph_of({{"x", vector_of(Format::float32)}}, {"index = row + u32(x * 0.0)", "count = rows + u32(x * 0.0)"});
  const std::vector<float> head(3), none, tail(2000);
  const Vector x = device.upload_chunks(Format::float32, {head, none, tail});
  const Results results = graph.compile(device).run({.inputs = {{"x", x}}});
  std::vector<std::uint32_t> numbers(2003);
  for (std::uint32_t row = 0; row < numbers.size(); ++row) numbers[row] = row;
  EXPECT_EQ(results["index"].read<std::uint32_t>(), numbers);
  EXPECT_EQ(results["count"].read<std::uint32_t>(), std::vector<std::uint32_t>(2003, 2003));
}

}  // namespace
}  // namespace millrace
