// Quoting of formulas in messages.
#include "src/expression/fault.hpp"

#include <algorithm>

#include "src/expression/utf8.hpp"

namespace millrace::expression {
namespace {

constexpr std::size_t kLineLimit = 100;  // characters of a formula that a message shows
constexpr std::size_t kQuoteLimit = 60;
constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::string_view kEllipsis = "...";

// The bytes of one character as a terminal may show them: no control characters, no broken UTF-8.
struct Shown {
  std::string bytes;
  std::size_t width;
  std::size_t byte_size;  // in the text
};

Shown show_character(std::string_view text, std::size_t byte) {
  const std::optional<Character> character = find_character(text, byte);
  if (!character) return {std::string(kReplacement), 1, 1};
  if (character->code_point == '\t') return {"\t", 1, 1};
  if (character->code_point < ' ' || character->code_point == 0x7f) return {" ", 1, 1};
  return {std::string(text.substr(byte, character->byte_size)), display_width(character->code_point),
          character->byte_size};
}

// The byte `characters` before or after, within [first, last].
std::size_t step_back(std::string_view text, std::size_t byte, std::size_t first, std::size_t characters) {
  for (; characters > 0 && byte > first; --characters) {
    --byte;
    while (byte > first && (static_cast<unsigned char>(text[byte]) & 0xc0u) == 0x80) --byte;
  }
  return byte;
}

std::size_t step_on(std::string_view text, std::size_t byte, std::size_t last, std::size_t characters) {
  for (; characters > 0 && byte < last; --characters) byte += show_character(text, byte).byte_size;
  return std::min(byte, last);
}

}  // namespace

std::string quote_with_caret(std::string_view text, std::size_t byte) {
  byte = std::min(byte, text.size());
  const std::size_t break_before = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
  const std::size_t line_first = break_before == std::string_view::npos ? 0 : break_before + 1;
  const std::size_t line_last = std::min(text.find('\n', byte), text.size());

  std::size_t first = line_first;
  std::size_t last = line_last;
  if (character_count(text.substr(line_first, line_last - line_first)) > kLineLimit) {
    first = step_back(text, byte, line_first, kLineLimit / 2);
    last = step_on(text, byte, line_last, kLineLimit / 2);
  }

  std::string line = "  ";
  std::string caret = "  ";
  if (first > line_first) {
    line += kEllipsis;
    caret.append(kEllipsis.size(), ' ');
  }
  for (std::size_t at = first; at < last;) {
    const Shown shown = show_character(text, at);
    line += shown.bytes;
    if (at < byte) caret += shown.bytes == "\t" ? std::string("\t") : std::string(shown.width, ' ');
    at += shown.byte_size;
  }
  if (last < line_last) line += kEllipsis;
  return line + '\n' + caret + '^';
}

std::string one_line(std::string_view text) {
  std::string result;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    if (count == kQuoteLimit) {
      result += kEllipsis;
      break;
    }
    const Shown shown = show_character(text, at);
    result += shown.bytes == "\t" ? " " : shown.bytes;
    at += shown.byte_size;
  }
  return result;
}

std::string quoted(std::string_view text) { return '"' + one_line(text) + '"'; }

void throw_fault(ErrorCode code, std::string_view subject, std::string_view sentence, std::string_view text,
                 std::size_t byte) {
  byte = std::min(byte, text.size());
  throw ExpressionError(code, std::string(subject), std::string(sentence) + '\n' + quote_with_caret(text, byte),
                        std::string(text), character_count(text.substr(0, byte)) + 1);
}

}  // namespace millrace::expression
