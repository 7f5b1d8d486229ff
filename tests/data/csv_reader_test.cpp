// CSV files as columns.
#include "src/data/csv_reader.hpp"

#include <gtest/gtest.h>

#include "tests/data/arrow_rows.hpp"
#include "tests/data/expect_fault.hpp"
#include "tests/data/temporary_folder.hpp"

namespace millrace::data {
namespace {

constexpr std::size_t kAllRows = 1000;

// The first batch of all of a file's columns.
Batch read_first(const std::string& path, ColumnUse use = ColumnUse::formula, const CsvOptions& options = {}) {
  const std::unique_ptr<TableReader> reader = open_csv(path, options);
  reader->select(all_columns(*reader, use));
  return reader->next_batch(kAllRows).value();
}

Batch read_as(const std::string& path, NumberType wanted) {
  const std::unique_ptr<TableReader> reader = open_csv(path);
  reader->select({{.column = 0, .wanted = wanted}});
  return reader->next_batch(kAllRows).value();
}

// A column would get the wrong type, and every formula on it other results or none.
TEST(CsvReader, TakesTypesFromTheFirstBatch) {
  const TemporaryFolder folder;
  const Batch batch = read_first(folder.write("t.csv",
                                              "integer,number,mixed,flag,nothing\n"
                                              "1,1.5,2,true,NA\n"
                                              "-2147483648,inf,2.5,FALSE,\n"
                                              "NA,,+3,NA,NA\n"));
  ASSERT_EQ(batch.row_count(), 3U);
  ASSERT_EQ(batch.rows->num_columns(), 5);
  expect_rows(*batch.rows->column(0), arrow::int32(), "[1, -2147483648, null]");
  expect_rows(*batch.rows->column(1), arrow::float32(), "[1.5, Inf, null]");
  expect_rows(*batch.rows->column(2), arrow::float32(), "[2, 2.5, 3]");
  expect_rows(*batch.rows->column(3), arrow::boolean(), "[true, false, null]");
  expect_rows(*batch.rows->column(4), arrow::float32(), "[null, null, null]");
}

// A column that goes on into a typed file would lose digits, or text be lost that looks like a missing value.
TEST(CsvReader, KeepsColumnsForATableWhole) {
  const TemporaryFolder folder;
  const Batch batch = read_first(folder.write("t.csv",
                                              "id,share,flag,carrier,digits,nothing\n"
                                              "9007199254740993,0.1,true,NA,99999999999999999999,\n"
                                              ",2,NA, UA ,1,NA\n"),
                                 ColumnUse::table);
  expect_rows(*batch.rows->column(0), arrow::int64(), "[9007199254740993, null]");
  expect_rows(*batch.rows->column(1), arrow::float64(), "[0.1, 2]");
  expect_rows(*batch.rows->column(2), arrow::boolean(), "[true, null]");
  expect_rows(*batch.rows->column(3), arrow::utf8(), R"(["NA", " UA "])");
  expect_rows(*batch.rows->column(4), arrow::utf8(), R"(["99999999999999999999", "1"])");
  expect_rows(*batch.rows->column(5), arrow::utf8(), R"([null, "NA"])");
}

// A column that goes on into another CSV file would come out changed.
TEST(CsvReader, KeepsFieldsForTextAsTheyStand) {
  const TemporaryFolder folder;
  const Batch batch = read_first(folder.write("t.csv", "a,b\n 007 ,\"x,\"\"y\"\"\"\n1e400,NA\n,\n"), ColumnUse::text);
  expect_rows(*batch.rows->column(0), arrow::utf8(), R"([" 007 ", "1e400", ""])");
  expect_rows(*batch.rows->column(1), arrow::utf8(), R"(["x,\"y\"", "NA", ""])");
}

// A column that a graph declares as float32 would be integers because its first rows happen to be whole.
TEST(CsvReader, ConvertsToTheTypeThatIsWanted) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "x\n1\n3000000000\n");
  expect_rows(*read_as(path, {.element = ElementType::float32}).rows->column(0), arrow::float32(), "[1, 3000000000]");
  expect_rows(*read_as(path, {.element = ElementType::uint32}).rows->column(0), arrow::uint32(), "[1, 3000000000]");
  expect_fault([&] { return read_as(path, {.element = ElementType::sint32}); }, DataErrorCode::value_out_of_range,
               path +
                   ":3: Column \"x\" holds 3000000000, which does not fit in a 32-bit integer (-2147483648 to "
                   "2147483647).");
  const std::string fractions = folder.write("f.csv", "x\n1.5\n");
  expect_fault([&] { return read_as(fractions, {.element = ElementType::sint32}); }, DataErrorCode::type_changed,
               fractions + ":2: Column \"x\" holds integers, but this field is \"1.5\"; its input is declared so.");
  expect_fault([&] { return read_as(path, {.element = ElementType::float32, .lane_count = 3}); },
               DataErrorCode::unsupported_column,
               path +
                   ": Column \"x\" has one number in each row, and 3 are wanted; a CSV file has a column for each "
                   "lane.");
}

