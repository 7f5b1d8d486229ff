// Groups in order: each finds as leaves what the groups before it have stored.
#include "src/graph/plan_kernels.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/arithmetic.hpp"
#include "src/expression/fusion_groups.hpp"

namespace millrace::graph {
namespace {

using expression::KernelCut;
using expression::Leaf;
using expression::LeafKind;
using expression::NodeIndex;

class KernelPlanner {
 public:
  KernelPlanner(ResolvedGraph& graph, const Selection& selection, const RowClasses& classes, bool fusion,
                const PlanLimits& limits)
      : graph_(graph),
        selection_(selection),
        classes_(classes),
        fusion_(fusion),
        limits_(limits),
        is_selected_(graph.values.size(), false),
        is_needed_(graph.values.size(), false) {}

  KernelPlan plan() && {
    place_inputs();
    place_outputs();
    const std::vector<std::vector<OperationIndex>> groups = find_groups();
    find_needed_values(groups);
    for (const std::vector<OperationIndex>& group : groups) plan_group(group);
    return std::move(plan_);
  }

 private:
  // Scalars first come first placed, each in whole words.
  void place_inputs() {
    std::uint64_t words = expression::ScalarBlock::kFirstScalar;
    for (std::uint32_t index = 0; index < graph_.inputs.size(); ++index) {
      const ResolvedValue& value = graph_.values[index];
      if (value.is_vector) {
        const StoredIndex stored = add_stored({.name = value.name,
                                               .format = value.format,
                                               .role = StoredRole::input,
                                               .leader = ValueIndex{index},
                                               .input = ValueIndex{index},
                                               .value = ValueIndex{index}});
        add_leaf({.node = value.node, .kind = LeafKind::rows, .format = value.format}, stored);
        continue;
      }
      const std::uint32_t word_count = lanes(value.format);
      if (4 * (words + word_count) > limits_.uniform_binding_byte_size) refuse_scalar(value.name);
      const auto offset = static_cast<std::uint32_t>(words);
      plan_.scalars.push_back({.input = {index}, .word_offset = offset});
      leaves_.push_back(
          {.node = value.node, .kind = LeafKind::host_scalar, .format = value.format, .word_offset = offset});
      words += word_count;
    }
    plan_.scalar_block_words = static_cast<std::uint32_t>(align_up(words, 4));
  }

  [[noreturn]] void refuse_scalar(const std::string& name) const {
    throw DeviceError(
        ErrorCode::too_many_scalars, name,
        fmt::format("Scalar input \"{name}\" does not fit: the scalars of a graph share one uniform binding, "
                    "which this device limits to {limit} bytes.",
                    fmt::arg("name", name), fmt::arg("limit", limits_.uniform_binding_byte_size)));
  }

  void place_outputs() {
    for (const ValueIndex output : selection_.outputs) {
      const StoredIndex stored = add_stored(stored_result(output, StoredRole::output));
      plan_.outputs.push_back(stored);
      stored_of_value_.emplace(output.value, stored);
      is_selected_[output.value] = true;
    }
  }

  [[nodiscard]] Stored stored_result(ValueIndex index, StoredRole role) const {
    const ResolvedValue& value = graph_.value(index);
    return {.name = value.name,
            .format = value.format,
            .role = role,
            .leader = value.is_vector ? classes_.leader[index.value] : std::nullopt,
            .input = {},
            .value = index};
  }

  StoredIndex add_stored(Stored stored) {
    plan_.stored.push_back(std::move(stored));
    return {static_cast<std::uint32_t>(plan_.stored.size() - 1)};
  }

  void add_leaf(Leaf leaf, StoredIndex stored) {
    place_of_node_[{leaf.node, leaf.format}] = stored;
    leaves_.push_back(leaf);
  }

  // Unselected scalars are computed where they are read, unless fusion is off.
  [[nodiscard]] std::vector<OperationIndex> grouped_operations() const {
    std::vector<OperationIndex> grouped;
    for (const OperationIndex index : selection_.live) {
      const ValueIndex output = graph_.operations[index.value].output;
      if (fusion_ && !graph_.value(output).is_vector && !is_selected_[output.value]) continue;
      grouped.push_back(index);
    }
    return grouped;
  }

