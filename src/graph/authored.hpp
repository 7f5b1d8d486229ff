// What an application declared, as it is kept in a Graph and copied into a compilation's snapshot.
#pragma once

#include <string>
#include <vector>

#include <millrace/graph.hpp>
#include <millrace/operation.hpp>
#include <millrace/values.hpp>

namespace millrace {

struct DeclaredInput {
  std::string name;
  ValueType type;
};

struct Graph::Authored {
  std::vector<DeclaredInput> inputs;
  std::vector<Operation> operations;
};

struct Operation::Model {
  Expression expression;
};

struct OperationAccess {
  // BindingError `destroyed` where the operation was moved from.
  [[nodiscard]] static const Expression& expression(const Operation& operation);
};

}  // namespace millrace
