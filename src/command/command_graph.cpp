// The checks that stand between a lowering and what a provider would refuse, accept silently or end the process on.
#include "src/command/command_graph.hpp"

#include <fmt/format.h>

#include <millrace/error.hpp>

namespace millrace::command {
namespace {

bool overlap(const BufferUse& a, const BufferUse& b) {
  return a.buffer == b.buffer && a.byte_offset < b.byte_offset + b.byte_size &&
         b.byte_offset < a.byte_offset + a.byte_size;
}

void check_disjoint_writes(const BindSet& bind_set, const std::vector<VirtualBuffer>& buffers) {
  for (std::size_t first = 0; first < bind_set.uses.size(); ++first) {
    for (std::size_t second = first + 1; second < bind_set.uses.size(); ++second) {
      const BufferUse& a = bind_set.uses[first];
      const BufferUse& b = bind_set.uses[second];
      if ((writes(a.kind) || writes(b.kind)) && overlap(a, b)) {
        throw InternalError(fmt::format(
            "Bindings {first} and {second} of one dispatch overlap in \"{name}\", and one is "
            "written.",
            fmt::arg("first", first), fmt::arg("second", second), fmt::arg("name", buffers[a.buffer.value].name)));
      }
    }
  }
}

}  // namespace

BufferIndex CommandGraph::add_buffer(VirtualBuffer buffer) {
  buffers_.push_back(std::move(buffer));
  written_.push_back(buffers_.back().residence == Residence::imported);
  return {static_cast<std::uint32_t>(buffers_.size() - 1)};
}

void CommandGraph::check_use(const BufferUse& use) const {
  if (use.buffer.value >= buffers_.size()) throw InternalError("A use names a buffer that the command graph has not.");
  const VirtualBuffer& buffer = buffers_[use.buffer.value];
  const bool inside =
      use.byte_size != 0 && use.byte_size <= buffer.byte_size && use.byte_offset <= buffer.byte_size - use.byte_size;
  const bool aligned = use.byte_offset % limits_.storage_offset_alignment == 0 && use.byte_size % 4 == 0;
  if (inside && aligned && use.byte_size <= limits_.storage_binding_byte_size) return;
  throw InternalError(
      fmt::format("A use of \"{name}\" covers {size} bytes at {offset} of its {all}; a use is not empty, lies "
                  "inside its buffer, begins on {alignment} bytes and covers {limit} at most.",
                  fmt::arg("name", buffer.name), fmt::arg("size", use.byte_size), fmt::arg("offset", use.byte_offset),
                  fmt::arg("all", buffer.byte_size), fmt::arg("alignment", limits_.storage_offset_alignment),
                  fmt::arg("limit", limits_.storage_binding_byte_size)));
}

BindSetIndex CommandGraph::add_bind_set(BindSet bind_set) {
  for (const BufferUse& use : bind_set.uses) check_use(use);
  check_disjoint_writes(bind_set, buffers_);
  bind_sets_.push_back(std::move(bind_set));
  return {static_cast<std::uint32_t>(bind_sets_.size() - 1)};
}

void CommandGraph::check_written(BufferIndex buffer) const {
  if (written_[buffer.value]) return;
  throw InternalError(fmt::format("A node reads the transient \"{name}\" before any node has written it.",
                                  fmt::arg("name", buffers_[buffer.value].name)));
}

void CommandGraph::add_compute(ComputeNode node) {
  if (node.bind_set.value >= bind_sets_.size()) throw InternalError("A node names a bind set that there is not.");
  const BindSet& bind_set = bind_sets_[node.bind_set.value];
  for (const BufferUse& use : bind_set.uses) {
    if (use.kind != UseKind::storage_write) check_written(use.buffer);
  }
  if (const auto* groups = std::get_if<Workgroups>(&node.size)) {
    const std::uint32_t limit = limits_.workgroups_per_dimension;
    if (groups->x > limit || groups->y > limit || groups->z > limit) {
      throw InternalError(fmt::format(
          "A dispatch of {x} x {y} x {z} workgroups is over the limit of {limit} a dimension.",
          fmt::arg("x", groups->x), fmt::arg("y", groups->y), fmt::arg("z", groups->z), fmt::arg("limit", limit)));
    }
  } else {
    constexpr std::uint64_t kIndirectRecordByteSize = 12;
    const auto& indirect = std::get<IndirectWorkgroups>(node.size);
    if (indirect.buffer.value >= buffers_.size() || indirect.byte_offset % 4 != 0 ||
        buffers_[indirect.buffer.value].byte_size < kIndirectRecordByteSize ||
        indirect.byte_offset > buffers_[indirect.buffer.value].byte_size - kIndirectRecordByteSize) {
      throw InternalError(fmt::format("An indirect dispatch reads its record at byte {offset}, outside of its buffer.",
                                      fmt::arg("offset", indirect.byte_offset)));
    }
    check_written(indirect.buffer);
  }
  for (const BufferUse& use : bind_set.uses) {
    if (writes(use.kind)) written_[use.buffer.value] = true;
  }
  nodes_.push_back(node);
}

}  // namespace millrace::command
