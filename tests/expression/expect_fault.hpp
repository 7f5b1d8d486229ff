// The whole of what a user sees of a fault: its code, its message, the column.
#pragma once

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

namespace millrace::expression {

// message: all of it, formula and caret included.
template <class Action>
void expect_fault(Action action, ErrorCode code, const std::string& message) {
  try {
    static_cast<void>(action());
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.code()), to_string(code));
    EXPECT_EQ(error.what(), message);
    return;
  }
  ADD_FAILURE() << "Nothing was thrown where this was expected:\n" << message;
}

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
