// Operation as a value: a copy has a model of its own.
#include <millrace/operation.hpp>

#include "src/graph/authored.hpp"

namespace millrace {

Operation::Operation(Expression expression) : model_(std::make_unique<Model>(Model{std::move(expression)})) {}
Operation::Operation(const Operation& other) : model_(std::make_unique<Model>(*other.model_)) {}
Operation::Operation(Operation&&) noexcept = default;
Operation& Operation::operator=(const Operation& other) {
  model_ = std::make_unique<Model>(*other.model_);
  return *this;
}
Operation& Operation::operator=(Operation&&) noexcept = default;
Operation::~Operation() = default;

}  // namespace millrace
