// NumPy's array files, byte by byte and through our own writer.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gtest/gtest.h>

#include "src/data/npy_reader.hpp"
#include "src/data/table_writer.hpp"
#include "tests/data/arrow_rows.hpp"
#include "tests/data/expect_fault.hpp"
#include "tests/data/temporary_folder.hpp"

namespace millrace::data {
namespace {

using namespace std::string_literals;

// A file of version 1 with that header, without padding, and those bytes after it.
std::string npy(const std::string& header, const std::string& items, char version = 1) {
  std::string bytes =
      "\x93NUMPY"s + version + '\0' + static_cast<char>(header.size() & 0xffU) + static_cast<char>(header.size() >> 8U);
  if (version > 1) bytes += "\0\0"s;
  return bytes + header + items;
}

struct All {
  std::vector<std::string> names;
  std::shared_ptr<arrow::Table> rows;
};

All read_all(const std::string& path, const std::vector<std::string>& names = {}, std::size_t row_limit = 2) {
  const std::unique_ptr<TableReader> reader = open_npy(path, names);
  reader->select(all_columns(*reader, ColumnUse::table));
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  std::uint64_t rows = 0;
  while (const std::optional<Batch> batch = reader->next_batch(row_limit)) {
    EXPECT_EQ(batch->first_row, rows);
    rows += batch->row_count();
    batches.push_back(batch->rows);
  }
  EXPECT_EQ(reader->row_count(), rows);
  return {reader->column_names(), arrow::Table::FromRecordBatches(batches).ValueOrDie()->CombineChunks().ValueOrDie()};
}

class Npy : public ::testing::Test {
 protected:
  // One column of those bytes.
  void expect_column(const std::string& type, const std::string& items, std::size_t row_count,
                     const std::shared_ptr<arrow::DataType>& wanted, const std::string& json) {
    const std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(row_count) + ",), }\n";
    const All all = read_all(folder_.write("t.npy", npy(header, items)));
    EXPECT_EQ(all.names, std::vector<std::string>{"c0"}) << type;
    expect_rows(*all.rows->column(0)->chunk(0), wanted, json);
  }
  void refuse(const std::string& bytes, DataErrorCode code, const std::string& message) {
    const std::string path = folder_.write("t.npy", bytes);
    expect_fault([&] { return open_npy(path); }, code, path + ": " + message);
  }

