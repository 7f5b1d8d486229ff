// Binary operators: how tightly they bind, and which need parentheses between them.
#pragma once

#include <cstdint>
#include <string_view>

namespace millrace::expression {

// Operators of one group bind alike. Which groups may be operands of which without parentheses is WGSL's rule
// (https://www.w3.org/TR/WGSL/#operator-precedence-associativity).
enum class OperatorGroup : std::uint8_t { logical_or, logical_and, comparison, bit, shift, sum, product };

struct BinaryOperator {
  std::string_view name;
  OperatorGroup group;
};

// Nothing where the symbol is no binary operator.
[[nodiscard]] const BinaryOperator* find_binary_operator(std::string_view name);

// Whether `inner` may be the left (or right) operand of `outer` without parentheses, given that it binds no looser.
[[nodiscard]] bool may_mix(const BinaryOperator& outer, const BinaryOperator& inner, bool is_left);

}  // namespace millrace::expression
