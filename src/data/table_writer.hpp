// Writes a table to a file, some rows at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "src/data/column.hpp"
#include "src/data/table_format.hpp"

namespace millrace::data {

class TableWriter {
 public:
  TableWriter() = default;
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;
  virtual ~TableWriter() = default;

  // Appends rows: columns of equal row counts, with the same names and types each time. DataError `unwritable_file`.
  virtual void write(std::span<const Column> columns) = 0;
  // Everything is in the file when this returns. Once, after the last write. DataError `unwritable_file`.
  virtual void finish() = 0;
};

// Overwrites the file of that path, at least one column. CSV: missing values are empty fields; in a table of one column
// they are written as "" with the quotes, since many readers take an empty line for no row at all. Parquet: they are
// nulls. path_for_messages is what an error calls the file.
[[nodiscard]] std::unique_ptr<TableWriter> create_table(TableFormat format, const std::filesystem::path& path,
                                                        const std::string& path_for_messages);

}  // namespace millrace::data
