// CompiledGraph::prepare and what can be done with the product: the stages of one invocation, in order.
#include <millrace/error.hpp>

#include "src/graph/compiled_graph.hpp"
#include "src/graph/lower.hpp"
#include "src/graph/results_access.hpp"
#include "src/webgpu/encoder_access.hpp"

namespace millrace {
namespace {

using graph::Compiled;

std::shared_ptr<const Compiled> alive(const std::atomic<std::shared_ptr<const Compiled>>& compiled) {
  auto loaded = compiled.load();
  if (loaded == nullptr) {
    throw BindingError(ErrorCode::destroyed, "",
                       "The compiled graph was destroyed; it prepares and encodes nothing more.");
  }
  return loaded;
}

std::shared_ptr<const graph::Recipe> find_recipe(const Compiled& compiled, const graph::BoundInputs& bound) {
  const DeviceCapabilities& device = compiled.core->capabilities();
  graph::ShapeSignature signature = graph::signature_of(bound.chunks, device.storage_offset_alignment);
  if (auto recipe = compiled.recipes.find(signature)) return recipe;
  const graph::Shapes shapes = graph::find_shapes(compiled.resolved, compiled.classes, compiled.plan, bound.chunks);
  auto recipe = std::make_shared<const graph::Recipe>(graph::lower(device, compiled.plan, shapes, bound.chunks));
  compiled.recipes.add(std::move(signature), recipe);
  return recipe;
}

void check_not_moved(const void* insides, const char* message) {
  if (insides == nullptr) throw BindingError(ErrorCode::destroyed, "", message);
}

constexpr const char* kGraphMoved = "The compiled graph was moved from.";
constexpr const char* kExecutionMoved = "The prepared execution was moved from.";

Results make_results(const Compiled& compiled, std::vector<std::vector<Chunk>> outputs) {
  std::vector<NamedResult> results;
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    const graph::ResolvedValue& value = compiled.resolved.value(compiled.selection.outputs[index]);
    results.push_back(
        {.name = value.name, .vector = VectorAccess::adopt(compiled.core, value.format, std::move(outputs[index]))});
  }
  return ResultsAccess::make(std::move(results));
}

}  // namespace

PreparedExecution CompiledGraph::prepare(const Bindings& bindings) const {
  check_not_moved(stages_.get(), kGraphMoved);
  const std::shared_ptr<const Compiled> compiled = alive(stages_->compiled);
  // Values by name, checked.
  graph::BoundInputs bound =
      graph::bind_inputs(*compiled->core, compiled->resolved, compiled->selection, compiled->plan, bindings.inputs);
  // Rows, pieces and nodes: kept for the next run of the same shape.
  std::shared_ptr<const graph::Recipe> recipe = find_recipe(*compiled, bound);
  // Outputs, transients, parameters.
  graph::Allocated allocated = graph::allocate(*compiled->core, compiled->plan, *recipe, bound);
  std::unique_ptr<graph::Parameters> parameters;
  if (!recipe->commands.nodes().empty()) {
    parameters = graph::make_parameters(*compiled->core, *recipe, compiled->command_kernels, bound.scalar_block);
  }
  std::vector<webgpu::BindGroup> bind_sets =
      command::bind_sets(*compiled->core, recipe->commands, compiled->command_kernels, allocated.physical);
  Results outputs = make_results(*compiled, std::move(allocated.outputs));
  return PreparedExecution(
      std::make_unique<PreparedExecution::Invocation>(PreparedExecution::Invocation{.stages = stages_,
                                                                                    .compiled = compiled,
                                                                                    .recipe = std::move(recipe),
                                                                                    .bound = std::move(bound),
                                                                                    .allocated = std::move(allocated),
                                                                                    .parameters = std::move(parameters),
                                                                                    .bind_sets = std::move(bind_sets),
                                                                                    .outputs = std::move(outputs)}));
}

Results CompiledGraph::run(const Bindings& bindings) const {
  PreparedExecution execution = prepare(bindings);
  Device device = webgpu::DeviceAccess::wrap(execution.invocation_->compiled->core);
  CommandEncoder encoder = device.create_command_encoder();
  execution.encode(encoder);
  device.submit(encoder.finish());
  PreparedExecution::Invocation& invocation = *execution.invocation_;
  if (invocation.parameters != nullptr) {
    invocation.recipe->free_parameters->give_back(std::move(invocation.parameters));
  }
  return std::move(execution.outputs());
}

CompiledGraph::CompiledGraph(std::shared_ptr<Stages> stages) : stages_(std::move(stages)) {}
CompiledGraph::CompiledGraph(CompiledGraph&&) noexcept = default;
CompiledGraph& CompiledGraph::operator=(CompiledGraph&& other) noexcept {
  if (this == &other) return *this;
  destroy();
  stages_ = std::move(other.stages_);
  return *this;
}
CompiledGraph::~CompiledGraph() { destroy(); }

const CompileReport& CompiledGraph::report() const {
  check_not_moved(stages_.get(), kGraphMoved);
  return stages_->report;
}

void CompiledGraph::destroy() {
  if (stages_ != nullptr) stages_->compiled.store(nullptr);
}

PreparedExecution::PreparedExecution(std::unique_ptr<Invocation> invocation) : invocation_(std::move(invocation)) {}
PreparedExecution::PreparedExecution(PreparedExecution&&) noexcept = default;
PreparedExecution& PreparedExecution::operator=(PreparedExecution&&) noexcept = default;
PreparedExecution::~PreparedExecution() = default;

Results& PreparedExecution::outputs() & {
  check_not_moved(invocation_.get(), kExecutionMoved);
  return invocation_->outputs;
}
const Results& PreparedExecution::outputs() const& {
  check_not_moved(invocation_.get(), kExecutionMoved);
  return invocation_->outputs;
}

void PreparedExecution::encode(CommandEncoder& encoder) {
  if (invocation_ == nullptr || invocation_->compiled == nullptr) {
    throw BindingError(ErrorCode::destroyed, "", "The prepared execution was destroyed; prepare another one.");
  }
  Invocation& invocation = *invocation_;
  if (invocation.was_encoded) {
    throw GraphError(ErrorCode::already_encoded, "",
                     "The prepared execution was encoded before; each can be encoded once, so prepare another one.");
  }
  invocation.was_encoded = true;
  alive(invocation.stages->compiled);
  webgpu::Recorder& recorder = EncoderAccess::recorder(encoder);
  if (recorder.core() != invocation.compiled->core) {
    throw BindingError(ErrorCode::foreign_device, "",
                       "The encoder belongs to another device than the graph was compiled for.");
  }
  const auto& inputs = invocation.compiled->resolved.inputs;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const auto& view = invocation.bound.views[index];
    if (view) VectorAccess::check_alive(*view, graph::input_subject(inputs[index].name));
  }
  if (invocation.parameters == nullptr) return;  // no rows
  command::encode_commands(
      recorder, invocation.recipe->commands, invocation.compiled->command_kernels, invocation.allocated.physical,
      {.bind_sets = invocation.bind_sets, .parameters = invocation.parameters->groups}, invocation.recipe->parameters);
}

void PreparedExecution::destroy() {
  if (invocation_ == nullptr) return;
  invocation_->bind_sets.clear();
  invocation_->parameters.reset();
  invocation_->allocated = {};
  invocation_->bound = {};
  invocation_->recipe.reset();
  invocation_->compiled.reset();
}

}  // namespace millrace
