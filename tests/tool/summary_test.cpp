// The parts behind what eval prints.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tools/millrace/column_summary.hpp"
#include "tools/millrace/nearest_name.hpp"
#include "tools/millrace/text_table.hpp"

namespace millrace::tool {
namespace {

data::Column column_of(data::ElementType type, data::Values values, const std::vector<std::size_t>& missing = {}) {
  data::Validity validity(std::visit([](const auto& rows) { return rows.size(); }, values));
  for (const std::size_t row : missing) validity.set_missing(row);
  return {.name = "c", .type = type, .values = std::move(values), .validity = std::move(validity)};
}

// A summary would count what is missing, or forget batches: (1 + 3 + 5) / 3 = 3.
TEST(ColumnSummary, AddsBatches) {
  ColumnSummary summary(column_of(data::ElementType::sint32, std::vector<std::int32_t>{1, -100, 3}, {1}));
  summary.add(column_of(data::ElementType::sint32, std::vector<std::int32_t>{100, 5}, {0}));
  EXPECT_EQ(format_summaries({summary}),
            "column  count  missing  min  mean  max\n"
            "c           3        2    1     3    5\n");
}

// One NaN would hide the smallest and largest number; or a mean be given that leaves NaN out, unlike the library's.
TEST(ColumnSummary, PassesOverNanInMinAndMaxOnly) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const ColumnSummary some(column_of(data::ElementType::float32, std::vector<float>{nan, 2, -1.5f}));
  const ColumnSummary all(column_of(data::ElementType::float32, std::vector<float>{-nan}));
  EXPECT_EQ(format_summaries({some, all}),
            "column  count  missing   min  mean  max\n"
            "c           3        0  -1.5   nan    2\n"
            "c           1        0   nan   nan  nan\n");
}

// Integers would be printed with seven digits, or rounded.
TEST(ColumnSummary, PrintsIntegersWhole) {
  const ColumnSummary summary(column_of(data::ElementType::uint32, std::vector<std::uint32_t>{16777217, 4294967295U}));
  EXPECT_EQ(format_summaries({summary}),
            "column  count  missing       min          mean         max\n"
            "c           2        0  16777217  2.155872e+09  4294967295\n");
}

// A table would not line up where names are not ASCII.
TEST(TextTable, AlignsByCharacters) {
  TextTable table(Alignment::named_numbers, {"größe", "n"});
  table.add({"a", "10"});
  EXPECT_EQ(table.text(), "größe   n\na      10\n");
  TextTable texts(Alignment::texts, {"a", "b"});
  texts.add({"long", "x"});
  EXPECT_EQ(texts.text(), "a     b\nlong  x\n");
}

// The wrong name would be suggested, or one for everything.
TEST(NearestName, IsNearOrNothing) {
  const std::vector<std::string> names = {"distance", "air_time", "x1"};
  EXPECT_EQ(find_nearest_name("distanse", names), "distance");
  EXPECT_EQ(find_nearest_name("Air_Time", names), "air_time");
  EXPECT_EQ(find_nearest_name("airtime", names), "air_time");
  EXPECT_EQ(find_nearest_name("dist", names), "distance");
  EXPECT_EQ(find_nearest_name("x2", names), "x1");
  EXPECT_EQ(find_nearest_name("speed", names), std::nullopt);
  EXPECT_EQ(find_nearest_name("", names), std::nullopt);
}

}  // namespace
}  // namespace millrace::tool
