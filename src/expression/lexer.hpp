// From text to tokens. Positions are bytes; errors turn them into columns of characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::expression {

enum class TokenKind : unsigned char {
  number,
  name,
  quoted_name,  // between backticks
  symbol,       // an operator, a parenthesis, ...
  end,
};

struct Token {
  TokenKind kind;
  std::string_view text;  // of the source; of a quoted name, without its backticks
  std::size_t first;      // bytes [first, last) of the source
  std::size_t last;

  [[nodiscard]] bool is(std::string_view symbol) const { return kind == TokenKind::symbol && text == symbol; }
};

// The tokens of the text, which must outlive them; the last one is `end`. Throws ExpressionError: expression_too_long,
// or syntax_error for what is no token.
[[nodiscard]] std::vector<Token> lex(std::string_view text);

// The name that the text begins with, without backticks: of a formula, its output. Empty where it begins with none.
[[nodiscard]] std::string_view leading_name(std::string_view text);

}  // namespace millrace::expression
