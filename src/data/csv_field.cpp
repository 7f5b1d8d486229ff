// Numbers are read by std::from_chars: no locale, exact rounding.
#include "src/data/csv_field.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <system_error>

namespace millrace::data {

namespace {

bool is_digit(char character) { return character >= '0' && character <= '9'; }

bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

template <class Value>
std::from_chars_result parse_whole(std::string_view text, Value& value) {
  const char* const end = text.data() + text.size();
  std::from_chars_result result = std::from_chars(text.data(), end, value);
  if (result.ptr != end) result.ec = std::errc::invalid_argument;
  return result;
}

bool is_number(std::string_view text) {
  double value = 0;
  const std::errc fault = parse_whole(text, value).ec;
  return fault == std::errc() || fault == std::errc::result_out_of_range;
}

// from_chars says "out of range" of too large and too small alike; too small rounds to a subnormal or to zero.
template <class Floating>
bool parse_floating(std::string_view text, Floating& value) {
  const std::errc fault = parse_whole(text, value).ec;
  if (fault != std::errc::result_out_of_range) return fault == std::errc();
  const long double wide = std::strtold(std::string(text).c_str(), nullptr);
  if (std::fabs(wide) > static_cast<long double>(std::numeric_limits<Floating>::max())) return false;
  value = static_cast<Floating>(wide);
  return true;
}

bool is_true(std::string_view text) { return text == "true" || text == "TRUE" || text == "True"; }
bool is_false(std::string_view text) { return text == "false" || text == "FALSE" || text == "False"; }

}  // namespace

std::string_view trim_field(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  text = text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
  const bool has_plus = text.size() > 1 && text[0] == '+' && (is_digit(text[1]) || text[1] == '.');
  return has_plus ? text.substr(1) : text;
}

FieldKind classify_field(std::string_view text) {
  if (text.empty() || text == "NA") return FieldKind::missing;
  if (is_integer(text)) return FieldKind::integer;
  if (is_true(text) || is_false(text)) return FieldKind::boolean;
  return is_number(text) ? FieldKind::number : FieldKind::text;
}

bool parse(std::string_view text, std::int32_t& value) { return parse_whole(text, value).ec == std::errc(); }
bool parse(std::string_view text, std::uint32_t& value) { return parse_whole(text, value).ec == std::errc(); }
bool parse(std::string_view text, std::int64_t& value) { return parse_whole(text, value).ec == std::errc(); }

bool parse(std::string_view text, float& value) { return parse_floating(text, value); }
bool parse(std::string_view text, double& value) { return parse_floating(text, value); }

bool parse(std::string_view text, bool& value) {
  value = is_true(text);
  return value || is_false(text);
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  const bool is_long = text.size() > kLongest;
  std::size_t length = is_long ? kLongest : text.size();
  while (is_long && length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) --length;  // whole UTF-8
  std::string short_text(text.substr(0, length));
  std::replace(short_text.begin(), short_text.end(), '\n', ' ');
  std::replace(short_text.begin(), short_text.end(), '\r', ' ');
  if (is_long) short_text += "...";
  return short_text;
}

}  // namespace millrace::data
