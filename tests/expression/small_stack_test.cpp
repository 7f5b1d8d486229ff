// Formulas as deep as they may be, on a thread with a stack far smaller than a recursion over them needs.
#include <pthread.h>

#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "src/expression/dag.hpp"
#include "src/expression/kernel_text.hpp"
#include "tests/expression/declared_names.hpp"

namespace millrace::expression {
namespace {

constexpr std::size_t kLevels = 1'000;
constexpr std::size_t kStackBytes = 128 * 1'024;

// std::thread cannot choose its stack.
void run_on_small_stack(std::function<void()> action) {
  const auto run = [](void* argument) -> void* {
    try {
      (*static_cast<std::function<void()>*>(argument))();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    return nullptr;
  };
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStackBytes), 0);
  pthread_t thread;
  const int created = pthread_create(&thread, &attributes, run, &action);
  pthread_attr_destroy(&attributes);
  ASSERT_EQ(created, 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
}

std::string nested(std::size_t levels, std::string_view before, std::string_view inner, std::string_view after) {
  std::string text = "out = ";
  for (std::size_t level = 0; level < levels; ++level) text += before;
  text += inner;
  for (std::size_t level = 0; level < levels; ++level) text += after;
  return text;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Levels of nodes between the root and the operand `inner`, followed along one operand of each.
std::size_t levels_above(const Dag& dag, NodeIndex root, std::size_t operand, NodeIndex inner) {
  std::size_t levels = 0;
  for (NodeIndex at = root; at != inner && operand < dag.node(at).operands.size(); ++levels)
    at = dag.node(at).operands[operand];
  return levels;
}

std::string wgsl_of(DeclaredNames& names, NodeIndex root) {
  std::vector<Leaf> leaves;
  for (const std::string& name : names.names) {
    const NodeIndex node = names.nodes.at(name);
    const Operand& operand = names.dag.operand({names.dag.node(node).payload});
    leaves.push_back({node, operand.is_vector ? LeafKind::rows : LeafKind::host_scalar, operand.format, 2});
  }
  const Format format = stored_format(names.dag.node(root).type);
  const std::vector<KernelCut> cuts = cut_kernels(names.dag, leaves, {{root, format}}, 8);
  return cuts.size() == 1 ? emit_wgsl(names.dag, cuts.front(), {}) : "";
}

// A service that compiles formulas on a worker thread, whose stack is often 1 MB or less, would be killed by one of them.
TEST(SmallStack, HoldsFormulasOfAThousandLevels) {
  run_on_small_stack([] {
    DeclaredNames names;
    names.add("w", Format::uint32x4);

    const Inferred parentheses = names.infer(nested(kLevels, "(", "x", ")"));
    EXPECT_EQ(parentheses.node, names.nodes.at("x"));

    const Inferred calls = names.infer(nested(kLevels, "sqrt(", "x", ")"));
    EXPECT_EQ(levels_above(names.dag, calls.node, 0, names.nodes.at("x")), kLevels);

    const Inferred lanes = names.infer(nested(kLevels, "w[", "u", "]"));
    EXPECT_EQ(levels_above(names.dag, lanes.node, 1, names.nodes.at("u")), kLevels);
    EXPECT_EQ(count(wgsl_of(names, lanes.node), "[min("), kLevels);

    const Inferred choices = names.infer(nested(kLevels, "x > 0 ? ", "s", " : x"));
    EXPECT_EQ(levels_above(names.dag, choices.node, 1, names.nodes.at("s")), kLevels);
    EXPECT_EQ(count(wgsl_of(names, choices.node), "select("), kLevels);
  });
}

// What is refused as too deep has to be refused there too, not end the process before it can be.
TEST(SmallStack, HoldsTheRefusalOfDeeperFormulas) {
  run_on_small_stack([] {
    DeclaredNames names;
    for (const char* before : {"(", "sqrt(", "x[", "x > 0 ? ", "-(", "1 + (", "x ? x : (", "max(x, "}) {
      try {
        static_cast<void>(names.infer(nested(20'000 / std::string_view(before).size(), before, "x", "")));
        ADD_FAILURE() << before;
      } catch (const ExpressionError& error) {
        EXPECT_EQ(error.code(), ErrorCode::expression_too_deep) << before;
      }
    }
  });
}

}  // namespace
}  // namespace millrace::expression
