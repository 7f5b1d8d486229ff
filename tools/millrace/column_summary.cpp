// Numbers of a summary have seven digits, as many as a float32 has; integers have all of theirs.
#include "tools/millrace/column_summary.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tools/millrace/text_table.hpp"

namespace millrace::tool {

namespace {

std::string format_number(double value, data::ElementType type) {
  if (std::isnan(value)) return "nan";
  return type == data::ElementType::float32 ? fmt::format("{:.7g}", value) : fmt::format("{:.0f}", value);
}

std::string format_mean(const ColumnSummary& summary) {
  const double mean = summary.sum / static_cast<double>(summary.count);
  return std::isnan(mean) ? "nan" : fmt::format("{:.7g}", mean);
}

}  // namespace

ColumnSummary::ColumnSummary(const data::Column& column)
    : name(column.name),
      type(column.type),
      min(std::numeric_limits<double>::quiet_NaN()),
      max(std::numeric_limits<double>::quiet_NaN()) {
  add(column);
}

void ColumnSummary::add(const data::Column& column) {
  std::visit(
      [&](const auto& rows) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
          if (!column.validity.has_value(row)) continue;
          const auto value = static_cast<double>(rows[row]);
          ++count;
          sum += value;
          min = std::fmin(min, value);  // of a number and NaN, the number
          max = std::fmax(max, value);
        }
      },
      column.values);
  missing += column.validity.missing_count();
}

std::string format_summaries(const std::vector<ColumnSummary>& summaries) {
  TextTable table(Alignment::named_numbers, {"column", "count", "missing", "min", "mean", "max"});
  for (const ColumnSummary& summary : summaries) {
    const bool is_empty = summary.count == 0;
    table.add({summary.name, fmt::format("{}", summary.count), fmt::format("{}", summary.missing),
               is_empty ? "-" : format_number(summary.min, summary.type), is_empty ? "-" : format_mean(summary),
               is_empty ? "-" : format_number(summary.max, summary.type)});
  }
  return table.text();
}

}  // namespace millrace::tool
