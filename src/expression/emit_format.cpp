// One description of each packed format, and the text of reading and writing it.
#include "src/expression/emit_format.hpp"

#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "src/expression/type.hpp"

namespace millrace::expression {
namespace {

enum class Coding : std::uint8_t { whole_words, half, unsigned_integer, signed_integer, unsigned_norm, signed_norm };

// Lane i takes bits[i] bits, in words from the lowest bit up, a new word where the last one is full.
struct Packing {
  Coding coding;
  std::vector<std::uint32_t> bits;
  bool swaps_red_and_blue = false;
};

std::optional<Packing> packed(Format format) {
  using enum Coding;
  switch (format) {
    case Format::uint8x4:
      return Packing{unsigned_integer, {8, 8, 8, 8}};
    case Format::sint8x4:
      return Packing{signed_integer, {8, 8, 8, 8}};
    case Format::unorm8x4:
      return Packing{unsigned_norm, {8, 8, 8, 8}};
    case Format::unorm8x4_bgra:
      return Packing{unsigned_norm, {8, 8, 8, 8}, true};
    case Format::snorm8x4:
      return Packing{signed_norm, {8, 8, 8, 8}};
    case Format::uint16x2:
      return Packing{unsigned_integer, {16, 16}};
    case Format::uint16x4:
      return Packing{unsigned_integer, {16, 16, 16, 16}};
    case Format::sint16x2:
      return Packing{signed_integer, {16, 16}};
    case Format::sint16x4:
      return Packing{signed_integer, {16, 16, 16, 16}};
    case Format::unorm16x2:
      return Packing{unsigned_norm, {16, 16}};
    case Format::unorm16x4:
      return Packing{unsigned_norm, {16, 16, 16, 16}};
    case Format::snorm16x2:
      return Packing{signed_norm, {16, 16}};
    case Format::snorm16x4:
      return Packing{signed_norm, {16, 16, 16, 16}};
    case Format::unorm10_10_10_2:
      return Packing{unsigned_norm, {10, 10, 10, 2}};
    case Format::float16x2:
      return Packing{half, {16, 16}};
    case Format::float16x4:
      return Packing{half, {16, 16, 16, 16}};
    default:
      return std::nullopt;  // 32-bit lanes
  }
}

// "vec4<u32>(0u, 8u, 16u, 24u)", or "vec4<u32>(8u)" where all are alike.
template <class MakeLane>
std::string constant(std::string_view lane_type, const Packing& packing, MakeLane make_lane) {
  std::vector<std::string> lanes;
  for (std::size_t lane = 0; lane < packing.bits.size(); ++lane) lanes.push_back(make_lane(lane));
  bool alike = true;
  for (const std::string& lane : lanes) alike = alike && lane == lanes.front();
  if (alike) lanes.resize(1);
  return fmt::format("vec{width}<{lane_type}>({lanes})", fmt::arg("width", packing.bits.size()),
                     fmt::arg("lane_type", lane_type), fmt::arg("lanes", fmt::join(lanes, ", ")));
}

std::uint32_t first_bit(const Packing& packing, std::size_t lane) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < lane; ++i) sum += packing.bits[i];
  return sum;
}
std::uint32_t mask(const Packing& packing, std::size_t lane) { return (1u << packing.bits[lane]) - 1; }
std::uint32_t largest_signed(const Packing& packing, std::size_t lane) { return mask(packing, lane) / 2; }

std::string masks(const Packing& packing) {
  return constant("u32", packing, [&](std::size_t lane) { return fmt::format("{}u", mask(packing, lane)); });
}

// Each lane's word in its place, before shifting.
std::string spread_words(const Packing& packing, std::string_view words) {
  const bool two_words = first_bit(packing, packing.bits.size()) > 32;
  if (two_words) return fmt::format("{words}.xxyy", fmt::arg("words", words));
  return fmt::format("vec{width}<u32>({words})", fmt::arg("width", packing.bits.size()), fmt::arg("words", words));
}

std::string read_unsigned(const Packing& packing, std::string_view words) {
  const std::string shifts =
      constant("u32", packing, [&](std::size_t lane) { return fmt::format("{}u", first_bit(packing, lane) % 32); });
  return fmt::format("(({words} >> {shifts}) & {masks})", fmt::arg("words", spread_words(packing, words)),
                     fmt::arg("shifts", shifts), fmt::arg("masks", masks(packing)));
}

