// Kernel cuts against a naive validator, on formulas by hand and on random ones.
//
// The validator runs the kernels one after the other on symbols: each lane of each node is a number that stands for what
// was computed, and the roots' numbers must be those of the whole DAG, computed without any cut.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "tests/expression/build_dag.hpp"

namespace millrace::expression {
namespace {

struct Problem {
  DagBuilder build;
  std::vector<Leaf> leaves;
  std::vector<Root> roots;

  NodeIndex vector(Format format) { return add(build.vector(format), LeafKind::rows); }
  NodeIndex host_scalar(Format format) { return add(build.scalar(format), LeafKind::host_scalar); }
  NodeIndex stored_scalar(Format format) { return add(build.scalar(format), LeafKind::stored_scalar); }
  void root(NodeIndex node) { roots.push_back(build.stored(node)); }
  std::vector<KernelCut> cut(std::uint32_t storage_buffers, std::uint32_t node_limit = 256) {
    return cut_kernels(build.dag, leaves, roots, storage_buffers, node_limit);
  }

 private:
  NodeIndex add(NodeIndex node, LeafKind kind) {
    leaves.push_back({node, kind, build.dag.operand(OperandIndex{build.dag.node(node).payload}).format, 2});
    return node;
  }
};

using Lanes4 = std::vector<std::uint64_t>;

// Symbols of nodes. A constructor, a swizzle and a reinterpretation move symbols; everything else makes new ones.
class Symbols {
 public:
  explicit Symbols(const Dag& dag) : dag_(dag) {}

  // known: values of nodes that are read, not computed. Null in `missing` where an input is read that is not known.
  Lanes4 value(NodeIndex node, std::map<NodeIndex, Lanes4>& known, const std::map<NodeIndex, NodeIndex>& replaced,
               bool inputs_are_known, std::set<NodeIndex>& computed, std::string& fault) {
    if (const auto replacement = replaced.find(node); replacement != replaced.end() && !known.contains(node)) {
      return value(replacement->second, known, {}, inputs_are_known, computed, fault);
    }
    if (const auto found = known.find(node); found != known.end()) return found->second;
    const Node& shape = dag_.node(node);
    if (shape.kind == NodeKind::operand && !inputs_are_known) {
      fault = "a kernel computes from an input that is no leaf of it";
    }
    computed.insert(node);
    std::vector<Lanes4> operands;
    for (const NodeIndex operand : shape.operands) {
      operands.push_back(value(operand, known, replaced, inputs_are_known, computed, fault));
    }
    return known[node] = result(shape, operands);
  }

 private:
  Lanes4 result(const Node& node, const std::vector<Lanes4>& operands) {
    Lanes4 lanes;
    if (node.kind == NodeKind::reinterpret) return operands[0];
    if (node.kind == NodeKind::swizzle) {
      for (std::uint32_t at = 0; at < node.type.width; ++at)
        lanes.push_back(operands[0][(node.payload >> (2 * at)) & 3]);
      return lanes;
    }
    const bool is_constructor =
        node.kind == NodeKind::call && function(FunctionIndex{node.payload}).signature == Signature::construct;
    if (is_constructor) {
      for (const Lanes4& operand : operands) lanes.insert(lanes.end(), operand.begin(), operand.end());
      return lanes;
    }
    for (std::uint64_t lane = 0; lane < node.type.width; ++lane) {
      std::vector<std::uint64_t> key = {static_cast<std::uint64_t>(node.kind), node.payload, lane};
      for (const Lanes4& operand : operands) {
        key.push_back(operand.size());
        key.insert(key.end(), operand.begin(), operand.end());
      }
      lanes.push_back(symbols_.try_emplace(key, symbols_.size()).first->second);
    }
    return lanes;
  }

