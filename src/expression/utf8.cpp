// Decoding, and coarse properties of characters.
#include "src/expression/utf8.hpp"

#include <algorithm>
#include <span>

namespace millrace::expression {
namespace {

struct Block {
  char32_t first;
  char32_t last;
};

// Blocks without letters: spaces, punctuation, symbols, pictures, private use. Everything else past ASCII counts as a
// letter; the full tables of Unicode would be a dependency, and a stray symbol in a name does no harm.
constexpr Block kNoLetters[] = {
    {0x80, 0xa9},       {0xab, 0xb4},       {0xb6, 0xb9},        {0xbb, 0xbf},     {0xd7, 0xd7},     {0xf7, 0xf7},
    {0x1680, 0x1680},   {0x2000, 0x206f},   {0x20a0, 0x20cf},    {0x2190, 0x2bff}, {0x2e00, 0x2e7f}, {0x3000, 0x3004},
    {0x3008, 0x3020},   {0x3030, 0x3030},   {0xd800, 0xf8ff},    {0xfd3e, 0xfd3f}, {0xfe10, 0xfe1f}, {0xfe30, 0xfe6f},
    {0xfeff, 0xff0f},   {0xff1a, 0xff20},   {0xff3b, 0xff40},    {0xff5b, 0xff65}, {0xffe0, 0xffff}, {0x1d000, 0x1d3ff},
    {0x1f000, 0x1faff}, {0xe0000, 0xe00ff}, {0xf0000, 0x10ffff},
};
constexpr Block kWide[] = {
    {0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
    {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd},
};
constexpr Block kCombining[] = {
    {0x300, 0x36f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},
    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

bool lies_in(std::span<const Block> blocks, char32_t code_point) {
  return std::any_of(blocks.begin(), blocks.end(),
                     [&](const Block& block) { return block.first <= code_point && code_point <= block.last; });
}

}  // namespace

std::optional<Character> find_character(std::string_view text, std::size_t byte) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = at(byte);
  if (lead < 0x80) return Character{lead, 1};

  std::size_t size = 0;
  if (lead >= 0xc2 && lead < 0xe0) size = 2;
  if (lead >= 0xe0 && lead < 0xf0) size = 3;
  if (lead >= 0xf0 && lead < 0xf5) size = 4;
  if (size == 0 || text.size() - byte < size) return std::nullopt;

  char32_t code_point = lead & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((at(byte + i) & 0xc0u) != 0x80) return std::nullopt;
    code_point = code_point << 6 | (at(byte + i) & 0x3fu);
  }
  const char32_t least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
  const bool is_surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  if (code_point < least || code_point > 0x10ffff || is_surrogate) return std::nullopt;
  return Character{code_point, size};
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t byte = 0; byte < text.size(); ++count) {
    const std::optional<Character> character = find_character(text, byte);
    byte += character ? character->byte_size : 1;
  }
  return count;
}

bool is_name_character(char32_t code_point) {
  if (code_point < 0x80) {
    return (code_point >= 'a' && code_point <= 'z') || (code_point >= 'A' && code_point <= 'Z') ||
           (code_point >= '0' && code_point <= '9') || code_point == '_';
  }
  return !lies_in(kNoLetters, code_point);
}

std::size_t display_width(char32_t code_point) {
  if (lies_in(kCombining, code_point)) return 0;
  return lies_in(kWide, code_point) ? 2 : 1;
}

}  // namespace millrace::expression
