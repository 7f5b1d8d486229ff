// The stored bytes of one row: always packed, whole 4-byte words. The names are WebGPU's vertex formats.
#pragma once

#include <cstdint>
#include <string_view>

namespace [[gnu::visibility("default")]] millrace {

// Names of WebGPU that are no C++ identifiers have underscores; format_name and parse_format use the standard ones.
// clang-format off
enum class Format : std::uint8_t {
  float32, float32x2, float32x3, float32x4,
  sint32, sint32x2, sint32x3, sint32x4,
  uint32, uint32x2, uint32x3, uint32x4,
  float16x2, float16x4,
  uint8x4, sint8x4, unorm8x4, snorm8x4,
  uint16x2, uint16x4, sint16x2, sint16x4, unorm16x2, unorm16x4, snorm16x2, snorm16x4,
  unorm10_10_10_2, unorm8x4_bgra,
};
// clang-format on

// Bytes of one packed row, a multiple of 4. float32x3: 12.
[[nodiscard]] std::uint32_t bytes_per_row(Format format);
// Lanes of one row, 1 to 4. float32x3: 3; unorm10_10_10_2: 4.
[[nodiscard]] std::uint32_t lanes(Format format);
// The standard name, as in WebGPU: "float32x3", "unorm10-10-10-2", "unorm8x4-bgra".
[[nodiscard]] std::string_view format_name(Format format);
// The format of that standard name. BindingError `unsupported_format` where it is unknown, or where it does not fill
// whole words per row ("uint8", "uint16x3"); that message names the four-lane cure.
[[nodiscard]] Format parse_format(std::string_view name);

}  // namespace millrace
