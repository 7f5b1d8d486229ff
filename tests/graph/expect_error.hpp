// Negative tests: a call throws this type, with this code, subject and whole message.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

namespace millrace {

template <class Thrown, class Call>
void expect_error(ErrorCode code, std::string_view subject, std::string_view message, const Call& call) {
  try {
    call();
  } catch (const Thrown& error) {
    EXPECT_EQ(to_string(error.code()), to_string(code));
    EXPECT_EQ(error.subject(), subject);
    EXPECT_EQ(std::string_view(error.what()), message);
    return;
  } catch (const Error& error) {
    ADD_FAILURE() << "an error of another type: " << to_string(error.code()) << ": " << error.what();
    return;
  }
  ADD_FAILURE() << "nothing was thrown, where this was expected: " << message;
}

}  // namespace millrace
