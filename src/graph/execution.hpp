// An execution: one invocation of a compiled graph with its storage, bind groups and results.
#pragma once

#include <memory>
#include <vector>

#include <millrace/graph.hpp>

#include "src/command/encode.hpp"
#include "src/graph/bind.hpp"
#include "src/graph/compiled.hpp"
#include "src/graph/recipe.hpp"

namespace millrace::graph {

// What allocate makes for a recipe. Destroying it releases scratch and references; results were handed out before.
struct Allocated {
  std::vector<command::PhysicalRange> physical;  // for each virtual buffer
  std::vector<std::vector<Chunk>> outputs;       // for each selected output
};

// Creates outputs and transients. DeviceError.
[[nodiscard]] Allocated allocate(webgpu::DeviceCore& core, const KernelPlan& plan, const Recipe& recipe,
                                 const BoundInputs& bound);

}  // namespace millrace::graph