// Shifted up to the sign, then down with it.
std::string read_signed(const Packing& packing, std::string_view words) {
  const std::string up = constant("u32", packing, [&](std::size_t lane) {
    return fmt::format("{}u", 32 - first_bit(packing, lane) % 32 - packing.bits[lane]);
  });
  const std::string down =
      constant("u32", packing, [&](std::size_t lane) { return fmt::format("{}u", 32 - packing.bits[lane]); });
  return fmt::format("(bitcast<vec{width}<i32>>({words} << {up}) >> {down})", fmt::arg("width", packing.bits.size()),
                     fmt::arg("words", spread_words(packing, words)), fmt::arg("up", up), fmt::arg("down", down));
}

std::string f32_steps(const Packing& packing) {
  return constant("f32", packing, [&](std::size_t lane) {
    const bool with_sign = packing.coding == Coding::signed_norm;
    return fmt::format("{}.0", with_sign ? largest_signed(packing, lane) : mask(packing, lane));
  });
}

std::string read_normalized(const Packing& packing, std::string_view words) {
  const bool with_sign = packing.coding == Coding::signed_norm;
  const std::string integers = with_sign ? read_signed(packing, words) : read_unsigned(packing, words);
  const std::string quotient =
      fmt::format("vec{width}<f32>({integers}) / {steps}", fmt::arg("width", packing.bits.size()),
                  fmt::arg("integers", integers), fmt::arg("steps", f32_steps(packing)));
  if (with_sign) return fmt::format("max({}, vec{}<f32>(-1.0))", quotient, packing.bits.size());
  return packing.swaps_red_and_blue ? fmt::format("({}).zyxw", quotient) : quotient;
}

std::string read_half(const Packing& packing, std::string_view words) {
  if (packing.bits.size() == 2) return fmt::format("m_read_half({})", words);
  return fmt::format("vec4<f32>(m_read_half({words}.x), m_read_half({words}.y))", fmt::arg("words", words));
}

std::string write_half(const Packing& packing, std::string_view value) {
  if (packing.bits.size() == 2) return fmt::format("m_write_half({})", value);
  return fmt::format("vec2<u32>(m_write_half({value}.xy), m_write_half({value}.zw))", fmt::arg("value", value));
}

std::string signed_fields(const Packing& packing, std::string_view integers) {
  return fmt::format("bitcast<vec{width}<u32>>({integers}) & {masks}", fmt::arg("width", packing.bits.size()),
                     fmt::arg("integers", integers), fmt::arg("masks", masks(packing)));
}

std::string clamped_signed(const Packing& packing, std::string_view value) {
  const auto least = [&](std::size_t lane) { return fmt::format("-{}i", largest_signed(packing, lane) + 1); };
  const auto most = [&](std::size_t lane) { return fmt::format("{}i", largest_signed(packing, lane)); };
  return fmt::format("clamp({value}, {least}, {most})", fmt::arg("value", value),
                     fmt::arg("least", constant("i32", packing, least)),
                     fmt::arg("most", constant("i32", packing, most)));
}

// NaN is found by its bits: what clamp makes of it differs from device to device.
std::string normalized_fields(const Packing& packing, std::string_view value) {
  const bool with_sign = packing.coding == Coding::signed_norm;
  const std::string text = fmt::format(
      "round(clamp(select({value}, vec{n}<f32>(0.0), (bitcast<vec{n}<u32>>({value}) & vec{n}<u32>(0x7fffffffu)) > "
      "vec{n}<u32>(0x7f800000u)), vec{n}<f32>({least}), vec{n}<f32>(1.0)) * {steps})",
      fmt::arg("value", value), fmt::arg("n", packing.bits.size()), fmt::arg("least", with_sign ? "-1.0" : "0.0"),
      fmt::arg("steps", f32_steps(packing)));
  if (with_sign) return signed_fields(packing, fmt::format("vec{}<i32>({})", packing.bits.size(), text));
  const std::string fields = fmt::format("vec{}<u32>({})", packing.bits.size(), text);
  return packing.swaps_red_and_blue ? fields + ".zyxw" : fields;
}