// Files of other programs would be read as one column, or their first row as names.
TEST(CsvReader, TakesDelimitersAndFilesWithoutHeader) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "1;\"2;5\";x\n3;4;y\n");
  const CsvOptions bare = {.delimiter = ';', .has_header = false};
  const Batch batch = read_first(path, ColumnUse::text, bare);
  EXPECT_EQ(batch.rows->schema()->field_names(), (std::vector<std::string>{"c0", "c1", "c2"}));
  expect_rows(*batch.rows->column(0), arrow::utf8(), R"(["1", "3"])");
  expect_rows(*batch.rows->column(1), arrow::utf8(), R"(["2;5", "4"])");
  const CsvOptions named = {.delimiter = ';', .has_header = false, .column_names = {"a", "b", "c"}};
  EXPECT_EQ(open_csv(path, named)->column_names(), (std::vector<std::string>{"a", "b", "c"}));
  const CsvOptions few = {.delimiter = ';', .has_header = false, .column_names = {"a"}};
  expect_fault([&] { return open_csv(path, few); }, DataErrorCode::no_columns,
               path + ": The file has 3 columns, but the number of names given is 1.");
}

// Rows would be lost, doubled or numbered anew at the edge of a batch, or columns come in another order than asked for.
TEST(CsvReader, ReadsBatchAfterBatch) {
  const TemporaryFolder folder;
  const std::unique_ptr<TableReader> reader = open_csv(folder.write("t.csv", "a,b,c\n1,x,10\n2,y,20\n3,z,30\n"));
  EXPECT_EQ(reader->column_names(), (std::vector<std::string>{"a", "b", "c"}));
  reader->select({{.column = 2}, {.column = 0}});
  const Batch first = reader->next_batch(2).value();
  EXPECT_EQ(first.first_row, 0U);
  EXPECT_EQ(first.rows->schema()->field_names(), (std::vector<std::string>{"c", "a"}));
  expect_rows(*first.rows->column(0), arrow::int32(), "[10, 20]");
  expect_rows(*first.rows->column(1), arrow::int32(), "[1, 2]");
  EXPECT_EQ(first.origin.place(1), folder.file("t.csv") + ":3");
  const Batch second = reader->next_batch(2).value();
  EXPECT_EQ(second.first_row, 2U);
  expect_rows(*second.rows->column(0), arrow::int32(), "[30]");
  EXPECT_FALSE(reader->next_batch(2).has_value());
}

// In a file of one column, an empty line is a missing value: rows after it would move up. In a file of several, a blank
// line at the end would be refused as a row of one field.
TEST(CsvReader, TakesEmptyLinesForRowsOfOneColumnOnly) {
  const TemporaryFolder folder;
  const Batch one = read_first(folder.write("one.csv", "a\n1\n\n3\n"));
  expect_rows(*one.rows->column(0), arrow::int32(), "[1, null, 3]");
  const Batch two = read_first(folder.write("two.csv", "a,b\n1,2\n\n3,4\n\n"));
  expect_rows(*two.rows->column(0), arrow::int32(), "[1, 3]");
}

// A value that breaks the type of its column would be computed with as something else, or be hard to find.
TEST(CsvReader, RefusesFieldsOfAnotherTypeInLaterBatches) {
  const TemporaryFolder folder;
  const auto read_all = [](const std::string& path) {
    const std::unique_ptr<TableReader> reader = open_csv(path);
    reader->select({{.column = 1}});
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
  others->select({{.column = 1}});
  EXPECT_EQ(others->next_batch(kAllRows).value().row_count(), 2U);
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
               binary + ":1: The first line holds a zero byte; this is no CSV text.");
}

}  // namespace
}  // namespace millrace::data
