// Row classes: which values provably have the same rows, found before any length is known.
//
// The operands of an element-wise operation have equal row counts, and so has what it defines: a union-find over the
// live operations' vectors. Each vector also has a leader, the vector whose chunking it takes: of an operation, its
// first vector operand's.
#pragma once

#include <optional>
#include <vector>

#include "src/graph/resolve.hpp"
#include "src/graph/select.hpp"

namespace millrace::graph {

using RowClassIndex = Index<struct RowClassTag>;

struct RowClasses {
  // For each value: its class; none for scalars.
  std::vector<std::optional<RowClassIndex>> of_value;
  // For each value: the input whose chunk boundaries it has. None for scalars.
  std::vector<std::optional<ValueIndex>> leader;
  std::uint32_t count = 0;
};

[[nodiscard]] RowClasses find_row_classes(const ResolvedGraph& graph, const Selection& selection);

}  // namespace millrace::graph
