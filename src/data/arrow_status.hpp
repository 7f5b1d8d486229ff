// Arrow's reports of failure as exceptions.
#pragma once

#include <string>
#include <utility>

#include <arrow/result.h>
#include <arrow/status.h>

#include "src/data/data_error.hpp"

namespace millrace::data {

// What Arrow says, without its own code in front; std::bad_alloc where memory ran out.
[[noreturn]] void throw_arrow_failure(DataErrorCode code, const std::string& path, const arrow::Status& status);

inline void check(const arrow::Status& status, DataErrorCode code, const std::string& path) {
  if (!status.ok()) throw_arrow_failure(code, path, status);
}

template <class Value>
Value value_of(arrow::Result<Value> result, DataErrorCode code, const std::string& path) {
  check(result.status(), code, path);
  return std::move(result).ValueUnsafe();
}

}  // namespace millrace::data
