// What to say of two operators that need parentheses between them: which ways to write them have a meaning, as far as that
// can be told before types are known.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "src/expression/binary_operators.hpp"
#include "src/expression/lexer.hpp"
#include "src/expression/syntax.hpp"

namespace millrace::expression {

// a first b second c, in the order of the text.
struct MixedOperators {
  BinaryOperator first;
  BinaryOperator second;
  std::size_t first_at;  // bytes of the text
  std::size_t second_at;
  SyntaxIndex a;
  SyntaxIndex b;
  SyntaxIndex c;
  bool first_binds;  // (a first b) second c is how precedence would have it
};

// The sentence of the error. tokens: all of the expression.
[[nodiscard]] std::string mixed_operators_fault(const SyntaxTree& tree, std::span<const Token> tokens,
                                                const MixedOperators& mix);

}  // namespace millrace::expression
