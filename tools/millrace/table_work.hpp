// Formulas over tables from file to file: what `eval` and `run` do once they know the formulas.
#pragma once

#include "tools/millrace/formulas.hpp"
#include "tools/millrace/table_options.hpp"

namespace millrace::tool {

// Reads the inputs batch by batch, computes, and writes or prints. Reading, computing and writing overlap; a few batches
// are in memory at a time. Throws what report_failure knows.
void work_through_tables(const TableOptions& given, const Declarations& declarations);

}  // namespace millrace::tool
