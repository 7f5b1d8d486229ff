// Selection: which results leave a run, and which operations that needs.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "src/graph/select.hpp"
#include "tests/expect_error.hpp"
#include "tests/graph/resolved_graph.hpp"

namespace millrace::graph {
namespace {

//   x --- a --- b        c and b are read by no operation
//          \--- c
ResolvedGraph forked_graph() {
  return ResolvedGraphBuilder()
      .vector_input("x")
      .operation("a", {"x"})
      .operation("b", {"a"})
      .operation("c", {"a"})
      .graph();
}

std::vector<std::string> output_names(const ResolvedGraph& graph, const Selection& selection) {
  std::vector<std::string> names;
  for (const ValueIndex output : selection.outputs) names.push_back(graph.value(output).name);
  return names;
}

std::vector<std::uint32_t> live(const Selection& selection) {
  std::vector<std::uint32_t> indices;
  for (const OperationIndex operation : selection.live) indices.push_back(operation.value);
  return indices;
}

using Names = std::vector<std::string>;
using Indices = std::vector<std::uint32_t>;

// Without a selection a user would get intermediates, or miss an end result.
TEST(Select, TakesTerminalResultsByDefault) {
  const ResolvedGraph graph = forked_graph();
  const Selection selection = select(graph, Outputs::terminal());
  EXPECT_EQ(output_names(graph, selection), (Names{"b", "c"}));
  EXPECT_EQ(live(selection), (Indices{0, 1, 2}));
  EXPECT_TRUE(selection.dropped.empty());
}

// Results would come in another order than asked for, or an intermediate could not be asked for.
TEST(Select, KeepsTheOrderAskedFor) {
  const ResolvedGraph graph = forked_graph();
  const Selection selection = select(graph, {"c", "a"});
  EXPECT_EQ(output_names(graph, selection), (Names{"c", "a"}));
  EXPECT_EQ(live(selection), (Indices{0, 2}));
}

// P-09, P-22: work that nobody asked for would be done, or dropped without a word.
TEST(Select, DropsAndReportsWhatNoOutputNeeds) {
  const Selection selection = select(forked_graph(), {"c"});
  ASSERT_EQ(selection.dropped.size(), 1u);
  EXPECT_EQ(selection.dropped[0].operation, "b of a");
  EXPECT_EQ(selection.dropped[0].reason, "No selected output needs \"b\".");
}

// The empty selection would be taken for the default.
TEST(Select, DropsEverythingForNone) {
  const Selection selection = select(forked_graph(), Outputs::none());
  EXPECT_TRUE(selection.outputs.empty());
  EXPECT_TRUE(selection.live.empty());
  EXPECT_EQ(selection.dropped.size(), 3u);
}

// A graph of inputs alone could not be compiled.
TEST(Select, FindsNothingInAGraphWithoutOperations) {
  EXPECT_TRUE(select(ResolvedGraphBuilder().vector_input("x").graph(), Outputs::terminal()).outputs.empty());
}

// A misspelled output would select something else, or fail without naming what there is.
TEST(Select, RefusesUnknownOutputs) {
  const ResolvedGraph graph =
      ResolvedGraphBuilder().vector_input("x").operation("lengths", {"x"}).operation("sums", {"x"}).graph();
  expect_error<GraphError>(
      [&] {
        (void)select(graph, {"sums", "lenghts"});
      },
      ErrorCode::unknown_output, "lenghts", "No operation defines the output \"lenghts\"; did you mean \"lengths\"?");
  expect_error<GraphError>([&] { (void)select(graph, {"zzz"}); }, ErrorCode::unknown_output, "zzz",
                           "No operation defines the output \"zzz\"; there are \"lengths\" and \"sums\".");
  expect_error<GraphError>([&] { (void)select(ResolvedGraphBuilder().vector_input("x").graph(), {"y"}); },
                           ErrorCode::unknown_output, "y", "No operation defines the output \"y\".");
}

// An input would be handed back as if it were the library's to give away.
TEST(Select, RefusesInputsAsOutputs) {
  expect_error<GraphError>(
      [] {
        (void)select(forked_graph(), {"a", "x"});
      },
      ErrorCode::input_as_output, "x",
      "\"x\" is an input, which a run is given; an output is what an operation defines.");
}

// A name selected twice would give two vectors under one name.
TEST(Select, RefusesOutputsTwice) {
  expect_error<GraphError>(
      [] {
        (void)select(forked_graph(), {"a", "b", "a"});
      },
      ErrorCode::duplicate_output, "a", "The output \"a\" is selected twice.");
}

}  // namespace
}  // namespace millrace::graph
