// Checks type, code and whole message of what a call throws.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

namespace millrace {

template <class ErrorType, class Action>
void expect_error(Action action, ErrorCode code, const std::string& message) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown; expected: " << message;
  } catch (const ErrorType& error) {
    EXPECT_EQ(to_string(error.code()), to_string(code));
    EXPECT_EQ(error.what(), message);
  }
}

}  // namespace millrace
