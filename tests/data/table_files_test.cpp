// Output files: what is in them, and when they appear. And which files are no tables at all.
#include <limits>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>

#include "src/data/pending_file.hpp"
#include "src/data/table_format.hpp"
#include "src/data/table_reader.hpp"
#include "src/data/table_writer.hpp"
#include "tests/data/expect_fault.hpp"
#include "tests/data/temporary_folder.hpp"

namespace millrace::data {
namespace {

Column column_of(const std::string& name, Values values, const std::vector<std::size_t>& missing = {}) {
  Validity validity(std::visit([](const auto& rows) { return rows.size(); }, values));
  for (const std::size_t row : missing) validity.set_missing(row);
  return {.name = name, .type = ElementType::float32, .values = std::move(values), .validity = std::move(validity)};
}

// A value would change on its way through a file, or a missing one get a value.
TEST(CsvWriter, WritesShortestTextOfEachValue) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.csv");
  const std::unique_ptr<TableWriter> writer = create_table(TableFormat::csv, path, path);
  const float infinity = std::numeric_limits<float>::infinity();
  writer->write(std::vector{column_of("x", std::vector<float>{0.1f, 3.4028235e38f, -infinity}),
                            column_of("a, \"b\"", std::vector<std::int32_t>{-5, 0, 7}, {1}),
                            column_of("u", std::vector<std::uint32_t>{4294967295U, 0, 1})});
  writer->write(std::vector{column_of("x", std::vector<float>{std::numeric_limits<float>::quiet_NaN(), 100000.0f}),
                            column_of("a, \"b\"", std::vector<std::int32_t>{1, 2}, {0}),
                            column_of("u", std::vector<std::uint32_t>{3, 4})});
  writer->finish();
  EXPECT_EQ(folder.read("t.csv"),
            "x,\"a, \"\"b\"\"\",u\n"
            "0.1,-5,4294967295\n"
            "3.4028235e+38,,0\n"
            "-inf,7,1\n"
            "nan,,3\n"
            "100000,2,4\n");
}

// Many readers skip empty lines, so that the rows after a missing value would move up.
TEST(CsvWriter, WritesMissingValuesOfAnOnlyColumnInQuotes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.csv");
  const std::unique_ptr<TableWriter> writer = create_table(TableFormat::csv, path, path);
  writer->write(std::vector{column_of("x", std::vector<float>{1, 0, 3}, {1})});
  writer->finish();
  EXPECT_EQ(folder.read("t.csv"), "x\n1\n\"\"\n3\n");
}

// Other programs would see other types, or values where there are none. Read back with Arrow itself.
TEST(ParquetWriter, WritesTypesAndNulls) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.parquet");
  const std::unique_ptr<TableWriter> writer = create_table(TableFormat::parquet, path, path);
  writer->write(std::vector{column_of("x", std::vector<float>{0.1f, 2}, {1}),
                            column_of("i", std::vector<std::int32_t>{-5, 7}),
                            column_of("u", std::vector<std::uint32_t>{4294967295U, 0})});
  writer->write(std::vector{column_of("x", std::vector<float>{3}), column_of("i", std::vector<std::int32_t>{1}, {0}),
                            column_of("u", std::vector<std::uint32_t>{9})});
  writer->finish();
  const auto file = arrow::io::ReadableFile::Open(path).ValueOrDie();
  const auto reader = parquet::arrow::OpenFile(file, arrow::default_memory_pool()).ValueOrDie();
  const std::shared_ptr<arrow::Table> table = reader->ReadTable().ValueOrDie()->CombineChunks().ValueOrDie();
  EXPECT_EQ(table->schema()->ToString(), "x: float\ni: int32\nu: uint32");
  ASSERT_EQ(table->num_rows(), 3);
  const auto x = std::static_pointer_cast<arrow::FloatArray>(table->column(0)->chunk(0));
  const auto i = std::static_pointer_cast<arrow::Int32Array>(table->column(1)->chunk(0));
  const auto u = std::static_pointer_cast<arrow::UInt32Array>(table->column(2)->chunk(0));
  EXPECT_EQ(x->Value(0), 0.1f);
  EXPECT_TRUE(x->IsNull(1));
  EXPECT_EQ(x->Value(2), 3.0f);
  EXPECT_EQ(i->Value(1), 7);
  EXPECT_TRUE(i->IsNull(2));
  EXPECT_EQ(u->Value(0), 4294967295U);
  EXPECT_EQ(u->null_count(), 0);
}

// A full disk would go unnoticed, and the file be cut off.
TEST(TableWriter, ReportsAFullDisk) {
  for (const TableFormat format : {TableFormat::csv, TableFormat::parquet}) {
    const auto write = [&] {
      const std::unique_ptr<TableWriter> writer = create_table(format, "/dev/full", "t");
      writer->write(std::vector{column_of("x", std::vector<float>{1, 2})});
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
  expect_fault(
      [] { return table_format("a.xlsx"); }, DataErrorCode::unknown_ending,
      "The file \"a.xlsx\" ends in .xlsx, which is no format of this tool; the endings are .csv and .parquet.");
  expect_fault([] { return table_format("folder.csv/a"); }, DataErrorCode::unknown_ending,
               "The file name \"folder.csv/a\" has no ending that says what the file is; the endings are .csv and "
               ".parquet.");
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
