// Merges groups pairwise as long as the graph of groups stays without cycles.
#include "src/expression/fusion_groups.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace millrace::expression {
namespace {

using OperationIndex = std::uint32_t;
using GroupIndex = std::uint32_t;

class Grouping {
 public:
  Grouping(const std::vector<FusionOperation>& operations, std::uint32_t node_limit)
      : operations_(operations),
        node_limit_(node_limit),
        group_of_(operations.size()),
        members_(operations.size()),
        consumers_(operations.size()) {
    std::iota(group_of_.begin(), group_of_.end(), 0u);
    for (OperationIndex operation = 0; operation < operations.size(); ++operation) {
      members_[operation] = {operation};
      node_counts_.push_back(operations[operation].node_count);
      for (const OperationIndex operand : operations[operation].operands) consumers_[operand].push_back(operation);
    }
  }

  void merge_with_producers() {
    for (OperationIndex operation = 0; operation < operations_.size(); ++operation) {
      for (const OperationIndex operand : operations_[operation].operands) try_merge(operation, operand);
    }
  }

  // Every pair of readers, not neighbours alone: one in between may be of another class or unable to merge.
  void merge_readers_of_the_same() {
    std::map<std::uint32_t, std::vector<OperationIndex>> input_readers;
    for (OperationIndex operation = 0; operation < operations_.size(); ++operation) {
      for (const std::uint32_t input : operations_[operation].inputs) input_readers[input].push_back(operation);
    }
    for (const auto& [input, readers] : input_readers) merge_all(readers);
    for (OperationIndex producer = 0; producer < operations_.size(); ++producer) {
      std::vector<OperationIndex> readers = consumers_[producer];
      std::erase_if(readers, [&](OperationIndex reader) {
        return operations_[reader].row_class != operations_[producer].row_class;  // it reads one scalar, not rows
      });
      merge_all(readers);
    }
  }

  [[nodiscard]] bool merged_any() { return std::exchange(merged_any_, false); }

  // Kahn's algorithm; of the groups that could run, the one with the lowest operation.
  [[nodiscard]] std::vector<std::vector<OperationIndex>> in_order() {
    std::map<GroupIndex, std::size_t> waiting_for;
    std::set<GroupIndex> ready;  // a group's index is its lowest operation
    for (const GroupIndex group : group_of_) waiting_for[group] = predecessors(group).size();
    for (const auto& [group, count] : waiting_for) {
      if (count == 0) ready.insert(group);
    }
    std::vector<std::vector<OperationIndex>> groups;
    while (!ready.empty()) {
      const GroupIndex group = *ready.begin();
      ready.erase(ready.begin());
      groups.push_back(members_[group]);
      for (const GroupIndex next : successors(group)) {
        if (--waiting_for[next] == 0) ready.insert(next);
      }
    }
    return groups;
  }

 private:
  [[nodiscard]] std::set<GroupIndex> successors(GroupIndex group) const {
    std::set<GroupIndex> found;
    for (const OperationIndex member : members_[group]) {
      for (const OperationIndex consumer : consumers_[member]) found.insert(group_of_[consumer]);
    }
    found.erase(group);
    return found;
  }
  [[nodiscard]] std::set<GroupIndex> predecessors(GroupIndex group) const {
    std::set<GroupIndex> found;
    for (const OperationIndex member : members_[group]) {
      for (const OperationIndex operand : operations_[member].operands) found.insert(group_of_[operand]);
    }
    found.erase(group);
    return found;
  }

  // Whether a path of two or more steps leads from one group to the other, so that a third would stand in between.
  [[nodiscard]] bool has_detour(GroupIndex from, GroupIndex to) const {
    std::set<GroupIndex> reached = successors(from);
    reached.erase(to);
    std::vector<GroupIndex> pending(reached.begin(), reached.end());
    while (!pending.empty()) {
      const GroupIndex group = pending.back();
      pending.pop_back();
      for (const GroupIndex next : successors(group)) {
        if (next == to) return true;
        if (reached.insert(next).second) pending.push_back(next);
      }
    }
    return false;
  }

  void merge_all(const std::vector<OperationIndex>& readers) {
    for (std::size_t later = 1; later < readers.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) try_merge(readers[later], readers[earlier]);
    }
  }

  void try_merge(OperationIndex a, OperationIndex b) {
    const FusionOperation& first = operations_[a];
    const FusionOperation& second = operations_[b];
    if (!first.fusable || !second.fusable || first.row_class != second.row_class) return;
    const GroupIndex kept = std::min(group_of_[a], group_of_[b]);
    const GroupIndex dropped = std::max(group_of_[a], group_of_[b]);
    if (kept == dropped || node_counts_[kept] + node_counts_[dropped] > node_limit_) return;
    if (has_detour(kept, dropped) || has_detour(dropped, kept)) return;
    for (const OperationIndex member : members_[dropped]) group_of_[member] = kept;
    std::vector<OperationIndex> all;
    std::merge(members_[kept].begin(), members_[kept].end(), members_[dropped].begin(), members_[dropped].end(),
               std::back_inserter(all));
    members_[kept] = std::move(all);
    members_[dropped].clear();
    node_counts_[kept] += node_counts_[dropped];
    merged_any_ = true;
  }

  const std::vector<FusionOperation>& operations_;
  const std::uint32_t node_limit_;
  std::vector<GroupIndex> group_of_;                    // for each operation
  std::vector<std::vector<OperationIndex>> members_;    // for each group, sorted; a group is named by its lowest member
  std::vector<std::uint64_t> node_counts_;              // for each group
  std::vector<std::vector<OperationIndex>> consumers_;  // for each operation, in order
  bool merged_any_ = false;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> find_fusion_groups(const std::vector<FusionOperation>& operations, bool fusion,
                                                           std::uint32_t node_limit) {
  Grouping grouping(operations, node_limit);
  if (fusion) {
    // A merge may remove the detour that stood in the way of another.
    do {
      grouping.merge_with_producers();
      grouping.merge_readers_of_the_same();
    } while (grouping.merged_any());
  }
  return grouping.in_order();
}

}  // namespace millrace::expression
