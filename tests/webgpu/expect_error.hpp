// Checks of an error's type, code and full message.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

namespace millrace {

template <class Kind, class Action>
void expect_error(Action action, ErrorCode code, const std::string& message) {
  try {
    action();
  } catch (const Kind& error) {
    EXPECT_EQ(to_string(error.code()), to_string(code));
    EXPECT_EQ(std::string(error.what()), message);
    return;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "an error of another kind: " << error.what();
    return;
  }
  ADD_FAILURE() << "nothing was thrown; expected: " << message;
}

}  // namespace millrace
