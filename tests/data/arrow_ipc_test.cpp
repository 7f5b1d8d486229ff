// Arrow IPC files and streams. Files are made and read back with Arrow itself where one side is ours.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/api.h>
#include <gtest/gtest.h>

#include "src/data/arrow_ipc_reader.hpp"
#include "src/data/table_writer.hpp"
#include "tests/data/arrow_rows.hpp"
#include "tests/data/expect_fault.hpp"
#include "tests/data/temporary_folder.hpp"

namespace millrace::data {
namespace {

using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

std::string write_file(const TemporaryFolder& folder, const std::string& name, const Batches& batches, bool is_stream) {
  const auto sink = arrow::io::FileOutputStream::Open(folder.file(name)).ValueOrDie();
  const auto& schema = batches.front()->schema();
  const auto writer =
      (is_stream ? arrow::ipc::MakeStreamWriter(sink, schema) : arrow::ipc::MakeFileWriter(sink, schema)).ValueOrDie();
  for (const auto& batch : batches) EXPECT_TRUE(writer->WriteRecordBatch(*batch).ok());
  EXPECT_TRUE(writer->Close().ok() && sink->Close().ok());
  return folder.file(name);
}

std::unique_ptr<TableReader> open(const std::string& path, bool is_stream) {
  return is_stream ? open_arrow_stream(path) : open_arrow_file(path);
}

std::vector<Batch> read_all(TableReader& reader, std::size_t row_limit) {
  std::vector<Batch> batches;
  while (std::optional<Batch> batch = reader.next_batch(row_limit)) batches.push_back(std::move(*batch));
  return batches;
}

// Rows would be lost or doubled where batches of the file and of the tool end at different rows, an empty batch end the
// table, or columns come in another order than asked for.
TEST(ArrowReader, ReadsBatchesOfAnySize) {
  const TemporaryFolder folder;
  const Batches batches = {
      table_of({{"a", rows_of(arrow::int32(), "[1, 2, 3]")}, {"b", rows_of(arrow::utf8(), R"(["x", null, "z"])")}}),
      table_of({{"a", rows_of(arrow::int32(), "[]")}, {"b", rows_of(arrow::utf8(), "[]")}}),
      table_of({{"a", rows_of(arrow::int32(), "[4, null]")}, {"b", rows_of(arrow::utf8(), R"(["u", "v"])")}})};
  for (const bool is_stream : {false, true}) {
    const std::unique_ptr<TableReader> reader = open(write_file(folder, "t", batches, is_stream), is_stream);
    EXPECT_EQ(reader->column_names(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(reader->row_count(), is_stream ? std::nullopt : std::optional<std::uint64_t>(5));
    reader->select({{.column = 1, .use = ColumnUse::table}, {.column = 0}, {.column = 1, .use = ColumnUse::table}});
    const std::vector<Batch> read = read_all(*reader, 2);
    ASSERT_EQ(read.size(), 3U);
    EXPECT_EQ(read[0].first_row, 0U);
    expect_rows(*read[0].rows->column(0), arrow::utf8(), R"(["x", null])");
    expect_rows(*read[0].rows->column(1), arrow::int32(), "[1, 2]");
    EXPECT_EQ(read[1].first_row, 2U);
    expect_rows(*read[1].rows->column(2), arrow::utf8(), R"(["z"])");
    EXPECT_EQ(read[2].first_row, 3U);
    EXPECT_EQ(read[2].origin.row_phrase(1), " in row 5 (counting from 1)");
    expect_rows(*read[2].rows->column(1), arrow::int32(), "[4, null]");
    EXPECT_EQ(reader->fraction_read(), 1.0);
  }
}

// A column would be computed with as something else.
TEST(ArrowReader, RefusesOtherTypesOnlyWhereSelected) {
  const TemporaryFolder folder;
  const std::string path =
      write_file(folder, "t.arrow", {table_of({{"s", rows_of(arrow::utf8(), R"(["x"])")}})}, false);
  const std::unique_ptr<TableReader> reader = open_arrow_file(path);
  expect_fault([&] { reader->select({{.column = 0}}); }, DataErrorCode::unsupported_column,
               path +
                   ": Column \"s\" has the type string; a formula reads columns of integers, floats, doubles or "
                   "booleans, and lists of 2 to 4 of them.");
}

// A file that is none, or is cut off, would crash or pass for a shorter one.
TEST(ArrowReader, RefusesDamagedFiles) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text.arrow", std::string(100, 'a'));
  expect_fault([&] { return open_arrow_file(text); }, DataErrorCode::damaged_file,
               text + ": The file cannot be read: Not an Arrow file");
  expect_fault([&] { return open_arrow_file(folder.write("empty.arrow", "")); }, DataErrorCode::damaged_file,
               folder.file("empty.arrow") + ": The file cannot be read: File is too small: 0");
  const std::string none = write_file(folder, "none.arrow", {table_of({{"a", rows_of(arrow::int32(), "[]")}})}, false);
  const std::unique_ptr<TableReader> reader = open_arrow_file(none);
  reader->select({{.column = 0}});
  expect_fault([&] { return reader->next_batch(1); }, DataErrorCode::no_rows,
               none + ": The file has columns but no rows.");
  const auto long_text = table_of({{"s", rows_of(arrow::utf8(), R"(["some", "text", "that", "goes", "on"])")}});
  for (const bool is_stream : {false, true}) {
    const std::string whole = write_file(folder, "whole", {long_text}, is_stream);
    const std::string bytes = folder.read("whole");
    for (std::size_t size = 0; size < bytes.size(); size += 8) {
      const std::string cut = folder.write("cut", bytes.substr(0, size));
      const auto read = [&] {
        const std::unique_ptr<TableReader> table = open(cut, is_stream);
        table->select({{.column = 0, .use = ColumnUse::table}});
        EXPECT_EQ(read_all(*table, 100).front().row_count(), 5U) << size;
      };
      try {
        read();  // only what follows the rows may be missing
      } catch (const DataError& error) {
        EXPECT_TRUE(error.code() == DataErrorCode::damaged_file || error.code() == DataErrorCode::no_rows)
            << size << error.what();
      }
    }
  }
}

// Text would be read from beyond its bytes.
TEST(ArrowReader, ChecksOffsets) {
  const TemporaryFolder folder;
  const std::string path =
      write_file(folder, "t.arrow", {table_of({{"s", rows_of(arrow::utf8(), R"(["ab", "cd"])")}})}, false);
  std::string bytes = folder.read("t.arrow");
  const std::string end("\x02\0\0\0\x04\0\0\0", 8);  // the offsets 2 and 4
  const std::size_t place = bytes.find(end);
  ASSERT_NE(place, std::string::npos);
  bytes[place + 6] = '\x7f';
  folder.write("t.arrow", bytes);
  const std::unique_ptr<TableReader> reader = open_arrow_file(path);
  reader->select({{.column = 0, .use = ColumnUse::table}});
  try {
    static_cast<void>(reader->next_batch(10));
    ADD_FAILURE() << "Nothing was thrown.";
  } catch (const DataError& error) {
    EXPECT_EQ(error.code(), DataErrorCode::damaged_file);
  }
}

// Types, missing values or categories would change on their way through a file.
TEST(ArrowWriter, WritesEveryTypeAsItIs) {
  const TemporaryFolder folder;
  const NamedRows columns = {
      {"i", rows_of(arrow::int8(), "[1, null]")},
      {"d", rows_of(arrow::float64(), "[0.1, null]")},
      {"b", rows_of(arrow::boolean(), "[true, null]")},
      {"s", rows_of(arrow::utf8(), R"(["x", null])")},
      {"t", rows_of(arrow::timestamp(arrow::TimeUnit::MILLI, "UTC"), "[5, null]")},
      {"m", rows_of(arrow::decimal128(5, 2), R"(["1.25", null])")},
      {"p", rows_of(arrow::fixed_size_list(arrow::float32(), 3), "[[1, 2, 3], null]")},
      {"l", rows_of(arrow::list(arrow::int32()), "[[1], null]")},
      {"r", rows_of(arrow::struct_({arrow::field("x", arrow::int32())}), R"([{"x": 1}, null])")}};
  for (const TableFormat format : {TableFormat::arrow_file, TableFormat::arrow_stream}) {
    const auto sink = arrow::io::FileOutputStream::Open(folder.file("t")).ValueOrDie();
    const std::unique_ptr<TableWriter> writer = create_table(format, sink, "t");
    writer->write(*table_of(columns));
    writer->write(*table_of(columns)->Slice(1));
    writer->finish();
    ASSERT_TRUE(sink->Close().ok());
    const std::unique_ptr<TableReader> reader = open(folder.file("t"), format == TableFormat::arrow_stream);
    reader->select(all_columns(*reader, ColumnUse::table));
    const std::vector<Batch> read = read_all(*reader, 100);
    ASSERT_EQ(read.size(), 2U);
    for (std::size_t column = 0; column < columns.size(); ++column) {
      EXPECT_TRUE(read[0].rows->column(static_cast<int>(column))->Equals(*columns[column].second));
      EXPECT_TRUE(read[1].rows->column(static_cast<int>(column))->Equals(*columns[column].second->Slice(1)));
    }
  }
}

// Categories that appear only in later rows would end the work, or all rows before them change their category.
TEST(ArrowWriter, LetsDictionariesGrow) {
  const TemporaryFolder folder;
  const std::shared_ptr<arrow::DataType> type = arrow::dictionary(arrow::int8(), arrow::utf8());
  const auto coded = [&](const char* codes, const char* values) {
    return table_of(
        {{"c", arrow::DictionaryArray::FromArrays(type, rows_of(arrow::int8(), codes), rows_of(arrow::utf8(), values))
                   .ValueOrDie()}});
  };
  for (const TableFormat format : {TableFormat::arrow_file, TableFormat::arrow_stream}) {
    const auto sink = arrow::io::FileOutputStream::Open(folder.file("t")).ValueOrDie();
    const std::unique_ptr<TableWriter> writer = create_table(format, sink, "t");
    writer->write(*coded("[0, 1, null]", R"(["a", "b"])"));
    writer->write(*coded("[0, 1]", R"(["c", "a"])"));
    writer->finish();
    ASSERT_TRUE(sink->Close().ok());
    const std::unique_ptr<TableReader> reader = open(folder.file("t"), format == TableFormat::arrow_stream);
    reader->select(all_columns(*reader, ColumnUse::table));
    std::vector<std::string> values;
    for (const Batch& batch : read_all(*reader, 100)) {
      const auto& column = static_cast<const arrow::DictionaryArray&>(*batch.rows->column(0));
      EXPECT_TRUE(column.type()->Equals(*type));
      for (std::int64_t row = 0; row < column.length(); ++row) {
        values.push_back(
            column.IsNull(row)
                ? "NA"
                : static_cast<const arrow::StringArray&>(*column.dictionary()).GetString(column.GetValueIndex(row)));
      }
    }
    EXPECT_EQ(values, (std::vector<std::string>{"a", "b", "NA", "c", "a"}));
  }
}

}  // namespace
}  // namespace millrace::data
