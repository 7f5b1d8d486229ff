// Operation as a value: a copy has a model of its own.
#include <millrace/operation.hpp>

#include <millrace/error.hpp>

#include "src/graph/authored.hpp"

namespace millrace {

Operation::Operation(const Expression& expression) : model_(std::make_unique<Model>(Model{expression})) {}
Operation::Operation(const Operation& other)
    : model_(other.model_ != nullptr ? std::make_unique<Model>(*other.model_) : nullptr) {}
Operation::Operation(Operation&&) noexcept = default;
Operation& Operation::operator=(const Operation& other) {
  model_ = other.model_ != nullptr ? std::make_unique<Model>(*other.model_) : nullptr;
  return *this;
}
Operation& Operation::operator=(Operation&&) noexcept = default;
Operation::~Operation() = default;

const Expression& OperationAccess::expression(const Operation& operation) {
  if (operation.model_ != nullptr) return operation.model_->expression;
  throw BindingError(ErrorCode::destroyed, "", "The operation was moved from; add a copy where one is added twice.");
}

}  // namespace millrace
