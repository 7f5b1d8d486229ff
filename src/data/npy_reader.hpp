// NumPy's array files as tables: an array of one dimension is a column, one of two dimensions has a column for each of its
// own; fields of a structured array are columns with their names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/data/input_file.hpp"
#include "src/data/table_reader.hpp"

namespace millrace::data {

// column_names: for arrays whose columns have none; empty: c0, c1, ...
[[nodiscard]] std::unique_ptr<TableReader> open_npy(const InputFile& file,
                                                    const std::vector<std::string>& column_names = {});

}  // namespace millrace::data
