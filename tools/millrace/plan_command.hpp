// `millrace plan`: what becomes of a graph document, without a table.
#pragma once

#include <string>
#include <vector>

#include <millrace/graph.hpp>

namespace millrace::tool {

struct PlanOptions {
  std::string document;                  // its path
  std::vector<std::string> select = {};  // results to hand out; empty: the document's outputs
  std::string dot = {};                  // a file for the graph in the language of Graphviz, or "-"; empty: none
  bool json = false;
  IntegerDivision integer_division = IntegerDivision::refuse;
  std::string device_name = {};  // a part of it; empty: the best device
};

// Prints what was inferred, fused and dropped: as text, as JSON, or only the drawing where it goes to standard output. The
// drawing's file appears when it is whole. Throws what report_failure knows.
void plan(const PlanOptions& options);

}  // namespace millrace::tool
