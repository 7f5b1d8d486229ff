// The parts behind what eval prints.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "src/data/arrow_array.hpp"
#include "tools/millrace/column_summary.hpp"
#include "tools/millrace/nearest_name.hpp"
#include "tools/millrace/text_table.hpp"

namespace millrace::tool {
namespace {

template <class T>
ColumnSummary summary_of(const std::vector<T>& rows, const std::vector<std::size_t>& missing = {}) {
  data::Validity validity(rows.size());
  for (const std::size_t row : missing) validity.set_missing(row);
  return {"c", *data::array_of(rows, validity)};
}

// A summary would count what is missing, or forget batches: (1 + 3 + 5) / 3 = 3.
TEST(ColumnSummary, AddsBatches) {
  ColumnSummary summary = summary_of(std::vector<std::int32_t>{1, -100, 3}, {1});
  data::Validity second(2);
  second.set_missing(0);
  summary.add(*data::array_of(std::vector<std::int32_t>{100, 5}, second));
  EXPECT_EQ(format_summaries({summary}),
            "column  count  missing  min  mean  max\n"
            "c           3        2    1     3    5\n");
}

// One NaN would hide the smallest and largest number; or a mean be given that leaves NaN out, unlike the library's.
TEST(ColumnSummary, PassesOverNanInMinAndMaxOnly) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const ColumnSummary some = summary_of(std::vector<float>{nan, 2, -1.5f});
  const ColumnSummary late = summary_of(std::vector<float>{2, nan, -1.5f});
  const ColumnSummary all = summary_of(std::vector<float>{-nan});
  EXPECT_EQ(format_summaries({some, late, all}),
            "column  count  missing   min  mean  max\n"
            "c           3        0  -1.5   nan    2\n"
            "c           3        0  -1.5   nan    2\n"
            "c           1        0   nan   nan  nan\n");
}

// Integers would be printed with seven digits, or rounded.
TEST(ColumnSummary, PrintsIntegersWhole) {
  EXPECT_EQ(format_summaries({summary_of(std::vector<std::uint32_t>{16777217, 4294967295U})}),
            "column  count  missing       min          mean         max\n"
            "c           2        0  16777217  2.155872e+09  4294967295\n");
}

// A program could not read the summary where a column holds NaN, or nothing.
TEST(ColumnSummary, IsJson) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(summary_of(std::vector<float>{0.5f, nan}).json().dump(),
            R"({"name":"c","type":"float32","count":2,"missing":0,"min":0.5,"mean":"nan","max":0.5})");
  EXPECT_EQ(summary_of(std::vector<std::int32_t>{7}, {0}).json().dump(),
            R"({"name":"c","type":"sint32","count":0,"missing":1,"min":null,"mean":null,"max":null})");
  const ColumnSummary flags("c", *data::booleans_of(std::vector<bool>{true, false}, data::Validity(2)));
  EXPECT_EQ(flags.json().dump(),
            R"({"name":"c","type":"bool","count":2,"missing":0,"min":false,"mean":0.5,"max":true})");
}

// The table would run over the terminal's edge, and its lines be torn apart.
TEST(TextTable, GivesUpColumnsInTheMiddle) {
  TextTable table({{"a", Alignment::right},
                   {"b", Alignment::right},
                   {"c", Alignment::right},
                   {"d", Alignment::right},
                   {"e", Alignment::right}});
  table.add({"1", "22", "333", "4444", "5"});
  EXPECT_EQ(table.text_within(19), table.text());
  EXPECT_EQ(table.text_within(18), "a   b  ...  e\n1  22  ...  5\n");
  EXPECT_EQ(table.text_within(3), "a  ...  e\n1  ...  5\n");
}

// A table would not line up where names are not ASCII.
TEST(TextTable, AlignsByCharacters) {
  TextTable table({{"größe", Alignment::left}, {"n", Alignment::right}});
  table.add({"a", "10"});
  EXPECT_EQ(table.text(), "größe   n\na      10\n");
  TextTable texts({{"a", Alignment::left}, {"b", Alignment::left}});
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
