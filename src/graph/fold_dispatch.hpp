// Fold: rows of one dispatch laid over three dimensions of workgroups, each within the device's limit.
#pragma once

#include <cstdint>

#include "src/command/command_graph.hpp"

namespace millrace::graph {

// Invocations of each workgroup, all along x.
inline constexpr std::uint32_t kWorkgroupSize = 256;

struct DispatchLimits {
  std::uint32_t workgroup_size;
  std::uint32_t workgroups_per_dimension;
  std::uint64_t rows_per_dispatch;
};

// The most rows that one dispatch can cover. Below 2^31, so that an invocation's index, which reaches past the last row
// by less than a fold, never wraps in 32 bits.
[[nodiscard]] std::uint64_t most_rows(const DispatchLimits& limits);

// row_count: 1 to most_rows. The groups cover the rows: x filled first, then no more of y and z than that needs.
[[nodiscard]] command::Workgroups fold_dispatch(std::uint64_t row_count, const DispatchLimits& limits);

}  // namespace millrace::graph
