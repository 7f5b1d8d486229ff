// Summaries count by validity before anything becomes NaN.
#include "tools/millrace/result_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "src/data/csv_writer.hpp"
#include "tools/millrace/text_table.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

constexpr std::size_t kPreviewRowCount = 10;

void write_nan_where_missing(data::Column& column) {
  auto* const rows = std::get_if<std::vector<float>>(&column.values);
  if (rows == nullptr) {
    throw UsageError(
        fmt::format("--nulls nan cannot mark what is missing in \"{name}\", whose rows are integers: only "
                    "float32 has NaN. Make it f32(...), or use --nulls propagate.",
                    fmt::arg("name", column.name)));
  }
  for (std::size_t row = 0; row < rows->size(); ++row) {
    if (!column.validity.has_value(row)) (*rows)[row] = std::numeric_limits<float>::quiet_NaN();
  }
  column.validity = data::Validity(rows->size());
}

}  // namespace

ResultTable::Output::Output(const std::string& output_path)
    : path(output_path),
      format(data::table_format(output_path)),
      file(output_path),
      removal(file.temporary_path()),
      writer(data::create_table(format, file.temporary_path(), output_path)) {}

ResultTable::ResultTable(const std::optional<std::string>& output, Nulls nulls) : nulls_(nulls) {
  if (output) output_.emplace(*output);
}

void ResultTable::add(std::vector<data::Column> columns) {
  for (std::size_t index = 0; index < columns.size(); ++index) {
    if (index == summaries_.size()) {
      summaries_.emplace_back(columns[index]);
    } else {
      summaries_[index].add(columns[index]);
    }
    if (nulls_ == Nulls::nan) write_nan_where_missing(columns[index]);
  }
  if (output_) {
    output_->writer->write(columns);
  } else {
    gather_preview(columns);
  }
}

void ResultTable::finish() {
  if (!output_) return;
  output_->writer->finish();
  output_->file.commit();
}

void ResultTable::gather_preview(const std::vector<data::Column>& columns) {
  const std::size_t row_count = columns.front().validity.row_count();
  const std::size_t wanted = std::min(row_count, kPreviewRowCount - preview_.size());
  for (std::size_t row = 0; row < wanted; ++row) {
    std::vector<std::string>& cells = preview_.emplace_back();
    for (const data::Column& column : columns) {
      std::string& cell = cells.emplace_back();
      if (column.validity.has_value(row)) {
        data::append_value(cell, column.values, row);
      } else {
        cell = "NA";
      }
    }
  }
}

std::string ResultTable::preview() const {
  if (preview_.empty()) return {};
  std::vector<std::string> header;
  for (const ColumnSummary& summary : summaries_) header.push_back(summary.name);
  TextTable table(Alignment::numbers, std::move(header));
  for (const std::vector<std::string>& cells : preview_) table.add(cells);
  return table.text();
}

}  // namespace millrace::tool
