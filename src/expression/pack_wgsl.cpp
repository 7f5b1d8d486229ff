// The texts. Fields are cut to their bits, so that whatever a device makes of NaN stays in its lane.
#include "src/expression/pack_wgsl.hpp"

namespace millrace::expression {
namespace {

constexpr std::string_view kPack8 = R"(
fn m_pack_8(lanes: vec4<u32>) -> u32 {
  let bytes = lanes & vec4<u32>(0xffu);
  return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}
)";

constexpr std::string_view kPack16 = R"(
fn m_pack_16(lanes: vec2<u32>) -> u32 {
  return (lanes.x & 0xffffu) | (lanes.y << 16u);
}
)";

constexpr std::string_view kUnpackU8 = R"(
fn m_unpack_u8(word: u32) -> vec4<u32> {
  return (vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu);
}
)";

// Shifted up to the sign, then down with it.
constexpr std::string_view kUnpackI8 = R"(
fn m_unpack_i8(word: u32) -> vec4<i32> {
  return bitcast<vec4<i32>>(vec4<u32>(word) << vec4<u32>(24u, 16u, 8u, 0u)) >> vec4<u32>(24u);
}
)";

constexpr std::string_view kUnpackU16 = R"(
fn m_unpack_u16(word: u32) -> vec2<u32> {
  return vec2<u32>(word & 0xffffu, word >> 16u);
}
)";

constexpr std::string_view kUnpackI16 = R"(
fn m_unpack_i16(word: u32) -> vec2<i32> {
  return bitcast<vec2<i32>>(vec2<u32>(word << 16u, word)) >> vec2<u32>(16u);
}
)";

constexpr std::string_view kRefractK = R"(
fn m_refract_k(ratio: f32, cosine: f32) -> f32 {
  return 1.0 - ratio * ratio * (1.0 - cosine * cosine);
}
)";

constexpr std::string_view kQuantizeToF16 = R"(
fn m_quantize_to_f16(value: f32) -> f32 {
  return m_read_half(m_write_half(vec2<f32>(value))).x;
}
)";

}  // namespace

std::span<const LibraryFunction> pack_library() {
  static constexpr LibraryFunction kFunctions[] = {
      {"pack_8", "", kPack8},         {"pack_16", "", kPack16},
      {"unpack_u8", "", kUnpackU8},   {"unpack_i8", "", kUnpackI8},
      {"unpack_u16", "", kUnpackU16}, {"unpack_i16", "", kUnpackI16},
      {"refract_k", "", kRefractK},   {"quantize_to_f16", "read_half write_half", kQuantizeToF16},
  };
  return kFunctions;
}

}  // namespace millrace::expression
