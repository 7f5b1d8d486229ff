// Names for the columns of files that have none.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::data {

// Those given, or c0, c1, ... DataError `no_columns` where those given are
// more or fewer than the file's columns.
[[nodiscard]] std::vector<std::string> names_for(const std::vector<std::string>& given, std::size_t column_count,
                                                 const std::string& file);

}  // namespace millrace::data
