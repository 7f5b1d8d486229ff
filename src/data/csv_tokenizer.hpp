// Splits a CSV file into rows of fields, and knows the line of each field.
//
// Fields are separated by a comma or another character; rows end with "\n" or "\r\n". A field that begins with a quote ends
// with one, may hold separators and line ends, and holds a quote where two stand. A byte order mark at the beginning is skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/data/input_file.hpp"

namespace millrace::data {

struct CsvField {
  std::string_view text;  // without its quotes
  std::uint64_t line;     // the line it begins on, counted from 1
};

class CsvTokenizer {
 public:
  // DataError `unreadable_file`.
  explicit CsvTokenizer(const InputFile& file, char delimiter = ',');

  // Puts the fields of the next row into `fields`; false at the end of the file. The text is good until the next call.
  // An empty line is a row of one empty field. DataError `open_quote`, `text_after_quote`, `row_too_long`.
  bool next_row(std::vector<CsvField>& fields);

  // How much of the file has been split, 0 to 1; nothing where its size is unknown.
  [[nodiscard]] std::optional<double> fraction_read() const;

 private:
  struct Span {
    std::size_t begin;
    std::size_t end;
    std::uint64_t line;
    bool has_quotes;  // two quotes stand for one somewhere in it
  };

  bool scan_row();
  bool scan_field(std::size_t& position, std::uint64_t& line, bool& row_ends);
  bool scan_quoted(std::size_t& position, std::uint64_t& line, Span& span);
  [[nodiscard]] std::string_view take_text(const Span& span);
  void fill();

  std::string name_;
  char delimiter_;
  OwnedFile file_;
  std::optional<std::uint64_t> file_byte_size_;
  std::string buffer_;
  std::size_t position_ = 0;  // of the next row in buffer_
  bool at_end_ = false;       // the file has nothing beyond buffer_
  std::uint64_t bytes_before_buffer_ = 0;
  std::uint64_t line_ = 1;
  std::vector<Span> spans_;
};

}  // namespace millrace::data
