// Widths count characters, not bytes.
#include "tools/millrace/text_table.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace millrace::tool {

namespace {

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }));
}

}  // namespace

TextTable::TextTable(Alignment alignment, std::vector<std::string> header) : alignment_(alignment) {
  lines_.push_back(std::move(header));
}

void TextTable::add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }

std::string TextTable::text() const {
  std::vector<std::size_t> widths(lines_.front().size());
  for (const std::vector<std::string>& line : lines_) {
    for (std::size_t column = 0; column < widths.size(); ++column) {
      widths[column] = std::max(widths[column], character_count(line[column]));
    }
  }
  std::string text;
  for (const std::vector<std::string>& line : lines_) {
    for (std::size_t column = 0; column < widths.size(); ++column) {
      const std::string padding(widths[column] - character_count(line[column]), ' ');
      const bool is_left = alignment_ == Alignment::texts || (alignment_ == Alignment::named_numbers && column == 0);
      if (column != 0) text += "  ";
      text += is_left ? line[column] + padding : padding + line[column];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace millrace::tool
