// One table row per format, and what is asked of it.
#include <array>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/counted.hpp"
#include "src/format/format_table.hpp"

namespace millrace {
namespace {

constexpr std::array kFormats = {
    FormatDescription{Format::float32, "float32", 4, 1, LaneType::float32},
    FormatDescription{Format::float32x2, "float32x2", 8, 2, LaneType::float32},
    FormatDescription{Format::float32x3, "float32x3", 12, 3, LaneType::float32},
    FormatDescription{Format::float32x4, "float32x4", 16, 4, LaneType::float32},
    FormatDescription{Format::sint32, "sint32", 4, 1, LaneType::sint32},
    FormatDescription{Format::sint32x2, "sint32x2", 8, 2, LaneType::sint32},
    FormatDescription{Format::sint32x3, "sint32x3", 12, 3, LaneType::sint32},
    FormatDescription{Format::sint32x4, "sint32x4", 16, 4, LaneType::sint32},
    FormatDescription{Format::uint32, "uint32", 4, 1, LaneType::uint32},
    FormatDescription{Format::uint32x2, "uint32x2", 8, 2, LaneType::uint32},
    FormatDescription{Format::uint32x3, "uint32x3", 12, 3, LaneType::uint32},
    FormatDescription{Format::uint32x4, "uint32x4", 16, 4, LaneType::uint32},
    FormatDescription{Format::float16x2, "float16x2", 4, 2, LaneType::uint16},
    FormatDescription{Format::float16x4, "float16x4", 8, 4, LaneType::uint16},
    FormatDescription{Format::uint8x4, "uint8x4", 4, 4, LaneType::uint8},
    FormatDescription{Format::sint8x4, "sint8x4", 4, 4, LaneType::sint8},
    FormatDescription{Format::unorm8x4, "unorm8x4", 4, 4, LaneType::uint8},
    FormatDescription{Format::snorm8x4, "snorm8x4", 4, 4, LaneType::sint8},
    FormatDescription{Format::uint16x2, "uint16x2", 4, 2, LaneType::uint16},
    FormatDescription{Format::uint16x4, "uint16x4", 8, 4, LaneType::uint16},
    FormatDescription{Format::sint16x2, "sint16x2", 4, 2, LaneType::sint16},
    FormatDescription{Format::sint16x4, "sint16x4", 8, 4, LaneType::sint16},
    FormatDescription{Format::unorm16x2, "unorm16x2", 4, 2, LaneType::uint16},
    FormatDescription{Format::unorm16x4, "unorm16x4", 8, 4, LaneType::uint16},
    FormatDescription{Format::snorm16x2, "snorm16x2", 4, 2, LaneType::sint16},
    FormatDescription{Format::snorm16x4, "snorm16x4", 8, 4, LaneType::sint16},
    FormatDescription{Format::unorm10_10_10_2, "unorm10-10-10-2", 4, 4, LaneType::uint32},
    FormatDescription{Format::unorm8x4_bgra, "unorm8x4-bgra", 4, 4, LaneType::uint8},
};

constexpr bool stands_in_enum_order() {
  for (std::size_t index = 0; index < kFormats.size(); ++index)
    if (static_cast<std::size_t>(kFormats[index].format) != index) return false;
  return true;
}
static_assert(stands_in_enum_order());

// A family of 8- or 16-bit formats, of which WebGPU has rows that do not fill whole words.
struct NarrowFamily {
  std::string_view name;
  std::uint32_t lane_byte_size;
};
constexpr std::array kNarrowFamilies = {
    NarrowFamily{"uint8", 1},   NarrowFamily{"sint8", 1},   NarrowFamily{"unorm8", 1},
    NarrowFamily{"snorm8", 1},  NarrowFamily{"uint16", 2},  NarrowFamily{"sint16", 2},
    NarrowFamily{"unorm16", 2}, NarrowFamily{"snorm16", 2}, NarrowFamily{"float16", 2},
};

struct NarrowFormat {
  NarrowFamily family;
  std::uint32_t byte_size;
};

// "uint8", "uint8x2", "uint16x3": lanes that WebGPU or its users name, in rows that are no whole words.
std::optional<NarrowFormat> find_narrow(std::string_view name) {
  for (const NarrowFamily& family : kNarrowFamilies) {
    if (!name.starts_with(family.name)) continue;
    const std::string_view lanes = name.substr(family.name.size());
    const std::uint32_t lane_count = lanes.empty() ? 1 : lanes == "x2" ? 2 : lanes == "x3" ? 3 : 0;
    const std::uint32_t byte_size = lane_count * family.lane_byte_size;
    if (byte_size % 4 != 0) return NarrowFormat{family, byte_size};
  }
  return std::nullopt;
}

std::string all_names() {
  std::string names;
  for (const FormatDescription& description : kFormats) {
    if (!names.empty()) names += ", ";
    names += description.name;
  }
  return names;
}

std::string_view lane_name(LaneType type) {
  switch (type) {
    case LaneType::float32:
      return "float";
    case LaneType::sint32:
      return "std::int32_t";
    case LaneType::uint32:
      return "std::uint32_t";
    case LaneType::sint16:
      return "std::int16_t";
    case LaneType::uint16:
      return "std::uint16_t";
    case LaneType::sint8:
      return "std::int8_t";
    case LaneType::uint8:
      return "std::uint8_t";
    case LaneType::unknown:
      break;
  }
  return "a struct";
}

std::uint32_t lane_byte_size(LaneType type) {
  switch (type) {
    case LaneType::float32:
    case LaneType::sint32:
    case LaneType::uint32:
      return 4;
    case LaneType::sint16:
    case LaneType::uint16:
      return 2;
    case LaneType::sint8:
    case LaneType::uint8:
      return 1;
    case LaneType::unknown:
      break;
  }
  return 0;
}

bool is_unsigned(LaneType type) {
  return type == LaneType::uint32 || type == LaneType::uint16 || type == LaneType::uint8;
}

[[noreturn]] void refuse_element(const FormatDescription& format, HostElement element) {
  const std::string given = element.lane_type == LaneType::unknown
                                ? fmt::format("structs of {size} bytes", fmt::arg("size", element.byte_size))
                                : fmt::format("elements of {size} bytes of {lane}", fmt::arg("size", element.byte_size),
                                              fmt::arg("lane", lane_name(element.lane_type)));
  const std::uint32_t host_lanes = format.byte_size / lane_byte_size(format.host_lane);
  throw BindingError(
      ErrorCode::row_type_mismatch, std::string(format.name),
      fmt::format(
          "Host rows are {given}, but a row of format {format} is {size} bytes, {lanes} x {lane}; give structs or "
          "arrays of that size, or {lane} lanes one after the other.",
          fmt::arg("given", given), fmt::arg("format", format.name), fmt::arg("size", format.byte_size),
          fmt::arg("lanes", host_lanes), fmt::arg("lane", lane_name(format.host_lane))));
}

}  // namespace

const FormatDescription& describe(Format format) {
  const auto index = static_cast<std::size_t>(format);
  if (index >= kFormats.size())
    throw BindingError(ErrorCode::unsupported_format, "",
                       fmt::format("{value} is the number of no format.", fmt::arg("value", index)));
  return kFormats[index];
}

bool lanes_share_words(Format format) {
  const FormatDescription& description = describe(format);
  return description.byte_size != 4 * description.lane_count;
}

std::uint32_t bytes_per_row(Format format) { return describe(format).byte_size; }
std::uint32_t lanes(Format format) { return describe(format).lane_count; }
std::string_view format_name(Format format) { return describe(format).name; }

Format parse_format(std::string_view name) {
  for (const FormatDescription& description : kFormats)
    if (description.name == name) return description.format;
  if (const std::optional<NarrowFormat> narrow = find_narrow(name))
    throw BindingError(
        ErrorCode::unsupported_format, std::string(name),
        fmt::format("Format \"{name}\" has rows of {size}, which do not fill whole 4-byte words; use the four "
                    "lanes of \"{cure}x4\".",
                    fmt::arg("name", name), fmt::arg("size", counted(narrow->byte_size, "byte")),
                    fmt::arg("cure", narrow->family.name)));
  throw BindingError(ErrorCode::unsupported_format, std::string(name),
                     fmt::format("\"{name}\" is no format; the formats are {names}.", fmt::arg("name", name),
                                 fmt::arg("names", all_names())));
}

std::uint32_t elements_per_row(Format format, HostElement element) {
  const FormatDescription& description = describe(format);
  // Lanes that share words are also given as bits: one uint32 for a colour.
  const bool lane_fits = element.lane_type == description.host_lane || element.lane_type == LaneType::unknown ||
                         (lanes_share_words(format) && is_unsigned(element.lane_type));
  if (lane_fits && element.byte_size == description.byte_size) return 1;
  const std::uint32_t lane_size = lane_byte_size(description.host_lane);
  if (element.lane_type == description.host_lane && element.byte_size == lane_size)
    return description.byte_size / lane_size;
  refuse_element(description, element);
}

std::uint64_t host_row_count(Format format, HostElement element, std::uint64_t element_count) {
  const std::uint32_t per_row = elements_per_row(format, element);
  const std::uint64_t left = element_count % per_row;
  if (left != 0)
    throw BindingError(
        ErrorCode::partial_row, std::string(format_name(format)),
        fmt::format(
            "{count} {verb} not fill whole rows of format {format}, which have {lanes} lanes; {left} left over.",
            fmt::arg("count", counted(element_count, "lane")), fmt::arg("verb", element_count == 1 ? "does" : "do"),
            fmt::arg("format", format_name(format)), fmt::arg("lanes", per_row),
            fmt::arg("left", counted(left, "lane") + (left == 1 ? " is" : " are"))));
  check_row_count(element_count / per_row);
  return element_count / per_row;
}

void check_row_count(std::uint64_t row_count) {
  if (row_count <= kMostRows) return;
  throw BindingError(ErrorCode::row_count_limit, "",
                     fmt::format("A vector of {count} rows is over the limit of {limit} rows; split it into several.",
                                 fmt::arg("count", row_count), fmt::arg("limit", kMostRows)));
}

}  // namespace millrace
