// CSV as tables: a line of column names, then rows. Fields are separated by commas and may be quoted.
//
// `NA` and an empty field are missing. A column's type is what its first batch shows: integers (sint32), numbers
// (float32), true and false (boolean), else text; a column without any value in its first batch is of numbers. A later
// field that is none of its column's type is an error with line, column and value. An empty line is a row in a file of
// one column (its field is empty) and nothing in others.
#pragma once

#include <filesystem>
#include <memory>

#include "src/data/table_reader.hpp"

namespace millrace::data {

[[nodiscard]] std::unique_ptr<TableReader> open_csv(const std::filesystem::path& path);

}  // namespace millrace::data
