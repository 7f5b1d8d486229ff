// What docs/expressions.md says of each row of the function table. Its types come from the table itself, and the result
// of its example from the device.
#pragma once

#include <span>
#include <string_view>

namespace millrace::expression {

struct FunctionDoc {
  std::string_view name;     // of the row
  std::string_view group;    // the table of the document that it stands in
  std::string_view written;  // "min(a, b)"
  std::string_view meaning;  // one line
  std::string_view example;  // an expression over example_values
};
[[nodiscard]] std::span<const FunctionDoc> function_docs();

}  // namespace millrace::expression
