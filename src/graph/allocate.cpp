// Physical buffers for the virtual ones of a recipe, and the parameters written into theirs.
#include "src/base/arithmetic.hpp"
#include "src/graph/execution.hpp"

namespace millrace::graph {
namespace {

void place_input(const std::vector<RecipeChunk>& chunks, const std::vector<Chunk>& borrowed, std::uint64_t alignment,
                 std::vector<command::PhysicalRange>& physical) {
  for (std::size_t index = 0; index < chunks.size(); ++index) {
    if (!chunks[index].buffer) continue;
    const Chunk& chunk = borrowed[index];
    physical[chunks[index].buffer->value] = {.buffer = chunk.buffer,
                                             .byte_offset = align_down(chunk.byte_offset, alignment)};
  }
}

std::vector<Chunk> create_chunks(webgpu::DeviceCore& core, const Stored& stored, const std::vector<RecipeChunk>& chunks,
                                 std::vector<command::PhysicalRange>& physical) {
  std::vector<Chunk> created;
  for (const RecipeChunk& chunk : chunks) {
    Chunk owned{
        .buffer = nullptr, .byte_offset = 0, .byte_stride = bytes_per_row(stored.format), .row_count = chunk.row_count};
    if (chunk.buffer) {
      owned.buffer = core.create_buffer(stored.name, chunk.byte_size, webgpu::kVectorUsage);
      physical[chunk.buffer->value] = {.buffer = owned.buffer, .byte_offset = 0};
    }
    created.push_back(std::move(owned));
  }
  return created;
}

}  // namespace

Allocated allocate(webgpu::DeviceCore& core, const KernelPlan& plan, const Recipe& recipe, const BoundInputs& bound) {
  Allocated allocated{.physical = std::vector<command::PhysicalRange>(recipe.commands.buffers().size()),
                      .outputs = std::vector<std::vector<Chunk>>(plan.outputs.size())};
  const std::uint64_t alignment = core.capabilities().storage_offset_alignment;
  std::size_t output = 0;
  for (std::size_t index = 0; index < plan.stored.size(); ++index) {
    const Stored& stored = plan.stored[index];
    const std::vector<RecipeChunk>& chunks = recipe.chunks[index];
    if (stored.role == StoredRole::input) {
      const auto& borrowed = bound.chunks[stored.input->value];
      if (borrowed) place_input(chunks, *borrowed, alignment, allocated.physical);
      continue;
    }
    std::vector<Chunk> created = create_chunks(core, stored, chunks, allocated.physical);
    // Outputs were placed in the order selected.
    if (stored.role == StoredRole::output) allocated.outputs[output++] = std::move(created);
  }
  return allocated;
}

}  // namespace millrace::graph