  const Dag& dag_;
  std::map<std::vector<std::uint64_t>, std::uint64_t> symbols_;
};

// What is wrong with the kernels; empty when nothing is.
std::string fault(const Problem& problem, const std::vector<KernelCut>& cuts, std::uint32_t storage_buffers,
                  std::uint32_t node_limit) {
  const Dag& dag = problem.build.dag;
  Symbols symbols(dag);
  std::string found;
  std::set<NodeIndex> ignored;
  std::map<NodeIndex, Lanes4> whole;
  std::map<std::pair<NodeIndex, Format>, Lanes4> stored;
  for (const Leaf& leaf : problem.leaves) {
    if (leaf.kind != LeafKind::host_scalar) {
      stored[{leaf.node, leaf.format}] = symbols.value(leaf.node, whole, {}, true, ignored, found);
    }
  }
  std::multiset<std::pair<NodeIndex, Format>> missing;
  for (const Root& root : problem.roots) missing.insert({root.node, root.format});
  std::multiset<std::pair<NodeIndex, Format>> unread;

  for (const KernelCut& cut : cuts) {
    std::map<NodeIndex, Lanes4> known;
    std::size_t bindings = cut.outputs.size();
    for (const Leaf& leaf : cut.leaves) {
      if (leaf.kind == LeafKind::host_scalar) {
        known[leaf.node] = symbols.value(leaf.node, whole, {}, true, ignored, found);
        continue;
      }
      ++bindings;
      if (!stored.contains({leaf.node, leaf.format})) return "a kernel reads what nothing before it stored";
      if ((leaf.kind == LeafKind::rows) != dag.node(leaf.node).per_row) return "a leaf is of the wrong kind";
      known[leaf.node] = stored[{leaf.node, leaf.format}];
      unread.erase({leaf.node, leaf.format});
    }
    if (bindings > storage_buffers) return "a kernel binds too many storage buffers";
    std::map<NodeIndex, NodeIndex> replaced;
    for (const Replacement& replacement : cut.replacements) replaced[replacement.node] = replacement.by;
    std::set<NodeIndex> computed;
    for (const KernelOutput& output : cut.outputs) {
      if (dag.node(output.node).per_row != dag.node(cut.outputs[0].node).per_row)
        return "scalars and rows share a kernel";
      const Lanes4 value = symbols.value(output.node, known, replaced, false, computed, found);
      if (value != symbols.value(output.node, whole, {}, true, ignored, found))
        return "a kernel computes another value";
      stored[{output.node, output.format}] = value;
      const auto root = missing.find({output.node, output.format});
      if (root != missing.end())
        missing.erase(root);
      else
        unread.insert({output.node, output.format});
    }
    if (!found.empty()) return found;
    if (computed.size() > node_limit && cut.outputs.size() > 1) return "a kernel holds too many nodes";
    static_cast<void>(emit_wgsl(dag, cut, {}));
  }
  if (!missing.empty()) return "a root is not produced";
  if (!unread.empty()) return "a kernel stores what nobody reads";
  return {};
}

NodeIndex sum_of_inputs(Problem& problem, int count) {
  NodeIndex sum = problem.vector(Format::float32);
  for (int input = 1; input < count; ++input) sum = problem.build.op("+", {sum, problem.vector(Format::float32)});
  return sum;
}

// The common graph would run as more kernels than it needs.
TEST(CutKernels, KeepsWhatFitsTogether) {
  Problem problem;
  const NodeIndex p = problem.vector(Format::float32x3);
  const NodeIndex s = problem.host_scalar(Format::float32);
  const NodeIndex scaled = problem.build.op("*", {p, problem.build.splat(s, 3)});
  problem.root(scaled);
  problem.root(problem.build.call("length", kF32, {scaled}));
  const std::vector<KernelCut> cuts = problem.cut(4);
  EXPECT_EQ(fault(problem, cuts, 4, 256), "");
  ASSERT_EQ(cuts.size(), 1u);
  EXPECT_EQ(cuts[0].leaves.size(), 2u);
}

// D-01: a sum of twelve inputs would not compile on a device that binds fewer buffers.
TEST(CutKernels, SplitsASumOfTwelveInputs) {
  for (const auto& [storage_buffers, kernel_count] : {std::pair{13u, 1u}, {8u, 2u}, {4u, 6u}}) {
    Problem problem;
    problem.root(sum_of_inputs(problem, 12));
    const std::vector<KernelCut> cuts = problem.cut(storage_buffers);
    EXPECT_EQ(fault(problem, cuts, storage_buffers, 256), "");
    EXPECT_EQ(cuts.size(), kernel_count) << "with " << storage_buffers << " storage buffers";
  }
}

// Rows would be written by a kernel that runs once, or the scalar as often as there are rows.
TEST(CutKernels, KeepsScalarsAndRowsApart) {
  Problem problem;
  const NodeIndex s = problem.host_scalar(Format::float32);
  const NodeIndex twice = problem.build.op("+", {s, s});
  problem.root(twice);
  problem.root(problem.build.op("*", {problem.vector(Format::float32), twice}));
  const std::vector<KernelCut> cuts = problem.cut(8);
  EXPECT_EQ(fault(problem, cuts, 8, 256), "");
  ASSERT_EQ(cuts.size(), 2u);
  // The scalar is computed again for the rows, not read.
  for (const KernelCut& cut : cuts) {
    for (const Leaf& leaf : cut.leaves) EXPECT_NE(leaf.kind, LeafKind::stored_scalar);
  }
}

// A scalar sum of many stored scalars would take all the bindings of the rows' kernel.
TEST(CutKernels, StoresScalarsWhereBindingsRunOut) {
  Problem problem;
  NodeIndex sum = problem.stored_scalar(Format::float32);
  for (int more = 0; more < 4; ++more) sum = problem.build.op("+", {sum, problem.stored_scalar(Format::float32)});
  problem.root(problem.build.op("*", {problem.vector(Format::float32), sum}));
  const std::vector<KernelCut> cuts = problem.cut(4);
  EXPECT_EQ(fault(problem, cuts, 4, 256), "");
  EXPECT_EQ(cuts.back().leaves.size(), 2u);
}

// `b = a` would be no kernel, and b would stay unwritten; in two formats, one of them would.
TEST(CutKernels, CopiesLeavesAndStoresInSeveralFormats) {
  Problem problem;
  const NodeIndex a = problem.vector(Format::unorm8x4);
  const NodeIndex s = problem.host_scalar(Format::float32x2);
  problem.roots = {{a, Format::unorm8x4}, {a, Format::float32x4}, {a, Format::float32x4}, {s, Format::float32x2}};
  const std::vector<KernelCut> cuts = problem.cut(4);
  EXPECT_EQ(fault(problem, cuts, 4, 256), "");
  EXPECT_EQ(cuts.size(), 2u);
}

// Four buffers: a constructor of four vectors needs five, unless two of them are stored together.
TEST(CutKernels, PacksTheOperandsOfAWideConstructor) {
  Problem problem;
  std::vector<NodeIndex> inputs;
  for (int input = 0; input < 4; ++input) inputs.push_back(problem.vector(Format::float32));
  problem.root(problem.build.call("vec4", widened(kF32, 4), {inputs[0], inputs[1], inputs[2], inputs[3]}));
  const std::vector<KernelCut> cuts = problem.cut(4);
  EXPECT_EQ(fault(problem, cuts, 4, 256), "");
  ASSERT_EQ(cuts.size(), 2u);
  EXPECT_EQ(cuts[0].outputs[0].format, Format::float32x2);
  EXPECT_EQ(fault(problem, problem.cut(5), 5, 256), "");
  EXPECT_EQ(problem.cut(5).size(), 1u);
}

// The same where the operands' lanes differ in type, and two of them are too wide to be packed.
TEST(CutKernels, PacksOperandsOfDifferentTypes) {
  Problem problem;
  const NodeIndex wide = problem.vector(Format::sint32x4);
  const NodeIndex also_wide = problem.vector(Format::sint32x4);
  const NodeIndex offset = problem.vector(Format::uint32);
  const NodeIndex count = problem.build.lane(problem.vector(Format::uint32x4), problem.build.u32(2));
  problem.root(problem.build.call("insertBits", {wide, also_wide, offset, count}));
  const NodeIndex choice = problem.build.op("<", kBool, {problem.vector(Format::float32), problem.build.f32(1)});
  problem.root(problem.build.call("select", {wide, also_wide, problem.build.splat(choice, 4)}));
  const std::vector<KernelCut> cuts = problem.cut(4);
  EXPECT_EQ(fault(problem, cuts, 4, 256), "");
}

// A kernel of two formulas would be longer than the limit that keeps pipelines quick to compile.
TEST(CutKernels, KeepsTheNodeLimit) {
  Problem problem;
  NodeIndex a = problem.vector(Format::float32);
  NodeIndex b = problem.vector(Format::float32);
  for (int step = 0; step < 10; ++step) a = problem.build.call("sqrt", {a});
  for (int step = 0; step < 10; ++step) b = problem.build.call("abs", {b});
  problem.root(a);
  problem.root(b);
  EXPECT_EQ(problem.cut(8, 20).size(), 1u);
  EXPECT_EQ(problem.cut(8, 19).size(), 2u);
  EXPECT_EQ(problem.cut(8, 5).size(), 2u);
}

// A root that is stored anyway is read, rather than something else stored for the next one.
TEST(CutKernels, ReadsARootThatIsStoredAnyway) {
  Problem problem;
  const NodeIndex sum = problem.build.op("+", {problem.vector(Format::float32), problem.vector(Format::float32)});
  const NodeIndex twice = problem.build.op("*", {sum, problem.build.f32(2)});
  const NodeIndex more = problem.build.op("+", {twice, problem.vector(Format::float32)});
  problem.root(sum);
  problem.root(problem.build.op("+", {more, problem.vector(Format::float32)}));
  const std::vector<KernelCut> cuts = problem.cut(4);
  EXPECT_EQ(fault(problem, cuts, 4, 256), "");
  EXPECT_EQ(cuts.size(), 2u);
}

// Thousands of inputs would overflow the stack or take minutes.
TEST(CutKernels, CutsALongSum) {
  Problem problem;
  problem.root(sum_of_inputs(problem, 600));
  const std::vector<KernelCut> cuts = problem.cut(8);
  EXPECT_EQ(cuts.size(), 100u);  // seven first, then six more each
}

class RandomProblem {
 public:
  explicit RandomProblem(std::uint32_t seed) : random_(seed) {
    const std::uint32_t inputs = 1 + below(9);
    for (std::uint32_t input = 0; input < inputs; ++input) add_input();
    const std::uint32_t operations = 1 + below(24);
    for (std::uint32_t operation = 0; operation < operations; ++operation) nodes_.push_back(add_operation());
    const std::uint32_t roots = 1 + below(5);
    for (std::uint32_t root = 0; root < roots; ++root) add_root(any());
  }
  Problem problem;

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  NodeIndex any() { return nodes_[below(static_cast<std::uint32_t>(nodes_.size()))]; }
  DagBuilder& build() { return problem.build; }

