// Graph and the stages of its compilation, in order.
#include <millrace/graph.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/arithmetic.hpp"
#include "src/base/counted.hpp"
#include "src/format/format_table.hpp"
#include "src/graph/authored.hpp"
#include "src/graph/compiled_graph.hpp"
#include "src/graph/report.hpp"

namespace millrace {
namespace {

void check_name(const std::vector<DeclaredInput>& inputs, const std::string& name) {
  if (name.empty()) throw GraphError(ErrorCode::name_empty, name, "An input needs a name; the one given is empty.");
  for (const DeclaredInput& input : inputs) {
    if (input.name != name) continue;
    throw GraphError(ErrorCode::name_in_use, name, fmt::format("The graph has an input \"{}\" already.", name));
  }
}

void check_scalar(const std::string& name, Format format) {
  if (!lanes_share_words(format)) return;
  throw GraphError(
      ErrorCode::scalar_type_unsupported, name,
      fmt::format("Scalar input \"{name}\" is declared {format}; a scalar is float32, sint32 or uint32 with one "
                  "to four lanes.",
                  fmt::arg("name", name), fmt::arg("format", format_name(format))));
}

void check_shape(const std::string& name, const VectorShape& shape) {
  if (!shape.length || !shape.chunk_lengths) return;
  std::optional<std::uint64_t> sum = 0;
  for (const std::uint64_t length : *shape.chunk_lengths) sum = sum ? checked_add(*sum, length) : sum;
  if (sum == *shape.length) return;
  throw GraphError(ErrorCode::invalid_shape, name,
                   fmt::format("Input \"{name}\" is declared with {length}, but its chunks have {sum}.",
                               fmt::arg("name", name), fmt::arg("length", counted(*shape.length, "row")),
                               fmt::arg("sum", sum ? fmt::format("{}", *sum) : "more than 18446744073709551615")));
}

void check_like(const std::vector<DeclaredInput>& inputs, const std::string& name, const std::optional<Like>& like) {
  if (!like) return;
  const std::string& model = like->name().text();
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const auto& input) { return input.name == model; });
  if (found != inputs.end() && !found->type.is_scalar()) return;
  throw GraphError(ErrorCode::missing_producer, name,
                   fmt::format("Input \"{name}\" is declared like \"{model}\", which is no vector declared before it.",
                               fmt::arg("name", name), fmt::arg("model", model)));
}

}  // namespace

Graph::Graph() : authored_(std::make_unique<Authored>()) {}
Graph::Graph(const Graph& other) : authored_(std::make_unique<Authored>(other.authored())) {}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(const Graph& other) {
  authored_ = std::make_unique<Authored>(other.authored());
  return *this;
}
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

Graph::Authored& Graph::authored() const {
  if (authored_ != nullptr) return *authored_;
  throw BindingError(ErrorCode::destroyed, "", "The graph was moved from; use the object that it was moved to.");
}

void Graph::add_input(const Name& name, const ValueType& type) {
  std::vector<DeclaredInput>& inputs = authored().inputs;
  check_name(inputs, name.text());
  if (const VectorType* vector = type.find_vector()) {
    check_shape(name.text(), vector->shape);
    check_like(inputs, name.text(), vector->like);
  } else {
    check_scalar(name.text(), type.format());
  }
  inputs.push_back({.name = name.text(), .type = type});
}

void Graph::add(Operation operation) {
  (void)OperationAccess::expression(operation);
  authored().operations.push_back(std::move(operation));
}

void Graph::add(std::initializer_list<Operation> operations) {
  for (const Operation& operation : operations) (void)OperationAccess::expression(operation);
  std::vector<Operation>& all = authored().operations;
  all.insert(all.end(), operations.begin(), operations.end());
}

CompiledGraph Graph::compile(Device& device, const CompileOptions& options) const {
  const Authored& snapshot = authored();
  auto compiled = std::make_shared<graph::Compiled>();
  compiled->core = webgpu::DeviceAccess::core(device);
  const DeviceCapabilities& limits = compiled->core->capabilities();

  // Names and types: one DAG for all formulas.
  compiled->resolved = graph::resolve(snapshot.inputs, snapshot.operations, options.integer_division);
  // Which results leave, which operations they need.
  compiled->selection = graph::select(compiled->resolved, options.outputs);
  // Which values have the same rows.
  compiled->classes = graph::find_row_classes(compiled->resolved, compiled->selection);
  // What is computed together, and what lies in memory between.
  compiled->plan = graph::plan_kernels(compiled->resolved, compiled->selection, compiled->classes, options.fusion,
                                       {.storage_buffers_per_stage = limits.storage_buffers_per_stage,
                                        .uniform_binding_byte_size = limits.uniform_binding_byte_size});
  // WGSL and pipelines.
  compiled->kernels = graph::build_kernels(*compiled->core, compiled->resolved, compiled->plan, options.math);
  compiled->command_kernels = graph::command_kernels(compiled->kernels);
  compiled->report = graph::report_of(compiled->resolved, compiled->selection, compiled->plan);
  return CompiledGraph(std::make_shared<CompiledGraph::Stages>(std::move(compiled)));
}

}  // namespace millrace
