// Tables as NumPy's array files: a single column is an array of numbers, or of rows of 2 to 4 numbers; several columns are a
// structured array, whose fields have the names and types of the columns.
#pragma once

#include <memory>
#include <string>

#include <arrow/io/type_fwd.h>

#include "src/data/table_writer.hpp"

namespace millrace::data {

// As create_table. The header says how many rows there are, so they go to a temporary file until the last has come.
// DataError `missing_value` for a row without a value, which the format does not have; `unsupported_column` for columns
// that are no numbers.
[[nodiscard]] std::unique_ptr<TableWriter> create_npy(std::shared_ptr<arrow::io::OutputStream> stream,
                                                      const std::string& path);

}  // namespace millrace::data
