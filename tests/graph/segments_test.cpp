// Segments: parts of a piece that fit a storage binding. Each answer is held against a search over single rows.
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/graph/pieces.hpp"

namespace millrace::graph {
namespace {

std::uint64_t byte_of(const RowBytes& rows, std::uint64_t row) { return rows.byte_offset + row * rows.byte_stride; }

// Whether rows [first, last] lie in a binding that begins on the alignment and is no longer than the limit.
bool fits(const RowBytes& rows, std::uint64_t first, std::uint64_t last, const BindingLimits& limits) {
  std::uint64_t start = byte_of(rows, first);
  while (start % limits.alignment != 0) --start;
  return byte_of(rows, last) + rows.row_byte_size - start <= limits.byte_size;
}

bool all_fit(const std::vector<RowBytes>& operands, std::uint64_t first, std::uint64_t last,
             const BindingLimits& limits) {
  for (const RowBytes& rows : operands) {
    if (!fits(rows, first, last, limits)) return false;
  }
  return true;
}

bool all_aligned(const std::vector<RowBytes>& operands, std::uint64_t row, std::uint64_t alignment) {
  for (const RowBytes& rows : operands) {
    if (byte_of(rows, row) % alignment != 0) return false;
  }
  return true;
}

// The rule, one row after the other: whole where it fits, else as far as everything fits, back to the last row aligned for
// all where there is one.
std::optional<std::vector<Segment>> naive_segments(std::uint64_t row_count, const std::vector<RowBytes>& operands,
                                                   const BindingLimits& limits) {
  if (row_count != 0 && all_fit(operands, 0, row_count - 1, limits)) return std::vector<Segment>{{0, row_count}};
  std::vector<Segment> segments;
  for (std::uint64_t first = 0; first < row_count;) {
    std::uint64_t end = first;
    while (all_fit(operands, first, end, limits)) ++end;
    if (end == first) return std::nullopt;
    std::uint64_t cut = end;
    for (std::uint64_t row = first + 1; row <= end; ++row) {
      if (all_aligned(operands, row, limits.alignment)) cut = row;
    }
    if (!all_aligned(operands, cut, limits.alignment)) cut = end;
    if (cut > row_count) cut = row_count;
    segments.push_back({first, cut - first});
    first = cut;
  }
  return segments;
}

std::vector<std::uint64_t> first_rows(const std::optional<std::vector<Segment>>& segments) {
  std::vector<std::uint64_t> rows;
  for (const Segment& segment : segments.value()) rows.push_back(segment.first_row);
  return rows;
}

constexpr RowBytes kFloat32x3{.byte_offset = 0, .byte_stride = 12, .row_byte_size = 12};

// C-10: a limit that is no multiple of the alignment would cut at rows where no binding can begin.
TEST(CutSegments, CutsAtAlignedRowsBelowALimitThatIsNotAligned) {
  const std::vector<RowBytes> operands = {kFloat32x3, kFloat32x3};
  const auto segments = cut_segments(200, operands, {.byte_size = 1000, .alignment = 256});
  EXPECT_EQ(first_rows(segments), (std::vector<std::uint64_t>{0, 64, 128, 192}));
  std::vector<std::uint64_t> starts;
  for (const Segment& segment : *segments) starts.push_back(binding_start(kFloat32x3, segment.first_row, 256));
  EXPECT_EQ(starts, (std::vector<std::uint64_t>{0, 768, 1536, 2304}));
}

// C-11: a 12-byte row across the cut would lose its last bytes. Row 42 spans byte 512; no aligned row lies below.
TEST(CutSegments, CutsAtTheLastRowThatFitsWhereNoneIsAligned) {
  const std::vector<RowBytes> operands = {kFloat32x3};
  const auto segments = cut_segments(50, operands, {.byte_size = 512, .alignment = 256});
  EXPECT_EQ(first_rows(segments), (std::vector<std::uint64_t>{0, 42}));
  EXPECT_EQ(binding_start(kFloat32x3, 42, 256), 256u);
}

// C-11: a vector a little over WebGPU's default binding limit would be cut inside a row.
TEST(CutSegments, CutsAVectorOverTheDefaultLimitAtAnAlignedRow) {
  const std::vector<RowBytes> operands = {kFloat32x3, {.byte_offset = 0, .byte_stride = 4, .row_byte_size = 4}};
  const auto segments = cut_segments(11'184'811, operands, {.byte_size = 134'217'728, .alignment = 256});
  EXPECT_EQ(first_rows(segments), (std::vector<std::uint64_t>{0, 11'184'768}));
  EXPECT_EQ(binding_start(kFloat32x3, 11'184'768, 256), 134'217'216u);
}

// What fits one binding would be cut for nothing.
TEST(CutSegments, LeavesWhatFitsWhole) {
  const std::vector<RowBytes> operands = {kFloat32x3};
  const auto segments = cut_segments(50, operands, {.byte_size = 600, .alignment = 256});
  EXPECT_EQ(first_rows(segments), (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(segments->front().row_count, 50u);
  EXPECT_EQ(first_rows(cut_segments(0, operands, {.byte_size = 600, .alignment = 256})), std::vector<std::uint64_t>());
}

// Interleaved records that begin inside a record would be cut by their packed size.
TEST(CutSegments, ReachesOverTheBytesBetweenRecords) {
  const std::vector<RowBytes> operands = {{.byte_offset = 8, .byte_stride = 20, .row_byte_size = 12}};
  // 64 bytes from byte 0: rows at 8 and 28 end by 40, the one at 48 by 60; the one at 68 does not fit.
  const auto segments = cut_segments(4, operands, {.byte_size = 64, .alignment = 32});
  EXPECT_EQ(first_rows(segments), (std::vector<std::uint64_t>{0, 3}));
}

// A row that no binding holds would be cut forever, or bound in part.
TEST(CutSegments, GivesNoneWhereARowDoesNotFit) {
  const std::vector<RowBytes> operands = {{.byte_offset = 252, .byte_stride = 16, .row_byte_size = 16}};
  EXPECT_FALSE(cut_segments(1, operands, {.byte_size = 256, .alignment = 256}).has_value());
  EXPECT_TRUE(cut_segments(1, operands, {.byte_size = 268, .alignment = 256}).has_value());
}

// Some layout that nobody thought of would be cut elsewhere than the rule says, or bind past the limit. Rows grow with the
// seed, so the first failure is a small one.
TEST(CutSegments, FollowsTheRuleForAnyLayout) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    std::vector<RowBytes> operands;
    const std::size_t count = 1 + random() % 4;
    for (std::size_t operand = 0; operand < count; ++operand) {
      const std::uint64_t packed = 4 * (1 + random() % 4);
      operands.push_back({.byte_offset = 4 * (random() % 64),
                          .byte_stride = packed + 4 * (random() % 2 == 0 ? 0 : random() % 6),
                          .row_byte_size = packed});
    }
    const BindingLimits limits{.byte_size = 4 * (4 + random() % 300), .alignment = std::uint64_t{4} << random() % 7};
    const std::uint64_t row_count = seed / 10;
    const auto expected = naive_segments(row_count, operands, limits);
    const auto segments = cut_segments(row_count, operands, limits);
    ASSERT_EQ(segments.has_value(), expected.has_value()) << "seed " << seed;
    if (!segments) continue;
    ASSERT_EQ(segments->size(), expected->size()) << "seed " << seed;
    for (std::size_t index = 0; index < segments->size(); ++index) {
      ASSERT_EQ((*segments)[index].first_row, (*expected)[index].first_row) << "seed " << seed;
      ASSERT_EQ((*segments)[index].row_count, (*expected)[index].row_count) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace millrace::graph
