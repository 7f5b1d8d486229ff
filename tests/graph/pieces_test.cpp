// Pieces: rows in which every operand lies in one chunk. Each answer is held against a walk over single rows.
#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/graph/pieces.hpp"

namespace millrace::graph {
namespace {

using Lengths = std::vector<std::uint64_t>;

std::vector<OperandChunk> places_of_rows(const Lengths& lengths) {
  std::vector<OperandChunk> places;
  for (std::uint32_t chunk = 0; chunk < lengths.size(); ++chunk) {
    for (std::uint64_t row = 0; row < lengths[chunk]; ++row) places.push_back({chunk, row});
  }
  return places;
}

// What is wrong with the pieces; empty where nothing is. Looks at one row after the other and knows no arithmetic but
// counting.
std::string fault_of(const std::vector<Piece>& pieces, const std::vector<Lengths>& operands) {
  std::vector<std::vector<OperandChunk>> places;
  for (const Lengths& lengths : operands) places.push_back(places_of_rows(lengths));
  std::uint64_t row = 0;
  for (const Piece& piece : pieces) {
    if (piece.row_count == 0) return "a piece without rows";
    if (piece.first_row != row) return "a piece that does not begin where the one before ends";
    if (piece.operands.size() != operands.size()) return "a piece that leaves an operand out";
    bool is_needed = row == 0;  // whether a chunk begins where the piece does
    for (std::uint64_t index = 0; index < piece.row_count; ++index, ++row) {
      for (std::size_t operand = 0; operand < operands.size(); ++operand) {
        if (row >= places[operand].size()) return "a piece past the last row";
        const OperandChunk& right = places[operand][row];
        const OperandChunk& given = piece.operands[operand];
        if (given.chunk != right.chunk) return "a row looked for in another chunk";
        if (given.first_row + index != right.first_row) return "a row looked for at another row of its chunk";
        if (index == 0 && right.first_row == 0) is_needed = true;
      }
    }
    if (!is_needed) return "a cut where no chunk ends";
  }
  if (!places.empty() && row != places[0].size()) return "rows without a piece";
  return "";
}

std::vector<Piece> pieces_of(const std::vector<Lengths>& operands) { return find_pieces(operands); }

// C-04: with operands chunked differently, rows would meet the wrong rows.
TEST(FindPieces, CutsWhereAnyOperandsChunkEnds) {
  const std::vector<Lengths> operands = {{3, 2}, {1, 4}};
  const std::vector<Piece> pieces = pieces_of(operands);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].row_count, 1u);
  EXPECT_EQ(pieces[1].row_count, 2u);
  EXPECT_EQ(pieces[2].row_count, 2u);
  EXPECT_EQ(pieces[1].operands[0].first_row, 1u);
  EXPECT_EQ(pieces[1].operands[1].chunk, 1u);
  EXPECT_EQ(pieces[2].operands[0].chunk, 1u);
  EXPECT_EQ(pieces[2].operands[1].first_row, 2u);
  EXPECT_EQ(fault_of(pieces, operands), "");
}

// C-09: an empty first or last chunk would be read out of range, or stop the walk.
TEST(FindPieces, SkipsChunksWithoutRows) {
  const std::vector<Lengths> operands = {{0, 1, 0, 0}, {1}, {0, 0, 1}};
  const std::vector<Piece> pieces = pieces_of(operands);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].operands[0].chunk, 1u);
  EXPECT_EQ(pieces[0].operands[1].chunk, 0u);
  EXPECT_EQ(pieces[0].operands[2].chunk, 2u);
}

// A run over no rows at all would dispatch something, or never end.
TEST(FindPieces, FindsNoneWhereThereAreNoRows) {
  EXPECT_TRUE(pieces_of({}).empty());
  EXPECT_TRUE(pieces_of({{}}).empty());
  EXPECT_TRUE(pieces_of({{0, 0}, {}}).empty());
}

// Rows beyond 32 bits of bytes or of counts would wrap.
TEST(FindPieces, CountsInSixtyFourBits) {
  const std::uint64_t half = std::uint64_t{1} << 31;
  const std::vector<Piece> pieces = pieces_of({{half, half - 1}, {4294967295}});
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[1].first_row, half);
  EXPECT_EQ(pieces[1].operands[1].first_row, half);
}

Lengths random_lengths(std::mt19937& random, std::uint64_t rows) {
  Lengths lengths;
  std::uniform_int_distribution<std::uint64_t> next(0, std::max<std::uint64_t>(1, rows / 2));
  while (rows != 0) {
    lengths.push_back(std::min(next(random), rows));
    rows -= lengths.back();
  }
  for (int empty = 0; empty < 2; ++empty) {
    if (random() % 3 == 0)
      lengths.insert(lengths.begin() + static_cast<std::ptrdiff_t>(random() % (lengths.size() + 1)), 0);
  }
  return lengths;
}

std::vector<Lengths> random_operands(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Lengths> operands;
  const std::size_t count = 1 + random() % 4;
  for (std::size_t operand = 0; operand < count; ++operand) operands.push_back(random_lengths(random, seed / 20));
  return operands;
}

// Some combination of chunkings that nobody thought of would compute rows twice, not at all, or from elsewhere. Rows grow
// with the seed, so the first failure is a small one.
TEST(FindPieces, CoversEveryRowOnceForAnyChunkings) {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const std::vector<Lengths> operands = random_operands(seed);
    ASSERT_EQ(fault_of(pieces_of(operands), operands), "") << "seed " << seed;
  }
}

// The property above would prove nothing if its judge let faults pass.
TEST(FindPieces, PropertyFindsMutants) {
  const std::vector<Lengths> operands = {{3, 2}, {1, 4}};
  const std::vector<Piece> right = pieces_of(operands);
  std::vector<Piece> dropped = right, swapped = right, shifted = right, split = right, doubled = right;
  dropped.pop_back();
  std::swap(swapped[1].operands[0], swapped[1].operands[1]);
  shifted[1].operands[0].first_row = 0;
  doubled.push_back(right.back());
  split[2].row_count = 1;
  split.push_back({.first_row = 4, .row_count = 1, .operands = {{1, 1}, {1, 3}}});
  EXPECT_EQ(fault_of(dropped, operands), "rows without a piece");
  EXPECT_EQ(fault_of(swapped, operands), "a row looked for in another chunk");
  EXPECT_EQ(fault_of(shifted, operands), "a row looked for at another row of its chunk");
  EXPECT_EQ(fault_of(doubled, operands), "a piece that does not begin where the one before ends");
  EXPECT_EQ(fault_of(split, operands), "a cut where no chunk ends");
}

}  // namespace
}  // namespace millrace::graph
