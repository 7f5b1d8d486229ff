// Recipe: the lowered and planned form of a compiled graph for one signature of shapes. Bound anew for each execution.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "src/command/command_graph.hpp"
#include "src/command/encode.hpp"
#include "src/graph/parameters.hpp"
#include "src/graph/plan_kernels.hpp"

namespace millrace::graph {

// A chunk of a stored value as a virtual buffer.
struct RecipeChunk {
  std::optional<command::BufferIndex> buffer;  // none for a chunk without rows
  std::uint64_t row_count;
  std::uint64_t byte_size;  // to allocate, for outputs and intermediates
};

struct Recipe {
  command::CommandGraph commands;
  std::vector<std::vector<RecipeChunk>> chunks;  // for each stored value
  command::ParameterLayout parameters;
  std::uint64_t parameter_byte_size;
  std::vector<std::uint32_t> records;  // words from records_byte_offset on; the same for every execution
  std::unique_ptr<ParameterPool> free_parameters = std::make_unique<ParameterPool>();
};

}  // namespace millrace::graph
