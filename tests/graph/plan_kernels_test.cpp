// Kernel plans: which kernels compute a graph, what they bind, and what lies in memory between them.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "src/graph/plan_kernels.hpp"
#include "tests/expect_error.hpp"

namespace millrace::graph {
namespace {

using Names = std::vector<std::string>;

struct Planned {
  ResolvedGraph graph;
  Selection selection;
  KernelPlan plan;

  // "a b -> c": what each kernel reads and writes, by name.
  [[nodiscard]] Names kernels() const {
    Names texts;
    for (const PlannedKernel& kernel : plan.kernels) {
      std::string text;
      const std::size_t first_output = kernel.bindings.size() - kernel.output_count;
      for (std::size_t binding = 0; binding < kernel.bindings.size(); ++binding) {
        if (binding == first_output) text += "-> ";
        text += plan.stored[kernel.bindings[binding].value].name + " ";
      }
      text.pop_back();
      texts.push_back(text);
    }
    return texts;
  }
  // The formulas that a kernel computes.
  [[nodiscard]] Names formulas(std::size_t kernel) const {
    Names texts;
    for (const OperationIndex operation : plan.kernels[kernel].operations) {
      texts.push_back(graph.operations[operation.value].formula);
    }
    return texts;
  }
  // What is wrong with the plan; empty where nothing is.
  [[nodiscard]] std::string fault(std::uint32_t most_bindings) const {
    std::set<std::uint32_t> written;
    for (std::uint32_t index = 0; index < plan.stored.size(); ++index) {
      if (plan.stored[index].role == StoredRole::input) written.insert(index);
    }
    for (const PlannedKernel& kernel : plan.kernels) {
      if (kernel.bindings.size() > most_bindings) return "a kernel with too many bindings";
      const std::size_t first_output = kernel.bindings.size() - kernel.output_count;
      for (std::size_t binding = 0; binding < kernel.bindings.size(); ++binding) {
        const std::uint32_t stored = kernel.bindings[binding].value;
        if (binding < first_output && !written.contains(stored)) return "a kernel that reads what is not written";
        if (binding >= first_output && !written.insert(stored).second) return "a value written twice, or an input";
      }
    }
    for (const StoredIndex output : plan.outputs) {
      if (!written.contains(output.value)) return "an output that no kernel writes";
    }
    return written.size() == plan.stored.size() ? "" : "memory for what no kernel writes";
  }
};

struct PlanOptions {
  Outputs outputs = Outputs::terminal();
  bool fusion = true;
  std::uint32_t storage_buffers = 8;
  std::uint64_t uniform_byte_size = 65536;
};

Planned plan_of(const std::vector<DeclaredInput>& inputs, const std::vector<std::string>& formulas,
                const PlanOptions& options = {}) {
  std::vector<Operation> operations;
  for (const std::string& formula : formulas) operations.emplace_back(Expression(formula));
  Planned planned{.graph = resolve(inputs, operations, IntegerDivision::truncate), .selection = {}, .plan = {}};
  planned.selection = select(planned.graph, options.outputs);
  const RowClasses classes = find_row_classes(planned.graph, planned.selection);
  planned.plan = plan_kernels(
      planned.graph, planned.selection, classes, options.fusion,
      {.storage_buffers_per_stage = options.storage_buffers, .uniform_binding_byte_size = options.uniform_byte_size});
  EXPECT_EQ(planned.fault(options.storage_buffers), "");
  return planned;
}

const std::vector<DeclaredInput> kInputs = {{"x", vector_of(Format::float32)},
                                            {"y", vector_of(Format::float32)},
                                            {"k", scalar_of(Format::float32)},
                                            {"axis", scalar_of(Format::float32x3)}};

// Each intermediate would go through memory, and each formula would be a dispatch of its own.
TEST(PlanKernels, FusesAChainIntoOneKernel) {
  const Planned planned = plan_of(kInputs, {"a = x * k", "b = a + y", "c = b * b"});
  EXPECT_EQ(planned.kernels(), Names{"x y -> c"});
  EXPECT_EQ(planned.formulas(0), (Names{"a = x * k", "b = a + y", "c = b * b"}));
}

// With fusion off a user compares against values that each were stored.
TEST(PlanKernels, StoresEachValueWithoutFusion) {
  const Planned planned = plan_of(kInputs, {"a = x * k", "b = a + y", "c = b * b"}, {.fusion = false});
  EXPECT_EQ(planned.kernels(), (Names{"x -> a", "a y -> b", "b -> c"}));
}

// A selected intermediate would be computed again, or would lose its storage to the chain.
TEST(PlanKernels, WritesSelectedIntermediatesOnTheWay) {
  const Planned planned = plan_of(kInputs, {"a = x * k", "b = a + 1"}, {.outputs = {"b", "a"}});
  ASSERT_EQ(planned.plan.kernels.size(), 1u);
  EXPECT_EQ(planned.plan.kernels[0].output_count, 2u);
  ASSERT_EQ(planned.plan.outputs.size(), 2u);
  EXPECT_EQ(planned.plan.stored[planned.plan.outputs[0].value].name, "b");
  EXPECT_EQ(planned.plan.stored[planned.plan.outputs[1].value].name, "a");
}

// Formulas whose rows are not provably the same would run over each other's row count.
TEST(PlanKernels, KeepsRowClassesApart) {
  const Planned planned = plan_of(kInputs, {"a = x * k", "b = y * k"});
  EXPECT_EQ(planned.kernels(), (Names{"x -> a", "y -> b"}));
  ASSERT_TRUE(planned.plan.stored[planned.plan.outputs[1].value].leader);
  EXPECT_EQ(planned.graph.value(*planned.plan.stored[planned.plan.outputs[1].value].leader).name, "y");
}

// A scalar formula would cost a dispatch and a binding, where it costs a multiplication.
TEST(PlanKernels, ComputesUnselectedScalarsWhereTheyAreRead) {
  const Planned planned = plan_of(kInputs, {"s = k * 2", "a = x * s"});
  EXPECT_EQ(planned.kernels(), Names{"x -> a"});
}

// A selected scalar would not be computed, or only inside of the vector's kernel.
TEST(PlanKernels, StoresSelectedScalars) {
  const Planned planned = plan_of(kInputs, {"s = k * 2", "a = x * s"}, {.outputs = {"s", "a"}});
  EXPECT_EQ(planned.kernels(), (Names{"-> s", "x s -> a"}));
  EXPECT_FALSE(planned.plan.stored[planned.plan.outputs[0].value].leader);
}

// A scalar would lie where another one does, or over the words of infinity and NaN.
TEST(PlanKernels, PlacesScalarsBehindTheReservedWords) {
  const Planned planned = plan_of(kInputs, {"a = x * k * axis.z"});
  ASSERT_EQ(planned.plan.scalars.size(), 2u);
  EXPECT_EQ(planned.plan.scalars[0].word_offset, 2u);
  EXPECT_EQ(planned.plan.scalars[1].word_offset, 3u);
  EXPECT_EQ(planned.plan.scalar_block_words, 8u);
}

// Scalars past the uniform binding would be read from outside of it.
TEST(PlanKernels, RefusesMoreScalarsThanFit) {
  EXPECT_NO_THROW((void)plan_of(kInputs, {"a = x * k"}, {.uniform_byte_size = 24}));
  expect_error<DeviceError>(
      [] { (void)plan_of(kInputs, {"a = x * k"}, {.uniform_byte_size = 20}); }, ErrorCode::too_many_scalars, "axis",
      "Scalar input \"axis\" does not fit: the scalars of a graph share one uniform binding, which this "
      "device limits to 20 bytes.");
}

// Equal results would share storage, or one of them would be missing.
TEST(PlanKernels, StoresEqualResultsApart) {
  for (const bool fusion : {true, false}) {
    const Planned planned = plan_of(kInputs, {"a = x + 1", "b = x + 1"}, {.fusion = fusion});
    EXPECT_NE(planned.plan.outputs[0], planned.plan.outputs[1]);
  }
}

// A renamed input would be handed out as the library's own, or a kernel would read and write the same buffer.
TEST(PlanKernels, CopiesRenamedInputs) {
  EXPECT_EQ(plan_of(kInputs, {"a = x"}).kernels(), Names{"x -> a"});
  EXPECT_EQ(plan_of(kInputs, {"s = k"}).kernels(), Names{"-> s"});
}

// D-01: a sum of twelve vectors would need thirteen bindings.
TEST(PlanKernels, SplitsByTheNumberOfStorageBuffers) {
  std::vector<DeclaredInput> inputs;
  std::string formula = "sum = v0";
  for (int index = 0; index < 12; ++index) {
    inputs.push_back({"v" + std::to_string(index), vector_of(Format::float32)});
    if (index != 0) formula += " + v" + std::to_string(index);
  }
  EXPECT_EQ(plan_of(inputs, {formula}, {.storage_buffers = 13}).plan.kernels.size(), 1u);
  EXPECT_EQ(plan_of(inputs, {formula}, {.storage_buffers = 8}).plan.kernels.size(), 2u);
  const Planned four = plan_of(inputs, {formula}, {.storage_buffers = 4});
  EXPECT_LE(four.plan.kernels.size(), 6u);
  for (const Stored& stored : four.plan.stored) EXPECT_TRUE(stored.leader) << stored.name;
}

// Nothing selected would still compile kernels.
TEST(PlanKernels, PlansNoKernelsForNone) {
  EXPECT_TRUE(plan_of(kInputs, {"a = x * k"}, {.outputs = Outputs::none()}).plan.kernels.empty());
}

}  // namespace
}  // namespace millrace::graph