// The fields' bits side by side: "f.x | (f.y << 8u) | ...", a vector of them where there are two words.
std::string join_fields(const Packing& packing, std::string_view fields) {
  std::vector<std::string> words;
  for (std::size_t lane = 0; lane < packing.bits.size(); ++lane) {
    const std::string field = fmt::format("{}.{}", fields, "xyzw"[lane]);
    const std::uint32_t shift = first_bit(packing, lane) % 32;
    if (shift == 0)
      words.push_back(field);
    else
      words.back() += fmt::format(" | ({} << {}u)", field, shift);
  }
  if (words.size() == 1) return words.front();
  return fmt::format("vec{}<u32>({})", words.size(), fmt::join(words, ", "));
}

std::string whole_words(std::string_view type, std::string_view value) {
  return fmt::format("bitcast<{type}>({value})", fmt::arg("type", type), fmt::arg("value", value));
}

constexpr std::string_view kReadHalf = R"(
fn m_read_half(word: u32) -> vec2<f32> {
  let half = vec2<u32>(word & 0xffffu, word >> 16u);
  let size = half & vec2<u32>(0x7fffu);
  let normal = (size << vec2<u32>(13u)) + vec2<u32>(0x38000000u);
  let special = (size << vec2<u32>(13u)) + vec2<u32>(0x70000000u);
  let small = bitcast<vec2<u32>>(vec2<f32>(size) * vec2<f32>(5.9604644775390625e-8));
  let finite = select(normal, small, size < vec2<u32>(0x400u));
  let bits = select(finite, special, size >= vec2<u32>(0x7c00u));
  return bitcast<vec2<f32>>(bits | ((half & vec2<u32>(0x8000u)) << vec2<u32>(16u)));
}
)";

constexpr std::string_view kWriteHalf = R"(
fn m_write_half(value: vec2<f32>) -> u32 {
  let bits = bitcast<vec2<u32>>(value);
  let size = bits & vec2<u32>(0x7fffffffu);
  let even = size + vec2<u32>(0xfffu) + ((size >> vec2<u32>(13u)) & vec2<u32>(1u));
  let normal = min((even - vec2<u32>(0x38000000u)) >> vec2<u32>(13u), vec2<u32>(0x7c00u));
  let small = vec2<u32>(round(min(bitcast<vec2<f32>>(size), vec2<f32>(1.0)) * vec2<f32>(16777216.0)));
  let finite = select(normal, small, size < vec2<u32>(0x38800000u));
  let half = select(finite, vec2<u32>(0x7e00u), size > vec2<u32>(0x7f800000u));
  let words = half | ((bits >> vec2<u32>(16u)) & vec2<u32>(0x8000u));
  return words.x | (words.y << 16u);
}
)";

}  // namespace

std::span<const LibraryFunction> format_library() {
  static constexpr LibraryFunction kFunctions[] = {{"read_half", "", kReadHalf}, {"write_half", "", kWriteHalf}};
  return kFunctions;
}

std::string words_type(Format format) {
  return to_string(Type{Lane::u32, static_cast<std::uint8_t>(bytes_per_row(format) / 4)});
}

std::string read_text(Format format, std::string_view words, std::set<std::string_view>& library) {
  const std::optional<Packing> packing = packed(format);
  if (!packing) {
    const Type type = read_type(format);
    return type.lane == Lane::u32 ? std::string(words) : whole_words(to_string(type), words);
  }
  switch (packing->coding) {
    case Coding::unsigned_integer:
      return read_unsigned(*packing, words);
    case Coding::signed_integer:
      return read_signed(*packing, words);
    case Coding::half:
      library.insert("read_half");
      return read_half(*packing, words);
    default:
      return read_normalized(*packing, words);
  }
}

std::string words_text(Format format, std::string_view value, std::set<std::string_view>& library) {
  const std::optional<Packing> packing = packed(format);
  if (!packing) {
    return read_type(format).lane == Lane::u32 ? std::string(value) : whole_words(words_type(format), value);
  }
  if (packing->coding == Coding::half) {
    library.insert("write_half");
    return write_half(*packing, value);
  }
  return join_fields(*packing, value);
}

std::string fields_text(Format format, std::string_view value) {
  const std::optional<Packing> packing = packed(format);
  if (!packing) return {};
  switch (packing->coding) {
    case Coding::unsigned_integer:
      return fmt::format("min({}, {})", value, masks(*packing));
    case Coding::signed_integer:
      return signed_fields(*packing, clamped_signed(*packing, value));
    case Coding::unsigned_norm:
    case Coding::signed_norm:
      return normalized_fields(*packing, value);
    default:
      return {};
  }
}

}  // namespace millrace::expression
