// How the rows of a view are laid out in staging buffers on their way into host memory: a pure function over chunks.
//
// A run of rows is copied as it lies, with the bytes between strided rows; the host picks the rows out of it. One copy
// command for each row was rejected: a thousand rows would be a thousand commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/webgpu/row_storage.hpp"

namespace millrace {

// Rows in a staging buffer: row i lies at byte_offset + i * byte_stride.
struct StagedRows {
  std::uint64_t byte_offset = 0;
  std::uint64_t byte_stride = 0;
  std::uint64_t row_count = 0;
};

// Rows [first_row, first_row + staged.row_count) of a chunk, and where they go.
struct PlannedCopy {
  std::size_t chunk = 0;
  std::uint64_t first_row = 0;
  StagedRows staged;
};

// What fills one staging buffer: copies in the order of the rows.
struct PlannedStaging {
  std::uint64_t byte_size = 0;
  std::vector<PlannedCopy> copies;
};

// The bytes from the first byte of the first row to the last byte of the last. row_count: not 0.
[[nodiscard]] constexpr std::uint64_t rows_span(std::uint64_t row_count, std::uint64_t byte_stride,
                                                std::uint64_t row_byte_size) {
  return (row_count - 1) * byte_stride + row_byte_size;
}

// All rows of the chunks, in order, in staging buffers of at most most_bytes each. most_bytes: at least row_byte_size.
[[nodiscard]] std::vector<PlannedStaging> plan_read(std::span<const Chunk> chunks, std::uint64_t row_byte_size,
                                                    std::uint64_t most_bytes);

// Picks the rows out of what a staging buffer holds, packed one after the other. Returns the end of what it wrote.
std::byte* gather_rows(std::span<const std::byte> bytes, std::span<const StagedRows> staged,
                       std::uint64_t row_byte_size, std::byte* to);

}  // namespace millrace
