// What a column holds, in five numbers, gathered batch by batch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/data/column.hpp"

namespace millrace::tool {

// As the library's reductions: min and max pass over NaN (and are NaN where there is nothing else), the mean follows
// arithmetic. Sums are in double.
struct ColumnSummary {
  std::string name;
  data::ElementType type;
  std::uint64_t count = 0;    // rows with a value
  std::uint64_t missing = 0;  // rows without
  double sum = 0;
  double min = 0;  // of an empty column, nothing
  double max = 0;

  explicit ColumnSummary(const data::Column& column);
  // Further rows of the same column.
  void add(const data::Column& column);
};

// A line of names, then one for each column: "column  count  missing  min  mean  max".
[[nodiscard]] std::string format_summaries(const std::vector<ColumnSummary>& summaries);

}  // namespace millrace::tool
