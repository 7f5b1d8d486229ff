// Which element-wise operations become one kernel: a pure function over operations and what they read.
//
//   a = p * s      b = a + q      c = max(p, r)
//   {a, b} are fused because b reads a (a is not stored, or stored but not read again); {a, c} because both read p, so
//   that p is read once.
//
// A group holds operations of one row class, at most `node_limit` nodes together (one operation alone may hold more), and
// the groups can run one after the other: none of them waits, through others, for itself. That is more than each group
// being convex (no path leaves it and comes back), which it implies.
#pragma once

#include <cstdint>
#include <vector>

namespace millrace::expression {

struct FusionOperation {
  std::uint32_t row_class;              // operations of different classes have, or may have, different rows
  bool fusable;                         // false: an opaque operation, always a group of its own
  std::uint32_t node_count;             // computed nodes, an upper bound of what it adds to a kernel
  std::vector<std::uint32_t> operands;  // the operations whose results it reads, all before it
  // What else it reads row by row, by any numbering: graph inputs, state. Scalars do not belong here: reading one twice
  // costs nothing.
  std::vector<std::uint32_t> inputs = {};
};

// Groups of indices into `operations`, in an order that can run, each in declaration order. Each operation is in exactly
// one group. Greedy: first each operation joins those that produce what it reads, in order, then operations join that read
// the same input or the same rows of a result; no two groups that remain could still be merged for either reason. Without
// `fusion`, each operation is a group of its own.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> find_fusion_groups(const std::vector<FusionOperation>& operations,
                                                                         bool fusion, std::uint32_t node_limit = 256);

}  // namespace millrace::expression