  [[nodiscard]] std::vector<std::vector<OperationIndex>> find_groups() const {
    const std::vector<OperationIndex> operations = grouped_operations();
    std::map<std::uint32_t, std::uint32_t> position_of_value;
    std::vector<expression::FusionOperation> fusion_operations;
    for (std::uint32_t position = 0; position < operations.size(); ++position) {
      fusion_operations.push_back(fusion_operation(operations[position], position_of_value));
      position_of_value.emplace(graph_.operations[operations[position].value].output.value, position);
    }
    std::vector<std::vector<OperationIndex>> groups;
    for (const auto& positions : expression::find_fusion_groups(fusion_operations, fusion_)) {
      std::vector<OperationIndex>& group = groups.emplace_back();
      for (const std::uint32_t position : positions) group.push_back(operations[position]);
    }
    return groups;
  }

  [[nodiscard]] expression::FusionOperation fusion_operation(
      OperationIndex index, const std::map<std::uint32_t, std::uint32_t>& position_of_value) const {
    const ResolvedOperation& operation = graph_.operations[index.value];
    const auto& row_class = classes_.of_value[operation.output.value];
    expression::FusionOperation fusion_operation{.row_class = row_class ? row_class->value : classes_.count,
                                                 .fusable = true,
                                                 .node_count = node_count(operation),
                                                 .operands = {},
                                                 .inputs = {}};
    for (const ValueIndex operand : operation.operands) {
      const ResolvedValue& value = graph_.value(operand);
      const auto position = position_of_value.find(operand.value);
      if (position != position_of_value.end()) fusion_operation.operands.push_back(position->second);
      if (!value.producer && value.is_vector) fusion_operation.inputs.push_back(operand.value);
    }
    return fusion_operation;
  }

  // Nodes between the operation's value and the values that it reads.
  [[nodiscard]] std::uint32_t node_count(const ResolvedOperation& operation) const {
    std::set<NodeIndex> reached;
    for (const ValueIndex operand : operation.operands) reached.insert(graph_.value(operand).node);
    const std::size_t read = reached.size();
    collect_nodes(graph_.value(operation.output).node, reached);
    return static_cast<std::uint32_t>(reached.size() - read);
  }

  // Adds all nodes from `start` down to those already in the set.
  void collect_nodes(NodeIndex start, std::set<NodeIndex>& reached) const {
    std::vector<NodeIndex> pending{start};
    while (!pending.empty()) {
      const NodeIndex node = pending.back();
      pending.pop_back();
      if (!reached.insert(node).second) continue;
      for (const NodeIndex operand : graph_.dag.node(node).operands) pending.push_back(operand);
    }
  }

  // Selected outputs, and what live operations of other groups than the value's read.
  void find_needed_values(const std::vector<std::vector<OperationIndex>>& groups) {
    std::vector<std::optional<std::size_t>> group_of(graph_.operations.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
      for (const OperationIndex member : groups[group]) group_of[member.value] = group;
    }
    is_needed_ = is_selected_;
    for (const OperationIndex reader : selection_.live) {
      for (const ValueIndex operand : graph_.operations[reader.value].operands) {
        const std::optional<OperationIndex> producer = graph_.value(operand).producer;
        if (producer && group_of[producer->value] != group_of[reader.value]) is_needed_[operand.value] = true;
      }
    }
  }

  void plan_group(const std::vector<OperationIndex>& group) {
    const std::vector<ValueIndex> needed = needed_results(group);
    std::vector<expression::KernelOutput> root_nodes;
    for (const ValueIndex root : needed) {
      if (!stored_of_value_.contains(root.value)) {
        stored_of_value_.emplace(root.value, add_stored(stored_result(root, StoredRole::intermediate)));
      }
      root_nodes.push_back({.node = graph_.value(root).node, .format = graph_.value(root).format});
    }
    std::vector<ValueIndex> roots = needed;
    for (KernelCut& cut : expression::cut_kernels(graph_.dag, leaves_, root_nodes, limits_.storage_buffers_per_stage)) {
      add_kernel(std::move(cut), group, roots);
    }
    for (const ValueIndex root : needed) offer_as_leaf(root);
  }

