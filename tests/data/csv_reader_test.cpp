// CSV files as columns.
#include "src/data/csv_reader.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tests/data/expect_fault.hpp"
#include "tests/data/temporary_folder.hpp"

namespace millrace::data {
namespace {

constexpr std::size_t kAllRows = 1000;

using Floats = std::vector<float>;
using Integers = std::vector<std::int32_t>;
using Words = std::vector<std::uint32_t>;

std::vector<std::size_t> missing_rows(const Column& column) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < column.validity.row_count(); ++row) {
    if (!column.validity.has_value(row)) rows.push_back(row);
  }
  return rows;
}

// The first batch of all of a file's columns.
Batch read_first(const std::string& path, std::size_t row_limit = kAllRows) {
  const std::unique_ptr<TableReader> reader = open_csv(path);
  std::vector<std::size_t> all;
  for (std::size_t column = 0; column < reader->column_names().size(); ++column) all.push_back(column);
  reader->select(all);
  return reader->next_batch(row_limit).value();
}

// A column would get the wrong type, and every formula on it other results or none.
TEST(CsvReader, TakesTypesFromTheFirstBatch) {
  const TemporaryFolder folder;
  const Batch batch = read_first(folder.write("t.csv",
                                              "integer,number,mixed,flag,nothing\n"
                                              "1,1.5,2,true,NA\n"
                                              "-2147483648,inf,2.5,FALSE,\n"
                                              "NA,,+3,NA,NA\n"));
  ASSERT_EQ(batch.row_count, 3U);
  ASSERT_EQ(batch.columns.size(), 5U);
  EXPECT_EQ(batch.columns[0].type, ElementType::sint32);
  EXPECT_EQ(std::get<Integers>(batch.columns[0].values), (Integers{1, std::numeric_limits<std::int32_t>::min(), 0}));
  EXPECT_EQ(batch.columns[1].type, ElementType::float32);
  EXPECT_EQ(std::get<Floats>(batch.columns[1].values), (Floats{1.5f, std::numeric_limits<float>::infinity(), 0}));
  EXPECT_EQ(batch.columns[2].type, ElementType::float32);
  EXPECT_EQ(std::get<Floats>(batch.columns[2].values), (Floats{2, 2.5f, 3}));
  EXPECT_EQ(batch.columns[3].type, ElementType::boolean);
  EXPECT_EQ(std::get<Words>(batch.columns[3].values), (Words{1, 0, 0}));
  EXPECT_EQ(batch.columns[4].type, ElementType::float32);
  EXPECT_EQ(missing_rows(batch.columns[0]), (std::vector<std::size_t>{2}));
  EXPECT_EQ(missing_rows(batch.columns[2]), (std::vector<std::size_t>{}));
  EXPECT_EQ(missing_rows(batch.columns[4]), (std::vector<std::size_t>{0, 1, 2}));
}

// Rows would be lost, doubled or numbered anew at the edge of a batch, or columns come in another order than asked for.
TEST(CsvReader, ReadsBatchAfterBatch) {
  const TemporaryFolder folder;
  const std::unique_ptr<TableReader> reader = open_csv(folder.write("t.csv", "a,b,c\n1,x,10\n2,y,20\n3,z,30\n"));
  EXPECT_EQ(reader->column_names(), (std::vector<std::string>{"a", "b", "c"}));
  reader->select({2, 0});
  const Batch first = reader->next_batch(2).value();
  EXPECT_EQ(first.first_row, 0U);
  ASSERT_EQ(first.columns.size(), 2U);
  EXPECT_EQ(first.columns[0].name, "c");
  EXPECT_EQ(std::get<Integers>(first.columns[0].values), (Integers{10, 20}));
  EXPECT_EQ(std::get<Integers>(first.columns[1].values), (Integers{1, 2}));
  const Batch second = reader->next_batch(2).value();
  EXPECT_EQ(second.first_row, 2U);
  EXPECT_EQ(second.row_count, 1U);
  EXPECT_EQ(std::get<Integers>(second.columns[0].values), (Integers{30}));
  EXPECT_FALSE(reader->next_batch(2).has_value());
}

// In a file of one column, an empty line is a missing value: rows after it would move up. In a file of several, a blank
// line at the end would be refused as a row of one field.
TEST(CsvReader, TakesEmptyLinesForRowsOfOneColumnOnly) {
  const TemporaryFolder folder;
  const Batch one = read_first(folder.write("one.csv", "a\n1\n\n3\n"));
  EXPECT_EQ(std::get<Integers>(one.columns[0].values), (Integers{1, 0, 3}));
  EXPECT_EQ(missing_rows(one.columns[0]), (std::vector<std::size_t>{1}));
  const Batch two = read_first(folder.write("two.csv", "a,b\n1,2\n\n3,4\n\n"));
  EXPECT_EQ(std::get<Integers>(two.columns[0].values), (Integers{1, 3}));
}

