// Numbers of a summary have seven digits, as many as a float32 has; integers have all of theirs.
#include "tools/millrace/column_summary.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <arrow/array.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/millrace/text_table.hpp"

namespace millrace::tool {

namespace {

using data::ElementType;

std::string format_number(double value, ElementType type) {
  if (std::isnan(value)) return "nan";
  switch (type) {
    case ElementType::float32:
      return fmt::format("{:.7g}", value);
    case ElementType::boolean:
      return value == 0 ? "false" : "true";
    case ElementType::sint32:
    case ElementType::uint32:
      break;
  }
  return fmt::format("{:.0f}", value);
}

std::string format_mean(double mean) { return std::isnan(mean) ? "nan" : fmt::format("{:.7g}", mean); }

// Each value that is there.
template <class Array, class Call>
void for_values(const arrow::Array& column, const Call& call) {
  const auto& values = static_cast<const Array&>(column);
  const bool is_complete = column.null_count() == 0;
  for (std::int64_t row = 0; row < column.length(); ++row) {
    if (is_complete || values.IsValid(row)) call(static_cast<double>(values.Value(row)));
  }
}

}  // namespace

ColumnSummary::ColumnSummary(std::string name, const arrow::Array& column)
    : name_(std::move(name)),
      type_(data::number_type(*column.type()).value().element),
      min_(std::numeric_limits<double>::quiet_NaN()),
      max_(std::numeric_limits<double>::quiet_NaN()) {
  add(column);
}

void ColumnSummary::add(const arrow::Array& column) {
  const auto add_value = [this](double value) {
    sum_ += value;
    if (!(value >= min_)) min_ = std::fmin(min_, value);  // of a number and NaN, the number
    if (!(value <= max_)) max_ = std::fmax(max_, value);
  };
  switch (type_) {
    case ElementType::float32:
      for_values<arrow::FloatArray>(column, add_value);
      break;
    case ElementType::sint32:
      for_values<arrow::Int32Array>(column, add_value);
      break;
    case ElementType::uint32:
      for_values<arrow::UInt32Array>(column, add_value);
      break;
    case ElementType::boolean:
      for_values<arrow::BooleanArray>(column, add_value);
      break;
  }
  missing_ += static_cast<std::uint64_t>(column.null_count());
  count_ += static_cast<std::uint64_t>(column.length() - column.null_count());
}

std::vector<std::string> ColumnSummary::cells() const {
  const bool is_empty = count_ == 0;
  return {name_,
          fmt::format("{}", count_),
          fmt::format("{}", missing_),
          is_empty ? "-" : format_number(min_, type_),
          is_empty ? "-" : format_mean(sum_ / static_cast<double>(count_)),
          is_empty ? "-" : format_number(max_, type_)};
}

nlohmann::ordered_json ColumnSummary::json() const {
  const bool is_boolean = type_ == ElementType::boolean;
  const auto number = [&](double value) -> nlohmann::ordered_json {
    if (count_ == 0) return nullptr;
    if (is_boolean) return value != 0;
    if (type_ != ElementType::float32) return static_cast<std::int64_t>(value);
    return json_number(value);
  };
  return {{"name", name_},
          {"type", is_boolean ? "bool" : std::string(format_name(data::format_of({.element = type_})))},
          {"count", count_},
          {"missing", missing_},
          {"min", number(min_)},
          {"mean", count_ == 0 ? nlohmann::ordered_json(nullptr) : json_number(sum_ / static_cast<double>(count_))},
          {"max", number(max_)}};
}

std::string format_summaries(const std::vector<ColumnSummary>& summaries) {
  TextTable table({{"column", Alignment::left},
                   {"count", Alignment::right},
                   {"missing", Alignment::right},
                   {"min", Alignment::right},
                   {"mean", Alignment::right},
                   {"max", Alignment::right}});
  for (const ColumnSummary& summary : summaries) table.add(summary.cells());
  return table.text();
}

nlohmann::ordered_json json_number(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

}  // namespace millrace::tool
