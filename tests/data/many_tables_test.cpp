// Several files as one table, and names that are patterns.
#include "src/data/many_tables.hpp"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>

#include "src/data/file_pattern.hpp"
#include "tests/data/arrow_rows.hpp"
#include "tests/data/expect_fault.hpp"
#include "tests/data/temporary_folder.hpp"

namespace millrace::data {
namespace {

std::string write_parquet(const TemporaryFolder& folder, const std::string& name, const NamedRows& columns) {
  const auto file = arrow::io::FileOutputStream::Open(folder.file(name)).ValueOrDie();
  const auto table = arrow::Table::FromRecordBatches({table_of(columns)}).ValueOrDie();
  EXPECT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file).ok() && file->Close().ok());
  return folder.file(name);
}

// All rows of all columns, and the first row that each batch says it has.
struct All {
  std::shared_ptr<arrow::Table> rows;
  std::vector<std::uint64_t> first_rows;
};

All read_all(TableReader& table, std::size_t row_limit, ColumnUse use = ColumnUse::formula) {
  table.select(all_columns(table, use));
  All all;
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  while (const std::optional<Batch> batch = table.next_batch(row_limit)) {
    all.first_rows.push_back(batch->first_row);
    batches.push_back(batch->rows);
  }
  all.rows = arrow::Table::FromRecordBatches(batches).ValueOrDie()->CombineChunks().ValueOrDie();
  return all;
}

// Rows would be lost between files, numbered anew in each, or one without rows end the table.
TEST(ManyTables, AreOneTable) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.csv", "x,y\n1,2\n3,4\n5,6\n");
  const std::string empty = folder.write("b.csv", "x,y\n");
  const std::string c = folder.write("c.csv", "x,y\n7,8\n");
  const std::unique_ptr<TableReader> table = open_tables({a, empty, c});
  EXPECT_EQ(table->row_count(), std::nullopt);
  const All all = read_all(*table, 2);
  EXPECT_EQ(all.first_rows, (std::vector<std::uint64_t>{0, 2, 3}));
  expect_rows(*all.rows->column(0)->chunk(0), arrow::int32(), "[1, 3, 5, 7]");
  expect_rows(*all.rows->column(1)->chunk(0), arrow::int32(), "[2, 4, 6, 8]");
  EXPECT_EQ(table->fraction_read(), 1.0);
  const std::string p = write_parquet(folder, "p.parquet", {{"x", rows_of(arrow::int64(), "[1, 2]")}});
  const std::string q = write_parquet(folder, "q.parquet", {{"x", rows_of(arrow::int64(), "[null]")}});
  const std::unique_ptr<TableReader> typed = open_tables({p, q, p});
  EXPECT_EQ(typed->row_count(), 5U);
  expect_rows(*read_all(*typed, 10).rows->column(0)->chunk(0), arrow::int64(), "[1, 2, null, 1, 2]");
  const std::unique_ptr<TableReader> none = open_tables({empty, empty});
  none->select({{.column = 0}});
  expect_fault([&] { return none->next_batch(2); }, DataErrorCode::no_rows,
               empty + ": The file has column names but no rows.");
}

// A column that is whole in one file and has fractions in the next would change its type in the middle of the work.
TEST(ManyTables, TakeTheTypesOfTheFirst) {
  const TemporaryFolder folder;
  const std::string numbers = folder.write("a.csv", "x\n1.5\n");
  const std::string integers = folder.write("b.csv", "x\n2\n");
  expect_rows(*read_all(*open_tables({numbers, integers}), 10).rows->column(0)->chunk(0), arrow::float32(), "[1.5, 2]");
  expect_rows(*read_all(*open_tables({numbers, integers}), 10, ColumnUse::table).rows->column(0)->chunk(0),
              arrow::float64(), "[1.5, 2]");
  expect_fault(
      [&] {
        return read_all(*open_tables({integers, numbers}), 10);
      },
      DataErrorCode::type_changed,
      numbers + ":2: Column \"x\" holds integers, but this field is \"1.5\"; its type was taken from " + integers +
          ", the first file.");
}

// Columns of different meaning would be taken for one.
TEST(ManyTables, HaveTheSameColumns) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.csv", "x,y\n1,2\n");
  const std::string b = folder.write("b.csv", "x,z\n1,2\n");
  const std::string c = folder.write("c.csv", "x\n1\n");
  expect_fault(
      [&] {
        return open_tables({a, b});
      },
      DataErrorCode::other_schema,
      b + ": The columns are not those of " + a + ": column 2 is \"z\" and there it is \"y\".");
  expect_fault(
      [&] {
        return open_tables({a, c});
      },
      DataErrorCode::other_schema,
      c + ": The columns are not those of " + a + ": it has 1 column, and there are 2 there.");
  const std::string p = write_parquet(folder, "p.parquet", {{"x", rows_of(arrow::int64(), "[1]")}});
  const std::string q = write_parquet(folder, "q.parquet", {{"x", rows_of(arrow::float32(), "[1]")}});
  expect_fault(
      [&] {
        return open_tables({p, q});
      },
      DataErrorCode::other_schema,
      q + ": The columns are not those of " + p + ": \"x\" has the type float and there it is int64.");
  expect_fault(
      [&] {
        return open_tables({c, p});
      },
      DataErrorCode::other_schema,
      p + ": The columns are not those of " + c + ": only one of the files has types of its own.");
}

// Files would be left out, or come in an order that differs from machine to machine.
TEST(FilePattern, FindsFilesByName) {
  const TemporaryFolder folder;
  for (const char* name : {"b.csv", "a.csv", "c.txt", "x[1].csv"}) folder.write(name, "x\n");
  const auto in_folder = [&](const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(folder.file(name));
    return paths;
  };
  EXPECT_EQ(expand_pattern(folder.file("?.csv")), in_folder({"a.csv", "b.csv"}));
  EXPECT_EQ(expand_pattern(folder.file("[bc].*")), in_folder({"b.csv", "c.txt"}));
  EXPECT_EQ(expand_pattern(folder.file("x[1].csv")), in_folder({"x[1].csv"}));
  EXPECT_EQ(expand_pattern(folder.file("none.csv")), in_folder({"none.csv"}));
  EXPECT_EQ(expand_pattern("-"), std::vector<std::string>{"-"});
  expect_fault([&] { return expand_pattern(folder.file("*.parquet")); }, DataErrorCode::no_match,
               "No file matches \"" + folder.file("*.parquet") + "\".");
}

}  // namespace
}  // namespace millrace::data
