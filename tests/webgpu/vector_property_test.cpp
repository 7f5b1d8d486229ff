// Rows that go to the device come back as they were: every format, chunking, stride and range. The model is bytes in
// host memory; what is expected is cut out of it by hand, row by row.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/device.hpp>
#include <millrace/error.hpp>

#include "src/format/format_table.hpp"
#include "src/webgpu/row_storage.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace {
namespace {

constexpr std::uint32_t kFormatCount = 28;
constexpr unsigned kSeed = 20261130;

struct Words2 {
  std::uint32_t words[2];
};
struct Words3 {
  std::uint32_t words[3];
};
struct Words4 {
  std::uint32_t words[4];
};
struct Word {
  std::uint32_t word;
};

using Bytes = std::vector<std::byte>;

Bytes random_bytes(std::uint64_t count, std::mt19937& random) {
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

template <class RowType>
std::span<const RowType> rows_in(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const RowType*>(bytes.data()), bytes.size() / sizeof(RowType)};
}

// Calls action with the bytes as structs of the format's row size.
template <class Action>
auto with_rows(Format format, std::span<const std::byte> bytes, Action action) {
  switch (bytes_per_row(format)) {
    case 4:
      return action(rows_in<Word>(bytes));
    case 8:
      return action(rows_in<Words2>(bytes));
    case 12:
      return action(rows_in<Words3>(bytes));
    default:
      return action(rows_in<Words4>(bytes));
  }
}

Bytes read_bytes(const VectorView& view) {
  Bytes bytes(view.row_count() * bytes_per_row(view.format()));
  switch (bytes_per_row(view.format())) {
    case 4:
      view.read_into(std::span(reinterpret_cast<Word*>(bytes.data()), view.row_count()));
      break;
    case 8:
      view.read_into(std::span(reinterpret_cast<Words2*>(bytes.data()), view.row_count()));
      break;
    case 12:
      view.read_into(std::span(reinterpret_cast<Words3*>(bytes.data()), view.row_count()));
      break;
    default:
      view.read_into(std::span(reinterpret_cast<Words4*>(bytes.data()), view.row_count()));
      break;
  }
  return bytes;
}

Vector upload_bytes(Format format, std::span<const std::byte> bytes, std::span<const std::uint64_t> chunk_lengths) {
  std::vector<HostRows> chunks;
  std::size_t begin = 0;
  for (const std::uint64_t length : chunk_lengths) {
    const std::size_t size = length * bytes_per_row(format);
    with_rows(format, bytes.subspan(begin, size), [&](auto rows) { chunks.emplace_back(rows); });
    begin += size;
  }
  return shared_device().upload_chunks(format, chunks);
}

const std::vector<std::vector<std::uint64_t>> kChunkings = {
    {}, {0}, {1}, {5}, {0, 3, 1, 7}, {0, 0}, {2, 0, 0, 9, 0}, {1, 1, 1, 1}, {0, 3, 1, 700},
};

// A row lost, moved or cut at a chunk's end, for any format, would be wrong data without an error.
TEST(VectorProperty, RowsComeBackForEveryFormatChunkingAndRange) {
  std::mt19937 random(kSeed);
  for (std::uint32_t number = 0; number < kFormatCount; ++number) {
    const auto format = static_cast<Format>(number);
    const std::size_t row_size = bytes_per_row(format);
    for (const std::vector<std::uint64_t>& chunking : kChunkings) {
      std::uint64_t row_count = 0;
      for (const std::uint64_t length : chunking) row_count += length;
      SCOPED_TRACE(std::string(format_name(format)) + ", " + std::to_string(chunking.size()) + " chunks, " +
                   std::to_string(row_count) + " rows");
      const Bytes bytes = random_bytes(row_count * row_size, random);
      const Vector vector = upload_bytes(format, bytes, chunking);
      EXPECT_EQ(vector.row_count(), row_count);
      EXPECT_EQ(vector.chunk_lengths(), chunking);
      EXPECT_EQ(read_bytes(vector), bytes);
      for (int trial = 0; trial < 3; ++trial) {
        const std::uint64_t first = random() % (row_count + 1);
        const std::uint64_t count = random() % (row_count - first + 1);
        SCOPED_TRACE("rows " + std::to_string(first) + " + " + std::to_string(count));
        const Bytes expected(bytes.begin() + static_cast<std::ptrdiff_t>(first * row_size),
                             bytes.begin() + static_cast<std::ptrdiff_t>((first + count) * row_size));
        EXPECT_EQ(read_bytes(vector.rows({.first = first, .count = count})), expected);
      }
    }
  }
}

// The issue's own shape, large enough that rows of 12 bytes meet every alignment: chunks of 0, 3, 1 and 70,000 rows.
TEST(VectorProperty, LongChunksOfEveryRowSize) {
  std::mt19937 random(kSeed + 1);
  const std::vector<std::uint64_t> chunking = {0, 3, 1, 70000};
  for (const Format format : {Format::unorm8x4, Format::float16x4, Format::float32x3, Format::sint32x4}) {
    const std::size_t row_size = bytes_per_row(format);
    const Bytes bytes = random_bytes(70004 * row_size, random);
    const Vector vector = upload_bytes(format, bytes, chunking);
    EXPECT_EQ(vector.chunk_lengths(), chunking);
    EXPECT_EQ(read_bytes(vector), bytes) << format_name(format);
    const Bytes middle(bytes.begin() + static_cast<std::ptrdiff_t>(2 * row_size),
                       bytes.begin() + static_cast<std::ptrdiff_t>(65537 * row_size));
    EXPECT_EQ(read_bytes(vector.rows({.first = 2, .count = 65535})), middle) << format_name(format);
  }
}

// A buffer of records, and views of a column of it: rows of `format` at an offset, a stride apart.
struct Records {
  Bytes bytes;
  std::shared_ptr<webgpu::Buffer> buffer;

