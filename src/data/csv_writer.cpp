// Rows are gathered as text and written a block at a time.
#include "src/data/csv_writer.hpp"

#include <string_view>
#include <utility>

#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>

#include "src/data/arrow_status.hpp"
#include "src/data/value_text.hpp"

namespace millrace::data {

namespace {

constexpr std::size_t kBlockByteSize = std::size_t{1} << 20;

class CsvWriter final : public TableWriter {
 public:
  CsvWriter(std::shared_ptr<arrow::io::OutputStream> stream, std::string path, char delimiter)
      : path_(std::move(path)), stream_(std::move(stream)), delimiter_(delimiter) {
    special_ += delimiter;
  }

  void write(const arrow::RecordBatch& rows) override;
  void finish() override { flush(); }

 private:
  void write_header(const std::vector<FlatColumn>& columns);
  void append_quoted_where_needed(std::string_view text);
  void flush();

  std::string path_;
  std::shared_ptr<arrow::io::OutputStream> stream_;
  char delimiter_;
  std::string special_ = "\"\r\n";  // characters for which a field is quoted
  bool has_header_ = false;
  std::string text_;
};

void CsvWriter::write(const arrow::RecordBatch& rows) {
  const std::vector<FlatColumn> columns = flat_columns(rows);
  if (!has_header_) write_header(columns);
  std::vector<ValueText> values;
  values.reserve(columns.size());
  for (const FlatColumn& column : columns) values.emplace_back(column.values, column.name, path_);
  const std::string_view missing = columns.size() == 1 ? "\"\"" : "";
  std::string field;
  for (std::int64_t row = 0; row < rows.num_rows(); ++row) {
    for (const ValueText& value : values) {
      if (value.is_text()) {
        field.clear();
        if (value.append(field, row)) {
          append_quoted_where_needed(field);
        } else {
          text_ += missing;
        }
      } else if (!value.append(text_, row)) {
        text_ += missing;
      }
      text_ += delimiter_;
    }
    text_.back() = '\n';
    if (text_.size() >= kBlockByteSize) flush();
  }
}

void CsvWriter::append_quoted_where_needed(std::string_view text) {
  if (text.find_first_of(special_) == std::string_view::npos) {
    text_ += text;
    return;
  }
  text_ += '"';
  for (const char character : text) {
    text_ += character;
    if (character == '"') text_ += '"';
  }
  text_ += '"';
}

void CsvWriter::write_header(const std::vector<FlatColumn>& columns) {
  for (const FlatColumn& column : columns) {
    if (column.name.empty()) {
      text_ += "\"\"";
    } else {
      append_quoted_where_needed(column.name);
    }
    text_ += delimiter_;
  }
  text_.back() = '\n';
  has_header_ = true;
}

void CsvWriter::flush() {
  check(stream_->Write(text_.data(), static_cast<std::int64_t>(text_.size())), DataErrorCode::unwritable_file, path_);
  text_.clear();
}

}  // namespace

std::unique_ptr<TableWriter> create_csv(std::shared_ptr<arrow::io::OutputStream> stream, const std::string& path,
                                        char delimiter) {
  return std::make_unique<CsvWriter>(std::move(stream), path, delimiter);
}

}  // namespace millrace::data
