// Hash-consing and what follows from it.
#include "src/expression/dag.hpp"

#include <gtest/gtest.h>

#include "tests/expression/declared_names.hpp"

namespace millrace::expression {
namespace {

// The same subexpression in two formulas would be computed twice.
TEST(Dag, MakesEqualSubexpressionsOneNode) {
  DeclaredNames names;
  const NodeIndex first = names.infer("a = sqrt(x * s) + 1").node;
  const std::size_t count = names.dag.node_count();
  EXPECT_EQ(names.infer("b = sqrt(x * s) + 1").node, first);
  EXPECT_EQ(names.dag.node_count(), count);
}

// E-01: two formulas that look alike would share one's kernel, and one of the results would be the other's.
TEST(Dag, KeepsFormulasApartThatDifferInOneOperand) {
  DeclaredNames names;
  names.define("d", names.infer("d = x + s").node);
  names.define("e", names.infer("e = x + f32(u)").node);
  const NodeIndex minus_e = names.infer("r = d * e - e").node;
  const NodeIndex minus_d = names.infer("r = d * e - d").node;
  EXPECT_NE(minus_e, minus_d);
  EXPECT_EQ(names.describe(minus_e), "(((x + s) * (x + f32(u))) - (x + f32(u)))");
  EXPECT_EQ(names.describe(minus_d), "(((x + s) * (x + f32(u))) - (x + s))");
}

// E-02: a - b would be b - a.
TEST(Dag, KeepsTheOrderOfOperands) {
  DeclaredNames names;
  EXPECT_NE(names.infer("r = p - q").node, names.infer("r = q - p").node);
  EXPECT_EQ(names.describe("p - q"), "(p - q)");
  EXPECT_EQ(names.describe("q - p"), "(q - p)");
}

// Literals with equal bits and different lane types are different numbers: 0 of i32 is not 0 of f32.
TEST(Dag, KeepsLiteralsOfDifferentTypesApart) {
  Dag dag;
  const NodeIndex as_i32 = dag.add(NodeKind::literal, {Lane::i32, 1}, 0, {});
  EXPECT_NE(dag.add(NodeKind::literal, {Lane::f32, 1}, 0, {}), as_i32);
  EXPECT_EQ(dag.add(NodeKind::literal, {Lane::i32, 1}, 0, {}), as_i32);
}

// A scalar computed once for each row, or rows computed once, would be slow or wrong.
TEST(Dag, KnowsWhatBelongsToRows) {
  DeclaredNames names;
  const auto per_row = [&](const char* text) { return names.dag.node(names.infer(text).node).per_row; };
  EXPECT_FALSE(per_row("a = s * 2"));
  EXPECT_FALSE(per_row("a = 1"));
  EXPECT_TRUE(per_row("a = s * x"));
  EXPECT_TRUE(per_row("a = x * 0 + f32(row)"));
  const Dag& dag = names.dag;
  for (std::uint32_t i = 0; i < dag.node_count(); ++i) {
    if (dag.node({i}).kind == NodeKind::row) {
      EXPECT_TRUE(dag.node({i}).per_row);
    }
  }
  EXPECT_TRUE(dag.node(names.dag.add(NodeKind::rows, {Lane::u32, 1}, 0, {})).per_row);
}

// Whoever walks the DAG by index relies on operands coming first.
TEST(Dag, PutsOperandsBeforeTheirUsers) {
  DeclaredNames names;
  names.define("a", names.infer("a = select(p.x, dot(p, q), u > 3) * (i + 2) / length(p[i] * q)").node);
  for (std::uint32_t i = 0; i < names.dag.node_count(); ++i) {
    for (const NodeIndex operand : names.dag.node({i}).operands) EXPECT_LT(operand.value, i);
  }
}

}  // namespace
}  // namespace millrace::expression
