// All files are looked at before any is read, so that one that does not fit costs no work; but only the one at hand stays
// open, since there may be more files than a process may open.
#include "src/data/many_tables.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include "src/base/counted.hpp"
#include "src/data/data_error.hpp"

namespace millrace::data {

namespace {

[[noreturn]] void throw_other_schema(const std::string& path, const std::string& first, const std::string& difference) {
  throw DataError(DataErrorCode::other_schema,
                  fmt::format("{path}: The columns are not those of {first}: {difference}.", fmt::arg("path", path),
                              fmt::arg("first", first), fmt::arg("difference", difference)));
}

class ManyTables final : public TableReader {
 public:
  ManyTables(std::vector<std::string> paths, ReadOptions options);

  [[nodiscard]] const std::vector<std::string>& column_names() const override { return names_; }
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  void select(std::vector<SelectedColumn> columns) override;
  [[nodiscard]] std::optional<Batch> next_batch(std::size_t row_limit) override;
  [[nodiscard]] std::optional<std::uint64_t> row_count() const override { return row_count_; }
  [[nodiscard]] std::optional<double> fraction_read() const override;

 private:
  [[nodiscard]] std::unique_ptr<TableReader> open(std::size_t file);
  void check_columns(const std::string& path, const TableReader& table) const;
  [[nodiscard]] std::optional<Batch> next_of_file(std::size_t row_limit);
  void take_types(const Batch& batch);

  std::vector<std::string> paths_;
  ReadOptions options_;
  std::vector<std::string> names_;
  std::shared_ptr<arrow::Schema> schema_;
  std::optional<std::uint64_t> row_count_ = 0;
  std::vector<double> byte_sizes_;  // of the files; empty where one is unknown
  std::vector<SelectedColumn> selected_;
  std::size_t file_ = 0;                         // index into paths_
  std::unique_ptr<TableReader> current_;         // null until it is read
  std::unique_ptr<TableReader> standard_input_;  // once opened, it cannot be opened again
  std::uint64_t rows_before_ = 0;                // of the files before
  std::uint64_t rows_read_ = 0;
};

ManyTables::ManyTables(std::vector<std::string> paths, ReadOptions options)
    : paths_(std::move(paths)), options_(std::move(options)) {
  bool are_sizes_known = true;
  for (const std::string& path : paths_) {
    std::unique_ptr<TableReader> table = open_table(path, options_);
    if (&path == &paths_.front()) {
      names_ = table->column_names();
      schema_ = table->schema();
    } else {
      check_columns(path, *table);
    }
    const std::optional<std::uint64_t> rows = table->row_count();
    row_count_ = row_count_ && rows ? std::optional(*row_count_ + *rows) : std::nullopt;
    std::error_code failure;
    byte_sizes_.push_back(static_cast<double>(std::filesystem::file_size(path, failure)));
    are_sizes_known = are_sizes_known && !failure;
    if (path == "-") standard_input_ = std::move(table);
  }
  if (!are_sizes_known) byte_sizes_.clear();
}

void ManyTables::check_columns(const std::string& path, const TableReader& table) const {
  const std::string& first = paths_.front();
  const std::vector<std::string>& names = table.column_names();
  if ((schema_ == nullptr) != (table.schema() == nullptr)) {
    throw_other_schema(path, first, "only one of the files has types of its own");
  }
  for (std::size_t column = 0; column < std::min(names.size(), names_.size()); ++column) {
    if (names[column] != names_[column]) {
      throw_other_schema(
          path, first,
          fmt::format("column {} is \"{}\" and there it is \"{}\"", column + 1, names[column], names_[column]));
    }
    if (schema_ == nullptr) continue;
    const std::shared_ptr<arrow::DataType>& type = table.schema()->field(static_cast<int>(column))->type();
    const std::shared_ptr<arrow::DataType>& type_there = schema_->field(static_cast<int>(column))->type();
    if (type->Equals(*type_there)) continue;
    throw_other_schema(path, first,
                       fmt::format("\"{}\" has the type {} and there it is {}", names[column], type->ToString(),
                                   type_there->ToString()));
  }
  if (names.size() == names_.size()) return;
  throw_other_schema(path, first,
                     fmt::format("it has {}, and there are {} there", counted(names.size(), "column"), names_.size()));
}

std::unique_ptr<TableReader> ManyTables::open(std::size_t file) {
  std::unique_ptr<TableReader> table =
      paths_[file] == "-" ? std::move(standard_input_) : open_table(paths_[file], options_);
  table->select(selected_);
  return table;
}

void ManyTables::select(std::vector<SelectedColumn> columns) {
  selected_ = std::move(columns);
  current_ = open(0);  // what cannot be read is found now
}

// Nothing where the file has no more rows, or none at all.
std::optional<Batch> ManyTables::next_of_file(std::size_t row_limit) {
  try {
    return current_->next_batch(row_limit);
  } catch (const DataError& error) {
    const bool may_be_empty = file_ + 1 < paths_.size() || rows_read_ != 0;
    if (error.code() != DataErrorCode::no_rows || !may_be_empty) throw;
    return std::nullopt;
  }
}

void ManyTables::take_types(const Batch& batch) {
  for (std::size_t index = 0; index < selected_.size(); ++index) {
    selected_[index].like =
        ColumnLike{.type = batch.rows->column(static_cast<int>(index))->type(), .file = batch.origin.file};
  }
}

std::optional<Batch> ManyTables::next_batch(std::size_t row_limit) {
  std::optional<Batch> batch = next_of_file(row_limit);
  while (!batch && file_ + 1 < paths_.size()) {
    rows_before_ = rows_read_;
    current_ = open(++file_);
    batch = next_of_file(row_limit);
  }
  if (!batch) return std::nullopt;
  if (rows_read_ == 0) take_types(*batch);
  batch->first_row += rows_before_;
  rows_read_ = batch->first_row + batch->row_count();
  return batch;
}

std::optional<double> ManyTables::fraction_read() const {
  const std::optional<double> of_file = current_->fraction_read();
  if (byte_sizes_.empty() || !of_file) return std::nullopt;
  double read = *of_file * byte_sizes_[file_];
  double all = 0;
  for (std::size_t file = 0; file < byte_sizes_.size(); ++file) {
    if (file < file_) read += byte_sizes_[file];
    all += byte_sizes_[file];
  }
  return all == 0 ? 1.0 : read / all;
}

}  // namespace

std::unique_ptr<TableReader> open_tables(const std::vector<std::string>& paths, const ReadOptions& options) {
  if (paths.size() == 1) return open_table(paths.front(), options);
  return std::make_unique<ManyTables>(paths, options);
}

}  // namespace millrace::data
