// "did you mean": the known name that a misspelled one is nearest to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// By edit distance with transpositions; at most a third of the name's length away, at least one edit. The first of
// equally near ones.
[[nodiscard]] std::optional<std::string> find_near_name(std::string_view name, const std::vector<std::string>& known);

// `"a", "b" and "c"`; after eight names `and 12 more`. Empty for none.
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& names);

// `; did you mean "sum"?` where a known name is near; `; there are "a" and "b".` where there are names; else `.`
[[nodiscard]] std::string name_advice(std::string_view name, const std::vector<std::string>& known);

}  // namespace millrace
