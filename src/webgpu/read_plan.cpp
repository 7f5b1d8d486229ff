// Cutting chunks to the size of staging buffers, and putting the rows together again.
#include "src/webgpu/read_plan.hpp"

#include <algorithm>
#include <cstring>

namespace millrace {
namespace {

// The most rows whose span fits the bytes.
std::uint64_t rows_in(std::uint64_t byte_size, std::uint64_t byte_stride, std::uint64_t row_byte_size) {
  if (byte_size < row_byte_size) return 0;
  return (byte_size - row_byte_size) / byte_stride + 1;
}

}  // namespace

std::vector<PlannedStaging> plan_read(std::span<const Chunk> chunks, std::uint64_t row_byte_size,
                                      std::uint64_t most_bytes) {
  std::vector<PlannedStaging> plan;
  for (std::size_t index = 0; index < chunks.size(); ++index) {
    const Chunk& chunk = chunks[index];
    std::uint64_t first = 0;
    while (first < chunk.row_count) {
      const std::uint64_t used = plan.empty() ? most_bytes : plan.back().byte_size;
      const std::uint64_t fitting = rows_in(most_bytes - used, chunk.byte_stride, row_byte_size);
      if (fitting == 0) {
        plan.emplace_back();
        continue;
      }
      const std::uint64_t count = std::min(fitting, chunk.row_count - first);
      PlannedStaging& staging = plan.back();
      staging.copies.push_back({index, first, {staging.byte_size, chunk.byte_stride, count}});
      staging.byte_size += rows_span(count, chunk.byte_stride, row_byte_size);
      first += count;
    }
  }
  return plan;
}

std::byte* gather_rows(std::span<const std::byte> bytes, std::span<const StagedRows> staged,
                       std::uint64_t row_byte_size, std::byte* to) {
  for (const StagedRows& rows : staged) {
    const std::byte* from = bytes.data() + rows.byte_offset;
    if (rows.byte_stride == row_byte_size) {
      std::memcpy(to, from, rows.row_count * row_byte_size);
      to += rows.row_count * row_byte_size;
      continue;
    }
    for (std::uint64_t row = 0; row < rows.row_count; ++row) {
      std::memcpy(to, from + row * rows.byte_stride, row_byte_size);
      to += row_byte_size;
    }
  }
  return to;
}

}  // namespace millrace
