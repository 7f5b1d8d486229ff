// The formulas of a command line as one compiled graph, which serves batches of any size.
//
// A column of booleans is bound as uint32 and becomes bool inside the graph. A result of two to four lanes comes back as
// a column for each lane: "name.x", "name.y", ...
#pragma once

#include <string>
#include <vector>

#include <millrace/device.hpp>
#include <millrace/graph.hpp>
#include <millrace/results.hpp>

#include "src/data/column.hpp"
#include "tools/millrace/formulas.hpp"

namespace millrace::tool {

// A value of a formula that reads no column: one for the whole table.
struct ScalarResult {
  std::string name;
  data::Values value;  // of one row
};

class Evaluation {
 public:
  // Compiles the formulas for columns of these types, one for each of formulas.columns. ExpressionError, GraphError,
  // DeviceError.
  Evaluation(Device& device, ResolvedFormulas formulas, const std::vector<data::ElementType>& types,
             IntegerDivision integer_division);

  // columns: one vector for each of formulas.columns. BindingError, DeviceError.
  [[nodiscard]] Results run(const std::vector<Vector>& columns) const;

  // Those rows of the results that have rows, in the order of the formulas. validity: of these rows of each column; a
  // result is missing where any column that it depends on is. UsageError for a result in a packed format; DeviceError.
  [[nodiscard]] std::vector<data::Column> read_columns(const Results& results, RowRange rows,
                                                       const std::vector<data::Validity>& validity) const;
  // The results that have none.
  [[nodiscard]] std::vector<ScalarResult> read_scalars(const Results& results) const;

 private:
  ResolvedFormulas formulas_;
  std::vector<std::string> input_names_;  // what the graph calls each column
  CompiledGraph graph_;
};

}  // namespace millrace::tool
