// From tokens to a syntax tree. parse_formula, the stage as others see it, is declared in formula.hpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/expression/lexer.hpp"
#include "src/expression/syntax.hpp"

namespace millrace::expression {

struct ParsedExpression {
  SyntaxTree tree;
  std::vector<std::string> names;  // that it reads, each once, in order of appearance
};

// tokens: of the expression alone, up to and with `end`; their positions are of text. Throws ExpressionError with
// `subject`: syntax_error, parentheses_required, expression_too_deep, literal_out_of_range.
[[nodiscard]] ParsedExpression parse_expression(std::string_view text, std::span<const Token> tokens,
                                                std::string_view subject);

}  // namespace millrace::expression
