// Lanes come interleaved and are told apart here.
#include "tools/millrace/device_rows.hpp"

#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

using data::ElementType;

// Nobody waits for a frame here, and a software device may take its time over many rows.
constexpr std::chrono::minutes kDeadline(10);

// The type of each lane; UsageError for formats that pack theirs.
ElementType lane_type(Format format, const std::string& name) {
  switch (format) {
    case Format::float32:
    case Format::float32x2:
    case Format::float32x3:
    case Format::float32x4:
      return ElementType::float32;
    case Format::sint32:
    case Format::sint32x2:
    case Format::sint32x3:
    case Format::sint32x4:
      return ElementType::sint32;
    case Format::uint32:
    case Format::uint32x2:
    case Format::uint32x3:
    case Format::uint32x4:
      return ElementType::uint32;
    default:
      break;
  }
  throw UsageError(
      fmt::format("The result \"{name}\" has the packed format {format}, and a table has columns of numbers; "
                  "leave the format out of its formula.",
                  fmt::arg("name", name), fmt::arg("format", format_name(format))));
}

template <class Lane>
std::vector<LaneRows> read_lanes_of(const VectorView& rows, const std::string& name, ElementType type) {
  constexpr std::string_view kLetters = "xyzw";
  const std::size_t lane_count = lanes(rows.format());
  std::vector<Lane> interleaved = rows.read<Lane>({.deadline = kDeadline});
  if (lane_count == 1) return {{.name = name, .type = type, .values = std::move(interleaved)}};
  std::vector<LaneRows> result;
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    std::vector<Lane> values(interleaved.size() / lane_count);
    for (std::size_t row = 0; row < values.size(); ++row) values[row] = interleaved[row * lane_count + lane];
    result.push_back({.name = fmt::format("{}.{}", name, kLetters[lane]), .type = type, .values = std::move(values)});
  }
  return result;
}

}  // namespace

std::vector<Vector> upload(Device& device, const data::Batch& batch) {
  std::vector<Vector> vectors;
  for (const data::Column& column : batch.columns) {
    vectors.push_back(
        std::visit([&](const auto& rows) { return device.upload(data::format_of(column.type), rows); }, column.values));
  }
  return vectors;
}

std::vector<LaneRows> read_lanes(const VectorView& rows, const std::string& name) {
  const ElementType type = lane_type(rows.format(), name);
  switch (type) {
    case ElementType::float32:
      return read_lanes_of<float>(rows, name, type);
    case ElementType::sint32:
      return read_lanes_of<std::int32_t>(rows, name, type);
    case ElementType::uint32:
    case ElementType::boolean:
      break;
  }
  return read_lanes_of<std::uint32_t>(rows, name, type);
}

}  // namespace millrace::tool
