// A union-find with path halving.
#include "src/graph/row_classes.hpp"

#include <numeric>

namespace millrace::graph {
namespace {

class UnionFind {
 public:
  explicit UnionFind(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

  std::uint32_t find(std::uint32_t item) {
    while (parent_[item] != item) {
      parent_[item] = parent_[parent_[item]];
      item = parent_[item];
    }
    return item;
  }
  // The lower index stays the representative, so that classes are numbered by first appearance.
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a < b) parent_[b] = a;
    if (b < a) parent_[a] = b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

RowClasses find_row_classes(const ResolvedGraph& graph, const Selection& selection) {
  const auto count = static_cast<std::uint32_t>(graph.values.size());
  RowClasses classes{.of_value = std::vector<std::optional<RowClassIndex>>(count),
                     .leader = std::vector<std::optional<ValueIndex>>(count)};
  for (std::uint32_t index = 0; index < graph.inputs.size(); ++index) {
    if (graph.values[index].is_vector) classes.leader[index] = ValueIndex{index};
  }
  UnionFind sets(count);
  for (const OperationIndex live : selection.live) {
    const ResolvedOperation& operation = graph.operations[live.value];
    for (const ValueIndex operand : operation.operands) {
      if (!graph.value(operand).is_vector) continue;
      sets.unite(operand.value, operation.output.value);
      std::optional<ValueIndex>& leader = classes.leader[operation.output.value];
      if (!leader) leader = classes.leader[operand.value];
    }
  }
  std::vector<std::optional<RowClassIndex>> numbered(count);
  for (std::uint32_t index = 0; index < count; ++index) {
    if (!graph.values[index].is_vector || !classes.leader[index]) continue;
    std::optional<RowClassIndex>& number = numbered[sets.find(index)];
    if (!number) number = RowClassIndex{classes.count++};
    classes.of_value[index] = number;
  }
  return classes;
}

}  // namespace millrace::graph
