// The walk over the DAG, which is a loop: formulas may be deeper than a stack.
#include "tests/oracle/evaluate.hpp"

#include <algorithm>
#include <stdexcept>

#include "src/expression/function_table.hpp"
#include "tests/oracle/stored_rows.hpp"

namespace millrace::oracle {

using expression::Lane;
using expression::Node;
using expression::NodeIndex;
using expression::NodeKind;

RowEvaluator::RowEvaluator(const expression::Dag& dag, const RowValues& values)
    : dag_(dag), values_(values), known_(dag.node_count()) {}

const Lanes& RowEvaluator::evaluate(NodeIndex root) {
  std::vector<NodeIndex> path{root};
  while (!path.empty()) {
    const NodeIndex at = path.back();
    const Node& node = dag_.node(at);
    std::size_t open = 0;
    for (const NodeIndex operand : node.operands) {
      if (!known_[operand.value].empty()) continue;
      path.push_back(operand);
      ++open;
    }
    if (open > 0) continue;
    path.pop_back();
    if (known_[at.value].empty()) known_[at.value] = computed(node);
  }
  return known_[root.value];
}

Lanes RowEvaluator::computed(const Node& node) {
  const auto operand = [&](std::size_t index) -> const Lanes& { return known_[node.operands[index].value]; };
  switch (node.kind) {
    case NodeKind::operand:
      return read_row(dag_.operand({node.payload}).format, values_.operands.at(node.payload));
    case NodeKind::literal:
      return {exactly(node.type.lane, node.payload)};
    case NodeKind::infinity:
      return {exactly(Lane::f32, 0x7f800000u)};
    case NodeKind::not_a_number:
      return {not_a_number()};
    case NodeKind::row:
      return {exactly(Lane::u32, values_.row)};
    case NodeKind::rows:
      return {exactly(Lane::u32, values_.rows)};
    case NodeKind::splat:
      return Lanes(node.type.width, operand(0)[0]);
    case NodeKind::swizzle:
    case NodeKind::lane:
      return picked(node);
    case NodeKind::requantize:
      return requantized(static_cast<Format>(node.payload), operand(0));
    case NodeKind::reinterpret: {
      if (node.type.lane != Lane::boolean)
        return apply_function("bitcast<" + expression::to_string(node.type.lane) + ">", {operand(0)}, node.type);
      const Lanes words = apply_function("bitcast<u32>", {operand(0)}, {Lane::u32, node.type.width});
      return apply_function("bool", {words}, node.type);
    }
    case NodeKind::call:
      break;
  }
  std::vector<Lanes> operands;
  for (std::size_t index = 0; index < node.operands.size(); ++index) operands.push_back(operand(index));
  return apply_function(expression::function({node.payload}).name, operands, node.type);
}

Lanes RowEvaluator::picked(const Node& node) {
  const Lanes& from = known_[node.operands[0].value];
  if (node.kind == NodeKind::swizzle) {
    Lanes result;
    for (unsigned lane = 0; lane < node.type.width; ++lane) result.push_back(from.at(node.payload >> (2 * lane) & 3u));
    return result;
  }
  const double last = static_cast<double>(from.size() - 1);
  const Allowed& index = known_[node.operands[1].value][0];
  const double first_picked = index.any ? 0 : std::clamp(index.lower, 0.0, last);
  const double last_picked = index.any ? last : std::clamp(index.upper, 0.0, last);
  Allowed result = from[static_cast<std::size_t>(first_picked)];
  for (double lane = first_picked + 1; lane <= last_picked; ++lane)
    result = either(result, from[static_cast<std::size_t>(lane)]);
  return {result};
}

bool holds_row(const Lanes& allowed, Format format, const std::vector<std::uint32_t>& words) {
  const Lanes stored = read_row(format, words);
  for (std::size_t lane = 0; lane < allowed.size(); ++lane) {
    const Allowed& wanted = allowed[lane];
    const Allowed& got = stored.at(lane);
    if (got.bits) {
      if (!wanted.holds(*got.bits)) return false;
    } else if (!wanted.any) {
      const bool meets =
          wanted.has_number() && got.has_number() && wanted.lower <= got.upper && got.lower <= wanted.upper;
      if (!meets && !(wanted.may_be_nan && got.may_be_nan)) return false;
    }
  }
  return true;
}

}  // namespace millrace::oracle
