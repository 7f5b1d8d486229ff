// Names of types, and the types of formats.
#include "src/expression/type.hpp"

#include <array>

#include <fmt/format.h>

namespace millrace::expression {
namespace {

Lane read_lane(Format format) {
  switch (format) {
    case Format::float32:
    case Format::float32x2:
    case Format::float32x3:
    case Format::float32x4:
    case Format::float16x2:
    case Format::float16x4:
    case Format::unorm8x4:
    case Format::snorm8x4:
    case Format::unorm16x2:
    case Format::unorm16x4:
    case Format::snorm16x2:
    case Format::snorm16x4:
    case Format::unorm10_10_10_2:
    case Format::unorm8x4_bgra:
      return Lane::f32;
    case Format::sint32:
    case Format::sint32x2:
    case Format::sint32x3:
    case Format::sint32x4:
    case Format::sint8x4:
    case Format::sint16x2:
    case Format::sint16x4:
      return Lane::i32;
    case Format::uint32:
    case Format::uint32x2:
    case Format::uint32x3:
    case Format::uint32x4:
    case Format::uint8x4:
    case Format::uint16x2:
    case Format::uint16x4:
      return Lane::u32;
  }
  return Lane::f32;
}

}  // namespace

std::string to_string(Lane lane) {
  static constexpr std::array kNames = {"f32", "i32", "u32", "bool"};
  return kNames[static_cast<std::size_t>(lane)];
}

std::string to_string(Type type) {
  if (type.width == 1) return to_string(type.lane);
  return fmt::format("vec{width}<{lane}>", fmt::arg("width", type.width), fmt::arg("lane", to_string(type.lane)));
}

Type read_type(Format format) { return {read_lane(format), static_cast<std::uint8_t>(lanes(format))}; }

Format stored_format(Type type) {
  static constexpr std::array kF32 = {Format::float32, Format::float32x2, Format::float32x3, Format::float32x4};
  static constexpr std::array kI32 = {Format::sint32, Format::sint32x2, Format::sint32x3, Format::sint32x4};
  static constexpr std::array kU32 = {Format::uint32, Format::uint32x2, Format::uint32x3, Format::uint32x4};
  const std::size_t index = type.width - 1u;
  switch (type.lane) {
    case Lane::f32:
      return kF32[index];
    case Lane::i32:
      return kI32[index];
    case Lane::u32:
    case Lane::boolean:
      return kU32[index];
  }
  return kF32[index];
}

}  // namespace millrace::expression
