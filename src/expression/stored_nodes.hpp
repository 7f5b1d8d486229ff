// Which nodes of a group must lie in memory so that each root fits in a kernel: the first half of cut_kernels.
//
//      +   root        A kernel that computes it reads a, b, c and d. Where 3 are the most, one of the sums is stored:
//     / \              the root then reads {sum, c, d}, and another kernel computes the sum from {a, b}.
//    +   +
//   a b c d
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "src/expression/dag.hpp"
#include "src/expression/kernel_text.hpp"

namespace millrace::expression {

// The stored nodes that a kernel reads: one storage binding each.
using Reads = std::set<NodeIndex>;

// Operands of one node, stored side by side in one vector because that node has more of them than a kernel can read.
struct PackedNodes {
  NodeIndex vector;
  NodeIndex user;
  std::vector<Replacement> members;  // how each is read out of the vector
};

class StoredNodes {
 public:
  // Decides for all roots. read_limit: the most stored nodes that a kernel with one output can read, at least 3.
  // Adds nodes to the DAG where operands are packed.
  StoredNodes(Dag& dag, const std::vector<Leaf>& leaves, const std::vector<KernelOutput>& roots,
              std::uint32_t read_limit);

  [[nodiscard]] const Leaf* find_leaf(NodeIndex node) const;
  // The nodes to be stored besides the roots; some of them are roots. In an order in which each comes after what it reads.
  [[nodiscard]] std::vector<NodeIndex> stored() const;
  [[nodiscard]] bool is_stored(NodeIndex node) const { return stored_.contains(node); }
  // A format that keeps every bit of the node's value.
  [[nodiscard]] Format format(NodeIndex node) const;
  // What a kernel reads that computes the node, or copies it where it is a leaf.
  [[nodiscard]] const Reads& reads(NodeIndex node) const { return reads_.at(node); }
  // The pack whose vector the node is.
  [[nodiscard]] const PackedNodes* find_pack(NodeIndex vector) const;
  // Position in an order in which nodes come after what they read, packed vectors included.
  [[nodiscard]] std::uint64_t order(NodeIndex node) const;
  // Drops what need not be read: members of packed vectors that are read, and stored nodes that can be computed again from
  // what else is read or computed anyway (`computed`).
  [[nodiscard]] Reads reduced(Reads reads, const std::set<NodeIndex>& computed) const;

 private:
  void find_nodes();
  [[nodiscard]] bool can_compute(NodeIndex node, const std::set<NodeIndex>& at_hand) const;
  [[nodiscard]] Reads contribution(NodeIndex operand) const;
  [[nodiscard]] Reads reads_of_operands(NodeIndex node) const;
  void update(NodeIndex after, NodeIndex last);
  // last: the highest node that was worked out.
  void store_one(NodeIndex node, NodeIndex last);
  [[nodiscard]] std::optional<NodeIndex> find_over_limit() const;
  [[nodiscard]] std::optional<Reads> leaf_reads_of_operands(NodeIndex node) const;
  [[nodiscard]] std::vector<NodeIndex> candidates(NodeIndex node) const;
  [[nodiscard]] std::size_t read_count_if_stored(NodeIndex candidate, NodeIndex node);
  [[nodiscard]] bool is_exact_root(NodeIndex node) const;
  void pack_two(NodeIndex user);
  [[nodiscard]] NodeIndex join(NodeIndex first, NodeIndex second);
  [[nodiscard]] Replacement member(NodeIndex vector, NodeIndex node, std::uint32_t first_lane);

  Dag& dag_;
  const std::vector<KernelOutput>& roots_;
  const std::size_t read_limit_;
  std::map<NodeIndex, Leaf> leaves_;
  std::vector<NodeIndex> nodes_;  // below the roots, down to the leaves; operands first
  std::set<NodeIndex> stored_;
  std::map<NodeIndex, Reads> reads_;
  std::map<NodeIndex, std::optional<Reads>> leaf_reads_;
  std::map<NodeIndex, PackedNodes> packs_;                // by their vector
  std::map<NodeIndex, std::vector<NodeIndex>> packs_of_;  // the vectors of a user
};

}  // namespace millrace::expression
