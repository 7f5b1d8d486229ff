// Validity bits.
#include "src/data/validity.hpp"

#include <gtest/gtest.h>

namespace millrace::data {
namespace {

// Rows beyond the last byte's end would be counted as values, and every summary of a column whose rows are no multiple of
// eight would be off.
TEST(Validity, CountsOnlyItsRows) {
  for (const std::size_t row_count : {0U, 1U, 7U, 8U, 9U, 1000U}) {
    EXPECT_EQ(Validity(row_count).missing_count(), 0U) << row_count;
    EXPECT_EQ(Validity(row_count).bytes().size(), (row_count + 7) / 8) << row_count;
  }
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
  for (std::size_t row = 0; row < 10; ++row) EXPECT_EQ(a.has_value(row), row >= 1 && row <= 7) << row;
  EXPECT_EQ(a.missing_count(), 3U);
  EXPECT_EQ(b.missing_count(), 2U);
}

}  // namespace
}  // namespace millrace::data
