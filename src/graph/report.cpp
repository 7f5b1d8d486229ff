// The report out of what the stages found, and as text.
#include "src/graph/report.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "src/base/counted.hpp"

namespace millrace {

std::string_view to_string(ValueRole role) {
  switch (role) {
    case ValueRole::input:
      return "input";
    case ValueRole::output:
      return "output";
    case ValueRole::intermediate:
      return "intermediate";
    case ValueRole::part:
      return "part";
    case ValueRole::fused:
      return "fused";
    case ValueRole::dropped:
      return "dropped";
  }
  return "?";
}

namespace {

std::string value_line(const ReportedValue& value) {
  return fmt::format(
      "\"{name}\" is a {kind} of {format}{boolean}: {role}\n", fmt::arg("name", value.name),
      fmt::arg("kind", value.is_vector ? "vector" : "scalar"), fmt::arg("format", format_name(value.format)),
      fmt::arg("boolean", value.is_boolean ? " that holds 0 or 1" : ""), fmt::arg("role", to_string(value.role)));
}

}  // namespace

std::string CompileReport::text() const {
  std::string text;
  for (std::size_t index = 0; index < kernels.size(); ++index) {
    text += fmt::format("kernel {} of {}, {}:\n", index + 1, kernels.size(),
                        counted(kernels[index].storage_bindings, "storage binding"));
    for (const std::string& operation : kernels[index].operations) text += fmt::format("  {}\n", operation);
  }
  for (const DroppedOperation& operation : dropped) {
    text += fmt::format("dropped: {}: {}\n", operation.operation, operation.reason);
  }
  for (const HiddenBuiltin& hidden : hidden_builtins) {
    text += fmt::format("\"{}\" in {} is the declared value, not the builtin of that name.\n", hidden.name,
                        hidden.operation);
  }
  for (const ReportedValue& value : values) text += value_line(value);
  return text;
}

namespace graph {
namespace {

using expression::NodeIndex;

bool is_boolean(const ResolvedGraph& graph, NodeIndex node) {
  return graph.dag.node(node).type.lane == expression::Lane::boolean;
}

// The nodes that the kernel computes: all from its outputs down to what it reads.
std::set<NodeIndex> computed_nodes(const expression::Dag& dag, const expression::KernelCut& cut) {
  std::set<NodeIndex> read;
  for (const expression::Leaf& leaf : cut.leaves) read.insert(leaf.node);
  std::map<NodeIndex, NodeIndex> replaced;
  for (const expression::Replacement& replacement : cut.replacements) {
    replaced.emplace(replacement.node, replacement.by);
  }
  std::set<NodeIndex> computed;
  std::vector<NodeIndex> pending;
  for (const expression::KernelOutput& output : cut.outputs) pending.push_back(output.node);
  while (!pending.empty()) {
    const NodeIndex node = pending.back();
    pending.pop_back();
    if (read.contains(node) || !computed.insert(node).second) continue;
    if (const auto by = replaced.find(node); by != replaced.end()) {
      pending.push_back(by->second);
      continue;
    }
    for (const NodeIndex operand : dag.node(node).operands) pending.push_back(operand);
  }
  return computed;
}

class Reporter {
 public:
  Reporter(const ResolvedGraph& graph, const Selection& selection, const KernelPlan& plan)
      : graph_(graph), selection_(selection), plan_(plan) {}

  CompileReport report() && {
    for (const ResolvedValue& value : graph_.values) report_.values.push_back(reported(value));
    find_roles();
    add_parts();
    for (const PlannedKernel& kernel : plan_.kernels) add_kernel(kernel);
    report_.dropped = selection_.dropped;
    report_.hidden_builtins = graph_.hidden_builtins;
    return std::move(report_);
  }

 private:
  [[nodiscard]] ReportedValue reported(const ResolvedValue& value) const {
    return {.name = value.name,
            .format = value.format,
            .is_vector = value.is_vector,
            .is_boolean = is_boolean(graph_, value.node),
            .role = ValueRole::dropped,
            .operation = value.producer ? graph_.operations[value.producer->value].formula : "",
            .kernels = {}};
  }

  // What is live is fused where nothing stores it.
  void find_roles() {
    for (std::size_t input = 0; input < graph_.inputs.size(); ++input) {
      if (selection_.is_input_read[input]) report_.values[input].role = ValueRole::input;
    }
    for (const OperationIndex live : selection_.live) {
      report_.values[graph_.operations[live.value].output.value].role = ValueRole::fused;
    }
    for (const Stored& stored : plan_.stored) {
      if (!stored.value || stored.role == StoredRole::input) continue;
      report_.values[stored.value->value].role =
          stored.role == StoredRole::output ? ValueRole::output : ValueRole::intermediate;
    }
  }

  void add_parts() {
    for (const Stored& stored : plan_.stored) {
      position_.push_back(stored.value ? stored.value->value : report_.values.size());
      if (stored.value) continue;
      report_.values.push_back({.name = stored.name,
                                .format = stored.format,
                                .is_vector = stored.leader.has_value(),
                                .is_boolean = false,
                                .role = ValueRole::part,
                                .operation = "",
                                .kernels = {}});
    }
  }

  void add_kernel(const PlannedKernel& kernel) {
    const std::size_t index = report_.kernels.size();
    FusedKernel& fused = report_.kernels.emplace_back();
    for (const OperationIndex operation : kernel.operations) {
      fused.operations.push_back(graph_.operations[operation.value].formula);
    }
    fused.storage_bindings = static_cast<std::uint32_t>(kernel.bindings.size());
    const std::size_t read_count = kernel.bindings.size() - kernel.output_count;
    for (std::size_t binding = 0; binding < kernel.bindings.size(); ++binding) {
      (binding < read_count ? fused.reads : fused.writes).push_back(position_[kernel.bindings[binding].value]);
    }
    add_scalar_reads(kernel, fused);
    for (std::size_t output = 0; output < kernel.output_count; ++output) {
      ReportedValue& written = report_.values[fused.writes[output]];
      written.kernels.push_back(index);
      written.is_boolean = is_boolean(graph_, kernel.cut.outputs[output].node);
    }
    add_computed_values(kernel, index);
  }

  void add_scalar_reads(const PlannedKernel& kernel, FusedKernel& fused) const {
    for (const expression::Leaf& leaf : kernel.cut.leaves) {
      if (leaf.kind != expression::LeafKind::host_scalar) continue;
      const auto place = std::find_if(plan_.scalars.begin(), plan_.scalars.end(), [&](const ScalarPlace& scalar) {
        return scalar.word_offset == leaf.word_offset;
      });
      fused.reads.push_back(place->input.value);
    }
  }

  // Of fused values alone: one that is stored is computed where it is written.
  void add_computed_values(const PlannedKernel& kernel, std::size_t index) {
    const std::set<NodeIndex> computed = computed_nodes(graph_.dag, kernel.cut);
    for (const OperationIndex live : selection_.live) {
      const ValueIndex output = graph_.operations[live.value].output;
      ReportedValue& value = report_.values[output.value];
      const bool is_computed = computed.contains(graph_.value(output).node);
      if (value.role == ValueRole::fused && is_computed) value.kernels.push_back(index);
    }
  }

  const ResolvedGraph& graph_;
  const Selection& selection_;
  const KernelPlan& plan_;
  CompileReport report_;
  std::vector<std::size_t> position_;  // of each stored value, in report_.values
};

}  // namespace

CompileReport report_of(const ResolvedGraph& graph, const Selection& selection, const KernelPlan& plan) {
  return Reporter(graph, selection, plan).report();
}

}  // namespace graph
}  // namespace millrace