// A value that breaks the type of its column would be computed with as something else, or be hard to find.
TEST(CsvReader, RefusesFieldsOfAnotherTypeInLaterBatches) {
  const TemporaryFolder folder;
  const auto read_all = [](const std::string& path) {
    const std::unique_ptr<TableReader> reader = open_csv(path);
    reader->select({1});
    while (reader->next_batch(2)) {
    }
  };
  // The quoted field of the first row ends in the next line, so rows 2 and 3 are on lines 4 and 5.
  const std::string integers = folder.write("i.csv", "note,n\n\"two\nlines\",1\nx,2\ny,1.5\n");
  expect_fault([&] { read_all(integers); }, DataErrorCode::type_changed,
               integers +
                   ":5: Column \"n\" holds integers, but this field is \"1.5\"; the type was taken from the first "
                   "2 rows, and a larger --batch-rows takes it from more.");
  const std::string numbers = folder.write("f.csv", "note,n\nx,1.5\ny,2\nz,many\n");
  expect_fault([&] { read_all(numbers); }, DataErrorCode::type_changed,
               numbers +
                   ":4: Column \"n\" holds numbers, but this field is \"many\"; the type was taken from the first "
                   "2 rows, and a larger --batch-rows takes it from more.");
  const std::string flags = folder.write("b.csv", "note,n\nx,true\ny,false\nz,1\n");
  expect_fault([&] { read_all(flags); }, DataErrorCode::type_changed,
               flags +
                   ":4: Column \"n\" holds true and false, but this field is \"1\"; the type was taken from the "
                   "first 2 rows, and a larger --batch-rows takes it from more.");
}

// A text column would fail without its name, or refuse a file in which no formula reads it.
TEST(CsvReader, RefusesTextOnlyWhereSelected) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "carrier,flight\nNA,1\nUA,2\n");
  const std::unique_ptr<TableReader> others = open_csv(path);
  others->select({1});
  EXPECT_EQ(others->next_batch(kAllRows).value().row_count, 2U);
  expect_fault([&] { return read_first(path); }, DataErrorCode::text_column,
               path +
                   ":3: Column \"carrier\" is text: this field is \"UA\"; a formula reads columns of numbers, or of "
                   "true and false.");
  const std::string mixed = folder.write("m.csv", "x\n1\ntrue\n");
  expect_fault([&] { return read_first(mixed); }, DataErrorCode::text_column,
               mixed +
                   ":3: Column \"x\" is text: this field is \"true\"; a formula reads columns of numbers, or of true "
                   "and false.");
}

// A number beyond 32 bits would wrap or become infinite without a word.
TEST(CsvReader, RefusesValuesThatDoNotFit) {
  const TemporaryFolder folder;
  const std::string integers = folder.write("i.csv", "id\n1\n3000000000\n");
  expect_fault([&] { return read_first(integers); }, DataErrorCode::value_out_of_range,
               integers +
                   ":3: Column \"id\" holds 3000000000, which does not fit in a 32-bit integer (-2147483648 to "
                   "2147483647).");
  const std::string numbers = folder.write("f.csv", "x\n0.5\n1e39\n");
  expect_fault([&] { return read_first(numbers); }, DataErrorCode::value_out_of_range,
               numbers +
                   ":3: Column \"x\" holds 1e39, which does not fit in float32 (-3.4028235e+38 to "
                   "3.4028235e+38).");
}

// A broken file would be read as far as it goes, or fail without saying where.
TEST(CsvReader, RefusesFilesThatAreNoTable) {
  const TemporaryFolder folder;
  const std::string empty = folder.write("empty.csv", "");
  expect_fault([&] { return open_csv(empty); }, DataErrorCode::no_columns,
               empty + ": The file is empty; a CSV file begins with a line of column names.");
  const std::string header = folder.write("header.csv", "a,b\n");
  expect_fault([&] { return read_first(header); }, DataErrorCode::no_rows,
               header + ": The file has column names but no rows.");
  const std::string short_row = folder.write("short.csv", "a,b\n1,2\n3\n");
  expect_fault([&] { return read_first(short_row); }, DataErrorCode::ragged_row,
               short_row + ":3: The row has 1 field, but there are 2 column names.");
  const std::string long_row = folder.write("long.csv", "a,b\n1,2,3\n");
  expect_fault([&] { return read_first(long_row); }, DataErrorCode::ragged_row,
               long_row + ":2: The row has 3 fields, but there are 2 column names.");
  const std::string binary = folder.write("binary.csv", std::string("PAR1\0\0,x\n", 9));
  expect_fault([&] { return open_csv(binary); }, DataErrorCode::damaged_file,
               binary + ":1: The line of column names holds a zero byte; this is no CSV text.");
}

}  // namespace
}  // namespace millrace::data
