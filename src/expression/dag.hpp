// The typed DAG of all formulas of a graph. Target-neutral; no GPU objects.
//
// Nodes are hash-consed: equal subexpressions are one node, so two nodes are equal exactly when their indices are.
// Operands come before their users, so indices are a topological order. Types are explicit: implicit conversions and
// broadcasts are nodes of their own (casts, splats), so every node's operands have exactly the types its row of the
// function table asks for. Nothing is mutated once added.
//
//   operand --+
//             +-- call multiply --+-- call length          "lengths = length(positions * scale)"
//   operand --- splat ------------+
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "src/base/index.hpp"
#include "src/expression/type.hpp"

namespace millrace::expression {

using NodeIndex = Index<struct NodeTag>;
using OperandIndex = Index<struct OperandTag>;
using FunctionIndex = Index<struct FunctionTag>;  // a row of the function table

enum class NodeKind : std::uint8_t {
  operand,   // a graph input: payload is its OperandIndex
  literal,   // payload: the bits of its one lane (bool: 0 or 1)
  infinity,  // +inf, from the parameter block
  not_a_number,
  row,          // this row's index over the whole vector, u32
  rows,         // the row count, u32
  splat,        // a one-lane operand in all lanes of the type
  swizzle,      // payload: two bits for each resulting lane, lowest first
  lane,         // operand 0's lane at operand 1 (one u32 or i32 lane), clamped to the lanes there are
  call,         // payload: a FunctionIndex; operators, casts, constructors and builtins alike
  requantize,   // payload: a Format; what a row holds after it was packed to that format and read back
  reinterpret,  // the bits of operand 0's lanes as lanes of the type, as many; a bool is 0 or 1 as u32, and back
};

// A graph input as a formula sees it.
struct Operand {
  std::string name;
  Format format;
  bool is_vector;
};

struct Node {
  NodeKind kind;
  Type type;
  std::uint32_t payload = 0;
  std::vector<NodeIndex> operands = {};
  // Whether it belongs to rows: a vector operand, `row` or `rows` is below it. A node without is a scalar.
  bool per_row = false;
};

class Dag {
 public:
  OperandIndex add_operand(Operand operand);
  // The node that is equal, or a new one. per_row is worked out here.
  NodeIndex add(NodeKind kind, Type type, std::uint32_t payload, std::span<const NodeIndex> operands);
  NodeIndex add(NodeKind kind, Type type, std::uint32_t payload, std::initializer_list<NodeIndex> operands);

  [[nodiscard]] const Node& node(NodeIndex index) const { return nodes_[index.value]; }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] const Operand& operand(OperandIndex index) const { return operands_[index.value]; }
  [[nodiscard]] std::size_t operand_count() const { return operands_.size(); }

 private:
  struct Key {
    NodeKind kind;
    Type type;
    std::uint32_t payload;
    std::vector<NodeIndex> operands;
    friend bool operator<(const Key& a, const Key& b) {
      return std::tie(a.kind, a.type.lane, a.type.width, a.payload, a.operands) <
             std::tie(b.kind, b.type.lane, b.type.width, b.payload, b.operands);
    }
  };
  std::vector<Node> nodes_;
  std::vector<Operand> operands_;
  std::map<Key, NodeIndex> known_;  // exact keys, never hashes alone: a collision would merge two formulas
};

}  // namespace millrace::expression
