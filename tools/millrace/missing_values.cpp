// Rows are dropped by the same bits that would mark them missing.
#include "tools/millrace/missing_values.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <arrow/array.h>
#include <arrow/compute/api_vector.h>
#include <arrow/datum.h>
#include <arrow/record_batch.h>
#include <fmt/format.h>

#include "src/data/arrow_array.hpp"
#include "src/data/arrow_status.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

using data::ElementType;
using data::NumberColumn;

// Rows in which every column has a value.
data::Validity complete_rows(const SourceBatch& batch) {
  data::Validity complete(batch.row_count);
  for (const NumberColumn& column : batch.columns) complete.intersect(column.validity);
  return complete;
}

void keep_rows_of(NumberColumn& column, const data::Validity& kept) {
  const auto all = column.lanes<std::uint32_t>();
  std::vector<std::uint32_t> words(all.begin(), all.end());
  keep_rows(words, column.type.lane_count, kept);
  column.rows = arrow::Buffer::FromVector(std::move(words));
  column.validity.keep(kept);
}

[[noreturn]] void throw_missing(const NumberColumn& column, std::size_t row, const data::Origin& origin) {
  throw data::DataError(
      data::DataErrorCode::missing_value,
      fmt::format("{place}: Column \"{name}\" has no value{row}, and --nulls error allows none missing.",
                  fmt::arg("place", origin.place(row)), fmt::arg("name", column.name),
                  fmt::arg("row", origin.row_phrase(row))));
}

template <class T>
bool holds(double value) {
  return value == std::trunc(value) && value >= static_cast<double>(std::numeric_limits<T>::min()) &&
         value <= static_cast<double>(std::numeric_limits<T>::max());
}

std::uint32_t replacement_word(const NumberColumn& column, double value) {
  switch (column.type.element) {
    case ElementType::float32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case ElementType::sint32:
      if (holds<std::int32_t>(value)) return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
      break;
    case ElementType::uint32:
      if (holds<std::uint32_t>(value)) return static_cast<std::uint32_t>(value);
      break;
    case ElementType::boolean:
      if (value == 0 || value == 1) return static_cast<std::uint32_t>(value);
      break;
  }
  const char* const what = column.type.element == ElementType::boolean  ? "of true and false (1 and 0)"
                           : column.type.element == ElementType::sint32 ? "of signed 32-bit integers"
                                                                        : "of unsigned 32-bit integers";
  throw UsageError(fmt::format("--nulls {value} cannot stand in column \"{name}\", which is {what}.",
                               fmt::arg("value", value), fmt::arg("name", column.name), fmt::arg("what", what)));
}

void replace_missing(NumberColumn& column, double value) {
  if (column.validity.missing_count() == 0) return;
  const std::uint32_t word = replacement_word(column, value);
  const auto all = column.lanes<std::uint32_t>();
  std::vector<std::uint32_t> words(all.begin(), all.end());
  for (std::size_t lane = 0; lane < words.size(); ++lane) {
    if (!column.validity.has_value(lane / column.type.lane_count)) words[lane] = word;
  }
  column.rows = arrow::Buffer::FromVector(std::move(words));
  column.validity = data::Validity(column.validity.row_count());
}

}  // namespace

void treat_missing_values(SourceBatch& batch, const TableOptions& options, const data::Origin& origin) {
  switch (options.missing) {
    case MissingValues::propagate:
    case MissingValues::nan:
      return;
    case MissingValues::drop:
      keep_rows(batch, complete_rows(batch));
      return;
    case MissingValues::replace:
      for (NumberColumn& column : batch.columns) replace_missing(column, options.replacement);
      return;
    case MissingValues::error:
      break;
  }
  if (complete_rows(batch).is_complete()) return;
  for (std::size_t row = 0; row < batch.row_count; ++row) {
    for (const NumberColumn& column : batch.columns) {
      if (!column.validity.has_value(row)) throw_missing(column, row, origin);
    }
  }
}

void keep_rows(SourceBatch& batch, const data::Validity& kept) {
  const std::size_t missing = kept.missing_count();
  if (missing == 0) return;
  for (NumberColumn& column : batch.columns) keep_rows_of(column, kept);
  if (!batch.row_numbers.empty()) keep_rows(batch.row_numbers, 1, kept);
  if (batch.kept != nullptr) batch.kept = keep_rows(batch.kept, kept);
  batch.row_count -= missing;
}

std::shared_ptr<arrow::RecordBatch> keep_rows(const std::shared_ptr<arrow::RecordBatch>& rows,
                                              const data::Validity& kept) {
  if (kept.is_complete()) return rows;
  std::vector<bool> is_kept(kept.row_count());
  for (std::size_t row = 0; row < is_kept.size(); ++row) is_kept[row] = kept.has_value(row);
  const std::shared_ptr<arrow::Array> mask = data::booleans_of(is_kept, data::Validity(is_kept.size()));
  return data::value_of(arrow::compute::Filter(arrow::Datum(rows), arrow::Datum(mask)),
                        data::DataErrorCode::damaged_file, "the kept columns")
      .record_batch();
}

}  // namespace millrace::tool
