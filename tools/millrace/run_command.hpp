// `millrace run`: a graph document over the columns of files.
#pragma once

#include <string>
#include <vector>

#include "tools/millrace/table_options.hpp"

namespace millrace::tool {

struct RunOptions {
  std::string document;  // its path
  TableOptions table;
  std::string where = {};                // an expression; empty: every row is kept
  std::vector<std::string> select = {};  // results to hand out; empty: the document's outputs
  std::vector<std::string> set = {};     // "name=value"
  std::vector<std::string> bind = {};    // "name=column"
};

// Throws what report_failure knows.
void run_graph(const RunOptions& options);

}  // namespace millrace::tool
