// What the report says of values and kernels: kind, format and role of each, and which kernel reads, computes and writes
// which.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/graph/report.hpp"

namespace millrace::graph {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct ReportOptions {
  Outputs outputs = Outputs::terminal();
  bool fusion = true;
  std::uint32_t storage_buffers = 8;
};

CompileReport report_on(const std::vector<DeclaredInput>& inputs, const std::vector<std::string>& formulas,
                        const ReportOptions& options = {}) {
  std::vector<Operation> operations;
  for (const std::string& formula : formulas) operations.emplace_back(Expression(formula));
  ResolvedGraph graph = resolve(inputs, operations, IntegerDivision::truncate);
  const Selection selection = select(graph, options.outputs);
  const RowClasses classes = find_row_classes(graph, selection);
  const KernelPlan plan =
      plan_kernels(graph, selection, classes, options.fusion,
                   {.storage_buffers_per_stage = options.storage_buffers, .uniform_binding_byte_size = 65536});
  return report_of(graph, selection, plan);
}

const ReportedValue& value_named(const CompileReport& report, std::string_view name) {
  const auto found = std::find_if(report.values.begin(), report.values.end(),
                                  [&](const ReportedValue& value) { return value.name == name; });
  EXPECT_NE(found, report.values.end()) << "no value " << name;
  return *found;
}

std::vector<std::string> names_of(const CompileReport& report, const std::vector<std::size_t>& values) {
  std::vector<std::string> names;
  for (const std::size_t value : values) names.push_back(report.values.at(value).name);
  return names;
}

std::vector<std::string> roles_of(const CompileReport& report) {
  std::vector<std::string> roles;
  for (const ReportedValue& value : report.values)
    roles.push_back(value.name + ": " + std::string(to_string(value.role)));
  return roles;
}

const DeclaredInput kRows = {"x", vector_of(Format::float32)};
const DeclaredInput kScale = {"k", scalar_of(Format::float32)};

// A user could not tell what was inferred of a formula, or would find it under another one's name.
TEST(Report, SaysWhatWasInferredInDeclarationOrder) {
  const CompileReport report =
      report_on({{"colors", vector_of(Format::unorm8x4)}, kRows, {"n", scalar_of(Format::sint32x3)}},
                {"dark = colors.rgb < 0.5", "twice = n * 2", "packed: unorm8x4 = colors * x"});
  ASSERT_EQ(report.values.size(), 6u);
  const ReportedValue& dark = report.values[3];
  EXPECT_EQ(dark.name, "dark");
  EXPECT_EQ(dark.operation, "dark = colors.rgb < 0.5");
  EXPECT_EQ(dark.format, Format::uint32x3);
  EXPECT_TRUE(dark.is_vector);
  EXPECT_TRUE(dark.is_boolean);
  const ReportedValue& twice = report.values[4];
  EXPECT_EQ(twice.format, Format::sint32x3);
  EXPECT_FALSE(twice.is_vector);
  EXPECT_FALSE(twice.is_boolean);
  EXPECT_EQ(report.values[5].format, Format::unorm8x4);
  EXPECT_EQ(report.values[0].format, Format::unorm8x4);
  EXPECT_EQ(report.values[0].operation, "");
  EXPECT_TRUE(report.values[0].is_vector);
  EXPECT_FALSE(report.values[2].is_vector);
}

// A user who looks for what costs memory would be sent to a value that is never stored.
TEST(Report, TellsRolesApart) {
  const std::vector<std::string> formulas = {"a = x * k", "b = a + 1", "c = y - 1"};
  const std::vector<DeclaredInput> inputs = {kRows, kScale, {"y", vector_of(Format::float32)}};
  EXPECT_THAT(roles_of(report_on(inputs, formulas, {.outputs = {"b"}})),
              ElementsAre("x: input", "k: input", "y: dropped", "a: fused", "b: output", "c: dropped"));
  EXPECT_THAT(roles_of(report_on(inputs, formulas, {.outputs = {"b"}, .fusion = false})),
              ElementsAre("x: input", "k: input", "y: dropped", "a: intermediate", "b: output", "c: dropped"));
  EXPECT_THAT(roles_of(report_on(inputs, formulas, {.outputs = Outputs::none()})),
              ElementsAre("x: dropped", "k: dropped", "y: dropped", "a: dropped", "b: dropped", "c: dropped"));
}

// A drawing of the kernels would miss what flows between them.
TEST(Report, SaysWhatEachKernelReadsAndWrites) {
  const CompileReport report = report_on({kRows, kScale}, {"a = x * k", "b = a + 1"}, {.fusion = false});
  ASSERT_EQ(report.kernels.size(), 2u);
  EXPECT_THAT(names_of(report, report.kernels[0].reads), ElementsAre("x", "k"));
  EXPECT_THAT(names_of(report, report.kernels[0].writes), ElementsAre("a"));
  EXPECT_THAT(names_of(report, report.kernels[1].reads), ElementsAre("a"));
  EXPECT_THAT(names_of(report, report.kernels[1].writes), ElementsAre("b"));
  EXPECT_THAT(value_named(report, "a").kernels, ElementsAre(0u));
  EXPECT_THAT(value_named(report, "b").kernels, ElementsAre(1u));
  EXPECT_THAT(value_named(report, "x").kernels, IsEmpty());
}

// Values that several kernels compute, and those that none does, would be shown in the wrong place. Rows of x and of y may
// differ, so what is made of them is computed apart; the scalar s is wanted in both places.
TEST(Report, SaysWhichKernelsComputeAValue) {
  const CompileReport report = report_on(
      {kRows, {"y", vector_of(Format::float32)}, kScale},
      {"s = k * k", "same = x", "a = same + s", "b = y + s", "five = 5", "c = y * five"}, {.outputs = {"a", "b", "c"}});
  ASSERT_EQ(report.kernels.size(), 2u);
  EXPECT_THAT(value_named(report, "s").kernels, ElementsAre(0u, 1u));
  EXPECT_THAT(value_named(report, "a").kernels, ElementsAre(0u));
  EXPECT_THAT(value_named(report, "b").kernels, ElementsAre(1u));
  EXPECT_THAT(value_named(report, "same").kernels, IsEmpty());
  EXPECT_THAT(names_of(report, report.kernels[1].reads), ElementsAre("y", "k"));
  EXPECT_THAT(names_of(report, report.kernels[1].writes), ElementsAre("b", "c"));
}

// A value that is stored once more under another name would seem to be computed twice; equal formulas, which are computed
// once, would seem not to be computed.
TEST(Report, KnowsCopiesAndEqualFormulas) {
  const CompileReport report = report_on({kRows}, {"a = x + 1", "b = a", "c = x + 1"}, {.fusion = false});
  ASSERT_EQ(report.kernels.size(), 3u);
  EXPECT_THAT(value_named(report, "a").kernels, ElementsAre(0u));
  EXPECT_THAT(value_named(report, "b").kernels, ElementsAre(1u));
  const CompileReport together = report_on({kRows}, {"a = x + 1", "c = x + 1", "d = a * c"});
  ASSERT_EQ(together.kernels.size(), 1u);
  EXPECT_THAT(value_named(together, "a").kernels, ElementsAre(0u));
  EXPECT_THAT(value_named(together, "c").kernels, ElementsAre(0u));
}

// A formula of more inputs than a kernel can bind is cut: what lies between would be missing from the plan, or would take
// the place of a declared value.
TEST(Report, ListsThePartsOfAFormulaThatWasCut) {
  std::vector<DeclaredInput> inputs;
  std::string sum = "sum = x0";
  for (int index = 0; index < 6; ++index) {
    inputs.push_back({"x" + std::to_string(index), vector_of(Format::float32)});
    if (index > 0) sum += " + x" + std::to_string(index);
  }
  const CompileReport report = report_on(inputs, {sum}, {.storage_buffers = 4});
  ASSERT_GT(report.kernels.size(), 1u);
  ASSERT_GT(report.values.size(), 7u);
  EXPECT_EQ(report.values[6].name, "sum");
  EXPECT_EQ(report.values[6].role, ValueRole::output);
  EXPECT_THAT(report.values[6].kernels, ElementsAre(report.kernels.size() - 1));
  for (std::size_t part = 7; part < report.values.size(); ++part) {
    const ReportedValue& value = report.values[part];
    EXPECT_EQ(value.role, ValueRole::part);
    EXPECT_EQ(value.operation, "");
    EXPECT_EQ(value.format, Format::float32);
    EXPECT_TRUE(value.is_vector);
    ASSERT_EQ(value.kernels.size(), 1u);
    EXPECT_THAT(report.kernels[value.kernels[0]].writes, testing::Contains(part));
  }
}

// The role of a value would be unreadable in a plan.
TEST(Report, NamesRoles) {
  EXPECT_EQ(to_string(ValueRole::input), "input");
  EXPECT_EQ(to_string(ValueRole::output), "output");
  EXPECT_EQ(to_string(ValueRole::intermediate), "intermediate");
  EXPECT_EQ(to_string(ValueRole::part), "part");
  EXPECT_EQ(to_string(ValueRole::fused), "fused");
  EXPECT_EQ(to_string(ValueRole::dropped), "dropped");
}

}  // namespace
}  // namespace millrace::graph
