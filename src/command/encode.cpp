// One bind group for each bind set and each kernel, one pass for all nodes.
#include "src/command/encode.hpp"

namespace millrace::command {
namespace {

webgpu::BindGroup bind_set(webgpu::DeviceCore& core, const BindSet& set, std::span<const Kernel> kernels,
                           std::span<const PhysicalRange> physical) {
  std::vector<webgpu::BoundRange> ranges;
  ranges.reserve(set.uses.size());
  for (const BufferUse& use : set.uses) {
    const PhysicalRange& range = physical[use.buffer.value];
    ranges.push_back({.binding = static_cast<std::uint32_t>(ranges.size()),
                      .buffer = range.buffer.get(),
                      .byte_offset = range.byte_offset + use.byte_offset,
                      .byte_size = use.byte_size});
  }
  return core.create_bind_group(*kernels[set.kernel.value].pipeline, 0, ranges);
}

void dispatch(webgpu::Recorder& recorder, const ComputeNode& node, std::span<const PhysicalRange> physical) {
  if (const auto* groups = std::get_if<Workgroups>(&node.size)) {
    recorder.dispatch(groups->x, groups->y, groups->z);
    return;
  }
  const auto& indirect = std::get<IndirectWorkgroups>(node.size);
  const PhysicalRange& range = physical[indirect.buffer.value];
  recorder.dispatch_indirect(*range.buffer, range.byte_offset + indirect.byte_offset);
}

}  // namespace

std::vector<webgpu::BindGroup> bind_sets(webgpu::DeviceCore& core, const CommandGraph& graph,
                                         std::span<const Kernel> kernels, std::span<const PhysicalRange> physical) {
  std::vector<webgpu::BindGroup> groups;
  groups.reserve(graph.bind_sets().size());
  for (const BindSet& set : graph.bind_sets()) groups.push_back(bind_set(core, set, kernels, physical));
  return groups;
}

std::vector<webgpu::BindGroup> bind_parameters(webgpu::DeviceCore& core, std::span<const Kernel> kernels,
                                               const webgpu::Buffer& parameters, const ParameterLayout& layout) {
  std::vector<webgpu::BindGroup> groups;
  groups.reserve(kernels.size());
  for (const Kernel& kernel : kernels) {
    const webgpu::BoundRange ranges[] = {
        {.binding = 0, .buffer = &parameters, .byte_offset = 0, .byte_size = layout.scalar_byte_size},
        {.binding = 1, .buffer = &parameters, .byte_offset = 0, .byte_size = kernel.record_byte_size},
    };
    groups.push_back(core.create_bind_group(*kernel.pipeline, 1, ranges));
  }
  return groups;
}

void encode_commands(webgpu::Recorder& recorder, const CommandGraph& graph, std::span<const Kernel> kernels,
                     std::span<const PhysicalRange> physical, const BoundGroups& bound, const ParameterLayout& layout) {
  if (graph.nodes().empty()) return;
  recorder.begin_compute_pass();
  const webgpu::ComputePipeline* current = nullptr;
  for (const ComputeNode& node : graph.nodes()) {
    const std::uint32_t kernel = graph.bind_sets()[node.bind_set.value].kernel.value;
    if (kernels[kernel].pipeline != current) {
      current = kernels[kernel].pipeline;
      recorder.set_pipeline(*current);
    }
    recorder.set_bind_group(0, bound.bind_sets[node.bind_set.value], {});
    const auto record =
        static_cast<std::uint32_t>(layout.records_byte_offset + node.record * layout.record_byte_stride);
    recorder.set_bind_group(1, bound.parameters[kernel], std::span(&record, 1));
    dispatch(recorder, node, physical);
  }
  recorder.end_compute_pass();
}

}  // namespace millrace::command
