// What compile makes: everything about a graph on a device that does not depend on rows.
#pragma once

#include <memory>
#include <vector>

#include <millrace/graph.hpp>

#include "src/command/encode.hpp"
#include "src/graph/build.hpp"
#include "src/graph/plan_kernels.hpp"
#include "src/graph/recipe_cache.hpp"
#include "src/graph/resolve.hpp"
#include "src/graph/row_classes.hpp"
#include "src/graph/select.hpp"

namespace millrace::graph {

// Immutable but for the recipe cache, which guards itself; shared by the compiled graph and what was prepared from it.
struct Compiled {
  std::shared_ptr<webgpu::DeviceCore> core;
  ResolvedGraph resolved;
  Selection selection;
  RowClasses classes;
  KernelPlan plan;
  std::vector<BuiltKernel> kernels;
  std::vector<command::Kernel> command_kernels;  // over the pipelines in `kernels`
  CompileReport report;
  mutable RecipeCache recipes;
};

}  // namespace millrace::graph
