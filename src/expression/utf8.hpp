// Text as characters: Unicode code points in UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace millrace::expression {

struct Character {
  char32_t code_point;
  std::size_t byte_size;
};

// The character that begins at that byte. Nothing where the bytes are no UTF-8: cut off, overlong, a surrogate, or past
// U+10FFFF.
[[nodiscard]] std::optional<Character> find_character(std::string_view text, std::size_t byte);
// The number of characters. Bytes that are no UTF-8 count as one each.
[[nodiscard]] std::size_t character_count(std::string_view text);
// Whether a name may hold the character without backticks: letters, marks and digits of any script, and "_".
[[nodiscard]] bool is_name_character(char32_t code_point);
// Columns that a terminal gives the character: 2 for wide East Asian characters and pictures, 0 for combining marks.
[[nodiscard]] std::size_t display_width(char32_t code_point);

}  // namespace millrace::expression
