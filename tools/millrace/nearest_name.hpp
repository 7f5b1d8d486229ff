// "Did you mean": the name that is most like one that does not exist.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::tool {

// The name with the fewest letters to change, insert or remove, case aside, at most a third of them or one, but not all;
// else one that begins with the name asked for, if that has three letters; else nothing.
[[nodiscard]] std::optional<std::string> find_nearest_name(std::string_view name,
                                                           const std::vector<std::string>& names);

}  // namespace millrace::tool