  Records(std::uint64_t byte_size, std::mt19937& random) : bytes(random_bytes(byte_size, random)) {
    webgpu::DeviceCore& core = *webgpu::DeviceAccess::core(shared_device());
    buffer = core.create_buffer("records", byte_size, webgpu::kVectorUsage);
    core.write_buffer(*buffer, 0, bytes);
  }
  MutableVectorView column(Format format, std::uint64_t offset, std::uint64_t stride, std::uint64_t rows) const {
    return VectorAccess::borrow(buffer->core(), format, {{buffer, offset, stride, rows}});
  }
  Bytes whole() const { return read_bytes(column(Format::uint32, 0, 4, bytes.size() / 4)); }
};

Bytes gathered(const Bytes& bytes, std::uint64_t offset, std::uint64_t stride, std::uint64_t first, std::uint64_t count,
               std::size_t row_size) {
  Bytes rows;
  for (std::uint64_t row = first; row < first + count; ++row)
    for (std::size_t byte = 0; byte < row_size; ++byte) rows.push_back(bytes[offset + row * stride + byte]);
  return rows;
}

// A view into interleaved records reads its column and no neighbour, whatever rows are asked for.
TEST(VectorProperty, StridedViewsReadTheirRows) {
  std::mt19937 random(kSeed + 2);
  constexpr std::uint64_t kRows = 301;
  const Records records(8 + kRows * 40, random);
  for (std::uint32_t number = 0; number < kFormatCount; ++number) {
    const auto format = static_cast<Format>(number);
    const std::size_t row_size = bytes_per_row(format);
    for (const std::uint64_t stride : {row_size + 0, row_size + 4, std::size_t{20}, std::size_t{40}}) {
      for (const std::uint64_t offset : {0u, 4u, 8u}) {
        SCOPED_TRACE(std::string(format_name(format)) + " at " + std::to_string(offset) + ", stride " +
                     std::to_string(stride));
        const std::uint64_t rows = stride == 40 ? kRows - 1 : kRows;
        const VectorView column = records.column(format, offset, stride, rows);
        const std::uint64_t first = random() % rows;
        const std::uint64_t count = random() % (rows - first + 1);
        EXPECT_EQ(read_bytes(column.rows({.first = first, .count = count})),
                  gathered(records.bytes, offset, stride, first, count, row_size));
      }
    }
  }
}

// Writing a column leaves the bytes between its rows as they were.
TEST(VectorProperty, StridedWritesTouchTheirRowsOnly) {
  std::mt19937 random(kSeed + 3);
  for (const Format format : {Format::unorm8x4, Format::float16x4, Format::float32x3, Format::uint32x4}) {
    const std::size_t row_size = bytes_per_row(format);
    for (const std::uint64_t offset : {0u, 4u}) {
      SCOPED_TRACE(std::string(format_name(format)) + " at " + std::to_string(offset));
      constexpr std::uint64_t kRows = 50;
      const Records records(kRows * 20, random);
      const MutableVectorView column = records.column(format, offset, 20, kRows);
      const std::uint64_t first = random() % kRows;
      const std::uint64_t count = random() % (kRows - first) + 1;
      const Bytes written = random_bytes(count * row_size, random);
      with_rows(format, written, [&](auto rows) { column.rows({.first = first, .count = count}).write(rows); });
      Bytes expected = records.bytes;
      for (std::uint64_t row = 0; row < count; ++row)
        std::copy_n(written.begin() + static_cast<std::ptrdiff_t>(row * row_size), row_size,
                    expected.begin() + static_cast<std::ptrdiff_t>(offset + (first + row) * 20));
      EXPECT_EQ(records.whole(), expected);
    }
  }
}

// A write of more rows than one submission takes is whole, too.
TEST(VectorProperty, LongStridedWrites) {
  std::mt19937 random(kSeed + 4);
  constexpr std::uint64_t kRows = 70000;
  const Records records(kRows * 8, random);
  const Bytes written = random_bytes(kRows * 4, random);
  records.column(Format::uint32, 4, 8, kRows).write(rows_in<Word>(written));
  Bytes expected = records.bytes;
  for (std::uint64_t row = 0; row < kRows; ++row)
    std::copy_n(written.begin() + static_cast<std::ptrdiff_t>(row * 4), 4,
                expected.begin() + static_cast<std::ptrdiff_t>(row * 8 + 4));
  EXPECT_EQ(records.whole(), expected);
}

// Joined views of parts of several vectors, cut again at random: rows as the parts lie, writes into the right ones.
TEST(VectorProperty, JoinedViewsReadAndWriteTheirParts) {
  std::mt19937 random(kSeed + 5);
  const Format format = Format::float32x3;
  const std::size_t row_size = 12;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vector> vectors;
    std::vector<MutableVectorView> parts;
    Bytes model;
    for (const std::vector<std::uint64_t>& chunking : kChunkings) {
      std::uint64_t rows = 0;
      for (const std::uint64_t length : chunking) rows += length;
      const Bytes bytes = random_bytes(rows * row_size, random);
      vectors.push_back(upload_bytes(format, bytes, chunking));
      const std::uint64_t first = random() % (rows + 1);
      const std::uint64_t count = random() % (rows - first + 1);
      parts.push_back(vectors.back().rows({.first = first, .count = count}));
      model.insert(model.end(), bytes.begin() + static_cast<std::ptrdiff_t>(first * row_size),
                   bytes.begin() + static_cast<std::ptrdiff_t>((first + count) * row_size));
    }
    const MutableVectorView joined = MutableVectorView::join(parts);
    ASSERT_EQ(joined.row_count(), model.size() / row_size);
    EXPECT_EQ(read_bytes(joined), model) << "trial " << trial;
    const std::uint64_t first = random() % (joined.row_count() + 1);
    const std::uint64_t count = random() % (joined.row_count() - first + 1);
    const Bytes written = random_bytes(count * row_size, random);
    joined.rows({.first = first, .count = count}).write(rows_in<Words3>(written));
    std::copy(written.begin(), written.end(), model.begin() + static_cast<std::ptrdiff_t>(first * row_size));
    EXPECT_EQ(read_bytes(joined), model) << "trial " << trial;
  }
}

}  // namespace
}  // namespace millrace
