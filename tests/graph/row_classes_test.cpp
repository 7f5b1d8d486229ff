// Row classes: which vectors provably have the same rows, and whose chunks a result takes.
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "src/graph/row_classes.hpp"
#include "tests/graph/resolved_graph.hpp"

namespace millrace::graph {
namespace {

struct Classified {
  ResolvedGraphBuilder builder;
  RowClasses classes;

  [[nodiscard]] std::optional<std::uint32_t> of(const std::string& name) const {
    const auto& found = classes.of_value[builder.value(name).value];
    return found ? std::optional(found->value) : std::nullopt;
  }
  [[nodiscard]] std::string leader(const std::string& name) const {
    const auto& found = classes.leader[builder.value(name).value];
    return found ? builder.graph().value(*found).name : "";
  }
};

Classified classify(const ResolvedGraphBuilder& builder, const Outputs& outputs = Outputs::terminal()) {
  return {builder, find_row_classes(builder.graph(), select(builder.graph(), outputs))};
}

// Two batches of different lengths in one graph would be held to equal row counts.
TEST(RowClasses, KeepsVectorsApartThatNeverMeet) {
  const Classified found =
      classify(ResolvedGraphBuilder().vector_input("x").vector_input("y").operation("a", {"x"}).operation("b", {"y"}));
  EXPECT_EQ(found.classes.count, 2u);
  EXPECT_EQ(found.of("x"), 0u);
  EXPECT_EQ(found.of("a"), 0u);
  EXPECT_EQ(found.of("y"), 1u);
  EXPECT_EQ(found.of("b"), 1u);
}

// Operands that meet only through intermediates would not be checked against each other.
TEST(RowClasses, UnitesThroughIntermediates) {
  const Classified found = classify(ResolvedGraphBuilder()
                                        .vector_input("x")
                                        .vector_input("y")
                                        .operation("a", {"x"})
                                        .operation("b", {"y"})
                                        .operation("c", {"b", "a"}));
  EXPECT_EQ(found.classes.count, 1u);
  for (const char* name : {"x", "y", "a", "b", "c"}) EXPECT_EQ(found.of(name), 0u) << name;
}

// A result would be chunked as its second operand.
TEST(RowClasses, LeadsByTheFirstVectorOperand) {
  const Classified found = classify(ResolvedGraphBuilder()
                                        .scalar_input("k")
                                        .vector_input("x")
                                        .vector_input("y")
                                        .operation("a", {"k", "y", "x"})
                                        .operation("b", {"a", "x"}));
  EXPECT_EQ(found.leader("a"), "y");
  EXPECT_EQ(found.leader("b"), "y");
  EXPECT_EQ(found.leader("x"), "x");
}

// A scalar would be held to the row count of what it is combined with.
TEST(RowClasses, LeavesScalarsOut) {
  const Classified found = classify(
      ResolvedGraphBuilder().scalar_input("k").vector_input("x").operation("s", {"k"}).operation("a", {"x", "s"}));
  EXPECT_EQ(found.of("k"), std::nullopt);
  EXPECT_EQ(found.of("s"), std::nullopt);
  EXPECT_EQ(found.leader("s"), "");
  EXPECT_EQ(found.leader("a"), "x");
}

// A formula that nobody needs would still demand equal row counts of its operands.
TEST(RowClasses, IgnoresDroppedOperations) {
  const ResolvedGraphBuilder builder = ResolvedGraphBuilder()
                                           .vector_input("x")
                                           .vector_input("y")
                                           .operation("a", {"x"})
                                           .operation("b", {"y"})
                                           .operation("unused", {"x", "y"});
  EXPECT_EQ(classify(builder, {"a", "b"}).classes.count, 2u);
  EXPECT_EQ(classify(builder, {"a", "b", "unused"}).classes.count, 1u);
}

}  // namespace
}  // namespace millrace::graph
