// Columns for formulas come first in what is read, then those that are kept.
#include "tools/millrace/batch_source.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include "src/data/data_error.hpp"
#include "tools/millrace/missing_values.hpp"
#include "tools/millrace/nearest_name.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

// In the file's order.
std::vector<std::size_t> kept_columns(const std::vector<std::string>& names, const TableOptions& options) {
  std::vector<std::size_t> kept;
  for (const std::string& name : options.kept_columns) {
    const auto column = std::find(names.begin(), names.end(), name);
    if (column == names.end()) {
      const std::optional<std::string> nearest = find_nearest_name(name, names);
      throw UsageError(
          fmt::format("--keep-columns names \"{name}\", which is no column of {file}{nearest} The columns "
                      "are {columns}.",
                      fmt::arg("name", name), fmt::arg("file", table_name(options)),
                      fmt::arg("nearest", nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "."),
                      fmt::arg("columns", fmt::join(names, ", "))));
    }
    kept.push_back(static_cast<std::size_t>(column - names.begin()));
  }
  for (std::size_t column = 0; options.keeps_columns && column < names.size(); ++column) {
    if (std::find(kept.begin(), kept.end(), column) == kept.end()) kept.push_back(column);
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

// A table has each name once.
void check_names(const std::string& column, const ResolvedFormulas& formulas, const TableOptions& options) {
  for (const std::size_t output : formulas.outputs) {
    const Expression& expression = formulas.formulas[output].expression;
    if (expression.output() != column) continue;
    throw UsageError(fmt::format(
        "\"{formula}\" gives a result with the name of the column \"{name}\" of {file}, which "
        "is kept; give the result another name, or keep other columns with --keep-columns.",
        fmt::arg("formula", expression.text()), fmt::arg("name", column), fmt::arg("file", table_name(options))));
  }
}

// Shown, and in CSV, fields stay as they stand.
bool keeps_text(const TableOptions& options) {
  return !options.output || output_format(options) == data::TableFormat::csv;
}

}  // namespace

BatchSource::BatchSource(std::unique_ptr<data::TableReader> reader, const ResolvedFormulas& formulas,
                         const TableOptions& options)
    : reader_(std::move(reader)), formulas_(formulas), options_(options) {
  std::vector<data::SelectedColumn> selected;
  for (const ResolvedColumn& column : formulas.columns) {
    selected.push_back({.column = column.column, .use = data::ColumnUse::formula, .wanted = column.wanted});
  }
  const data::ColumnUse use = keeps_text(options) ? data::ColumnUse::text : data::ColumnUse::table;
  for (const std::size_t column : kept_columns(reader_->column_names(), options)) {
    check_names(reader_->column_names()[column], formulas, options);
    selected.push_back({.column = column, .use = use});
  }
  if (selected.empty()) selected.push_back({.column = 0, .use = data::ColumnUse::text});  // for the number of rows
  reader_->select(std::move(selected));
}

std::optional<SourceBatch> BatchSource::next() {
  const std::optional<data::Batch> batch = reader_->next_batch(options_.batch_row_count);
  if (!batch) return std::nullopt;
  SourceBatch source = prepare(*batch);
  source.fraction_read = reader_->fraction_read();
  return source;
}

SourceBatch BatchSource::prepare(const data::Batch& batch) const {
  SourceBatch source = {.rows_read = batch.first_row + batch.row_count(), .row_count = batch.row_count()};
  const auto column_count = static_cast<int>(formulas_.columns.size());
  for (int index = 0; index < column_count; ++index) {
    const ResolvedColumn& column = formulas_.columns[static_cast<std::size_t>(index)];
    source.columns.push_back(data::to_numbers(column.name, batch.rows->column(index), column.wanted, batch.origin));
  }
  if (formulas_.reads_row) {
    if (source.rows_read - 1 > std::numeric_limits<std::uint32_t>::max()) {
      throw data::DataError(data::DataErrorCode::value_out_of_range,
                            fmt::format("{file}: `row` is a 32-bit integer (0 to {most}), and the table has more rows.",
                                        fmt::arg("file", batch.origin.file),
                                        fmt::arg("most", std::numeric_limits<std::uint32_t>::max())));
    }
    for (std::size_t row = 0; row < source.row_count; ++row) {
      source.row_numbers.push_back(static_cast<std::uint32_t>(batch.first_row + row));
    }
  }
  if (options_.keeps_columns || !options_.kept_columns.empty()) {
    arrow::FieldVector fields;
    arrow::ArrayVector arrays;
    for (int index = column_count; index < batch.rows->num_columns(); ++index) {
      fields.push_back(batch.rows->schema()->field(index));
      arrays.push_back(batch.rows->column(index));
    }
    source.kept = arrow::RecordBatch::Make(arrow::schema(std::move(fields)), batch.rows->num_rows(), std::move(arrays));
  }
  treat_missing_values(source, options_, batch.origin);
  return source;
}

}  // namespace millrace::tool
