// Types that Arrow prints well are cast to text as a whole; numbers are printed here, with the fewest digits.
#include "src/data/value_text.hpp"

#include <cmath>
#include <iterator>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/compute/cast.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>
#include <arrow/util/float16.h>
#include <fmt/format.h>

#include "src/data/arrow_status.hpp"

namespace millrace::data {

namespace {

constexpr std::int64_t kMostLanes = 4;

bool is_lanes(const arrow::DataType& type) {
  if (type.id() != arrow::Type::FIXED_SIZE_LIST) return false;
  const auto& list = static_cast<const arrow::FixedSizeListType&>(type);
  return list.list_size() >= 1 && list.list_size() <= kMostLanes && !arrow::is_nested(list.value_type()->id());
}

// One lane of every row.
std::shared_ptr<arrow::Array> take_lane(const arrow::FixedSizeListArray& list, std::int64_t lane) {
  const std::shared_ptr<arrow::DataType>& type = list.list_type()->value_type();
  std::unique_ptr<arrow::ArrayBuilder> builder =
      value_of(arrow::MakeBuilder(type), DataErrorCode::unwritable_file, std::string());
  const arrow::ArraySpan values(*list.values()->data());
  for (std::int64_t row = 0; row < list.length(); ++row) {
    const arrow::Status status =
        list.IsNull(row) ? builder->AppendNull() : builder->AppendArraySlice(values, list.value_offset(row) + lane, 1);
    check(status, DataErrorCode::unwritable_file, std::string());
  }
  return value_of(builder->Finish(), DataErrorCode::unwritable_file, std::string());
}

void append_floating(std::string& text, double value, float narrow, bool is_narrow) {
  if (std::isnan(value)) {
    text += "nan";  // never with a sign
  } else if (is_narrow) {
    fmt::format_to(std::back_inserter(text), "{}", narrow);
  } else {
    fmt::format_to(std::back_inserter(text), "{}", value);
  }
}

template <class Array>
void append_integer(std::string& text, const arrow::Array& values, std::int64_t row) {
  const fmt::format_int digits(static_cast<const Array&>(values).Value(row));
  text.append(digits.data(), digits.size());
}

// Of the types that append knows, the array itself; else as text.
std::shared_ptr<arrow::Array> printable(const std::shared_ptr<arrow::Array>& values, const std::string& column,
                                        const std::string& file) {
  const arrow::Type::type type = values->type_id();
  if (arrow::is_integer(type) || arrow::is_floating(type) || type == arrow::Type::BOOL || type == arrow::Type::STRING ||
      type == arrow::Type::NA) {
    return values;
  }
  arrow::Result<std::shared_ptr<arrow::Array>> text = arrow::Status::NotImplemented("");
  if (type == arrow::Type::DICTIONARY) {
    const auto& dictionary = static_cast<const arrow::DictionaryType&>(*values->type());
    text = arrow::compute::Cast(*values, dictionary.value_type());
    if (text.ok()) return printable(*text, column, file);
  } else if (!arrow::is_nested(type) && !arrow::is_binary_like(type) && !arrow::is_large_binary_like(type)) {
    text = arrow::compute::Cast(*values, arrow::utf8());
  } else if (type == arrow::Type::LARGE_STRING || type == arrow::Type::STRING_VIEW) {
    text = arrow::compute::Cast(*values, arrow::utf8());
  }
  if (text.ok()) return *text;
  throw DataError(
      DataErrorCode::unsupported_column,
      fmt::format("{file}: Column \"{name}\" has the type {type}, which has no form as text; leave it out, "
                  "or write .parquet or .arrow.",
                  fmt::arg("file", file), fmt::arg("name", column), fmt::arg("type", values->type()->ToString())));
}

}  // namespace

std::string lane_name(std::string_view name, std::size_t lane, std::size_t lane_count) {
  return lane_count == 1 ? std::string(name) : fmt::format("{}.{}", name, "xyzw"[lane]);
}

std::vector<FlatColumn> flat_columns(const arrow::RecordBatch& rows) {
  std::vector<FlatColumn> columns;
  for (int index = 0; index < rows.num_columns(); ++index) {
    const std::string& name = rows.column_name(index);
    const std::shared_ptr<arrow::Array> values = rows.column(index);
    if (!is_lanes(*values->type())) {
      columns.push_back({.name = name, .values = values});
      continue;
    }
    const auto& list = static_cast<const arrow::FixedSizeListArray&>(*values);
    const auto lane_count = static_cast<std::size_t>(list.list_type()->list_size());
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      columns.push_back(
          {.name = lane_name(name, lane, lane_count), .values = take_lane(list, static_cast<std::int64_t>(lane))});
    }
  }
  return columns;
}

ValueText::ValueText(const std::shared_ptr<arrow::Array>& values, const std::string& column, const std::string& file)
    : values_(printable(values, column, file)) {}

bool ValueText::is_text() const { return values_->type_id() == arrow::Type::STRING; }

bool ValueText::append(std::string& text, std::int64_t row) const {
  if (values_->IsNull(row)) return false;
  switch (values_->type_id()) {
    case arrow::Type::INT8:
      append_integer<arrow::Int8Array>(text, *values_, row);
      break;
    case arrow::Type::INT16:
      append_integer<arrow::Int16Array>(text, *values_, row);
      break;
    case arrow::Type::INT32:
      append_integer<arrow::Int32Array>(text, *values_, row);
      break;
    case arrow::Type::INT64:
      append_integer<arrow::Int64Array>(text, *values_, row);
      break;
    case arrow::Type::UINT8:
      append_integer<arrow::UInt8Array>(text, *values_, row);
      break;
    case arrow::Type::UINT16:
      append_integer<arrow::UInt16Array>(text, *values_, row);
      break;
    case arrow::Type::UINT32:
      append_integer<arrow::UInt32Array>(text, *values_, row);
      break;
    case arrow::Type::UINT64:
      append_integer<arrow::UInt64Array>(text, *values_, row);
      break;
    case arrow::Type::HALF_FLOAT: {
      const auto bits = static_cast<const arrow::HalfFloatArray&>(*values_).Value(row);
      const float value = arrow::util::Float16::FromBits(bits).ToFloat();
      append_floating(text, value, value, true);
      break;
    }
    case arrow::Type::FLOAT: {
      const float value = static_cast<const arrow::FloatArray&>(*values_).Value(row);
      append_floating(text, value, value, true);
      break;
    }
    case arrow::Type::DOUBLE:
      append_floating(text, static_cast<const arrow::DoubleArray&>(*values_).Value(row), 0, false);
      break;
    case arrow::Type::BOOL:
      text += static_cast<const arrow::BooleanArray&>(*values_).Value(row) ? "true" : "false";
      break;
    default:
      text += static_cast<const arrow::StringArray&>(*values_).GetView(row);
      break;
  }
  return true;
}

}  // namespace millrace::data
