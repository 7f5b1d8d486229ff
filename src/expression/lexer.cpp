// One loop, one function for each kind of token.
#include "src/expression/lexer.hpp"

#include <array>

#include <fmt/format.h>

#include "src/expression/fault.hpp"
#include "src/expression/utf8.hpp"

namespace millrace::expression {
namespace {

constexpr std::size_t kLengthLimit = 100'000;

// Longer symbols first: "<<" is not "<" twice.
constexpr std::array<std::string_view, 29> kSymbols = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-",
                                                       "*",  "/",  "%",  "<",  ">",  "!",  "~",  "&",  "|", "^",
                                                       "?",  ":",  "(",  ")",  "[",  "]",  ",",  ".",  "="};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    for (skip_spaces(); at_ < text_.size(); skip_spaces()) {
      if (is_digit(peek(0)) || (peek(0) == '.' && is_digit(peek(1)))) {
        lex_number();
      } else if (peek(0) == '`') {
        lex_quoted_name();
      } else if (!lex_symbol()) {
        lex_name();
      }
    }
    tokens_.push_back({TokenKind::end, {}, at_, at_});
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  void skip_digits() {
    while (is_digit(peek(0))) ++at_;
  }
  [[noreturn]] void refuse(std::string_view sentence, std::size_t byte) const {
    throw_fault(ErrorCode::syntax_error, leading_name(text_), sentence, text_, byte);
  }
  void push(TokenKind kind, std::size_t first) {
    tokens_.push_back({kind, text_.substr(first, at_ - first), first, at_});
  }
  // The character at a byte, which must be UTF-8.
  [[nodiscard]] Character character(std::size_t byte) const {
    const std::optional<Character> found = find_character(text_, byte);
    if (!found) {
      refuse(fmt::format("The byte 0x{byte:02x} is no UTF-8; formulas are text in UTF-8.",
                         fmt::arg("byte", static_cast<unsigned char>(text_[byte]))),
             byte);
    }
    return *found;
  }
  void skip_name_characters() {
    while (at_ < text_.size()) {
      const Character next = character(at_);
      if (!is_name_character(next.code_point)) return;
      at_ += next.byte_size;
    }
  }

  void lex_number() {
    const std::size_t first = at_;
    const bool hex = peek(0) == '0' && (peek(1) | 0x20) == 'x';
    bool right = true;
    bool whole = true;
    if (hex) {
      at_ += 2;
      right = is_hex_digit(peek(0));
      while (is_hex_digit(peek(0))) ++at_;
    } else {
      skip_digits();
      if (peek(0) == '.') {
        whole = false;
        ++at_;
        skip_digits();
      }
      if ((peek(0) | 0x20) == 'e') {
        whole = false;
        at_ += peek(1) == '+' || peek(1) == '-' ? 2 : 1;
        right = is_digit(peek(0));
        skip_digits();
      }
    }
    if ((whole && (peek(0) == 'u' || peek(0) == 'i')) || (!hex && peek(0) == 'f')) ++at_;
    const std::size_t last = at_;
    skip_name_characters();
    if (!right || at_ != last) {
      refuse(fmt::format("{number} is no number; numbers are written like 1, 2u, 3i, 0xff, 1.5, 1e-3 or 2.5f.",
                         fmt::arg("number", quoted(text_.substr(first, at_ - first)))),
             first);
    }
    push(TokenKind::number, first);
  }

  void lex_quoted_name() {
    const std::size_t first = at_++;
    while (at_ < text_.size() && text_[at_] != '`') at_ += character(at_).byte_size;
    if (at_ == text_.size()) refuse("The backtick that opens a name is never closed.", first);
    const std::string_view name = text_.substr(first + 1, at_ - first - 1);
    if (name.empty()) refuse("The name between the backticks is empty.", first);
    ++at_;
    tokens_.push_back({TokenKind::quoted_name, name, first, at_});
  }

  bool lex_symbol() {
    for (const std::string_view symbol : kSymbols) {
      if (!text_.substr(at_).starts_with(symbol)) continue;
      const std::size_t first = at_;
      at_ += symbol.size();
      push(TokenKind::symbol, first);
      return true;
    }
    return false;
  }

  void lex_name() {
    const std::size_t first = at_;
    skip_name_characters();
    if (at_ == first) {
      const Character stray = character(first);
      refuse(fmt::format("The character {shown} (U+{code_point:04X}) has no meaning in a formula; a name that holds it "
                         "stands in `backticks`.",
                         fmt::arg("shown", quoted(text_.substr(first, stray.byte_size))),
                         fmt::arg("code_point", static_cast<std::uint32_t>(stray.code_point))),
             first);
    }
    push(TokenKind::name, first);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::string_view leading_name(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  const bool is_quoted = text.starts_with('`');
  if (is_quoted) text.remove_prefix(1);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::optional<Character> next = find_character(text, at);
    if (!next || (is_quoted ? next->code_point == '`' : !is_name_character(next->code_point))) break;
    at += next->byte_size;
  }
  return text.substr(0, at);
}

std::vector<Token> lex(std::string_view text) {
  const std::size_t count = character_count(text);
  if (count > kLengthLimit) {
    throw_fault(ErrorCode::expression_too_long, leading_name(text),
                fmt::format("The formula has {count} characters, and at most 100,000 are allowed; name its parts in "
                            "formulas of their own.",
                            fmt::arg("count", count)),
                text, text.size());
  }
  return Lexer(text).run();
}

}  // namespace millrace::expression
