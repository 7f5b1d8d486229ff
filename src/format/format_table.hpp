// Everything known of each format, in one table, and the check of host rows against it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <millrace/format.hpp>
#include <millrace/host_rows.hpp>

namespace millrace {

struct FormatDescription {
  Format format;
  std::string_view name;  // as in WebGPU
  std::uint32_t byte_size;
  std::uint32_t lane_count;
  LaneType host_lane;  // of rows in host memory; uint16 for the bits of a float16, uint32 for lanes that share a word
};
[[nodiscard]] const FormatDescription& describe(Format format);
// Whether its lanes have 8, 10 or 16 bits, so that a kernel unpacks what it reads and packs what it writes.
[[nodiscard]] bool lanes_share_words(Format format);

// An element of host rows: its size, and the type of its lanes.
struct HostElement {
  std::size_t byte_size;
  LaneType lane_type;
};
template <class Rows>
[[nodiscard]] HostElement element_of(const Rows& rows) {
  return {.byte_size = rows.row_byte_size(), .lane_type = rows.lane_type()};
}

// How many elements one row of the format is: 1, or its lanes where elements are lanes. BindingError
// `row_type_mismatch`; the rule stands in host_rows.hpp.
[[nodiscard]] std::uint32_t elements_per_row(Format format, HostElement element);
// The rows that `element_count` such elements are. BindingError `row_type_mismatch`, `partial_row`, `row_count_limit`.
[[nodiscard]] std::uint64_t host_row_count(Format format, HostElement element, std::uint64_t element_count);

// The most rows of a vector.
inline constexpr std::uint64_t kMostRows = 0xffffffff;
// BindingError `row_count_limit`.
void check_row_count(std::uint64_t row_count);

}  // namespace millrace
