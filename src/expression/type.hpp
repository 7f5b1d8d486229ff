// Types of values inside formulas: a lane type and one to four lanes.
#pragma once

#include <cstdint>
#include <string>

#include <millrace/format.hpp>

namespace millrace::expression {

enum class Lane : std::uint8_t { f32, i32, u32, boolean };

struct Type {
  Lane lane = Lane::f32;
  std::uint8_t width = 1;
  friend constexpr bool operator==(Type, Type) = default;
};

// "f32", "vec3<u32>", "vec2<bool>": as WGSL writes it, and as errors do.
[[nodiscard]] std::string to_string(Type type);
[[nodiscard]] std::string to_string(Lane lane);

// What an expression reads a row of this format as: unorm8x4 is vec4<f32>, sint16x2 vec2<i32>.
[[nodiscard]] Type read_type(Format format);
// The 32-bit format that a value of this type is stored as; bool becomes uint32.
[[nodiscard]] Format stored_format(Type type);

}  // namespace millrace::expression
