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

// Bind groups of one execution. Group 0 holds what the bind set names; group 1 the parameters, one for each kernel.
struct BoundCommands {
  std::vector<webgpu::BindGroup> bind_sets;   // for each BindSet
  std::vector<webgpu::BindGroup> parameters;  // for each kernel
};

// physical: for each virtual buffer. Throws DeviceError; nothing is recorded.
[[nodiscard]] BoundCommands bind_commands(webgpu::DeviceCore& core, const CommandGraph& graph,
                                          std::span<const Kernel> kernels, std::span<const PhysicalRange> physical,
                                          const webgpu::Buffer& parameters, const ParameterLayout& layout);

// Records all nodes in one compute pass.
void encode_commands(webgpu::Recorder& recorder, const CommandGraph& graph, std::span<const Kernel> kernels,
                     std::span<const PhysicalRange> physical, const BoundCommands& bound,
                     const ParameterLayout& layout);

}  // namespace millrace::command
