// Negative tests: a call throws this type of error, with this code and this whole message and, where one is given, this
// subject.
#pragma once

#include <string_view>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

namespace millrace {

// Kind: Error where any type of error will do.
template <class Kind, class Call>
void expect_error(Call&& call, ErrorCode code, std::string_view message) {
  try {
    static_cast<void>(call());
  } catch (const Kind& error) {
    EXPECT_EQ(to_string(error.code()), to_string(code));
    EXPECT_EQ(std::string_view(error.what()), message);
    return;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "An error of another type was thrown: " << error.what();
    return;
  }
  ADD_FAILURE() << "Nothing was thrown where this was expected: " << message;
}

template <class Kind, class Call>
void expect_error(Call&& call, ErrorCode code, std::string_view subject, std::string_view message) {
  const auto with_subject = [&] {
    try {
      static_cast<void>(call());
    } catch (const Kind& error) {
      EXPECT_EQ(error.subject(), subject);
      throw;
    }
  };
  expect_error<Kind>(with_subject, code, message);
}

}  // namespace millrace
