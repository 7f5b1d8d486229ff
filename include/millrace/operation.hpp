// Operations: what a graph is made of.
#pragma once

#include <memory>

#include <millrace/expression.hpp>

namespace [[gnu::visibility("default")]] millrace {

// Holds any operation by value, as std::function holds anything callable. One that was moved from is refused by
// Graph::add (BindingError `destroyed`).
class Operation {
 public:
  Operation(const Expression& expression);

  Operation(const Operation&);
  Operation(Operation&&) noexcept;
  Operation& operator=(const Operation&);
  Operation& operator=(Operation&&) noexcept;
  ~Operation();

 private:
  friend struct OperationAccess;
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace millrace
