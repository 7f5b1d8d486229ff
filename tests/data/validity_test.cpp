// Validity bits.
#include "src/data/validity.hpp"

#include <arrow/api.h>
#include <gtest/gtest.h>

#include "tests/data/arrow_rows.hpp"

namespace millrace::data {
namespace {

std::vector<std::size_t> missing_rows(const Validity& validity) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < validity.row_count(); ++row) {
    if (!validity.has_value(row)) rows.push_back(row);
  }
  return rows;
}

using Rows = std::vector<std::size_t>;

// Rows beyond the last byte's end would be counted as values, and every summary of a column whose rows are no multiple of
// eight would be off.
TEST(Validity, CountsOnlyItsRows) {
  for (const std::size_t row_count : {1U, 7U, 8U, 9U, 1000U}) {
    Validity validity(row_count);
    EXPECT_EQ(validity.missing_count(), 0U) << row_count;
    validity.set_missing(row_count - 1);
    EXPECT_EQ(validity.missing_count(), 1U) << row_count;
    EXPECT_EQ(missing_rows(validity), (Rows{row_count - 1}));
  }
  EXPECT_EQ(Validity().missing_count(), 0U);
}

// A result would have a value although one of its operands has none.
TEST(Validity, IntersectsToRowsThatBothHave) {
  Validity a(10);
  Validity b(10);
  a.set_missing(0);
  a.set_missing(9);
  b.set_missing(8);
  b.set_missing(9);
  a.intersect(b);
  EXPECT_EQ(missing_rows(a), (Rows{0, 8, 9}));
  EXPECT_EQ(missing_rows(b), (Rows{8, 9}));
  Validity complete(10);
  complete.intersect(a);
  EXPECT_EQ(missing_rows(complete), (Rows{0, 8, 9}));
  complete.intersect(Validity(10));
  EXPECT_EQ(complete.missing_count(), 3U);
}

// Rows that a condition leaves out would shift the missing ones onto their neighbours.
TEST(Validity, MovesWithTheRowsKept) {
  Validity validity(10);
  validity.set_missing(3);
  validity.set_missing(8);
  Validity kept(10);
  for (const std::size_t row : {0U, 4U, 8U}) kept.set_missing(row);
  validity.keep(kept);
  EXPECT_EQ(validity.row_count(), 7U);
  EXPECT_EQ(missing_rows(validity), (Rows{2}));
}

// Missing values of a slice would be those of the rows before it; a point without all its coordinates would pass for one.
TEST(Validity, IsThatOfAnArrayAndItsLanes) {
  const auto numbers = rows_of(arrow::int32(), "[null, 1, null, 3, null, 5, 6, 7, 8, 9, null]");
  EXPECT_EQ(missing_rows(Validity(*numbers)), (Rows{0, 2, 4, 10}));
  EXPECT_EQ(missing_rows(Validity(*numbers->Slice(3, 8))), (Rows{1, 7}));
  EXPECT_TRUE(Validity(*numbers->Slice(5, 5)).missing_count() == 0);
  const auto points = rows_of(arrow::fixed_size_list(arrow::float32(), 2), "[[1, 2], null, [3, null], [5, 6]]");
  EXPECT_EQ(missing_rows(Validity(*points)), (Rows{1, 2}));
  EXPECT_EQ(missing_rows(Validity(*points->Slice(2))), (Rows{0}));
  EXPECT_EQ(missing_rows(Validity(*rows_of(arrow::null(), "[null, null]"))), (Rows{0, 1}));
}

// A result would reach a file with other rows missing than were computed so.
TEST(Validity, GivesTheBitsOfAnArray) {
  EXPECT_EQ(Validity(9).arrow_bits(), nullptr);
  Validity validity(9);
  validity.set_missing(8);
  const std::shared_ptr<arrow::Buffer> bits = validity.arrow_bits();
  ASSERT_NE(bits, nullptr);
  EXPECT_EQ(bits->data()[0], 0xff);
  EXPECT_EQ(bits->data()[1] & 1, 0);
}

}  // namespace
}  // namespace millrace::data
