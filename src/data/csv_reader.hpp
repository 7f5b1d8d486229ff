// CSV as tables: a line of column names, then rows. Fields are separated by commas and may be quoted.
//
// `NA` and an empty field are missing. A column's type is what its first batch shows: for a formula integers (sint32),
// numbers (float32), or true and false (boolean), and a column without any value in its first batch is of numbers; for
// another table also text, in which "NA" is a text like any other, and integers and numbers of 64 bits. A later field that
// is none of its column's type is an error with line, column and value. An empty line is a row in a file of one column
// (its field is empty) and nothing in others.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "src/data/input_file.hpp"
#include "src/data/table_reader.hpp"

namespace millrace::data {

struct CsvOptions {
  char delimiter = ',';
  bool has_header = true;
  std::vector<std::string> column_names = {};  // where there is no header; empty: c0, c1, ...
};

[[nodiscard]] std::unique_ptr<TableReader> open_csv(const InputFile& file, const CsvOptions& options = {});

}  // namespace millrace::data
