// Whole numbers only: how many workgroups go along x, y and z.
#include "src/graph/fold_dispatch.hpp"

#include <algorithm>

#include "src/base/arithmetic.hpp"

namespace millrace::graph {

std::uint64_t most_rows(const DispatchLimits& limits) {
  constexpr std::uint64_t kMostIndexed = std::uint64_t{1} << 31;
  const std::uint64_t side = limits.workgroups_per_dimension;
  // side^3 groups, without a product that could overflow.
  const std::uint64_t layers = std::min(side * side, kMostIndexed);
  const std::uint64_t groups = std::min(layers * std::min(side, kMostIndexed / layers + 1), kMostIndexed);
  return std::min({groups * limits.workgroup_size, kMostIndexed, limits.rows_per_dispatch});
}

command::Workgroups fold_dispatch(std::uint64_t row_count, const DispatchLimits& limits) {
  const std::uint64_t side = limits.workgroups_per_dimension;
  const std::uint64_t groups = divide_up(row_count, limits.workgroup_size);
  const std::uint64_t x = std::min(groups, side);
  const std::uint64_t rows = divide_up(groups, x);
  const std::uint64_t z = divide_up(rows, side);
  const std::uint64_t y = divide_up(rows, z);
  return {.x = static_cast<std::uint32_t>(x), .y = static_cast<std::uint32_t>(y), .z = static_cast<std::uint32_t>(z)};
}

}  // namespace millrace::graph
