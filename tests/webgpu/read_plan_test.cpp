// Plans of reads: every row once, in order, in buffers that are not too large. A naive replay over host memory checks it.
#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "src/webgpu/read_plan.hpp"
#include "src/webgpu/staging.hpp"

namespace millrace {
namespace {

struct HostChunk {
  Chunk chunk;
  std::vector<std::byte> bytes;
};

// A row cut in two, doubled or dropped where staging buffers end would be wrong data in every long read.
TEST(ReadPlan, CoversEveryRowOnceForAnyBufferSize) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint64_t row_size = 4 * (1 + random() % 4);
    const std::uint64_t most_bytes = row_size + 4 * (random() % 40);
    std::vector<HostChunk> source;
    std::vector<Chunk> chunks;
    std::vector<std::byte> expected;
    for (unsigned count = random() % 5; count > 0; --count) {
      Chunk chunk{.buffer = nullptr,
                  .byte_offset = 4 * (random() % 3),
                  .byte_stride = row_size + 4 * (random() % 3),
                  .row_count = random() % 30};
      std::vector<std::byte> bytes(chunk.byte_offset + chunk.row_count * chunk.byte_stride + 4);
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
      for (std::uint64_t row = 0; row < chunk.row_count; ++row)
        for (std::uint64_t byte = 0; byte < row_size; ++byte)
          expected.push_back(bytes[chunk.byte_offset + row * chunk.byte_stride + byte]);
      chunks.push_back(chunk);
      source.push_back({chunk, std::move(bytes)});
    }
    std::vector<std::byte> read(expected.size());
    std::byte* to = read.data();
    for (const PlannedStaging& staging : plan_read(chunks, row_size, most_bytes)) {
      ASSERT_LE(staging.byte_size, most_bytes);
      ASSERT_GT(staging.byte_size, 0u);
      std::vector<std::byte> staged(staging.byte_size);
      std::vector<StagedRows> rows;
      for (const PlannedCopy& copy : staging.copies) {
        const HostChunk& from = source[copy.chunk];
        ASSERT_EQ(copy.staged.byte_offset % 4, 0u);
        std::memcpy(staged.data() + copy.staged.byte_offset,
                    from.bytes.data() + from.chunk.byte_offset + copy.first_row * from.chunk.byte_stride,
                    rows_span(copy.staged.row_count, from.chunk.byte_stride, row_size));
        rows.push_back(copy.staged);
      }
      to = gather_rows(staged, rows, row_size, to);
    }
    EXPECT_EQ(to, read.data() + read.size()) << "trial " << trial;
    EXPECT_EQ(read, expected) << "trial " << trial;
  }
}

// Nothing to read asks for nothing: no buffer of size 0 reaches the provider.
TEST(ReadPlan, IsEmptyWithoutRows) {
  EXPECT_TRUE(plan_read({}, 12, 256).empty());
  const std::vector<Chunk> empty(3);
  EXPECT_TRUE(plan_read(empty, 12, 256).empty());
}

// A stride of gigabytes neither overflows nor asks for a buffer of that size.
TEST(ReadPlan, PutsRowsFarApartIntoBuffersOfTheirOwn) {
  const std::vector<Chunk> chunks = {{nullptr, 0, std::uint64_t{1} << 40, 3}};
  const std::vector<PlannedStaging> plan = plan_read(chunks, 4, 1024);
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].byte_size, 12u);
  EXPECT_EQ(plan[0].copies.size(), 3u);
}

// Reads of about the same size share buffers; none is smaller than the rows that it takes.
TEST(Staging, SizesArePowersOfTwo) {
  EXPECT_EQ(webgpu::staging_size_class(4), 256u);
  EXPECT_EQ(webgpu::staging_size_class(256), 256u);
  EXPECT_EQ(webgpu::staging_size_class(260), 512u);
  EXPECT_EQ(webgpu::staging_size_class(webgpu::kStagingByteSize), webgpu::kStagingByteSize);
}

}  // namespace
}  // namespace millrace
