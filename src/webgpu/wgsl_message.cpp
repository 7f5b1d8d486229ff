// naga writes, over several lines, `error: words` and then `wgsl:LINE:COLUMN` in a frame; Tint writes
// `:LINE:COLUMN error: words` and then the line with a caret.
#include "src/webgpu/wgsl_message.hpp"

#include <charconv>
#include <optional>

namespace millrace::webgpu {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::size_t> read_number(std::string_view text, std::size_t& at) {
  std::size_t value = 0;
  const auto [end, fault] = std::from_chars(text.data() + at, text.data() + text.size(), value);
  if (fault != std::errc()) return std::nullopt;
  at = static_cast<std::size_t>(end - text.data());
  return value;
}

// `:LINE:COLUMN` at a place.
bool read_place(std::string_view text, std::size_t at, WgslMessage& message, std::size_t& end) {
  if (at + 1 >= text.size() || text[at] != ':' || !is_digit(text[at + 1])) return false;
  ++at;
  const auto line = read_number(text, at);
  if (!line || at + 1 >= text.size() || text[at] != ':' || !is_digit(text[at + 1])) return false;
  ++at;
  const auto column = read_number(text, at);
  if (!column) return false;
  message.line = *line;
  message.column = *column;
  end = at;
  return true;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string_view rest_of_line(std::string_view text, std::size_t at) {
  return trimmed(text.substr(at, text.find('\n', at) - at));
}

}  // namespace

WgslMessage parse_wgsl_message(std::string_view text) {
  WgslMessage message;
  constexpr std::string_view kError = "error: ";
  for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
    std::size_t end = 0;
    if (!read_place(text, at, message, end)) continue;
    const std::size_t after = text.find(kError, end);
    const std::size_t before = text.rfind(kError, at);
    if (after == end + 1) {  // Tint
      message.words = rest_of_line(text, after + kError.size());
    } else if (before != std::string_view::npos) {  // naga
      message.words = rest_of_line(text, before + kError.size());
    } else {
      message.words = trimmed(text);
    }
    return message;
  }
  message.words = trimmed(text);
  return message;
}

std::string_view line_of(std::string_view text, std::size_t line) {
  if (line == 0) return {};
  for (std::size_t skipped = 1; skipped < line; ++skipped) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view found = text.substr(0, text.find('\n'));
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

}  // namespace millrace::webgpu
