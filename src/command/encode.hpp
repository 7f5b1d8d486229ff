// From a command graph to commands: physical buffers in place of virtual ones, bind groups, one pass.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/command/command_graph.hpp"
#include "src/webgpu/device_core.hpp"

namespace millrace::command {

// Where a virtual buffer lies in this execution.
struct PhysicalRange {
  std::shared_ptr<webgpu::Buffer> buffer;
  std::uint64_t byte_offset = 0;  // a multiple of the storage offset alignment
};

// The parameter buffer of an execution: the scalar block at 0, then one record for each dispatch.
struct ParameterLayout {
  std::uint64_t scalar_byte_size;  // bound at offset 0
  std::uint64_t records_byte_offset;
  std::uint64_t record_byte_stride;  // a multiple of the uniform offset alignment, for all kernels alike
};

struct Kernel {
  const webgpu::ComputePipeline* pipeline;
  std::uint64_t record_byte_size;
};

// Group 0: what each bind set names, made anew for each execution, since it holds borrowed buffers. Throws DeviceError;
// nothing is recorded. physical: for each virtual buffer.
[[nodiscard]] std::vector<webgpu::BindGroup> bind_sets(webgpu::DeviceCore& core, const CommandGraph& graph,
                                                       std::span<const Kernel> kernels,
                                                       std::span<const PhysicalRange> physical);

// Group 1: the parameter buffer, for each kernel. Good for as long as the buffer is.
[[nodiscard]] std::vector<webgpu::BindGroup> bind_parameters(webgpu::DeviceCore& core, std::span<const Kernel> kernels,
                                                             const webgpu::Buffer& parameters,
                                                             const ParameterLayout& layout);

struct BoundGroups {
  std::span<const webgpu::BindGroup> bind_sets;   // for each BindSet
  std::span<const webgpu::BindGroup> parameters;  // for each kernel
};

// Records all nodes in one compute pass.
void encode_commands(webgpu::Recorder& recorder, const CommandGraph& graph, std::span<const Kernel> kernels,
                     std::span<const PhysicalRange> physical, const BoundGroups& bound, const ParameterLayout& layout);

}  // namespace millrace::command
