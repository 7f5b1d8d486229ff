// Pieces and segments: how an element-wise operation covers chunked rows, as pure functions over numbers.
//
//   a      |-----------|----|          a piece: rows in which every operand lies in one chunk
//   b      |---|------------|
//   pieces |---|-------|----|          a segment: a part of a piece that fits the binding limit
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace millrace::graph {

struct OperandChunk {
  std::uint32_t chunk;
  std::uint64_t first_row;  // inside of the chunk
};

struct Piece {
  std::uint64_t first_row;  // over the whole vector
  std::uint64_t row_count;  // never 0
  std::vector<OperandChunk> operands;
};

// chunk_lengths: for each operand, with equal sums. Rows without operands are no piece.
[[nodiscard]] std::vector<Piece> find_pieces(std::span<const std::vector<std::uint64_t>> chunk_lengths);

// Where an operand's rows lie inside of its buffer, from the piece's first row on.
struct RowBytes {
  std::uint64_t byte_offset;
  std::uint64_t byte_stride;
  std::uint64_t row_byte_size;  // packed
};

struct BindingLimits {
  std::uint64_t byte_size;
  std::uint64_t alignment;  // of the first byte; a power of two
};

struct Segment {
  std::uint64_t first_row;  // from the piece's first row on
  std::uint64_t row_count;
};

// The byte at or below the row's first at which a binding can begin.
[[nodiscard]] std::uint64_t binding_start(const RowBytes& rows, std::uint64_t row, std::uint64_t alignment);

// One segment where all operands fit their bindings whole. Else each segment but the last ends at the last row that is
// aligned for every operand and fits, where there is one, else at the last row that fits; so rows of one layout are cut in
// equal steps. None where not even one row fits.
[[nodiscard]] std::optional<std::vector<Segment>> cut_segments(std::uint64_t row_count,
                                                               std::span<const RowBytes> operands,
                                                               const BindingLimits& limits);

}  // namespace millrace::graph
