// Rows are gathered as text and written a block at a time.
#include "src/data/csv_writer.hpp"

#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <arrow/io/file.h>
#include <fmt/format.h>

#include "src/data/arrow_status.hpp"

namespace millrace::data {

namespace {

constexpr std::size_t kBlockByteSize = std::size_t{1} << 20;

void append_name(std::string& text, std::string_view name) {
  const bool needs_quotes = name.empty() || name.find_first_of(",\"\r\n") != std::string_view::npos;
  if (needs_quotes) text += '"';
  for (const char character : name) {
    text += character;
    if (character == '"') text += '"';
  }
  if (needs_quotes) text += '"';
}

void append(std::string& text, float value) {
  if (std::isnan(value)) {
    text += "nan";  // never with a sign
  } else {
    fmt::format_to(std::back_inserter(text), "{}", value);
  }
}
template <class Integer>
void append(std::string& text, Integer value) {
  text += fmt::format_int(value).c_str();
}

class CsvWriter final : public TableWriter {
 public:
  CsvWriter(const std::filesystem::path& path, std::string path_for_messages)
      : path_(std::move(path_for_messages)),
        file_(value_of(arrow::io::FileOutputStream::Open(path.string()), DataErrorCode::unwritable_file, path_)) {}

  void write(std::span<const Column> columns) override;
  void finish() override;

 private:
  void write_header(std::span<const Column> columns);
  void flush();

  std::string path_;
  std::shared_ptr<arrow::io::FileOutputStream> file_;
  bool has_header_ = false;
  std::string text_;
};

void CsvWriter::write(std::span<const Column> columns) {
  if (!has_header_) write_header(columns);
  const std::string_view missing = columns.size() == 1 ? "\"\"" : "";
  const std::size_t row_count = columns.front().validity.row_count();
  for (std::size_t row = 0; row < row_count; ++row) {
    for (const Column& column : columns) {
      if (column.validity.has_value(row)) {
        append_value(text_, column.values, row);
      } else {
        text_ += missing;
      }
      text_ += ',';
    }
    text_.back() = '\n';
    if (text_.size() >= kBlockByteSize) flush();
  }
}

void CsvWriter::write_header(std::span<const Column> columns) {
  for (const Column& column : columns) {
    append_name(text_, column.name);
    text_ += ',';
  }
  text_.back() = '\n';
  has_header_ = true;
}

void CsvWriter::flush() {
  check(file_->Write(text_.data(), static_cast<std::int64_t>(text_.size())), DataErrorCode::unwritable_file, path_);
  text_.clear();
}

void CsvWriter::finish() {
  flush();
  check(file_->Close(), DataErrorCode::unwritable_file, path_);
}

}  // namespace

void append_value(std::string& text, const Values& values, std::size_t row) {
  std::visit([&](const auto& rows) { append(text, rows[row]); }, values);
}

std::unique_ptr<TableWriter> create_csv(const std::filesystem::path& path, const std::string& path_for_messages) {
  return std::make_unique<CsvWriter>(path, path_for_messages);
}

}  // namespace millrace::data
