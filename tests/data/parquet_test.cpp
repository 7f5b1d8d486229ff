// Parquet files as columns. Files are made with Arrow itself, not with our writer.
#include "src/data/parquet_reader.hpp"

#include <numeric>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>

#include "src/data/arrow_array.hpp"
#include "tests/data/arrow_rows.hpp"
#include "tests/data/expect_fault.hpp"
#include "tests/data/temporary_folder.hpp"

namespace millrace::data {
namespace {

void write_table(const std::string& path, const NamedRows& columns, std::int64_t row_group_rows = 1000) {
  const std::shared_ptr<arrow::io::FileOutputStream> file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  const std::shared_ptr<arrow::Table> table = arrow::Table::FromRecordBatches({table_of(columns)}).ValueOrDie();
  ASSERT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file, row_group_rows).ok());
  ASSERT_TRUE(file->Close().ok());
}

std::shared_ptr<arrow::Array> read_column(const std::string& path, std::size_t column,
                                          ColumnUse use = ColumnUse::formula) {
  const std::unique_ptr<TableReader> reader = open_parquet(path);
  reader->select({{.column = column, .use = use}});
  return reader->next_batch(1000).value().rows->column(0);
}

// A column of doubles, text, dates or decimals that goes on into another file would come out as something else.
TEST(ParquetReader, ReadsColumnsAsTheFileHasThem) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.parquet");
  const NamedRows columns = {{"i", rows_of(arrow::int8(), "[-128, null]")},
                             {"d", rows_of(arrow::float64(), "[0.1, null]")},
                             {"b", rows_of(arrow::boolean(), "[true, null]")},
                             {"s", rows_of(arrow::utf8(), R"(["UA", null])")},
                             {"t", rows_of(arrow::date32(), "[15000, null]")},
                             {"m", rows_of(arrow::decimal128(5, 2), R"(["1.25", null])")},
                             {"l", rows_of(arrow::list(arrow::int32()), "[[1, 2, 3], null]")}};
  write_table(path, columns);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    EXPECT_TRUE(read_column(path, column, ColumnUse::table)->Equals(*columns[column].second)) << columns[column].first;
  }
}

// Rows would be lost or repeated where a batch and a row group end at different rows, or columns come in another order
// than asked for.
TEST(ParquetReader, ReadsBatchesAcrossRowGroups) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.parquet");
  std::vector<std::int32_t> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0);
  Validity validity(numbers.size());
  for (std::size_t row = 0; row < numbers.size(); row += 7) validity.set_missing(row);
  const std::shared_ptr<arrow::Array> n = array_of(numbers, validity);
  write_table(path, {{"a", array_of(std::vector<float>(1000), Validity(1000))}, {"n", n}}, 300);
  const std::unique_ptr<TableReader> reader = open_parquet(path);
  EXPECT_EQ(reader->row_count(), 1000U);
  reader->select({{.column = 1}, {.column = 0}, {.column = 1}});
  std::int64_t rows = 0;
  while (const std::optional<Batch> batch = reader->next_batch(128)) {
    ASSERT_EQ(batch->first_row, static_cast<std::uint64_t>(rows));
    ASSERT_EQ(batch->origin.row_phrase(0), fmt::format(" in row {} (counting from 1)", rows + 1));
    ASSERT_LE(batch->row_count(), 128U);
    ASSERT_EQ(batch->rows->schema()->field_names(), (std::vector<std::string>{"n", "a", "n"}));
    const std::shared_ptr<arrow::Array> expected = n->Slice(rows, batch->rows->num_rows());
    ASSERT_TRUE(batch->rows->column(0)->Equals(*expected)) << rows;
    ASSERT_TRUE(batch->rows->column(2)->Equals(*expected)) << rows;
    rows += batch->rows->num_rows();
  }
  EXPECT_EQ(rows, 1000);
  EXPECT_EQ(reader->fraction_read(), 1.0);
}

// A text or nested column would fail without its name, or refuse a file in which no formula reads it; or the columns
// after a nested one, which has two leaves, would be taken for one another.
TEST(ParquetReader, RefusesOtherTypesOnlyWhereSelected) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.parquet");
  const std::shared_ptr<arrow::Array> numbers = rows_of(arrow::int32(), "[1, 2]");
  const std::shared_ptr<arrow::Array> pair =
      arrow::StructArray::Make({numbers, numbers}, std::vector<std::string>{"x", "y"}).ValueOrDie();
  write_table(path, {{"carrier", rows_of(arrow::utf8(), R"(["UA", "AA"])")},
                     {"pair", pair},
                     {"n", rows_of(arrow::int32(), "[7, 8]")}});
  expect_fault([&] { return read_column(path, 0); }, DataErrorCode::unsupported_column,
               path +
                   ": Column \"carrier\" has the type string; a formula reads columns of integers, floats, doubles or "
                   "booleans, and lists of 2 to 4 of them.");
  expect_fault([&] { return read_column(path, 1); }, DataErrorCode::unsupported_column,
               path +
                   ": Column \"pair\" has the type struct<x: int32, y: int32>; a formula reads columns of integers, "
                   "floats, doubles or booleans, and lists of 2 to 4 of them.");
  expect_rows(*read_column(path, 2), arrow::int32(), "[7, 8]");
}

// A file that is none, or is cut off, would crash or pass for an empty one.
TEST(ParquetReader, RefusesDamagedFiles) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text.parquet", "a,b\n1,2\n3,4\n5,6\n");
  expect_fault([&] { return open_parquet(text); }, DataErrorCode::damaged_file,
               text +
                   ": The file cannot be read: Parquet magic bytes not found in footer. Either the file is corrupted "
                   "or this is not a parquet file.");
  const std::string whole = folder.file("whole.parquet");
  write_table(whole, {{"n", rows_of(arrow::int32(), "[7, 8]")}});
  const std::string bytes = folder.read("whole.parquet");
  const std::string cut = folder.write("cut.parquet", bytes.substr(0, bytes.size() / 2));
  expect_fault(
      [&] { return open_parquet(cut); }, DataErrorCode::damaged_file,
      cut +
          ": The file cannot be read: Parquet magic bytes not found in footer. Either the file is corrupted or "
          "this is not a parquet file.");
  // 300 rows, and a footer that says 301: in Thrift's compact protocol a 64-bit field (0x16), the number doubled, as
  // seven bits a byte.
  const std::string less = folder.file("less.parquet");
  write_table(less, {{"n", array_of(std::vector<std::int32_t>(300, 1), Validity(300))}});
  std::string claim = folder.read("less.parquet");
  const std::size_t row_count = claim.find("\x16\xd8\x04");
  ASSERT_NE(row_count, std::string::npos);
  claim[row_count + 1] = '\xda';
  folder.write("less.parquet", claim);
  const auto read_all = [&] {
    const std::unique_ptr<TableReader> reader = open_parquet(less);
    reader->select({{.column = 0}});
    while (reader->next_batch(1000)) {
    }
  };
  expect_fault(read_all, DataErrorCode::damaged_file, less + ": The file says that it has 301 rows, but holds 300.");
  const std::string none = folder.file("none.parquet");
  write_table(none, {{"n", rows_of(arrow::int32(), "[]")}});
  expect_fault([&] { return read_column(none, 0); }, DataErrorCode::no_rows,
               none + ": The file has columns but no rows.");
}

}  // namespace
}  // namespace millrace::data
