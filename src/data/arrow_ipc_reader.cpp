// Record batches are read one at a time and handed out in slices. Each is checked as a whole, since its offsets come from
// the file and are followed when text is copied.
#include "src/data/arrow_ipc_reader.hpp"

#include <algorithm>
#include <utility>

#include <arrow/io/file.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include "src/data/arrow_status.hpp"
#include "src/data/column_selection.hpp"

namespace millrace::data {

namespace {

// Record batches of a file, one after the other.
class BatchSequence {
 public:
  BatchSequence() = default;
  BatchSequence(const BatchSequence&) = delete;
  BatchSequence& operator=(const BatchSequence&) = delete;
  virtual ~BatchSequence() = default;

  [[nodiscard]] virtual std::shared_ptr<arrow::Schema> schema() const = 0;
  // Null at the end.
  virtual arrow::Result<std::shared_ptr<arrow::RecordBatch>> next() = 0;
};

class FileBatches final : public BatchSequence {
 public:
  explicit FileBatches(std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader) : reader_(std::move(reader)) {}

  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return reader_->schema(); }
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> next() override {
    if (index_ == reader_->num_record_batches()) return nullptr;
    return reader_->ReadRecordBatch(index_++);
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader_;
  int index_ = 0;
};

class StreamBatches final : public BatchSequence {
 public:
  explicit StreamBatches(std::shared_ptr<arrow::ipc::RecordBatchStreamReader> reader) : reader_(std::move(reader)) {}

  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return reader_->schema(); }
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> next() override { return reader_->Next(); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> reader_;
};

class ArrowReader final : public TableReader {
 public:
  ArrowReader(const InputFile& file, bool is_stream);

  [[nodiscard]] const std::vector<std::string>& column_names() const override { return names_; }
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  void select(std::vector<SelectedColumn> columns) override;
  [[nodiscard]] std::optional<Batch> next_batch(std::size_t row_limit) override;
  [[nodiscard]] std::optional<std::uint64_t> row_count() const override { return row_count_; }
  [[nodiscard]] std::optional<double> fraction_read() const override;

 private:
  [[nodiscard]] std::unique_ptr<BatchSequence> open(const arrow::ipc::IpcReadOptions& options);
  bool next_record_batch();
  template <class Value>
  Value checked(arrow::Result<Value> result) const {
    return value_of(std::move(result), DataErrorCode::damaged_file, name_);
  }

  std::string name_;
  bool is_stream_;
  std::shared_ptr<arrow::io::ReadableFile> input_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::string> names_;
  std::optional<std::uint64_t> row_count_;
  std::int64_t byte_size_ = 0;
  ColumnSelection selection_;
  std::unique_ptr<BatchSequence> batches_;
  std::shared_ptr<arrow::RecordBatch> current_;  // null before the first and after the last
  std::int64_t current_row_ = 0;                 // of current_: the next to hand out
  std::uint64_t rows_read_ = 0;
};

ArrowReader::ArrowReader(const InputFile& file, bool is_stream)
    : name_(file.name),
      is_stream_(is_stream),
      input_(value_of(arrow::io::ReadableFile::Open(file.path.string()), DataErrorCode::unreadable_file, name_)) {
  schema_ = open(arrow::ipc::IpcReadOptions::Defaults())->schema();
  byte_size_ = checked(input_->GetSize());
  names_ = schema_->field_names();
  if (!names_.empty()) return;
  throw DataError(DataErrorCode::no_columns, fmt::format("{}: The file has no columns.", name_));
}

std::unique_ptr<BatchSequence> ArrowReader::open(const arrow::ipc::IpcReadOptions& options) {
  check(input_->Seek(0), DataErrorCode::unreadable_file, name_);
  if (is_stream_) {
    return std::make_unique<StreamBatches>(checked(arrow::ipc::RecordBatchStreamReader::Open(input_, options)));
  }
  const auto reader = checked(arrow::ipc::RecordBatchFileReader::Open(input_, options));
  row_count_ = static_cast<std::uint64_t>(checked(reader->CountRows()));
  return std::make_unique<FileBatches>(reader);
}

void ArrowReader::select(std::vector<SelectedColumn> columns) {
  selection_ = ColumnSelection(std::move(columns), *schema_, name_);
  arrow::ipc::IpcReadOptions options;
  for (const std::size_t column : selection_.columns_read()) {
    options.included_fields.push_back(static_cast<int>(column));
  }
  batches_ = open(options);
}

bool ArrowReader::next_record_batch() {
  do {
    current_ = checked(batches_->next());
    current_row_ = 0;
    if (current_ == nullptr) return false;
    check(current_->ValidateFull(), DataErrorCode::damaged_file, name_);
  } while (current_->num_rows() == 0);
  return true;
}

std::optional<Batch> ArrowReader::next_batch(std::size_t row_limit) {
  const bool is_at_end = current_ == nullptr || current_row_ == current_->num_rows();
  if (is_at_end && !next_record_batch()) {
    if (rows_read_ != 0) return std::nullopt;
    throw DataError(DataErrorCode::no_rows, fmt::format("{}: The file has columns but no rows.", name_));
  }
  const std::int64_t count = std::min(static_cast<std::int64_t>(row_limit), current_->num_rows() - current_row_);
  Batch batch = {.first_row = rows_read_,
                 .origin = {.file = name_, .first_row = rows_read_},
                 .rows = selection_.in_order_selected(*current_->Slice(current_row_, count))};
  current_row_ += count;
  rows_read_ += batch.row_count();
  return batch;
}

std::optional<double> ArrowReader::fraction_read() const {
  if (row_count_) return *row_count_ == 0 ? 1.0 : static_cast<double>(rows_read_) / static_cast<double>(*row_count_);
  const arrow::Result<std::int64_t> position = input_->Tell();
  if (!position.ok() || byte_size_ == 0) return std::nullopt;
  return static_cast<double>(*position) / static_cast<double>(byte_size_);
}

}  // namespace

std::unique_ptr<TableReader> open_arrow_file(const InputFile& file) {
  return std::make_unique<ArrowReader>(file, false);
}

std::unique_ptr<TableReader> open_arrow_stream(const InputFile& file) {
  return std::make_unique<ArrowReader>(file, true);
}

}  // namespace millrace::data
