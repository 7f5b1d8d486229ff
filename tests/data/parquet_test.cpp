// Parquet files as columns. Files are made with Arrow itself, not with our writer.
#include "src/data/parquet_reader.hpp"

#include <limits>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>

#include "tests/data/expect_fault.hpp"
#include "tests/data/temporary_folder.hpp"

namespace millrace::data {
namespace {

using Floats = std::vector<float>;
using Integers = std::vector<std::int32_t>;
using Words = std::vector<std::uint32_t>;

template <class Builder, class Value>
std::shared_ptr<arrow::Array> array_of(const std::vector<std::optional<Value>>& values) {
  Builder builder;
  for (const std::optional<Value>& value : values) {
    EXPECT_TRUE((value ? builder.Append(*value) : builder.AppendNull()).ok());
  }
  return builder.Finish().ValueOrDie();
}

void write_table(const std::string& path, const std::vector<std::string>& names, const arrow::ArrayVector& arrays,
                 std::int64_t row_group_rows = 1000) {
  arrow::FieldVector fields;
  for (std::size_t column = 0; column < names.size(); ++column) {
    fields.push_back(arrow::field(names[column], arrays[column]->type()));
  }
  const std::shared_ptr<arrow::io::FileOutputStream> file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  const std::shared_ptr<arrow::Table> table = arrow::Table::Make(arrow::schema(fields), arrays);
  ASSERT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file, row_group_rows).ok());
  ASSERT_TRUE(file->Close().ok());
}

Batch read_column(const std::string& path, std::size_t column) {
  const std::unique_ptr<TableReader> reader = open_parquet(path);
  reader->select({column});
  return reader->next_batch(1000).value();
}

// A type of column would be refused, or read as another one.
TEST(ParquetReader, ReadsEveryNumericType) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.parquet");
  write_table(path, {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f", "d", "b"},
              {array_of<arrow::Int8Builder, std::int8_t>({-128, std::nullopt}),
               array_of<arrow::Int16Builder, std::int16_t>({-32768, std::nullopt}),
               array_of<arrow::Int32Builder, std::int32_t>({-5, std::nullopt}),
               array_of<arrow::Int64Builder, std::int64_t>({-2147483648, std::nullopt}),
               array_of<arrow::UInt8Builder, std::uint8_t>({255, std::nullopt}),
               array_of<arrow::UInt16Builder, std::uint16_t>({65535, std::nullopt}),
               array_of<arrow::UInt32Builder, std::uint32_t>({4294967295U, std::nullopt}),
               array_of<arrow::UInt64Builder, std::uint64_t>({4294967295U, std::nullopt}),
               array_of<arrow::FloatBuilder, float>({1.5f, std::nullopt}),
               array_of<arrow::DoubleBuilder, double>({0.1, std::nullopt}),
               array_of<arrow::BooleanBuilder, bool>({true, std::nullopt})});
  const std::vector<Values> expected = {Integers{-128, 0},
                                        Integers{-32768, 0},
                                        Integers{-5, 0},
                                        Integers{std::numeric_limits<std::int32_t>::min(), 0},
                                        Words{255, 0},
                                        Words{65535, 0},
                                        Words{4294967295U, 0},
                                        Words{4294967295U, 0},
                                        Floats{1.5f, 0},
                                        Floats{0.1f, 0},
                                        Words{1, 0}};
  for (std::size_t column = 0; column < expected.size(); ++column) {
    const Batch batch = read_column(path, column);
    EXPECT_TRUE(batch.columns[0].values == expected[column]) << batch.columns[0].name;
    EXPECT_TRUE(batch.columns[0].validity.has_value(0)) << column;
    EXPECT_FALSE(batch.columns[0].validity.has_value(1)) << column;
  }
  EXPECT_EQ(read_column(path, 10).columns[0].type, ElementType::boolean);
}

// Rows would be lost or repeated where a batch and a row group end at different rows.
TEST(ParquetReader, ReadsBatchesAcrossRowGroups) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.parquet");
  std::vector<std::optional<std::int32_t>> values;
  for (std::int32_t row = 0; row < 1000; ++row) {
    values.push_back(row % 7 == 0 ? std::nullopt : std::optional<std::int32_t>(row));
  }
  write_table(path, {"other", "n"}, {array_of<arrow::Int32Builder>(values), array_of<arrow::Int32Builder>(values)},
              300);
  const std::unique_ptr<TableReader> reader = open_parquet(path);
  reader->select({1});
  std::size_t rows = 0;
  while (const std::optional<Batch> batch = reader->next_batch(128)) {
    ASSERT_EQ(batch->first_row, rows);
    ASSERT_LE(batch->row_count, 128U);
    for (std::size_t row = 0; row < batch->row_count; ++row, ++rows) {
      ASSERT_EQ(batch->columns[0].validity.has_value(row), rows % 7 != 0) << rows;
      if (rows % 7 != 0) {
        ASSERT_EQ(std::get<Integers>(batch->columns[0].values)[row], static_cast<std::int32_t>(rows));
      }
    }
  }
  EXPECT_EQ(rows, 1000U);
  EXPECT_EQ(reader->fraction_read(), 1.0);
}

