// What is said once the work is done.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/millrace/evaluation.hpp"
#include "tools/millrace/result_table.hpp"
#include "tools/millrace/table_options.hpp"

namespace millrace::tool {

struct WorkOutcome {
  std::vector<ScalarResult> scalars;
  std::uint64_t rows_read = 0;
  std::uint64_t rows_written = 0;  // or shown, or counted
  std::string device_name;
  std::chrono::duration<double> duration = {};
};

void print_notes(const std::vector<std::string>& notes);

// Without an output, the first rows and the scalars; unless it is to be quiet, each column in five numbers, the scalars and
// how long it took, too. As text, or as one JSON object. To standard output, or to standard error where the table itself
// went to standard output.
void print_work(const TableOptions& options, const ResultTable& table, const WorkOutcome& outcome);

}  // namespace millrace::tool
