// Bind: a run's values by name against the graph's inputs, checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <millrace/bindings.hpp>

#include "src/graph/plan_kernels.hpp"
#include "src/graph/resolve.hpp"
#include "src/webgpu/row_storage.hpp"

namespace millrace::graph {

// The chunks of each input; none for scalars and for inputs that are not bound. All that shapes and nodes depend on.
using InputChunks = std::vector<std::optional<std::vector<Chunk>>>;

struct BoundInputs {
  InputChunks chunks;
  std::vector<std::optional<VectorView>> views;  // for each input with chunks: to learn whether its rows still live
  std::vector<std::uint32_t> scalar_block;       // words, with the bits of infinity and NaN first
};

// `Input "x"`, as errors name it.
[[nodiscard]] std::string input_subject(const std::string& name);

// Every input that a live operation reads must be bound. BindingError `missing_binding`, `unknown_binding`,
// `duplicate_binding`, `binding_kind_mismatch`, `binding_format_mismatch`, `lane_count_mismatch`, `number_out_of_range`,
// `destroyed`, `foreign_device`.
[[nodiscard]] BoundInputs bind_inputs(const webgpu::DeviceCore& core, const ResolvedGraph& graph,
                                      const Selection& selection, const KernelPlan& plan,
                                      const NamedList<InputValue>& inputs);

}  // namespace millrace::graph
