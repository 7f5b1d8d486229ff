// Several files as one table: the rows of one follow those of the other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/data/table_reader.hpp"

namespace millrace::data {

// Files by their paths, at least one; "-" is standard input, once at most. All have the same columns in the same order, and
// of the same types; where a file has no types of its own, those that the first file showed. A file without rows adds none,
// but one of them has some. Messages and origins name the file at hand, and rows are counted over all. DataError as
// open_table; `other_schema` names the first column that differs.
[[nodiscard]] std::unique_ptr<TableReader> open_tables(const std::vector<std::string>& paths,
                                                       const ReadOptions& options = {});

}  // namespace millrace::data
