// The contract of each function of the language, by its name: what it allows, given what its operands may be.
#pragma once

#include <string_view>
#include <vector>

#include "src/expression/type.hpp"
#include "tests/oracle/allowed.hpp"

namespace millrace::oracle {

// A value for each lane of `result`. operands: lanes of each. Throws std::logic_error for a function, or lanes,
// that it has no rule for.
[[nodiscard]] Lanes apply_function(std::string_view name, const std::vector<Lanes>& operands, expression::Type result);

}  // namespace millrace::oracle
