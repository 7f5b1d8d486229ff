// Build: the WGSL and the pipeline of each planned kernel. After it, no shader fault is left to find.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/command/encode.hpp"
#include "src/graph/plan_kernels.hpp"
#include "src/webgpu/device_core.hpp"

namespace millrace::graph {

struct BuiltKernel {
  webgpu::ComputePipeline pipeline;
  std::uint32_t record_words;
};

// One for each planned kernel, in its order. KernelError, DeviceError.
[[nodiscard]] std::vector<BuiltKernel> build_kernels(webgpu::DeviceCore& core, const ResolvedGraph& graph,
                                                     const KernelPlan& plan, Mathematics math);

// The same as commands see them; good for as long as `kernels` is.
[[nodiscard]] std::vector<command::Kernel> command_kernels(const std::vector<BuiltKernel>& kernels);

}  // namespace millrace::graph
