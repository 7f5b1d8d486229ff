// `millrace eval`: formulas over the columns of files.
#pragma once

#include <string>
#include <vector>

#include "tools/millrace/table_options.hpp"

namespace millrace::tool {

struct EvalOptions {
  TableOptions table;
  std::vector<std::string> formulas;     // "name = expression"
  std::string where = {};                // an expression; empty: every row is kept
  std::vector<std::string> select = {};  // results to hand out; empty: all
  std::vector<std::string> set = {};     // "name=value"
  std::vector<std::string> bind = {};    // "name=column"
};

// Throws what report_failure knows.
void eval(const EvalOptions& options);

}  // namespace millrace::tool
