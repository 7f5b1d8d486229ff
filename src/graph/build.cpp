// Group 0 of each pipeline is what the kernel binds, group 1 the parameters: see kernel_text.hpp.
#include "src/graph/build.hpp"

#include "src/graph/fold_dispatch.hpp"

namespace millrace::graph {
namespace {

static_assert(kWorkgroupSize <= webgpu::kLeastInvocations, "every device that is opened runs our workgroups");

std::vector<std::vector<webgpu::LayoutEntry>> layouts(const PlannedKernel& kernel, std::uint32_t scalar_block_words,
                                                      std::uint32_t record_words) {
  std::vector<webgpu::LayoutEntry> storage;
  const std::size_t first_output = kernel.bindings.size() - kernel.output_count;
  for (std::uint32_t binding = 0; binding < kernel.bindings.size(); ++binding) {
    const bool is_output = binding >= first_output;
    storage.push_back({.binding = binding,
                       .kind = is_output ? webgpu::BindingKind::storage_read_write : webgpu::BindingKind::storage_read,
                       .least_byte_size = 0});
  }
  return {std::move(storage),
          {{.binding = 0, .kind = webgpu::BindingKind::uniform, .least_byte_size = 4ull * scalar_block_words},
           {.binding = 1, .kind = webgpu::BindingKind::uniform_dynamic, .least_byte_size = 4ull * record_words}}};
}

std::string label(const ResolvedGraph& graph, const PlannedKernel& kernel) {
  std::string text;
  for (const OperationIndex operation : kernel.operations) {
    if (!text.empty()) text += "; ";
    text += graph.operations[operation.value].formula;
  }
  return text;
}

}  // namespace

std::vector<BuiltKernel> build_kernels(webgpu::DeviceCore& core, const ResolvedGraph& graph, const KernelPlan& plan,
                                       Mathematics math) {
  std::vector<std::uint32_t> record_words;
  std::vector<webgpu::PipelineDescription> descriptions;
  for (const PlannedKernel& kernel : plan.kernels) {
    const auto storage_bindings = static_cast<std::uint32_t>(kernel.bindings.size());
    record_words.push_back(expression::RecordLayout::word_count(storage_bindings));
    descriptions.push_back(
        {.label = label(graph, kernel),
         .wgsl = expression::emit_wgsl(
             graph.dag, kernel.cut,
             {.workgroup_size = kWorkgroupSize, .scalar_block_words = plan.scalar_block_words, .math = math}),
         .groups = layouts(kernel, plan.scalar_block_words, record_words.back())});
  }
  std::vector<webgpu::ComputePipeline> pipelines = core.create_pipelines(descriptions);
  std::vector<BuiltKernel> built;
  built.reserve(pipelines.size());
  for (std::size_t index = 0; index < pipelines.size(); ++index) {
    built.push_back({.pipeline = std::move(pipelines[index]), .record_words = record_words[index]});
  }
  return built;
}

std::vector<command::Kernel> command_kernels(const std::vector<BuiltKernel>& kernels) {
  std::vector<command::Kernel> commands;
  commands.reserve(kernels.size());
  for (const BuiltKernel& kernel : kernels) {
    commands.push_back({.pipeline = &kernel.pipeline, .record_byte_size = 4ull * kernel.record_words});
  }
  return commands;
}

}  // namespace millrace::graph
