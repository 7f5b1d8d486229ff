// Reads a file of columns, some rows at a time. Memory is that of one batch, whatever the file's size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "src/data/number_column.hpp"
#include "src/data/table_format.hpp"

namespace millrace::data {

// Consecutive rows of a table.
struct Batch {
  std::uint64_t first_row;  // counted from 0 over the whole table
  Origin origin;
  std::shared_ptr<arrow::RecordBatch> rows;  // the selected columns, in the order selected, as the file has them

  [[nodiscard]] std::size_t row_count() const;
};

// What a selected column is for. It matters where a file has no types of its own, as CSV.
enum class ColumnUse : std::uint8_t {
  formula,  // to_numbers will take it
  table,    // goes on into another table, typed: integers, doubles, booleans, or text where it is none of them
  text,     // goes on into another file of text: the fields as they stand, quotes aside
};

// A type that a column has in another file, and the name of that file.
struct ColumnLike {
  std::shared_ptr<arrow::DataType> type;
  std::string file;
};

struct SelectedColumn {
  std::size_t column;  // index into column_names()
  ColumnUse use = ColumnUse::formula;
  std::optional<NumberType> wanted = {};  // where use is formula: what to_numbers will make of it
  std::optional<ColumnLike> like = {};    // where a file has no types of its own: one that it continues
};

class TableReader {
 public:
  TableReader() = default;
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;
  virtual ~TableReader() = default;

  // The names of the file's columns, in the file's order. A name may stand twice.
  [[nodiscard]] virtual const std::vector<std::string>& column_names() const = 0;

  // What the file says of its columns; null where it has no types of its own.
  [[nodiscard]] virtual std::shared_ptr<arrow::Schema> schema() const { return nullptr; }

  // Which columns the batches hold, in this order, at least one; a column may be selected twice. Once, before the first
  // batch. DataError `unsupported_column` for one of a type that no formula can read.
  virtual void select(std::vector<SelectedColumn> columns) = 0;

  // The next rows, at most row_limit (at least 1) of them; nothing at the end. Column types are the same in all batches.
  // DataError with the place of the fault; `no_rows` where the whole table has none.
  [[nodiscard]] virtual std::optional<Batch> next_batch(std::size_t row_limit) = 0;

  // How many rows the table has; nothing where that is known only at its end.
  [[nodiscard]] virtual std::optional<std::uint64_t> row_count() const { return std::nullopt; }

  // How much of the file has been read, 0 to 1; nothing where its size is unknown.
  [[nodiscard]] virtual std::optional<double> fraction_read() const = 0;
};

// How a file is to be read, where its name does not say it.
struct ReadOptions {
  std::optional<TableFormat> format = {};  // else by the ending
  char delimiter = '\0';                   // of CSV; 0: a comma, or a tab in .tsv files
  bool has_header = true;                  // of CSV: the first line holds the column names
  // Of a file whose columns have none, CSV without header and .npy; empty: c0, c1, ... For others, an error
  // `has_own_names`.
  std::vector<std::string> column_names = {};
};

// path: "-" for standard input, whose first bytes tell the format where the options do not. What is not CSV is copied from
// there into a temporary file. DataError `unknown_ending`, `unreadable_file`, `not_a_file`, `no_columns`, `damaged_file`.
[[nodiscard]] std::unique_ptr<TableReader> open_table(const std::filesystem::path& path,
                                                      const ReadOptions& options = {});

}  // namespace millrace::data
