// A table as text for people: aligned columns, two blanks between.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tool {

enum class Alignment : std::uint8_t {
  texts,          // all columns to the left
  numbers,        // all to the right
  named_numbers,  // the first to the left, the others to the right
};

class TextTable {
 public:
  TextTable(Alignment alignment, std::vector<std::string> header);
  // A row of as many cells as the header has.
  void add(std::vector<std::string> cells);
  // The header and the rows, each ending in a line end.
  [[nodiscard]] std::string text() const;

 private:
  Alignment alignment_;
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace millrace::tool
