// Widths count characters, not bytes.
#include "tools/millrace/text_table.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace millrace::tool {

namespace {

constexpr std::string_view kGap = "  ";
constexpr std::string_view kEllipsis = "...";
constexpr std::size_t kLeftOut = static_cast<std::size_t>(-1);  // in place of a column: those that do not fit

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }));
}

}  // namespace

TextTable::TextTable(const std::vector<Heading>& header) : lines_(1) {
  for (const Heading& heading : header) {
    alignments_.push_back(heading.alignment);
    lines_.front().push_back(heading.text);
  }
}

void TextTable::add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(lines_.front().size());
  for (const std::vector<std::string>& line : lines_) {
    for (std::size_t column = 0; column < widths.size(); ++column) {
      widths[column] = std::max(widths[column], character_count(line[column]));
    }
  }
  return widths;
}

std::string TextTable::text() const {
  std::vector<std::size_t> all(lines_.front().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return text_of(all);
}

std::string TextTable::text_within(std::size_t width) const {
  const std::vector<std::size_t> column_widths = widths();
  const std::size_t count = column_widths.size();
  std::size_t taken = kGap.size() * (count - 1);
  for (const std::size_t each : column_widths) taken += each;
  if (taken <= width || count <= 2) return text();

  // From both ends inwards, the left first.
  std::size_t left = 1;
  std::size_t right = 1;
  std::size_t used = column_widths.front() + column_widths.back() + 2 * kGap.size() + kEllipsis.size();
  while (left + right < count) {
    const std::size_t next = left <= right ? left : count - 1 - right;
    used += kGap.size() + column_widths[next];
    if (used > width) break;
    ++(left <= right ? left : right);
  }
  std::vector<std::size_t> columns(left);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  columns.push_back(kLeftOut);
  for (std::size_t column = count - right; column < count; ++column) columns.push_back(column);
  return text_of(columns);
}

std::string TextTable::text_of(const std::vector<std::size_t>& columns) const {
  const std::vector<std::size_t> column_widths = widths();
  std::string text;
  for (const std::vector<std::string>& line : lines_) {
    for (std::size_t place = 0; place < columns.size(); ++place) {
      if (place != 0) text += kGap;
      const std::size_t column = columns[place];
      if (column == kLeftOut) {
        text += kEllipsis;
        continue;
      }
      const std::string padding(column_widths[column] - character_count(line[column]), ' ');
      text += alignments_[column] == Alignment::left ? line[column] + padding : padding + line[column];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace millrace::tool
