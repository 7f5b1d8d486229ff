// From a DAG to kernels: which nodes one kernel computes (cut_kernels) and its WGSL (emit_wgsl).
//
// A kernel reads leaves and writes outputs. Leaves are nodes that it does not compute: graph inputs, or nodes that an
// earlier kernel stored. Everything between leaves and outputs is computed once, one `let` for each node, so that
// nesting never grows.
//
// What the text binds:
//   @group(0) @binding(i)  storage: first the stored leaves in order (read), then the outputs in order (read_write),
//                          each an array<u32> of words
//   @group(1) @binding(0)  uniform: the scalar block, array<vec4<u32>, N>: ScalarBlock, host scalars at the word offsets
//                          given
//   @group(1) @binding(1)  uniform with a dynamic offset: the dispatch's record, RecordLayout
//
// The entry point is `main`. Invocation (x, y, z) handles row  x + fold_x * (y + fold_y * z)  of the dispatch where that
// is below row_count; operand k's row i starts at word  offset_k + i * stride_k  of its binding. All of this is arithmetic
// of 32 bits: the invocations of one dispatch, and the words of one binding, are fewer than 2^32.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <millrace/expression.hpp>

#include "src/expression/dag.hpp"

namespace millrace::expression {

enum class LeafKind : std::uint8_t {
  rows,           // a vector: a storage binding, read at the row
  stored_scalar,  // a scalar that an earlier kernel stored: a storage binding, read at its one row
  host_scalar,    // words of the scalar block
};

struct Leaf {
  NodeIndex node;
  LeafKind kind;
  Format format;                  // how it is stored
  std::uint32_t word_offset = 0;  // of a host scalar in the scalar block
};

struct KernelOutput {
  NodeIndex node;
  Format format;  // how it is to be stored
};

// Where a kernel needs `node`, it computes `by` instead, which has the same value: lanes of a stored vector in which an
// earlier kernel put several nodes together.
struct Replacement {
  NodeIndex node;
  NodeIndex by;
};

// One kernel: a part of the DAG. All outputs have the same rows (all per_row), or all are scalars (row_count 1).
struct KernelCut {
  std::vector<Leaf> leaves;
  std::vector<KernelOutput> outputs;
  std::vector<Replacement> replacements = {};  // for emit_wgsl alone
};

// Cuts one fusion group into as few kernels as its storage buffers allow, in an order that can run: a kernel's stored
// leaves are given leaves or outputs of kernels before it. `leaves` are what is there before: inputs and values that
// earlier groups stored. `roots` are the values that must be in memory afterwards; every path down from one ends in a
// leaf, a literal or a builtin.
// storage_buffers: the most that one kernel may bind, inputs and outputs together, at least 4. Nodes that must be stored
// between kernels become outputs of one and leaves of others, in the stored_format of their type (a packed one where the
// node is a requantize). Constructors of more operands than fit are built up from narrower ones, which adds to the DAG.
// One kernel has at most `node_limit` computed nodes unless a single root needs more.
[[nodiscard]] std::vector<KernelCut> cut_kernels(Dag& dag, const std::vector<Leaf>& leaves,
                                                 const std::vector<KernelOutput>& roots, std::uint32_t storage_buffers,
                                                 std::uint32_t node_limit = 256);

// The words of the scalar block that are the same for every graph; host scalars follow.
struct ScalarBlock {
  static constexpr std::uint32_t kInfinity = 0;
  static constexpr std::uint32_t kNotANumber = 1;
  static constexpr std::uint32_t kFirstScalar = 2;
};

// The words of one dispatch's record, in order. The record is padded to whole vec4s.
struct RecordLayout {
  static constexpr std::uint32_t kRowBase = 0;   // index over the whole vector of the dispatch's first row
  static constexpr std::uint32_t kRowCount = 1;  // rows of this dispatch
  static constexpr std::uint32_t kRows = 2;      // rows of the whole vector
  static constexpr std::uint32_t kFoldX = 3;     // invocations along x
  static constexpr std::uint32_t kFoldY = 4;     // invocations along y
  static constexpr std::uint32_t kOperands = 5;  // for each storage binding: word offset, then word stride

  [[nodiscard]] static constexpr std::uint32_t word_count(std::uint32_t storage_bindings) {
    return (kOperands + 2 * storage_bindings + 3) / 4 * 4;
  }
};

struct WgslOptions {
  std::uint32_t workgroup_size = 256;
  std::uint32_t scalar_block_words = 4;  // a multiple of 4; the same for all kernels of a graph
  Mathematics math = Mathematics::own;
};

// Depends on what the cut computes alone, never on rows, chunks, strides or scalars' values, nor on the nodes' indices:
// kernels that compute the same have the same text. Names in it are generated. A row is read whole, then computed, then
// written word by word: the bytes between strided rows are never touched, and a row may be written over one that was read.
// An output of the same format as the leaf or requantize under it gets the very words that were read or packed.
// Every output's format is what its node's type can be stored in: read_type(format) is the type (or u32 for bool).
[[nodiscard]] std::string emit_wgsl(const Dag& dag, const KernelCut& cut, const WgslOptions& options);

}  // namespace millrace::expression
