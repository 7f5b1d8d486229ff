// Resolve: from declarations to values with types. No device, no rows.
//
// A value is an input or what an operation defines; each has a node of the one DAG that all formulas of the graph share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <millrace/graph.hpp>

#include "src/base/index.hpp"
#include "src/expression/formula.hpp"
#include "src/graph/authored.hpp"

namespace millrace::graph {

using ValueIndex = Index<struct ValueTag>;
using OperationIndex = Index<struct OperationTag>;

struct ResolvedValue {
  std::string name;
  expression::NodeIndex node;
  Format format;                           // as it is stored
  bool is_vector;                          // else one row, a scalar
  std::optional<OperationIndex> producer;  // none for an input
};

struct ResolvedOperation {
  std::string formula;  // its text
  ValueIndex output;
  std::vector<ValueIndex> operands;  // values it reads, each once, in order of appearance
};

struct ResolvedGraph {
  std::vector<DeclaredInput> inputs;  // input i is value i
  std::vector<ResolvedValue> values;
  std::vector<ResolvedOperation> operations;
  expression::Dag dag;
  std::vector<HiddenBuiltin> hidden_builtins;

  [[nodiscard]] const ResolvedValue& value(ValueIndex index) const { return values[index.value]; }
};

// Throws GraphError `missing_producer`, `name_in_use`; ExpressionError.
[[nodiscard]] ResolvedGraph resolve(const std::vector<DeclaredInput>& inputs, const std::vector<Operation>& operations,
                                    IntegerDivision integer_division);

}  // namespace millrace::graph
