// One walk over the chunks of all operands; cuts are found by arithmetic, never by trying every row.
#include "src/graph/pieces.hpp"

#include <algorithm>

#include "src/base/arithmetic.hpp"

namespace millrace::graph {
namespace {

// From the end of a chunk to the beginning of the next one that has rows, or past the last chunk.
void skip_finished(const std::vector<std::uint64_t>& lengths, OperandChunk& at) {
  while (at.chunk < lengths.size() && at.first_row == lengths[at.chunk]) at = {at.chunk + 1, 0};
}

// The first row after the last that fits one operand's binding, when it begins at `first`. At least `first`.
std::uint64_t end_of_fit(const RowBytes& rows, std::uint64_t first, const BindingLimits& limits) {
  const std::uint64_t begin = rows.byte_offset + first * rows.byte_stride;
  const std::uint64_t lead = begin - align_down(begin, limits.alignment);
  if (lead + rows.row_byte_size > limits.byte_size) return first;
  return first + (limits.byte_size - lead - rows.row_byte_size) / rows.byte_stride + 1;
}

// The same for all operands.
std::uint64_t end_of_all(std::span<const RowBytes> operands, std::uint64_t first, const BindingLimits& limits) {
  std::uint64_t end = ~std::uint64_t{0};
  for (const RowBytes& rows : operands) end = std::min(end, end_of_fit(rows, first, limits));
  return end;
}

bool is_aligned(std::span<const RowBytes> operands, std::uint64_t row, std::uint64_t alignment) {
  return std::all_of(operands.begin(), operands.end(), [&](const RowBytes& rows) {
    return (rows.byte_offset + row * rows.byte_stride) % alignment == 0;
  });
}

// The last row of (first, end] that is aligned for all operands, else `end`.
std::uint64_t aligned_cut(std::span<const RowBytes> operands, std::uint64_t first, std::uint64_t end,
                          std::uint64_t alignment) {
  // Strides are whole words, so aligned rows, where there are any, recur within alignment / 4 rows.
  const std::uint64_t period = alignment / 4;
  const std::uint64_t lowest = end - first > period ? end - period : first;
  for (std::uint64_t row = end; row > lowest; --row) {
    if (is_aligned(operands, row, alignment)) return row;
  }
  return end;
}

}  // namespace

std::vector<Piece> find_pieces(std::span<const std::vector<std::uint64_t>> chunk_lengths) {
  std::vector<Piece> pieces;
  std::vector<OperandChunk> at(chunk_lengths.size(), OperandChunk{0, 0});
  for (std::uint64_t row = 0;;) {
    std::uint64_t length = ~std::uint64_t{0};
    for (std::size_t operand = 0; operand < at.size(); ++operand) {
      skip_finished(chunk_lengths[operand], at[operand]);
      if (at[operand].chunk == chunk_lengths[operand].size()) return pieces;
      length = std::min(length, chunk_lengths[operand][at[operand].chunk] - at[operand].first_row);
    }
    if (at.empty()) return pieces;
    pieces.push_back({.first_row = row, .row_count = length, .operands = at});
    for (OperandChunk& operand : at) operand.first_row += length;
    row += length;
  }
}

std::uint64_t binding_start(const RowBytes& rows, std::uint64_t row, std::uint64_t alignment) {
  return align_down(rows.byte_offset + row * rows.byte_stride, alignment);
}

std::optional<std::vector<Segment>> cut_segments(std::uint64_t row_count, std::span<const RowBytes> operands,
                                                 const BindingLimits& limits) {
  if (end_of_all(operands, 0, limits) >= row_count && row_count != 0) return std::vector<Segment>{{0, row_count}};
  std::vector<Segment> segments;
  for (std::uint64_t first = 0; first < row_count;) {
    const std::uint64_t end = end_of_all(operands, first, limits);
    if (end == first) return std::nullopt;
    const std::uint64_t cut = std::min(aligned_cut(operands, first, end, limits.alignment), row_count);
    segments.push_back({.first_row = first, .row_count = cut - first});
    first = cut;
  }
  return segments;
}

}  // namespace millrace::graph
