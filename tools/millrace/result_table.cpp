// Everything here runs on the thread that writes.
#include "tools/millrace/result_table.hpp"

#include <algorithm>
#include <utility>

#include <arrow/array.h>
#include <arrow/io/file.h>
#include <arrow/record_batch.h>

#include "src/data/arrow_status.hpp"
#include "src/data/csv_field.hpp"
#include "src/data/standard_output.hpp"
#include "src/data/value_text.hpp"
#include "tools/millrace/text_table.hpp"

namespace millrace::tool {

namespace {

constexpr std::size_t kPreviewRowCount = 10;
constexpr const char* kStandardOutput = "standard output";

std::shared_ptr<arrow::io::OutputStream> open_stream(const std::string& path, const std::filesystem::path& file) {
  if (file.empty()) return data::standard_output();
  return data::value_of(arrow::io::FileOutputStream::Open(file.string()), data::DataErrorCode::unwritable_file, path);
}

// Numbers to the right, text and flags to the left.
Alignment alignment(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
  const bool has_text = std::any_of(rows.begin(), rows.end(), [&](const std::vector<std::string>& cells) {
    const data::FieldKind kind = data::classify_field(data::trim_field(cells[column]));
    return kind == data::FieldKind::text || kind == data::FieldKind::boolean;
  });
  return has_text ? Alignment::left : Alignment::right;
}

}  // namespace

ResultTable::ResultTable(const TableOptions& options) : is_summarized_(!options.quiet || options.json) {
  if (!options.output) return;
  const data::TableFormat format = output_format(options);
  const bool is_file = *options.output != "-";
  path_ = is_file ? *options.output : kStandardOutput;
  if (is_file) file_ = std::make_unique<File>(path_);
  stream_ = open_stream(path_, is_file ? file_->file.temporary_path() : std::filesystem::path());
  const bool is_tabbed = data::is_tab_separated(path_);
  const char delimiter = options.output_delimiter != '\0' ? options.output_delimiter : (is_tabbed ? '\t' : ',');
  writer_ = data::create_table(format, stream_, path_, {.delimiter = delimiter});
}

void ResultTable::add(const ResultBatch& batch) {
  row_count_ += static_cast<std::uint64_t>(batch.rows->num_rows());
  if (is_summarized_) summarize(batch);
  if (writer_ != nullptr) {
    writer_->write(*batch.rows);
  } else {
    gather_preview(*batch.rows);
  }
}

void ResultTable::summarize(const ResultBatch& batch) {
  const std::shared_ptr<arrow::RecordBatch> results =
      data::value_of(batch.rows->SelectColumns(batch.results), data::DataErrorCode::unwritable_file, path_);
  std::size_t index = 0;
  for (const data::FlatColumn& column : data::flat_columns(*results)) {
    if (index == summaries_.size()) {
      summaries_.emplace_back(column.name, *column.values);
    } else {
      summaries_[index].add(*column.values);
    }
    ++index;
  }
}

void ResultTable::finish() {
  if (writer_ == nullptr) return;
  writer_->finish();
  data::check(stream_->Close(), data::DataErrorCode::unwritable_file, path_);
  if (file_ != nullptr) file_->file.commit();
}

void ResultTable::gather_preview(const arrow::RecordBatch& rows) {
  const std::size_t wanted = kPreviewRowCount - preview_.size();
  if (wanted == 0) return;
  const auto row_count = std::min(rows.num_rows(), static_cast<std::int64_t>(wanted));
  const std::vector<data::FlatColumn> columns = data::flat_columns(*rows.Slice(0, row_count));
  header_.clear();
  const std::size_t first = preview_.size();
  preview_.resize(first + static_cast<std::size_t>(row_count));
  for (const data::FlatColumn& column : columns) {
    header_.push_back(column.name);
    const data::ValueText values(column.values, column.name, "the table");
    for (std::int64_t row = 0; row < row_count; ++row) {
      std::string cell;
      if (!values.append(cell, row)) cell = "NA";
      preview_[first + static_cast<std::size_t>(row)].push_back(data::excerpt(cell));
    }
  }
}

std::string ResultTable::preview(std::optional<std::size_t> width) const {
  if (preview_.empty()) return {};
  std::vector<Heading> header;
  for (std::size_t column = 0; column < header_.size(); ++column) {
    header.push_back({header_[column], alignment(preview_, column)});
  }
  TextTable table(header);
  for (const std::vector<std::string>& cells : preview_) table.add(cells);
  return width ? table.text_within(*width) : table.text();
}

}  // namespace millrace::tool
