// Writes a table to a file, some rows at a time.
#pragma once

#include <memory>
#include <string>

#include <arrow/io/type_fwd.h>
#include <arrow/type_fwd.h>

#include "src/data/table_format.hpp"

namespace millrace::data {

class TableWriter {
 public:
  TableWriter() = default;
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;
  virtual ~TableWriter() = default;

  // Appends rows, with the same schema each time. DataError `unwritable_file`; `unsupported_column` for a type that the
  // format does not have, at the first rows.
  virtual void write(const arrow::RecordBatch& rows) = 0;
  // Everything was handed to the stream when this returns. Once, after the last write. DataError `unwritable_file`.
  virtual void finish() = 0;
};

struct WriteOptions {
  char delimiter = ',';  // of CSV
};

// Writes to the stream and leaves it open; a table of at least one column. path: what an error calls the file.
// CSV: missing values are empty fields; in a table of one column they are written as "" with the quotes, since many
// readers take an empty line for no row at all. A list of lanes is a column for each: "name.x", "name.y", ...
// Parquet: missing values are nulls.
[[nodiscard]] std::unique_ptr<TableWriter> create_table(TableFormat format,
                                                        std::shared_ptr<arrow::io::OutputStream> stream,
                                                        const std::string& path, const WriteOptions& options = {});

}  // namespace millrace::data