  void add_input() {
    static constexpr Format formats[] = {Format::float32, Format::float32,   Format::uint32,
                                         Format::sint32,  Format::float32x4, Format::unorm8x4};
    const std::uint32_t kind = below(8);
    const Format format = formats[below(kind < 2 ? 4 : 6)];
    nodes_.push_back(kind == 0   ? problem.host_scalar(format)
                     : kind == 1 ? problem.stored_scalar(format)
                                 : problem.vector(format));
  }
  // The value as one of the wanted type, through casts and splats of its first lane.
  NodeIndex as(NodeIndex node, Type type) {
    if (build().type(node) == type) return node;
    if (build().type(node).width != 1) node = build().swizzle(node, "y");
    static constexpr std::string_view casts[] = {"f32", "i32", "u32", "bool"};
    if (build().type(node).lane != type.lane) {
      node = build().call(casts[static_cast<std::size_t>(type.lane)], widened(type, 1), {node});
    }
    return type.width == 1 ? node : build().splat(node, type.width);
  }
  NodeIndex add_operation() {
    const Type type{static_cast<Lane>(below(3)), static_cast<std::uint8_t>(below(2) == 0 ? 1 : 4)};
    const Type one = widened(type, 1);
    switch (below(7)) {
      case 0:
        return build().op("*", {as(any(), type), as(any(), type)});
      case 1:
        return build().op("<", widened(kBool, type.width), {as(any(), type), as(any(), type)});
      case 2:
        return build().call("select", {as(any(), type), as(any(), type), as(any(), widened(kBool, type.width))});
      case 3:
        return build().call("vec4", widened(type, 4), {as(any(), one), as(any(), one), as(any(), one), as(any(), one)});
      case 4:
        return build().call("insertBits", {as(any(), kU32), as(any(), kU32), as(any(), kU32), as(any(), kU32)});
      case 5:
        return build().lane(as(any(), widened(type, 4)), as(any(), kU32));
      default:
        return build().op("+", {as(any(), type), as(any(), type)});
    }
  }
  void add_root(NodeIndex node) {
    if (below(4) == 0) {
      const NodeIndex packed = build().requantize(as(node, widened(kF32, 4)), Format::unorm16x4);
      problem.roots.push_back({packed, Format::unorm16x4});
    } else {
      problem.root(node);
    }
  }

