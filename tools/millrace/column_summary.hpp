// What a column holds, in five numbers, gathered batch by batch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>
#include <nlohmann/json_fwd.hpp>

#include "src/data/number_column.hpp"

namespace millrace::tool {

// As the library's reductions: min and max pass over NaN (and are NaN where there is nothing else), the mean follows
// arithmetic. Sums are in double. Of booleans, false is 0 and true 1.
class ColumnSummary {
 public:
  // `column`: of float32, int32, uint32 or bool.
  ColumnSummary(std::string name, const arrow::Array& column);
  // Further rows of the same column.
  void add(const arrow::Array& column);

  [[nodiscard]] const std::string& name() const { return name_; }

  // column, count, missing, min, mean, max: "-" for what a column without values does not have.
  [[nodiscard]] std::vector<std::string> cells() const;
  // The same by name, with the type; numbers as numbers, NaN and infinities as text, null where there is none.
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  std::string name_;
  data::ElementType type_;
  std::uint64_t count_ = 0;    // rows with a value
  std::uint64_t missing_ = 0;  // rows without
  double sum_ = 0;
  double min_;  // of an empty column, nothing
  double max_;
};

// A line of names, then one for each column.
[[nodiscard]] std::string format_summaries(const std::vector<ColumnSummary>& summaries);

// A number that JSON may not have: NaN and the infinities as text.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

}  // namespace millrace::tool
