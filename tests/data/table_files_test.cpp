// Output files: what is in them, and when they appear. And which files are no tables at all.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>

#include "src/data/pending_file.hpp"
#include "src/data/table_format.hpp"
#include "src/data/table_reader.hpp"
#include "src/data/table_writer.hpp"
#include "tests/data/arrow_rows.hpp"
#include "tests/data/expect_fault.hpp"
#include "tests/data/temporary_folder.hpp"

namespace millrace::data {
namespace {

std::shared_ptr<arrow::io::FileOutputStream> stream_to(const std::string& path) {
  return arrow::io::FileOutputStream::Open(path).ValueOrDie();
}

void write_table(TableFormat format, const std::string& path,
                 const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches, const WriteOptions& options = {}) {
  const auto stream = stream_to(path);
  const std::unique_ptr<TableWriter> writer = create_table(format, stream, path, options);
  for (const std::shared_ptr<arrow::RecordBatch>& batch : batches) writer->write(*batch);
  writer->finish();
  ASSERT_TRUE(stream->Close().ok());
}

// A value would change on its way through a file, or a missing one get a value.
TEST(CsvWriter, WritesShortestTextOfEachValue) {
  const TemporaryFolder folder;
  write_table(TableFormat::csv, folder.file("t.csv"),
              {table_of({{"x", rows_of(arrow::float32(), "[0.1, 3.4028235e38, -Inf]")},
                         {"a, \"b\"", rows_of(arrow::int32(), "[-5, null, 7]")},
                         {"d", rows_of(arrow::float64(), "[0.1, 1e300, null]")},
                         {"u", rows_of(arrow::uint64(), "[18446744073709551615, 0, 1]")}}),
               table_of({{"x", rows_of(arrow::float32(), "[NaN, 100000]")},
                         {"a, \"b\"", rows_of(arrow::int32(), "[null, 2]")},
                         {"d", rows_of(arrow::float64(), "[NaN, 1]")},
                         {"u", rows_of(arrow::uint64(), "[3, 4]")}})});
  EXPECT_EQ(folder.read("t.csv"),
            "x,\"a, \"\"b\"\"\",d,u\n"
            "0.1,-5,0.1,18446744073709551615\n"
            "3.4028235e+38,,1e+300,0\n"
            "-inf,7,,1\n"
            "nan,,nan,3\n"
            "100000,2,1,4\n");
}

// Kept columns would lose their quotes, their lanes or their dates.
TEST(CsvWriter, WritesTextListsAndDates) {
  const TemporaryFolder folder;
  write_table(
      TableFormat::csv, folder.file("t.csv"),
      {table_of({{"s", rows_of(arrow::utf8(), R"(["a;b", "\"", "", null])")},
                 {"p", rows_of(arrow::fixed_size_list(arrow::float32(), 2), "[[1, 2], null, [3, null], [5, 6]]")},
                 {"t", rows_of(arrow::date32(), "[0, 15000, null, 1]")},
                 {"b", rows_of(arrow::boolean(), "[true, false, null, true]")}})},
      {.delimiter = ';'});
  EXPECT_EQ(folder.read("t.csv"),
            "s;p.x;p.y;t;b\n"
            "\"a;b\";1;2;1970-01-01;true\n"
            "\"\"\"\";;;2011-01-26;false\n"
            ";3;;;\n"
            ";5;6;1970-01-02;true\n");
}

// A column would be left out or written as something that nothing reads back.
TEST(CsvWriter, RefusesColumnsWithoutText) {
  const TemporaryFolder folder;
  const auto write = [&] {
    write_table(TableFormat::csv, folder.file("t.csv"),
                {table_of({{"l", rows_of(arrow::list(arrow::int32()), "[[1, 2, 3]]")}})});
  };
  expect_fault(write, DataErrorCode::unsupported_column,
               folder.file("t.csv") +
                   ": Column \"l\" has the type list<item: int32>, which has no form as text; leave it out, or write "
                   ".parquet or .arrow.");
}

// Many readers skip empty lines, so that the rows after a missing value would move up.
TEST(CsvWriter, WritesMissingValuesOfAnOnlyColumnInQuotes) {
  const TemporaryFolder folder;
  write_table(TableFormat::csv, folder.file("t.csv"), {table_of({{"x", rows_of(arrow::float32(), "[1, null, 3]")}})});
  EXPECT_EQ(folder.read("t.csv"), "x\n1\n\"\"\n3\n");
}

// Other programs would see other types, or values where there are none. Read back with Arrow itself.
TEST(ParquetWriter, WritesTypesAndNulls) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.parquet");
  const std::shared_ptr<arrow::DataType> pairs = arrow::fixed_size_list(arrow::float32(), 2);
  const NamedRows first = {{"x", rows_of(arrow::float32(), "[0.1, null]")},
                           {"u", rows_of(arrow::uint32(), "[4294967295, 0]")},
                           {"s", rows_of(arrow::utf8(), R"(["UA", null])")},
                           {"p", rows_of(pairs, "[[1, 2], null]")}};
  const NamedRows second = {{"x", rows_of(arrow::float32(), "[3]")},
                            {"u", rows_of(arrow::uint32(), "[null]")},
                            {"s", rows_of(arrow::utf8(), R"([""])")},
                            {"p", rows_of(pairs, "[[3, 4]]")}};
  write_table(TableFormat::parquet, path, {table_of(first), table_of(second)});
  const auto file = arrow::io::ReadableFile::Open(path).ValueOrDie();
  const auto reader = parquet::arrow::OpenFile(file, arrow::default_memory_pool()).ValueOrDie();
  const std::shared_ptr<arrow::Table> table = reader->ReadTable().ValueOrDie()->CombineChunks().ValueOrDie();
  ASSERT_EQ(table->num_columns(), 4);
  expect_rows(*table->column(0)->chunk(0), arrow::float32(), "[0.1, null, 3]");
  expect_rows(*table->column(1)->chunk(0), arrow::uint32(), "[4294967295, 0, null]");
  expect_rows(*table->column(2)->chunk(0), arrow::utf8(), R"(["UA", null, ""])");
  expect_rows(*table->column(3)->chunk(0), pairs, "[[1, 2], null, [3, 4]]");
}

// A full disk would go unnoticed, and the file be cut off.
TEST(TableWriter, ReportsAFullDisk) {
  for (const TableFormat format : {TableFormat::csv, TableFormat::parquet}) {
    const auto write = [&] {
      const std::unique_ptr<TableWriter> writer = create_table(format, stream_to("/dev/full"), "t");
      writer->write(*table_of({{"x", rows_of(arrow::float32(), "[1, 2]")}}));
      writer->finish();
    };
    expect_fault(write, DataErrorCode::unwritable_file,
                 "t: The file cannot be written: Error writing bytes to file ([errno 28] No space left on device)");
  }
}

// Somebody would find half a file, or lose the one from before to a failed run.
TEST(PendingFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "before");
  {
    const PendingFile abandoned(path);
    EXPECT_EQ(folder.names().size(), 2U);
    EXPECT_EQ(folder.read("t.csv"), "before");
  }
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"t.csv"}));
  PendingFile file(path);
  std::ofstream(file.temporary_path()) << "after";
  file.commit();
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"t.csv"}));
  EXPECT_EQ(folder.read("t.csv"), "after");
}

