// A mistake in what the user typed. The tool ends with exit code 2.
#pragma once

#include <stdexcept>
#include <string>

namespace millrace::tool {

class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace millrace::tool
