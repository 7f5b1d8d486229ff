// The elementary functions of one f32 lane, with their domains and bounds.
#pragma once

#include <string_view>

#include "tests/oracle/float_rules.hpp"

namespace millrace::oracle {

// Null where there is none of that name.
[[nodiscard]] const Curve* find_curve(std::string_view name);

}  // namespace millrace::oracle
