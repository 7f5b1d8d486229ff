// A table as text for people: aligned columns, two blanks between.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tool {

enum class Alignment : std::uint8_t { left, right };

struct Heading {
  std::string text;
  Alignment alignment;
};

class TextTable {
 public:
  explicit TextTable(const std::vector<Heading>& header);
  // A row of as many cells as the header has.
  void add(std::vector<std::string> cells);
  // The header and the rows, each ending in a line end.
  [[nodiscard]] std::string text() const;
  // The same in lines of at most `width` characters: where there are too many columns, those in the middle give way to
  // one of "...". The first and the last stay, however wide they are.
  [[nodiscard]] std::string text_within(std::size_t width) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string text_of(const std::vector<std::size_t>& columns) const;

  std::vector<Alignment> alignments_;
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace millrace::tool