  std::mt19937 random_;
  std::vector<NodeIndex> nodes_;
};

std::string fault_of(std::uint32_t seed, std::uint32_t storage_buffers, const std::vector<std::size_t>& dropped_roots) {
  RandomProblem random(seed);
  std::vector<Root>& roots = random.problem.roots;
  for (const std::size_t root : dropped_roots) roots.erase(roots.begin() + static_cast<std::ptrdiff_t>(root));
  const std::uint32_t node_limit = seed % 3 == 0 ? 8 : 256;
  return fault(random.problem, random.problem.cut(storage_buffers, node_limit), storage_buffers, node_limit);
}

// Drops roots while a fault stays, and says which seed and roots are left.
std::string describe_smallest(std::uint32_t seed, std::uint32_t storage_buffers) {
  std::vector<std::size_t> dropped;
  std::size_t left = RandomProblem(seed).problem.roots.size();
  for (std::size_t root = left; root-- > 0 && left > 1;) {
    std::vector<std::size_t> more = dropped;
    more.push_back(root);
    if (fault_of(seed, storage_buffers, more).empty()) continue;
    dropped = more;
    --left;
  }
  std::string text =
      "seed " + std::to_string(seed) + ", " + std::to_string(storage_buffers) + " storage buffers, without roots";
  for (const std::size_t root : dropped) text += " " + std::to_string(root);
  return text;
}

// Some formula would compute with the wrong operands, or bind more than the device takes.
TEST(CutKernels, HoldOnRandomGraphs) {
  std::vector<std::uint32_t> seeds = {19583};  // once stored what nobody read
  for (std::uint32_t seed = 1; seed <= 1000; ++seed) seeds.push_back(seed);
  for (const std::uint32_t seed : seeds) {
    for (const std::uint32_t storage_buffers : {4u, 5u, 8u}) {
      ASSERT_EQ(fault_of(seed, storage_buffers, {}), "") << describe_smallest(seed, storage_buffers);
    }
  }
}

// The property test would pass on anything: kernels that are wrong on purpose must fail it.
TEST(CutKernels, ValidatorFindsWrongKernels) {
  Problem problem;
  const NodeIndex a = problem.vector(Format::float32);
  const NodeIndex b = problem.vector(Format::float32);
  const NodeIndex sum = problem.build.op("-", {a, b});
  const NodeIndex swapped = problem.build.op("-", {b, a});
  problem.root(problem.build.op("*", {sum, sum}));
  const KernelCut right = problem.cut(4).at(0);
  EXPECT_EQ(fault(problem, {right}, 4, 256), "");
  EXPECT_EQ(fault(problem, {}, 4, 256), "a root is not produced");
  EXPECT_EQ(fault(problem, {right}, 2, 256), "a kernel binds too many storage buffers");
  EXPECT_EQ(fault(problem, {right, right}, 4, 256), "a kernel stores what nobody reads");
  KernelCut wrong = right;
  wrong.replacements = {{sum, swapped}};
  EXPECT_EQ(fault(problem, {wrong}, 4, 256), "a kernel computes another value");
  wrong = right;
  wrong.leaves.pop_back();
  EXPECT_EQ(fault(problem, {wrong}, 4, 256), "a kernel computes from an input that is no leaf of it");
  wrong = right;
  wrong.leaves.push_back({sum, LeafKind::rows, Format::float32});
  EXPECT_EQ(fault(problem, {wrong}, 8, 256), "a kernel reads what nothing before it stored");
}

}  // namespace
}  // namespace millrace::expression
