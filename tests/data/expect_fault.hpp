// Checks that a call throws a DataError of a code and a whole message.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "src/data/data_error.hpp"

namespace millrace::data {

template <class Call>
void expect_fault(const Call& call, DataErrorCode code, const std::string& message) {
  try {
    static_cast<void>(call());  // a call that returns nothing, too
    ADD_FAILURE() << "Nothing was thrown; expected: " << message;
  } catch (const DataError& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_EQ(std::string(error.what()), message);
  }
}

}  // namespace millrace::data
