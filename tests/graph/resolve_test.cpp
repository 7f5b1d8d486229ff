// Resolution: names and types of whole graphs, without a device.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "src/graph/resolve.hpp"
#include "tests/expect_error.hpp"

namespace millrace::graph {
namespace {

using Names = std::vector<std::string>;

ResolvedGraph resolve_formulas(const std::vector<DeclaredInput>& inputs, const std::vector<const char*>& formulas) {
  std::vector<Operation> operations;
  for (const char* formula : formulas) operations.emplace_back(Expression(formula));
  return resolve(inputs, operations, IntegerDivision::truncate);
}

const std::vector<DeclaredInput> kInputs = {{"positions", vector_of(Format::float32x3)},
                                            {"scale", scalar_of(Format::float32)},
                                            {"color", vector_of(Format::unorm8x4)}};

const ResolvedValue& value(const ResolvedGraph& graph, const std::string& name) {
  for (const ResolvedValue& candidate : graph.values) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range(name);
}

// A result's format and kind would have to be declared.
TEST(Resolve, InfersFormatsAndKinds) {
  const ResolvedGraph graph = resolve_formulas(
      kInputs, {"scaled = positions * scale", "lengths = length(scaled)", "is_far = lengths > 2", "k = scale * 2",
                "faded = color * scale", "packed: unorm8x4 = faded", "cells = vec2(i32(lengths), 1)"});
  const auto expect = [&](const char* name, Format format, bool is_vector) {
    EXPECT_EQ(format_name(value(graph, name).format), format_name(format)) << name;
    EXPECT_EQ(value(graph, name).is_vector, is_vector) << name;
  };
  expect("scaled", Format::float32x3, true);
  expect("lengths", Format::float32, true);
  expect("is_far", Format::uint32, true);
  expect("k", Format::float32, false);
  expect("faded", Format::float32x4, true);
  expect("packed", Format::unorm8x4, true);
  expect("cells", Format::sint32x2, true);
}

// Stages after this one would not know what an operation reads.
TEST(Resolve, ListsOperandsOnceInOrderOfAppearance) {
  const ResolvedGraph graph =
      resolve_formulas(kInputs, {"k = scale * pi", "r = k + positions.x * scale + positions.y * k + f32(row)"});
  Names names;
  for (const ValueIndex operand : graph.operations[1].operands) names.push_back(graph.value(operand).name);
  EXPECT_EQ(names, (Names{"k", "positions", "scale"}));
  EXPECT_EQ(graph.value(graph.operations[1].output).producer, OperationIndex{1});
}

// Equal formulas would be computed twice.
TEST(Resolve, GivesEqualFormulasOneNode) {
  const ResolvedGraph graph =
      resolve_formulas(kInputs, {"a = scale + 1", "b = scale + 1", "c = a", "d = scale + 2", "renamed = positions"});
  EXPECT_EQ(value(graph, "a").node, value(graph, "b").node);
  EXPECT_EQ(value(graph, "a").node, value(graph, "c").node);
  EXPECT_NE(value(graph, "a").node, value(graph, "d").node);
  EXPECT_EQ(value(graph, "renamed").node, value(graph, "positions").node);
}

// A user whose column is called `e` would get Euler's number, or would not learn that it does not.
TEST(Resolve, LetsDeclaredNamesHideBuiltinsAndReportsIt) {
  const ResolvedGraph graph =
      resolve_formulas({{"e", scalar_of(Format::float32)}}, {"a = e * pi", "row = a + 1", "b = row"});
  ASSERT_EQ(graph.hidden_builtins.size(), 2u);
  EXPECT_EQ(graph.hidden_builtins[0].name, "e");
  EXPECT_EQ(graph.hidden_builtins[0].operation, "a = e * pi");
  EXPECT_EQ(graph.hidden_builtins[1].name, "row");
  EXPECT_FALSE(value(graph, "b").is_vector);
}

// A name that nothing defines would be zeros, or the error would not say where it stands.
TEST(Resolve, RefusesNamesWithoutProducer) {
  expect_error<GraphError>(
      [] { (void)resolve_formulas(kInputs, {"r = positions * scael"}); }, ErrorCode::missing_producer, "scael",
      "Operation \"r = positions * scael\" reads \"scael\", which nothing before it defines; did you mean \"scale\"?");
  expect_error<GraphError>(
      [] { (void)resolve_formulas(kInputs, {"r = zzz"}); }, ErrorCode::missing_producer, "zzz",
      "Operation \"r = zzz\" reads \"zzz\", which nothing before it defines; there are \"positions\", \"scale\" and "
      "\"color\".");
}

// A consumer before its producer would read what an earlier run left there.
TEST(Resolve, RefusesConsumersBeforeProducers) {
  expect_error<GraphError>(
      [] {
        (void)resolve_formulas(kInputs, {"r = later", "later = scale"});
      },
      ErrorCode::missing_producer, "later",
      "Operation \"r = later\" reads \"later\", which nothing before it defines; there are "
      "\"positions\", \"scale\" and \"color\".");
  expect_error<GraphError>(
      [] { (void)resolve_formulas(kInputs, {"r = r + 1"}); }, ErrorCode::missing_producer, "r",
      "Operation \"r = r + 1\" reads \"r\", which nothing before it defines; there are \"positions\", \"scale\" and "
      "\"color\".");
}

// One of two values of a name would win by chance; a result would replace the caller's input.
TEST(Resolve, RefusesNamesInUse) {
  expect_error<GraphError>(
      [] { (void)resolve_formulas(kInputs, {"scale = positions * 2"}); }, ErrorCode::name_in_use, "scale",
      "Operation \"scale = positions * 2\" defines \"scale\", which is the name of an input already; "
      "each result needs a name of its own.");
  expect_error<GraphError>(
      [] {
        (void)resolve_formulas(kInputs, {"a = scale", "a = scale * 3"});
      },
      ErrorCode::name_in_use, "a",
      "Operation \"a = scale * 3\" defines \"a\", which is the name of an earlier result already; each "
      "result needs a name of its own.");
  // A terminal shows a formula on one line, and its beginning alone where it is long.
  const std::string long_formula = "scale =\v1\n+ 1" + std::string(200, ' ');
  expect_error<GraphError>(
      [&] { (void)resolve_formulas(kInputs, {long_formula.c_str()}); }, ErrorCode::name_in_use, "scale",
      "Operation \"scale = 1 + 1" + std::string(47, ' ') +
          "...\" defines \"scale\", which is the name of an input already; each result needs a name of its own.");
}

// Mistakes in declarations would come up only when a graph is compiled, far from their line.
TEST(AddInput, RefusesWrongDeclarations) {
  Graph graph;
  graph.add_input("x", vector_of(Format::float32));
  graph.add_input("k", scalar_of(Format::float32));
  expect_error<GraphError>([&] { graph.add_input("", vector_of(Format::float32)); }, ErrorCode::name_empty, "",
                           "An input needs a name; the one given is empty.");
  expect_error<GraphError>([&] { graph.add_input("x", scalar_of(Format::float32)); }, ErrorCode::name_in_use, "x",
                           "The graph has an input \"x\" already.");
  expect_error<GraphError>(
      [&] { graph.add_input("c", scalar_of(Format::unorm8x4)); }, ErrorCode::scalar_type_unsupported, "c",
      "Scalar input \"c\" is declared unorm8x4; a scalar is float32, sint32 or uint32 with one to four "
      "lanes.");
  expect_error<GraphError>(
      [&] {
        graph.add_input("y",
                        vector_of(Format::float32, {.length = 4, .chunk_lengths = std::vector<std::uint64_t>{1, 2}}));
      },
      ErrorCode::invalid_shape, "y", "Input \"y\" is declared with 4 rows, but its chunks have 3.");
  // 2^63 + 2^63 + 1, which 64 bits would hold as 1.
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  expect_error<GraphError>(
      [&] {
        graph.add_input("y", vector_of(Format::float32, {.length = 1, .chunk_lengths = {{kHalf, kHalf, 1}}}));
      },
      ErrorCode::invalid_shape, "y",
      "Input \"y\" is declared with 1 row, but its chunks have more than 18446744073709551615.");
  expect_error<GraphError>([&] { graph.add_input("y", vector_of(Format::float32, like("z"))); },
                           ErrorCode::missing_producer, "y",
                           "Input \"y\" is declared like \"z\", which is no vector declared before it.");
  expect_error<GraphError>([&] { graph.add_input("y", vector_of(Format::float32, like("k"))); },
                           ErrorCode::missing_producer, "y",
                           "Input \"y\" is declared like \"k\", which is no vector declared before it.");
  EXPECT_NO_THROW(graph.add_input("y", vector_of(Format::float32, like("x"))));
}

}  // namespace
}  // namespace millrace::graph
