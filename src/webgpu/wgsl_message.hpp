// What a provider says about a shader it refuses, taken apart: where, and why.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::webgpu {

struct WgslMessage {
  std::string words;       // the reason, of one line where the provider's format is known, else all of its words
  std::size_t line = 0;    // 1-based, 0 where there is none
  std::size_t column = 0;  // 1-based, in bytes, 0 where there is none
};

// Knows the formats of naga (wgpu-native) and Tint (Dawn).
[[nodiscard]] WgslMessage parse_wgsl_message(std::string_view text);

// The line of a text, 1-based, without its end. Empty where there is none.
[[nodiscard]] std::string_view line_of(std::string_view text, std::size_t line);

}  // namespace millrace::webgpu