// A value beyond 32 bits would wrap or become infinite without a word. Infinity itself and NaN are values.
TEST(ParquetReader, RefusesValuesThatDoNotFit) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.parquet");
  const double infinity = std::numeric_limits<double>::infinity();
  write_table(path, {"id", "u", "count", "x", "y"},
              {array_of<arrow::Int64Builder, std::int64_t>({1, std::nullopt, 3000000000}),
               array_of<arrow::UInt64Builder, std::uint64_t>({1, 2, 4294967296U}),
               array_of<arrow::Int64Builder, std::int64_t>({1, -2147483649, 2}),
               array_of<arrow::DoubleBuilder, double>({1.0, -1e39, 1.0}),
               array_of<arrow::DoubleBuilder, double>({infinity, -infinity, 1e-60})});
  expect_fault([&] { return read_column(path, 0); }, DataErrorCode::value_out_of_range,
               path +
                   ": Column \"id\" holds 3000000000 in row 3 (counting from 1), which does not fit in a 32-bit "
                   "integer (-2147483648 to 2147483647).");
  expect_fault([&] { return read_column(path, 1); }, DataErrorCode::value_out_of_range,
               path +
                   ": Column \"u\" holds 4294967296 in row 3 (counting from 1), which does not fit in an unsigned "
                   "32-bit integer (0 to 4294967295).");
  expect_fault([&] { return read_column(path, 2); }, DataErrorCode::value_out_of_range,
               path +
                   ": Column \"count\" holds -2147483649 in row 2 (counting from 1), which does not fit in a 32-bit "
                   "integer (-2147483648 to 2147483647).");
  expect_fault([&] { return read_column(path, 3); }, DataErrorCode::value_out_of_range,
               path +
                   ": Column \"x\" holds -1e+39 in row 2 (counting from 1), which does not fit in float32 "
                   "(-3.4028235e+38 to 3.4028235e+38).");
  EXPECT_EQ(std::get<Floats>(read_column(path, 4).columns[0].values),
            (Floats{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), 0}));
}

// A text or nested column would fail without its name, or refuse a file in which no formula reads it; or the columns
// after a nested one, which has two leaves, would be taken for one another.
TEST(ParquetReader, RefusesOtherTypesOnlyWhereSelected) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.parquet");
  const std::shared_ptr<arrow::Array> numbers = array_of<arrow::Int32Builder, std::int32_t>({1, 2});
  const std::shared_ptr<arrow::Array> pair =
      arrow::StructArray::Make({numbers, numbers}, std::vector<std::string>{"x", "y"}).ValueOrDie();
  write_table(path, {"carrier", "pair", "n"},
              {array_of<arrow::StringBuilder, std::string>({"UA", "AA"}), pair,
               array_of<arrow::Int32Builder, std::int32_t>({7, 8})});
  expect_fault([&] { return read_column(path, 0); }, DataErrorCode::unsupported_column,
               path +
                   ": Column \"carrier\" has the type string; a formula reads columns of integers, floats, doubles or "
                   "booleans.");
  expect_fault([&] { return read_column(path, 1); }, DataErrorCode::unsupported_column,
               path +
                   ": Column \"pair\" has the type struct<x: int32, y: int32>; a formula reads columns of integers, "
                   "floats, doubles or booleans.");
  EXPECT_EQ(std::get<Integers>(read_column(path, 2).columns[0].values), (Integers{7, 8}));
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
  write_table(whole, {"n"}, {array_of<arrow::Int32Builder, std::int32_t>({7, 8})});
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
  write_table(less, {"n"}, {array_of<arrow::Int32Builder>(std::vector<std::optional<std::int32_t>>(300, 1))});
  std::string claim = folder.read("less.parquet");
  const std::size_t row_count = claim.find("\x16\xd8\x04");
  ASSERT_NE(row_count, std::string::npos);
  claim[row_count + 1] = '\xda';
  folder.write("less.parquet", claim);
  const auto read_all = [&] {
    const std::unique_ptr<TableReader> reader = open_parquet(less);
    reader->select({0});
    while (reader->next_batch(1000)) {
    }
  };
  expect_fault(read_all, DataErrorCode::damaged_file, less + ": The file says that it has 301 rows, but holds 300.");
  const std::string none = folder.file("none.parquet");
  write_table(none, {"n"}, {array_of<arrow::Int32Builder, std::int32_t>({})});
  expect_fault([&] { return read_column(none, 0); }, DataErrorCode::no_rows,
               none + ": The file has columns but no rows.");
}

}  // namespace
}  // namespace millrace::data