// A link would be replaced by a file, and what it led to stay as it was.
TEST(PendingFile, FollowsLinks) {
  const TemporaryFolder folder;
  folder.write("real.csv", "before");
  std::filesystem::create_symlink(folder.file("real.csv"), folder.file("link.csv"));
  PendingFile file(folder.file("link.csv"));
  std::ofstream(file.temporary_path()) << "after";
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.csv")));
  EXPECT_EQ(folder.read("real.csv"), "after");
}

// A device file would be renamed over, or a run fail only after all the work.
TEST(PendingFile, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("t.csv"));
  expect_fault([&] { PendingFile{folder.file("t.csv")}; }, DataErrorCode::not_a_file,
               folder.file("t.csv") + ": The output is a folder; give the name of a file.");
  expect_fault([] { PendingFile{"/dev/null"}; }, DataErrorCode::not_a_file,
               "/dev/null: The output is no regular file; give the name of a file.");
  expect_fault([&] { PendingFile{folder.file("none/t.csv")}; }, DataErrorCode::unwritable_file,
               folder.file("none/t.csv") + ": The file cannot be written: No such file or directory.");
}

// A file of another kind would be read as CSV, or the user not be told which kinds there are.
TEST(TableFormat, IsToldByTheEnding) {
  EXPECT_EQ(table_format("a.csv"), TableFormat::csv);
  EXPECT_EQ(table_format("folder.csv/A.PARQUET"), TableFormat::parquet);
  expect_fault([] { return table_format("a.xlsx"); }, DataErrorCode::unknown_ending,
               "The file \"a.xlsx\" ends in .xlsx, which is no format of this tool; the endings are .csv, .tsv, "
               ".parquet, .arrow, .feather, .arrows and .npy.");
  expect_fault([] { return table_format("folder.csv/a"); }, DataErrorCode::unknown_ending,
               "The file name \"folder.csv/a\" has no ending that says what the file is; the endings are "
               ".csv, .tsv, .parquet, .arrow, .feather, .arrows and .npy.");
}

// A wrong path would be told as something else.
TEST(OpenTable, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  expect_fault([&] { return open_table(folder.file("none.csv")); }, DataErrorCode::unreadable_file,
               "There is no file \"" + folder.file("none.csv") + "\".");
  expect_fault([&] { return open_table(folder.path()); }, DataErrorCode::not_a_file,
               "\"" + folder.path().string() + "\" is a folder; give a file.");
}

}  // namespace
}  // namespace millrace::data
