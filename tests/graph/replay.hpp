// Replays a recipe on the host, invocation after invocation, as its kernels do: which bytes each row of each operand comes
// from or goes to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "src/graph/lower.hpp"

namespace millrace::graph {

// One virtual buffer's place: a chunk of a stored value.
struct ChunkPlace {
  std::size_t stored;
  std::size_t chunk;
};

inline std::map<std::uint32_t, ChunkPlace> places_of_buffers(const Recipe& recipe) {
  std::map<std::uint32_t, ChunkPlace> places;
  for (std::size_t stored = 0; stored < recipe.chunks.size(); ++stored) {
    for (std::size_t chunk = 0; chunk < recipe.chunks[stored].size(); ++chunk) {
      const auto& buffer = recipe.chunks[stored][chunk].buffer;
      if (buffer) places[buffer->value] = {stored, chunk};
    }
  }
  return places;
}

// A recipe with what it was made from.
struct Replay {
  const DeviceCapabilities& device;
  const KernelPlan& plan;
  const Shapes& shapes;
  const InputChunks& inputs;
  const Recipe& recipe;

  // What is wrong with it; empty where nothing is: each row of each kernel is computed once, and reaches exactly the
  // bytes of its operands' rows, inside of what is bound.
  [[nodiscard]] std::string fault() const {
    std::vector<std::vector<int>> visits;
    for (const PlannedKernel& kernel : plan.kernels) visits.emplace_back(row_count(kernel.bindings.back().value), 0);
    for (const command::ComputeNode& node : recipe.commands.nodes()) {
      const std::string found = fault_of_node(node, visits);
      if (!found.empty()) return found;
    }
    for (const std::vector<int>& rows : visits) {
      for (const int count : rows) {
        if (count != 1) return "a row that is not computed once";
      }
    }
    return "";
  }

 private:
  [[nodiscard]] std::uint64_t row_count(std::size_t stored) const {
    std::uint64_t rows = 0;
    for (const std::uint64_t length : shapes.chunk_lengths[stored]) rows += length;
    return rows;
  }

  [[nodiscard]] std::string fault_of_node(const command::ComputeNode& node,
                                          std::vector<std::vector<int>>& visits) const {
    using expression::RecordLayout;
    const command::BindSet& set = recipe.commands.bind_sets()[node.bind_set.value];
    const PlannedKernel& kernel = plan.kernels[set.kernel.value];
    const std::uint32_t* record = &recipe.records[node.record * recipe.parameters.record_byte_stride / 4];
    const auto groups = std::get<command::Workgroups>(node.size);
    if (record[RecordLayout::kRowCount] > device.rows_per_dispatch) return "more rows in a dispatch than allowed";
    if (record[RecordLayout::kRows] != row_count(kernel.bindings.back().value))
      return "a wrong row count of the vector";
    for (std::uint32_t z = 0; z < groups.z; ++z) {
      for (std::uint32_t y = 0; y < groups.y; ++y) {
        for (std::uint32_t x = 0; x < groups.x * 256; ++x) {
          const std::uint32_t row = x + record[RecordLayout::kFoldX] * (y + record[RecordLayout::kFoldY] * z);
          if (row >= record[RecordLayout::kRowCount]) continue;
          const std::uint64_t vector_row = std::uint64_t{record[RecordLayout::kRowBase]} + row;
          if (vector_row >= visits[set.kernel.value].size()) return "a row past the last";
          ++visits[set.kernel.value][vector_row];
          for (std::size_t binding = 0; binding < set.uses.size(); ++binding) {
            const std::uint64_t word = record[RecordLayout::kOperands + 2 * binding] +
                                       std::uint64_t{row} * record[RecordLayout::kOperands + 2 * binding + 1];
            const std::string found =
                fault_of_access(set.uses[binding], kernel.bindings[binding].value, 4 * word, vector_row);
            if (!found.empty()) return found;
          }
        }
      }
    }
    return "";
  }

  // byte: from the beginning of the binding.
  [[nodiscard]] std::string fault_of_access(const command::BufferUse& use, std::size_t stored, std::uint64_t byte,
                                            std::uint64_t row) const {
    const std::uint64_t packed = bytes_per_row(plan.stored[stored].format);
    if (byte + packed > use.byte_size) return "a row outside of its binding";
    if (use.byte_size > device.storage_binding_byte_size) return "a binding over the limit";
    const ChunkPlace place = places_of_buffers(recipe).at(use.buffer.value);
    if (place.stored != stored) return "a binding of another value";
    const std::vector<std::uint64_t>& lengths = shapes.chunk_lengths[stored];
    const bool is_scalar = !plan.stored[stored].leader;
    std::uint64_t first = 0;
    for (std::size_t chunk = 0; chunk < place.chunk; ++chunk) first += lengths[chunk];
    const std::uint64_t row_in_chunk = is_scalar ? 0 : row - first;
    if (!is_scalar && (row < first || row_in_chunk >= lengths[place.chunk])) return "a row of another chunk";
    std::uint64_t right = row_in_chunk * packed;
    if (plan.stored[stored].role == StoredRole::input) {
      const Chunk& chunk = (*inputs[plan.stored[stored].input->value])[place.chunk];
      right = chunk.byte_offset % device.storage_offset_alignment + row_in_chunk * chunk.byte_stride;
    }
    return use.byte_offset + byte == right ? "" : "another row's bytes";
  }
};

}  // namespace millrace::graph
