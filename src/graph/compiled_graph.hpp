// The insides of CompiledGraph and PreparedExecution.
#pragma once

#include <atomic>
#include <memory>

#include <millrace/graph.hpp>

#include "src/graph/compiled.hpp"
#include "src/graph/execution.hpp"

namespace millrace {

struct CompiledGraph::Stages {
  explicit Stages(std::shared_ptr<const graph::Compiled> made) : compiled(std::move(made)) {}

  // Null after destroy(). Executions that were prepared before keep what they need of it.
  std::atomic<std::shared_ptr<const graph::Compiled>> compiled;
  CompileReport report = compiled.load()->report;  // outlives destroy()
};

struct PreparedExecution::Invocation {
  std::shared_ptr<CompiledGraph::Stages> stages;    // to learn whether the graph was destroyed
  std::shared_ptr<const graph::Compiled> compiled;  // null after destroy()
  std::shared_ptr<const graph::Recipe> recipe;
  graph::BoundInputs bound;
  graph::Allocated allocated;
  std::unique_ptr<graph::Parameters> parameters;  // null where nothing is dispatched
  std::vector<webgpu::BindGroup> bind_sets;
  Results outputs;
  bool was_encoded = false;
};

}  // namespace millrace