  TemporaryFolder folder_;
};

// Numbers would come out as others, with their bytes in the wrong order or the wrong width.
TEST_F(Npy, HasEveryNumber) {
  expect_column("|b1", "\1\0\1"s, 3, arrow::boolean(), "[true, false, true]");
  expect_column("|i1", "\xff\x7f"s, 2, arrow::int8(), "[-1, 127]");
  expect_column("|u1", "\xff\x7f"s, 2, arrow::uint8(), "[255, 127]");
  expect_column("<i2", "\xfe\xff\1\0"s, 2, arrow::int16(), "[-2, 1]");
  expect_column(">i2", "\xff\xfe\0\1"s, 2, arrow::int16(), "[-2, 1]");
  expect_column("<u4", "\4\3\2\1"s, 1, arrow::uint32(), "[16909060]");
  expect_column(">i4", "\1\2\3\4"s, 1, arrow::int32(), "[16909060]");
  expect_column("<i8", "\1\0\0\0\1\0\0\0"s, 1, arrow::int64(), "[4294967297]");
  expect_column(">u8", "\0\0\0\1\0\0\0\2"s, 1, arrow::uint64(), "[4294967298]");
  expect_column("<f2", "\0\x3e"s, 1, arrow::float16(), "[1.5]");
  expect_column(">f4", "\x3f\xc0\0\0"s, 1, arrow::float32(), "[1.5]");
  expect_column("<f4", "\0\0\xc0\x3f\0\0\0\x40"s, 2, arrow::float32(), "[1.5, 2]");
  expect_column("=f8", "\0\0\0\0\0\0\xf8\x3f"s, 1, arrow::float64(), "[1.5]");
}

// Columns would be taken for rows.
TEST_F(Npy, HasColumnsOfTwoDimensions) {
  const std::string items = "\1\2\3\4\5\6"s;
  const std::string rows =
      folder_.write("c.npy", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2)}", items));
  const All by_row = read_all(rows);
  EXPECT_EQ(by_row.names, (std::vector<std::string>{"c0", "c1"}));
  expect_rows(*by_row.rows->column(0)->chunk(0), arrow::uint8(), "[1, 3, 5]");
  expect_rows(*by_row.rows->column(1)->chunk(0), arrow::uint8(), "[2, 4, 6]");
  const std::string columns =
      folder_.write("f.npy", npy("{'descr': '|u1', 'fortran_order': True, 'shape': (3, 2)}", items));
  const All by_column = read_all(columns, {"x", "y"});
  EXPECT_EQ(by_column.names, (std::vector<std::string>{"x", "y"}));
  expect_rows(*by_column.rows->column(0)->chunk(0), arrow::uint8(), "[1, 2, 3]");
  expect_rows(*by_column.rows->column(1)->chunk(0), arrow::uint8(), "[4, 5, 6]");
  expect_fault([&] { return open_npy(columns, {"x"}); }, DataErrorCode::no_columns,
               columns + ": The file has 2 columns, but the number of names given is 1.");
}

// A field would be read from the bytes of its neighbour.
TEST_F(Npy, HasNamedFields) {
  const std::string header =
      "{'shape': (2,), 'descr': [('a', '<i2'), ('', '|V1'), (\"it's\", '|u1', (2,)), (('title', 'b'), '|b1')], "
      "'fortran_order': False}";
  const All all = read_all(folder_.write("t.npy", npy(header, "\1\0\x77\2\3\1\4\0\x77\5\6\0"s, 2)), {}, 1);
  EXPECT_EQ(all.names, (std::vector<std::string>{"a", "it's", "b"}));
  expect_rows(*all.rows->column(0)->chunk(0), arrow::int16(), "[1, 4]");
  expect_rows(*all.rows->column(1)->chunk(0), arrow::fixed_size_list(arrow::uint8(), 2), "[[2, 3], [5, 6]]");
  expect_rows(*all.rows->column(2)->chunk(0), arrow::boolean(), "[true, false]");
}

// A file that is none would crash the tool, take all memory, or be read as something else.
TEST_F(Npy, RefusesOtherFiles) {
  const auto with = [](const std::string& type, const std::string& shape, const std::string& items) {
    return npy("{'descr': " + type + ", 'fortran_order': False, 'shape': " + shape + ", }", items);
  };
  refuse("x,y\n1,2\n", DataErrorCode::damaged_file, "The file does not begin as a .npy file does.");
  refuse("", DataErrorCode::damaged_file, "The file does not begin as a .npy file does.");
  refuse("\x93NUMPY\1\0\x10"s, DataErrorCode::damaged_file, "The file ends in its header.");
  refuse(npy("{}", "1234", 4), DataErrorCode::damaged_file, "The file is of version 4; read are 1 to 3.");
  refuse("\x93NUMPY\2\0\0\0\0\x7f"s, DataErrorCode::damaged_file,
         "The header has 2130706432 bytes; it may have 1048576.");
  refuse("\x93NUMPY\1\0\xff\0{'a': 1}"s, DataErrorCode::damaged_file, "The file ends before its array does.");
  refuse(npy("{'descr': x}", ""), DataErrorCode::damaged_file,
         "The header is no Python literal: byte 11 of \"{'descr': x}\" does not fit.");
  refuse(npy(std::string(100, '('), ""), DataErrorCode::damaged_file,
         "The header is no Python literal: byte 18 of \"" + std::string(60, '(') + "\" does not fit.");
  refuse(npy("{'descr': '<f4', 'shape': (1,)}", "1234"), DataErrorCode::damaged_file,
         "The header has no \"fortran_order\".");
  refuse(with("'<f4'", "(2,)", "1234"), DataErrorCode::damaged_file,
         "An array of the shape (2) takes 8 bytes, but the file holds 4.");
  refuse(with("'<f4'", "(1,)", "12345"), DataErrorCode::damaged_file,
         "An array of the shape (1) takes 4 bytes, but the file holds 5.");
  refuse(with("'<f4'", "(4294967296, 4294967296)", ""), DataErrorCode::damaged_file,
         "An array of the shape (4294967296, 4294967296) takes more than 2^63 bytes, but the file holds 0.");
  refuse(with("'<f4'", "(0, 4294967296)", ""), DataErrorCode::no_columns,
         "The array has 4294967296 columns; a table has 1 to 100000.");
  refuse(with("'<f4'", "()", "1234"), DataErrorCode::unsupported_column,
         "The array has 0 dimensions; a table is read from one, or from two of plain numbers.");
  refuse(with("'<f4'", "(1, 1, 1)", "1234"), DataErrorCode::unsupported_column,
         "The array has 3 dimensions; a table is read from one, or from two of plain numbers.");
  for (const char* type : {"|O", "<c8", "<U3", "|S3", "<M8[s]", "<m8[s]", "<f16"}) {
    refuse(with("'"s + type + "'", "(1,)", ""), DataErrorCode::unsupported_column,
           "The array has the type "s + type +
               "; read are booleans, integers of 8 to 64 bits and floats of 16 to 64 bits.");
  }
  refuse(with("[('a', '<f4'), ('s', '<U3')]", "(1,)", ""), DataErrorCode::unsupported_column,
         "Field \"s\" has the type <U3; read are booleans, integers of 8 to 64 bits and floats of 16 to 64 bits.");
  refuse(with("[('a', '<f4', (2, 2))]", "(1,)", ""), DataErrorCode::unsupported_column,
         "Field \"a\" has a shape of its own; read are fields of 1 to 4 numbers.");
  refuse(
      with("[('a', [('b', '<f4')])]", "(1,)", ""), DataErrorCode::unsupported_column,
      "Field \"a\" has the type of fields of its own; read are booleans, integers of 8 to 64 bits and floats of 16 to "
      "64 bits.");
  const std::string none = folder_.write("none.npy", with("'<f4'", "(0,)", ""));
  expect_fault([&] { return read_all(none); }, DataErrorCode::no_rows, none + ": The file has columns but no rows.");
}

class NpyWritten : public Npy {
 protected:
  std::string write(const std::vector<NamedRows>& batches) {
    const auto sink = arrow::io::FileOutputStream::Open(folder_.file("w.npy")).ValueOrDie();
    const std::unique_ptr<TableWriter> writer = create_table(TableFormat::npy, sink, "w.npy");
    for (const NamedRows& rows : batches) writer->write(*table_of(rows));
    writer->finish();
    EXPECT_TRUE(sink->Close().ok());
    return folder_.file("w.npy");
  }
};

// NumPy would not read the file, or memory-map it with its numbers at odd addresses.
TEST_F(NpyWritten, IsWhatNumpyWrites) {
  write({{{"x", rows_of(arrow::float32(), "[1.5, 2]")}}});
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  EXPECT_EQ(folder_.read("w.npy"), "\x93NUMPY\1\0\x76\0"s + header + std::string(118 - header.size() - 1, ' ') + "\n" +
                                       "\0\0\xc0\x3f\0\0\0\x40"s);
}

// Values would change, move to another row, or lose their names.
TEST_F(NpyWritten, HoldsColumnsOfEveryType) {
  NamedRows columns = {
      {"it's", rows_of(arrow::boolean(), "[true, false, true]")},
      {"i", rows_of(arrow::int8(), "[-1, 2, 3]")},
      {"größe", rows_of(arrow::float64(), "[0.1, 2, 3]")},
      {"u", rows_of(arrow::uint64(), "[18446744073709551615, 2, 3]")},
      {"h", rows_of(arrow::float16(), "[1.5, 2, 3]")},
      {"p", rows_of(arrow::fixed_size_list(arrow::float32(), 3), "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]")},
      {"f", rows_of(arrow::fixed_size_list(arrow::boolean(), 2), "[[true, false], [false, true], [true, true]]")}};
  NamedRows sliced = columns;
  for (auto& [name, rows] : sliced) rows = rows->Slice(1, 2);
  const All all = read_all(write({columns, sliced}));
  for (std::size_t column = 0; column < columns.size(); ++column) {
    EXPECT_EQ(all.names[column], columns[column].first);
    const std::shared_ptr<arrow::Array> rows = all.rows->column(static_cast<int>(column))->chunk(0);
    EXPECT_TRUE(rows->Slice(0, 3)->Equals(*columns[column].second)) << rows->ToString();
    EXPECT_TRUE(rows->Slice(3)->Equals(*sliced[column].second)) << rows->ToString();
  }
  const All points = read_all(write({{columns[5]}}));
  EXPECT_EQ(points.names, (std::vector<std::string>{"c0", "c1", "c2"}));
  expect_rows(*points.rows->column(1)->chunk(0), arrow::float32(), "[2, 5, 8]");
}

// A missing value would become a number, or text be lost without a word.
TEST_F(NpyWritten, RefusesWhatItCannotHold) {
  expect_fault(
      [&] {
        return write({{{"x", rows_of(arrow::int32(), "[1, 2]")}}, {{"x", rows_of(arrow::int32(), "[3, null]")}}});
      },
      DataErrorCode::missing_value,
      "w.npy: Column \"x\" has no value in row 4 (counting from 1), and .npy has no missing values; choose --nulls "
      "nan, drop or a number.");
  expect_fault(
      [&] {
        return write({{{"s", rows_of(arrow::utf8(), R"(["x"])")}}});
      },
      DataErrorCode::unsupported_column,
      "w.npy: Column \"s\" has the type string, which .npy does not have; leave it out, or write .parquet or "
      ".arrow.");
}

}  // namespace
}  // namespace millrace::data
