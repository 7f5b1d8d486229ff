// The two shapes of words:
//
//   wgpu-native                                        Dawn
//     Validation Error                                   REASON
//                                                         - While validating ...
//     Caused by:                                          - While calling [Device].CreateBindGroup(...).
//       In wgpuDeviceCreateShaderModule, label = 'raw'
//                                                       and for shaders
//     Shader 'raw' parsing error: REASON                  Error while parsing WGSL: :2:11 error: REASON
//       ┌─ wgsl:2:11                                        let x = foo(1);
//       │                                                           ^^^
//     2 │   let x = foo(1);
//       │           ^^^ unknown identifier
//       = FURTHER REASON
#include "src/webgpu/provider_words.hpp"

#include <charconv>
#include <optional>
#include <vector>

namespace millrace::webgpu {
namespace {

constexpr std::string_view kFrame = "\u250c\u2500";  // ┌─
constexpr std::string_view kBar = "\u2502";          // │
constexpr std::string_view kTintPrefix = "Error while parsing WGSL: ";
constexpr std::string_view kTintError = " error: ";

struct Place {
  std::size_t line;
  std::size_t column;
  std::size_t end;  // in the text, behind the place
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

std::optional<std::size_t> read_number(std::string_view text, std::size_t& at) {
  std::size_t value = 0;
  const auto [end, fault] = std::from_chars(text.data() + at, text.data() + text.size(), value);
  if (fault != std::errc()) return std::nullopt;
  at = static_cast<std::size_t>(end - text.data());
  return value;
}

// The first `:LINE:COLUMN` from a place on.
std::optional<Place> find_place(std::string_view text, std::size_t from) {
  for (std::size_t colon = text.find(':', from); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    std::size_t at = colon + 1;
    const auto line = read_number(text, at);
    if (!line || at >= text.size() || text[at] != ':') continue;
    ++at;
    const auto column = read_number(text, at);
    if (column) return Place{*line, *column, at};
  }
  return std::nullopt;
}

// Without `Shader 'label' parsing error: ` and its like.
std::string_view without_shader_prefix(std::string_view line) {
  constexpr std::string_view kError = " error: ";
  const std::size_t at = line.find(kError);
  return line.starts_with("Shader ") && at != std::string_view::npos ? line.substr(at + kError.size()) : line;
}

void append(std::string& reason, std::string_view part) {
  if (part.empty()) return;
  if (!reason.empty()) reason += ": ";
  reason += part;
}

bool is_source_line(std::string_view line) {
  return line.find(kFrame) != std::string_view::npos || line.find(kBar) != std::string_view::npos;
}

std::string native_reason(const std::vector<std::string_view>& lines) {
  std::string reason;
  for (const std::string_view line : lines) {
    if (line == "=" || line.starts_with("= note:") || is_source_line(line)) continue;
    if (line == "Validation Error" || line == "Caused by:" || line.starts_with("In wgpu")) continue;
    std::string_view part = without_shader_prefix(line);
    if (part.starts_with("= ")) part.remove_prefix(2);
    // naga says the further reason twice.
    if (reason.find(part) == std::string::npos) append(reason, part);
  }
  return reason;
}

std::string_view line_at(std::string_view text, std::size_t line) {
  for (std::size_t skipped = 1; skipped < line; ++skipped) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view found = text.substr(0, text.find('\n'));
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

// The column in characters of one in bytes of UTF-8.
std::size_t character_column(std::string_view line, std::size_t byte_column) {
  std::size_t column = byte_column;
  for (std::size_t i = 0; i + 1 < byte_column && i < line.size(); ++i) {
    const bool continues = (static_cast<unsigned char>(line[i]) & 0xc0) == 0x80;
    if (continues) --column;
  }
  return column;
}

}  // namespace

std::string reason_in(std::string_view words) {
  const std::vector<std::string_view> lines = lines_of(trimmed(words));
  if (lines.front() == "Validation Error") return native_reason(lines);
  std::string_view first = lines.front();
  if (first.starts_with(kTintPrefix)) {
    const std::size_t error = first.find(kTintError);
    if (error != std::string_view::npos) first.remove_prefix(error + kTintError.size());
  }
  const bool dawn = words.find("\n - While ") != std::string_view::npos;
  return std::string(dawn ? first : trimmed(words));
}

WgslFault find_wgsl_fault(std::string_view words, std::string_view wgsl) {
  WgslFault fault;
  fault.reason = reason_in(words);
  const bool tint = words.starts_with(kTintPrefix);
  const std::size_t frame = words.find(kFrame);
  if (!tint && frame == std::string_view::npos) return fault;
  const std::optional<Place> place = find_place(words, tint ? 0 : frame);
  if (!place) return fault;
  fault.line = place->line;
  fault.line_text = std::string(line_at(wgsl, place->line));
  fault.column = tint ? character_column(fault.line_text, place->column) : place->column;
  return fault;
}

}  // namespace millrace::webgpu
