#include "src/graph/pieces.hpp"

#include <algorithm>

#include "src/base/arithmetic.hpp"

namespace millrace::graph {
namespace {

// The first row at or after `row` that is not in an empty chunk's place: skips chunks that are used up.
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

bool is_aligned(std::span<const RowBytes> operands, std::uint64_t row, std::uint64_t alignment) {
  return std::all_of(operands.begin(), operands.end(), [&](const RowBytes& rows) {
    return (rows.byte_offset + row * rows.byte_stride) % alignment == 0;
  });
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
  std::vector<Segment> segments;
  for (std::uint64_t first = 0; first < row_count;) {
    std::uint64_t end = row_count;
    for (const RowBytes& rows : operands) end = std::min(end, end_of_fit(rows, first, limits));
    if (end == first) return std::nullopt;
    if (end < row_count) {
      // Strides are whole words, so what aligned rows there are recur within alignment / 4 rows.
      const std::uint64_t period = limits.alignment / 4;
      const std::uint64_t lowest = end > first + period ? end - period : first + 1;
      std::uint64_t aligned = end;
      while (aligned > lowest && !is_aligned(operands, aligned, limits.alignment)) --aligned;
      if (is_aligned(operands, aligned, limits.alignment)) end = aligned;
    }
    segments.push_back({.first_row = first, .row_count = end - first});
    first = end;
  }
  return segments;
}

}  // namespace millrace::graph
