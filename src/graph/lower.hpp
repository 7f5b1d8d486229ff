// Lower: nodes for one shape. Each kernel becomes one dispatch for each part of its rows that lies in one chunk of every
// operand and fits the device's limits.
#pragma once

#include <vector>

#include "src/graph/bind.hpp"
#include "src/graph/plan_kernels.hpp"
#include "src/graph/recipe.hpp"
#include "src/graph/shape.hpp"

namespace millrace::graph {

// DeviceError `over_device_limit` where a row is larger than a binding, or the records than a buffer.
[[nodiscard]] Recipe lower(const DeviceCapabilities& device, const KernelPlan& plan, const Shapes& shapes,
                           const InputChunks& inputs);

}  // namespace millrace::graph
