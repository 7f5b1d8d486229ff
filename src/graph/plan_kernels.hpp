// Plan kernels: from live formulas to fusion groups to kernels, and the values that lie in memory between them.
//
// Which values are stored, and what each kernel binds, is decided here, at compile; rows, pieces and sizes come later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/expression/kernel_text.hpp"
#include "src/graph/resolve.hpp"
#include "src/graph/row_classes.hpp"
#include "src/graph/select.hpp"

namespace millrace::graph {

using StoredIndex = Index<struct StoredTag>;

enum class StoredRole : std::uint8_t { input, output, intermediate };

// A value in memory. A scalar is stored as one row.
struct Stored {
  std::string name;
  Format format;
  StoredRole role;
  std::optional<ValueIndex> leader;  // the input whose chunks it has; none for a scalar
  std::optional<ValueIndex> input;   // where the role is input
  // The declared value that it is; none where it is a part of a formula that was cut into several kernels.
  std::optional<ValueIndex> value = {};
};

struct PlannedKernel {
  expression::KernelCut cut;
  std::vector<StoredIndex> bindings;       // in the order of the storage bindings: stored leaves, then outputs
  std::size_t output_count;                // of them, the last
  std::vector<OperationIndex> operations;  // whose values it computes
};

// Where a scalar input lies in the scalar block.
struct ScalarPlace {
  ValueIndex input;
  std::uint32_t word_offset;
};

struct KernelPlan {
  std::vector<Stored> stored;
  std::vector<PlannedKernel> kernels;  // in an order that can run
  std::vector<StoredIndex> outputs;    // for each selected output
  std::vector<ScalarPlace> scalars;
  std::uint32_t scalar_block_words;  // a multiple of 4
};

struct PlanLimits {
  std::uint32_t storage_buffers_per_stage;
  std::uint64_t uniform_binding_byte_size;
};

// Adds nodes to the graph's DAG where a constructor has to be taken apart. DeviceError `too_many_scalars`.
[[nodiscard]] KernelPlan plan_kernels(ResolvedGraph& graph, const Selection& selection, const RowClasses& classes,
                                      bool fusion, const PlanLimits& limits);

}  // namespace millrace::graph
