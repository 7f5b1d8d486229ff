// What the text of a CSV field means.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::data {

enum class FieldKind : std::uint8_t { missing, integer, number, boolean, text };

// The text without blanks around it, and without a sign "+", which numbers may have.
[[nodiscard]] std::string_view trim_field(std::string_view text);

// Of a trimmed text. Empty and "NA" are missing; "true" and "false" in lower case, upper case or capitalised are
// boolean; "nan" and "inf" are numbers. An integer may be too large for any type.
[[nodiscard]] FieldKind classify_field(std::string_view text);

// The value of a trimmed text of that kind. False where the type does not hold it.
[[nodiscard]] bool parse_integer(std::string_view text, std::int32_t& value);
// Rounded to the nearest float32, also where the text is an integer.
[[nodiscard]] bool parse_number(std::string_view text, float& value);
[[nodiscard]] bool parse_boolean(std::string_view text);

// The text for a message: no line ends, and cut where it is long.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace millrace::data
