// Numbers that the user gives by name: --set, or the default of a graph document.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/data/number_column.hpp"

namespace millrace::tool {

// One lane: of floats, of signed or of unsigned integers; booleans are unsigned, 0 or 1.
using ScalarLane = std::variant<float, std::int32_t, std::uint32_t>;

struct ScalarInput {
  std::string name;
  data::NumberType type;
  std::vector<ScalarLane> lanes;  // type.lane_count of them
};

struct Assignment {
  std::string name;
  std::string value;
  std::string place;  // for messages: "--set scale=2", or where it stands in a document
};
// "name=value" of --set or "name=column" of --bind, taken apart. UsageError where there is no "=", or no name.
[[nodiscard]] Assignment parse_assignment(std::string_view option, const std::string& text);
// All of an option's. UsageError where a name is given twice.
[[nodiscard]] std::vector<Assignment> parse_assignments(std::string_view option, const std::vector<std::string>& texts);

// The scalar of an assignment: a number, true or false, or two to four numbers with commas between. `wanted`: the type
// that a document declares; without it an integer is sint32 (uint32 with "u" behind it, or where it is too large), a
// number with a point or an exponent, inf and nan are float32. UsageError for anything else, and for what does not fit.
[[nodiscard]] ScalarInput parse_scalar(const Assignment& assignment, std::optional<data::NumberType> wanted = {});

}  // namespace millrace::tool
