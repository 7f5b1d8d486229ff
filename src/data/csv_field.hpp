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

// The value of a trimmed text. False where the text is of another kind, or the type does not hold it.
[[nodiscard]] bool parse(std::string_view text, std::int32_t& value);
[[nodiscard]] bool parse(std::string_view text, std::uint32_t& value);
[[nodiscard]] bool parse(std::string_view text, std::int64_t& value);
// Rounded to nearest, also where the text is an integer.
[[nodiscard]] bool parse(std::string_view text, float& value);
[[nodiscard]] bool parse(std::string_view text, double& value);
[[nodiscard]] bool parse(std::string_view text, bool& value);

// The text for a message: no line ends, and cut where it is long.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace millrace::data
