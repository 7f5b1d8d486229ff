// Select: which results a run hands out, which operations they need, and which are dropped.
#pragma once

#include <vector>

#include <millrace/graph.hpp>

#include "src/graph/resolve.hpp"

namespace millrace::graph {

struct Selection {
  std::vector<ValueIndex> outputs;   // in the order asked for; of terminal results, in the order defined
  std::vector<OperationIndex> live;  // in declaration order
  std::vector<bool> is_input_read;   // for each input, whether a live operation reads it
  std::vector<DroppedOperation> dropped;
};

// Throws GraphError `unknown_output`, `input_as_output`, `duplicate_output`.
[[nodiscard]] Selection select(const ResolvedGraph& graph, const Outputs& outputs);

}  // namespace millrace::graph
