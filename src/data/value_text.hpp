// Columns as text, value by value: what CSV files and tables on a terminal show.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

namespace millrace::data {

// The column as columns of single values: itself, or one for each lane of a list of 2 to 4: "name.x", "name.y", ...
struct FlatColumn {
  std::string name;
  std::shared_ptr<arrow::Array> values;
};
[[nodiscard]] std::vector<FlatColumn> flat_columns(const arrow::RecordBatch& rows);

// The name of one lane of a value of lane_count lanes: "p.x"; the name itself where there is but one.
[[nodiscard]] std::string lane_name(std::string_view name, std::size_t lane, std::size_t lane_count);

// Appends values of one array. Integers and floats as C++ reads them, NaN "nan", infinity "inf" and "-inf", booleans
// "true" and "false", text as it is, dates and times as ISO 8601, decimals with all their digits.
class ValueText {
 public:
  // DataError `unsupported_column` for nested and binary columns, which have no text. column, file: for messages.
  ValueText(const std::shared_ptr<arrow::Array>& values, const std::string& column, const std::string& file);

  // Nothing is appended for a missing value; false.
  bool append(std::string& text, std::int64_t row) const;
  // Whether values may hold separators and quotes.
  [[nodiscard]] bool is_text() const;

 private:
  std::shared_ptr<arrow::Array> values_;
};

}  // namespace millrace::data
