// Shape: row counts and chunk boundaries of every stored value, from those of the bound inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "src/graph/bind.hpp"
#include "src/graph/plan_kernels.hpp"
#include "src/graph/row_classes.hpp"

namespace millrace::graph {

struct Shapes {
  std::vector<std::vector<std::uint64_t>> chunk_lengths;  // for each stored value; empty for inputs that are not bound
};

// BindingError `row_count_mismatch` where vectors of one row class differ, `shape_mismatch` where a declared shape is
// not kept.
[[nodiscard]] Shapes find_shapes(const ResolvedGraph& graph, const RowClasses& classes, const KernelPlan& plan,
                                 const InputChunks& bound);

}  // namespace millrace::graph
