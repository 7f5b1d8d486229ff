// `millrace eval`: formulas over the columns of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <millrace/graph.hpp>

namespace millrace::tool {

// What becomes of a result where a column that it depends on has no value.
enum class Nulls : std::uint8_t {
  propagate,  // it is missing
  nan,        // it is NaN; float32 results only
};

struct EvalOptions {
  std::vector<std::string> formulas;
  std::string input;
  std::optional<std::string> output;  // where there is none, the first rows go to standard output
  Nulls nulls = Nulls::propagate;
  IntegerDivision integer_division = IntegerDivision::refuse;
  std::size_t batch_row_count = kDefaultBatchRowCount;
  std::string device_name;  // a part of it; empty: the best device
  bool quiet = false;       // no summary, no notes, no progress

  static constexpr std::size_t kDefaultBatchRowCount = std::size_t{1} << 18;
};

// Throws what report_failure knows.
void eval(const EvalOptions& options);

}  // namespace millrace::tool
