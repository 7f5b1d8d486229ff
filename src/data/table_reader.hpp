// Reads a file of columns, some rows at a time. Memory is that of one batch, whatever the file's size.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/data/column.hpp"

namespace millrace::data {

class TableReader {
 public:
  TableReader() = default;
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;
  virtual ~TableReader() = default;

  // The names of the file's columns, in the file's order. A name may stand twice.
  [[nodiscard]] virtual const std::vector<std::string>& column_names() const = 0;

  // Which columns the batches hold, in this order, each an index into column_names(). Once, before the first batch.
  // DataError `unsupported_column` for one of a type that no formula can read.
  virtual void select(std::vector<std::size_t> columns) = 0;

  // The next rows, at most row_limit (at least 1) of them; nothing at the end. Column types are the same in all batches.
  // DataError with the place of the fault; `no_rows` where the whole table has none.
  [[nodiscard]] virtual std::optional<Batch> next_batch(std::size_t row_limit) = 0;

  // How much of the file has been read, 0 to 1; nothing where its size is unknown.
  [[nodiscard]] virtual std::optional<double> fraction_read() const = 0;
};

// By the file's ending. DataError `unknown_ending`, `unreadable_file`, `not_a_file`, `no_columns`, `damaged_file`.
[[nodiscard]] std::unique_ptr<TableReader> open_table(const std::filesystem::path& path);

}  // namespace millrace::data
