// A row is scanned where it lies; one that the buffer cuts off is scanned anew once more bytes are there. Arrow's CSV
// reader is not used for this: it skips empty lines, numbers rows instead of lines, and so cannot say where a fault is.
#include "src/data/csv_tokenizer.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "src/data/csv_field.hpp"
#include "src/data/data_error.hpp"

namespace millrace::data {

namespace {

constexpr std::size_t kBlockByteSize = std::size_t{1} << 20;
// A row beyond this is nearly always an unclosed quote; without a limit it would draw the whole file into memory.
constexpr std::size_t kRowByteLimit = std::size_t{64} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string delimiter_name(char delimiter) {
  if (delimiter == ',') return "comma";
  return delimiter == '\t' ? "tab" : fmt::format("\"{}\"", delimiter);
}

std::string system_message(int error) { return std::generic_category().message(error); }

}  // namespace

CsvTokenizer::CsvTokenizer(const InputFile& file, char delimiter)
    : name_(file.name), delimiter_(delimiter), file_(file.open()), buffer_(file.beginning) {
  std::error_code failure;
  if (std::filesystem::is_regular_file(file.path, failure)) {
    file_byte_size_ = std::filesystem::file_size(file.path, failure);
  }
  fill();
  if (buffer_.starts_with(kByteOrderMark)) position_ = kByteOrderMark.size();
}

std::optional<double> CsvTokenizer::fraction_read() const {
  if (!file_byte_size_ || *file_byte_size_ == 0) return std::nullopt;
  return static_cast<double>(bytes_before_buffer_ + position_) / static_cast<double>(*file_byte_size_);
}

bool CsvTokenizer::next_row(std::vector<CsvField>& fields) {
  fields.clear();
  while (true) {
    if (position_ == buffer_.size() && at_end_) return false;
    if (scan_row()) break;
    if (buffer_.size() - position_ > kRowByteLimit) {
      throw DataError(
          DataErrorCode::row_too_long,
          fmt::format("{name}:{line}: The row that begins here is longer than {limit} MiB; a quote may "
                      "be open.",
                      fmt::arg("name", name_), fmt::arg("line", line_), fmt::arg("limit", kRowByteLimit >> 20U)));
    }
    fill();
  }
  for (const Span& span : spans_) fields.push_back({.text = take_text(span), .line = span.line});
  return true;
}

// False where the buffer ends before the row does. Moves on only past a whole row.
bool CsvTokenizer::scan_row() {
  spans_.clear();
  std::size_t position = position_;
  std::uint64_t line = line_;
  bool row_ends = false;
  while (!row_ends) {
    if (!scan_field(position, line, row_ends)) return false;
  }
  position_ = position;
  line_ = line;
  return true;
}

bool CsvTokenizer::scan_field(std::size_t& position, std::uint64_t& line, bool& row_ends) {
  Span span = {.begin = position, .end = position, .line = line, .has_quotes = false};
  const bool quoted = position < buffer_.size() && buffer_[position] == '"';
  if (quoted && !scan_quoted(position, line, span)) return false;
  const std::size_t unquoted_begin = position;
  while (position < buffer_.size() && buffer_[position] != delimiter_ && buffer_[position] != '\n') ++position;
  if (position == buffer_.size() && !at_end_) return false;

  std::size_t end = position;
  row_ends = position == buffer_.size() || buffer_[position] == '\n';
  if (row_ends && end > unquoted_begin && buffer_[end - 1] == '\r') --end;
  if (quoted && end > unquoted_begin) {
    throw DataError(
        DataErrorCode::text_after_quote,
        fmt::format(
            "{name}:{line}: After a closing quote comes a {delimiter} or the end of the line, not \"{text}\"; a "
            "quote inside a quoted field is written twice.",
            fmt::arg("name", name_), fmt::arg("line", line), fmt::arg("delimiter", delimiter_name(delimiter_)),
            fmt::arg("text", excerpt(std::string_view(buffer_).substr(unquoted_begin, end - unquoted_begin)))));
  }
  if (!quoted) span.end = end;
  spans_.push_back(span);
  if (row_ends) ++line;
  if (position < buffer_.size()) ++position;
  return true;
}

// From the opening quote to past the closing one.
bool CsvTokenizer::scan_quoted(std::size_t& position, std::uint64_t& line, Span& span) {
  span.begin = ++position;
  while (true) {
    if (position == buffer_.size()) {
      if (!at_end_) return false;
      throw DataError(DataErrorCode::open_quote,
                      fmt::format("{name}:{line}: The quote that opens in this line is never closed.",
                                  fmt::arg("name", name_), fmt::arg("line", span.line)));
    }
    if (buffer_[position] == '\n') ++line;
    if (buffer_[position] != '"') {
      ++position;
      continue;
    }
    if (position + 1 == buffer_.size() && !at_end_) return false;  // a second quote may follow
    if (position + 1 == buffer_.size() || buffer_[position + 1] != '"') break;
    span.has_quotes = true;
    position += 2;
  }
  span.end = position++;
  return true;
}

// Turns two quotes into one in place: the row has been scanned whole, and nobody looks at its bytes again.
std::string_view CsvTokenizer::take_text(const Span& span) {
  std::size_t length = span.end - span.begin;
  if (span.has_quotes) {
    length = 0;
    for (std::size_t from = span.begin; from < span.end; ++from) {
      buffer_[span.begin + length++] = buffer_[from];
      if (buffer_[from] == '"') ++from;
    }
  }
  return std::string_view(buffer_).substr(span.begin, length);
}

// Takes as much again as a row that did not end already has, so that scanning long rows anew stays linear.
void CsvTokenizer::fill() {
  bytes_before_buffer_ += position_;
  buffer_.erase(0, position_);
  position_ = 0;
  const std::size_t kept = buffer_.size();
  const std::size_t wanted = std::min(std::max(kBlockByteSize, kept), kRowByteLimit + kBlockByteSize - kept);
  buffer_.resize(kept + wanted);
  const std::size_t count = std::fread(buffer_.data() + kept, 1, wanted, file_.get());
  const int error = errno;
  buffer_.resize(kept + count);
  at_end_ = count < wanted;
  if (std::ferror(file_.get()) != 0) {
    throw DataError(DataErrorCode::unreadable_file,
                    fmt::format("The file \"{name}\" cannot be read: {reason}.", fmt::arg("name", name_),
                                fmt::arg("reason", system_message(error))));
  }
}

}  // namespace millrace::data
