// Arrow decodes; what is ours is the choice of columns, and to look whether all rows are there.
#include "src/data/parquet_reader.hpp"

#include <numeric>
#include <utility>

#include <arrow/array.h>
#include <arrow/io/file.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>

#include "src/base/counted.hpp"
#include "src/data/arrow_status.hpp"
#include "src/data/column_selection.hpp"

namespace millrace::data {

namespace {

// A column of lists has its leaves inside.
void add_leaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
  if (field.children.empty()) {
    leaves.push_back(field.column_index);
    return;
  }
  for (const parquet::arrow::SchemaField& child : field.children) add_leaves(child, leaves);
}

class ParquetReader final : public TableReader {
 public:
  explicit ParquetReader(const InputFile& file);

  [[nodiscard]] const std::vector<std::string>& column_names() const override { return names_; }
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  void select(std::vector<SelectedColumn> columns) override;
  [[nodiscard]] std::optional<Batch> next_batch(std::size_t row_limit) override;
  [[nodiscard]] std::optional<std::uint64_t> row_count() const override { return row_count_; }
  [[nodiscard]] std::optional<double> fraction_read() const override {
    return row_count_ == 0 ? 1.0 : static_cast<double>(rows_read_) / static_cast<double>(row_count_);
  }

 private:
  void open_batches(std::size_t row_limit);
  void check_all_read() const;
  template <class Value>
  Value checked(arrow::Result<Value> result) const {
    return value_of(std::move(result), DataErrorCode::damaged_file, path_);
  }

  std::string path_;
  std::unique_ptr<parquet::arrow::FileReader> file_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::string> names_;
  ColumnSelection selection_;
  std::uint64_t row_count_ = 0;
  std::uint64_t rows_read_ = 0;
  std::unique_ptr<arrow::RecordBatchReader> batches_;  // made by the first next_batch
};

ParquetReader::ParquetReader(const InputFile& file) : path_(file.name) {
  const std::shared_ptr<arrow::io::ReadableFile> input =
      value_of(arrow::io::ReadableFile::Open(file.path.string()), DataErrorCode::unreadable_file, path_);
  parquet::arrow::FileReaderBuilder builder;
  parquet::ReaderProperties properties;
  properties.enable_buffered_stream();  // pages as they are needed, not whole column chunks
  check(builder.Open(input, properties), DataErrorCode::damaged_file, path_);
  parquet::ArrowReaderProperties arrow_properties;
  arrow_properties.set_pre_buffer(false);
  file_ = checked(builder.properties(arrow_properties)->Build());
  check(file_->GetSchema(&schema_), DataErrorCode::damaged_file, path_);
  for (const std::shared_ptr<arrow::Field>& field : schema_->fields()) names_.push_back(field->name());
  row_count_ = static_cast<std::uint64_t>(file_->parquet_reader()->metadata()->num_rows());
}

void ParquetReader::select(std::vector<SelectedColumn> columns) {
  selection_ = ColumnSelection(std::move(columns), *schema_, path_);
}

void ParquetReader::open_batches(std::size_t row_limit) {
  std::vector<int> leaves;
  for (const std::size_t column : selection_.columns_read())
    add_leaves(file_->manifest().schema_fields[column], leaves);
  std::vector<int> row_groups(static_cast<std::size_t>(file_->num_row_groups()));
  std::iota(row_groups.begin(), row_groups.end(), 0);
  file_->set_batch_size(static_cast<std::int64_t>(row_limit));
  batches_ = checked(file_->GetRecordBatchReader(row_groups, leaves));
}

// Arrow ends quietly where a column's pages do.
void ParquetReader::check_all_read() const {
  if (rows_read_ == row_count_) return;
  throw DataError(DataErrorCode::damaged_file,
                  fmt::format("{name}: The file says that it has {rows}, but holds {read}.", fmt::arg("name", path_),
                              fmt::arg("rows", counted(static_cast<std::uint64_t>(row_count_), "row")),
                              fmt::arg("read", rows_read_)));
}

std::optional<Batch> ParquetReader::next_batch(std::size_t row_limit) {
  if (row_count_ == 0) {
    throw DataError(DataErrorCode::no_rows,
                    fmt::format("{name}: The file has columns but no rows.", fmt::arg("name", path_)));
  }
  if (batches_ == nullptr) open_batches(row_limit);
  const std::shared_ptr<arrow::RecordBatch> decoded = checked(batches_->Next());
  if (decoded == nullptr) {
    check_all_read();
    return std::nullopt;
  }

  Batch batch = {.first_row = rows_read_, .origin = {.file = path_, .first_row = rows_read_}, .rows = {}};
  batch.rows = selection_.in_order_selected(*decoded);
  rows_read_ += batch.row_count();
  return batch;
}

}  // namespace

std::unique_ptr<TableReader> open_parquet(const InputFile& file) { return std::make_unique<ParquetReader>(file); }

}  // namespace millrace::data
