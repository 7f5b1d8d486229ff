// The contract's rules for i32, u32 and bool: exact functions of bits, tried on every combination of what the operands
// may be where that is few.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "tests/oracle/allowed.hpp"

namespace millrace::oracle {

using WordFunction = std::function<std::uint32_t(std::span<const std::uint32_t>)>;

// The results over all combinations, `any` where those are more than 64 or an operand is open.
[[nodiscard]] Allowed over_words(const std::vector<Allowed>& operands, expression::Lane result,
                                 const WordFunction& function);
// The function of that name on lanes of that type, which may read several lanes; null where there is none.
[[nodiscard]] WordFunction find_word_function(std::string_view name, expression::Lane lane);

}  // namespace millrace::oracle
