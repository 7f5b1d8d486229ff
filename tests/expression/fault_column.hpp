// Where a user sees the caret of a fault.
#pragma once

#include <cstddef>
#include <optional>

#include <millrace/error.hpp>

namespace millrace::expression {

// The 1-based column of the fault, in characters.
template <class Action>
std::optional<std::size_t> fault_column(Action action) {
  try {
    static_cast<void>(action());
  } catch (const ExpressionError& error) {
    return error.column();
  }
  return std::nullopt;
}

}  // namespace millrace::expression
