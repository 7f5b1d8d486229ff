// How a fault in a formula is told: a sentence, then the formula and a caret on lines of their own.
//
//   "offsets + counts" mixes i32 and u32; write u32(offsets) + counts or offsets + i32(counts).
//     ends = offsets + counts
//                    ^
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <millrace/error.hpp>

namespace millrace::expression {

// The formula indented by two, and a caret below the character at that byte (text.size(): after the last). Of a text of
// several lines, the line of the fault; of a long line, the part around the caret. Bytes that are no UTF-8 are shown as
// U+FFFD.
[[nodiscard]] std::string quote_with_caret(std::string_view text, std::size_t byte);

// The text on one line, cut after 60 characters: how a sentence shows a part of a formula. quoted: between double quotes.
[[nodiscard]] std::string one_line(std::string_view text);
[[nodiscard]] std::string quoted(std::string_view text);

// Throws the ExpressionError whose message is the sentence, the formula and the caret.
[[noreturn]] void throw_fault(ErrorCode code, std::string_view subject, std::string_view sentence,
                              std::string_view text, std::size_t byte);

}  // namespace millrace::expression