  [[nodiscard]] std::vector<ValueIndex> needed_results(const std::vector<OperationIndex>& group) const {
    std::vector<ValueIndex> needed;
    for (const OperationIndex member : group) {
      const ValueIndex value = graph_.operations[member.value].output;
      if (is_needed_[value.value]) needed.push_back(value);
    }
    return needed;
  }

  void offer_as_leaf(ValueIndex root) {
    const ResolvedValue& value = graph_.value(root);
    add_leaf({.node = value.node,
              .kind = value.is_vector ? LeafKind::rows : LeafKind::stored_scalar,
              .format = value.format},
             stored_of_value_.at(root.value));
  }

  // Takes from `roots` those that this kernel produces; other outputs are intermediates without a name.
  void add_kernel(KernelCut cut, const std::vector<OperationIndex>& group, std::vector<ValueIndex>& roots) {
    PlannedKernel kernel{.cut = std::move(cut), .bindings = {}, .output_count = 0, .operations = {}};
    for (const Leaf& leaf : kernel.cut.leaves) {
      if (leaf.kind != LeafKind::host_scalar) kernel.bindings.push_back(place_of_node_.at({leaf.node, leaf.format}));
    }
    // All rows of a group are the same rows, so any member's chunks serve what lies in memory between its kernels.
    const std::optional<ValueIndex> leader = classes_.leader[graph_.operations[group.front().value].output.value];
    for (const expression::KernelOutput& output : kernel.cut.outputs) {
      kernel.bindings.push_back(place_output(output, roots, leader));
      place_of_node_[{output.node, output.format}] = kernel.bindings.back();
    }
    kernel.output_count = kernel.cut.outputs.size();
    kernel.operations = computed_operations(kernel.cut, group);
    plan_.kernels.push_back(std::move(kernel));
  }

  StoredIndex place_output(const expression::KernelOutput& output, std::vector<ValueIndex>& roots,
                           std::optional<ValueIndex> leader) {
    const auto root = std::find_if(roots.begin(), roots.end(), [&](ValueIndex value) {
      return graph_.value(value).node == output.node && graph_.value(value).format == output.format;
    });
    if (root != roots.end()) {
      const StoredIndex stored = stored_of_value_.at(root->value);
      roots.erase(root);
      return stored;
    }
    const bool is_vector = graph_.dag.node(output.node).per_row;
    return add_stored({.name = fmt::format("intermediate {}", output.node.value),
                       .format = output.format,
                       .role = StoredRole::intermediate,
                       .leader = is_vector ? leader : std::nullopt,
                       .input = {},
                       .value = {}});
  }

  [[nodiscard]] std::vector<OperationIndex> computed_operations(const KernelCut& cut,
                                                                const std::vector<OperationIndex>& group) const {
    std::set<NodeIndex> reached;
    for (const Leaf& leaf : cut.leaves) reached.insert(leaf.node);
    for (const expression::KernelOutput& output : cut.outputs) {
      reached.erase(output.node);  // a copy computes its value from a leaf that is the same node
      collect_nodes(output.node, reached);
    }
    for (const Leaf& leaf : cut.leaves) {
      const bool is_output = std::any_of(cut.outputs.begin(), cut.outputs.end(),
                                         [&](const auto& output) { return output.node == leaf.node; });
      if (!is_output) reached.erase(leaf.node);
    }
    std::vector<OperationIndex> computed;
    for (const OperationIndex member : group) {
      if (reached.contains(graph_.value(graph_.operations[member.value].output).node)) computed.push_back(member);
    }
    return computed;
  }

  ResolvedGraph& graph_;
  const Selection& selection_;
  const RowClasses& classes_;
  const bool fusion_;
  const PlanLimits limits_;
  KernelPlan plan_{};
  std::vector<bool> is_selected_;  // for each value, whether it is an output
  std::vector<bool> is_needed_;    // for each value, whether its group must leave it in memory
  std::vector<Leaf> leaves_;       // what kernels of later groups can read
  std::map<std::pair<NodeIndex, Format>, StoredIndex> place_of_node_;
  std::map<std::uint32_t, StoredIndex> stored_of_value_;
};

}  // namespace

KernelPlan plan_kernels(ResolvedGraph& graph, const Selection& selection, const RowClasses& classes, bool fusion,
                        const PlanLimits& limits) {
  return KernelPlanner(graph, selection, classes, fusion, limits).plan();
}

}  // namespace millrace::graph
