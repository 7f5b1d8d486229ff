// Hash-consing by exact keys in an ordered map.
#include "src/expression/dag.hpp"

#include <utility>

namespace millrace::expression {

OperandIndex Dag::add_operand(Operand operand) {
  operands_.push_back(std::move(operand));
  return {static_cast<std::uint32_t>(operands_.size() - 1)};
}

NodeIndex Dag::add(NodeKind kind, Type type, std::uint32_t payload, std::span<const NodeIndex> operands) {
  Key key{kind, type, payload, {operands.begin(), operands.end()}};
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;

  bool per_row =
      kind == NodeKind::row || kind == NodeKind::rows || (kind == NodeKind::operand && operands_[payload].is_vector);
  for (const NodeIndex operand : operands) per_row = per_row || node(operand).per_row;

  const NodeIndex index{static_cast<std::uint32_t>(nodes_.size())};
  nodes_.push_back({kind, type, payload, key.operands, per_row});
  known_.emplace(std::move(key), index);
  return index;
}

NodeIndex Dag::add(NodeKind kind, Type type, std::uint32_t payload, std::initializer_list<NodeIndex> operands) {
  return add(kind, type, payload, std::span<const NodeIndex>(operands.begin(), operands.size()));
}

}  // namespace millrace::expression
