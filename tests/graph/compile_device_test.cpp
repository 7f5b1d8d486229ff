// Compilation on a device: selection, the report, what is refused, and that a graph stays usable.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/expect_error.hpp"
#include "tests/graph/on_device.hpp"

namespace millrace {
namespace {

using Floats = std::vector<float>;
using Names = std::vector<std::string>;

class Compile : public testing::Test {
 protected:
  Device& device = device_with(Caps::none);
};

// A user would get other results than selected, or pay for those that nobody asked for.
TEST_F(Compile, HandsOutWhatIsSelected) {
  const Graph graph = graph_of({{"x", vector_of(Format::float32)}}, {"a = x + 1", "b = a * 2", "c = a * 3"});
  const Vector x = device.upload(Format::float32, {1.0f});
  EXPECT_EQ(graph.compile(device).run({.inputs = {{"x", x}}}).names(), (Names{"b", "c"}));
  const Results selected = graph.compile(device, {.outputs = {"c", "a"}}).run({.inputs = {{"x", x}}});
  EXPECT_EQ(selected.names(), (Names{"c", "a"}));
  EXPECT_EQ(selected["c"].read<float>(), Floats{6});
  EXPECT_EQ(selected["a"].read<float>(), Floats{2});
  EXPECT_TRUE(graph.compile(device, {.outputs = Outputs::none()}).run().names().empty());
}

// P-09, P-22: nobody could tell which formulas became which kernels, and which were left out.
TEST_F(Compile, ReportsKernelsAndWhatItDropped) {
  const Graph graph = graph_of({{"x", vector_of(Format::float32)}, {"e", scalar_of(Format::float32)}},
                               {"a = x * e", "b = a * 2", "unused = x - 1"});
  const CompiledGraph fused = graph.compile(device, {.outputs = {"b"}});
  EXPECT_EQ(fused.report().text(),
            "kernel 1 of 1, 2 storage bindings:\n"
            "  a = x * e\n"
            "  b = a * 2\n"
            "dropped: unused = x - 1: No selected output needs \"unused\".\n"
            "\"e\" in a = x * e is the declared value, not the builtin of that name.\n"
            "\"x\" is a vector of float32: input\n"
            "\"e\" is a scalar of float32: input\n"
            "\"a\" is a vector of float32: fused\n"
            "\"b\" is a vector of float32: output\n"
            "\"unused\" is a vector of float32: dropped\n");
  const CompiledGraph apart = graph.compile(device, {.outputs = {"b"}, .fusion = false});
  ASSERT_EQ(apart.report().kernels.size(), 2u);
  EXPECT_EQ(apart.report().kernels[0].operations, Names{"a = x * e"});
  EXPECT_EQ(apart.report().kernels[1].operations, Names{"b = a * 2"});
}

// A graph, an operation or a formula that was moved from would end the user's process with a null pointer.
TEST_F(Compile, RefusesWhatWasMovedFrom) {
  Graph moved = graph_of({{"x", vector_of(Format::float32)}}, {"a = x + 1"});
  Graph graph = std::move(moved);
  const std::string_view message = "The graph was moved from; use the object that it was moved to.";
  const auto refuses = [&](const auto& call) { expect_error<BindingError>(call, ErrorCode::destroyed, "", message); };
  refuses([&] { moved.add_input("y", vector_of(Format::float32)); });
  refuses([&] { moved.add(Expression{"b = 1"}); });
  refuses([&] { moved.add({Expression{"b = 1"}, Expression{"c = 1"}}); });
  refuses([&] { (void)moved.compile(device); });
  refuses([&] { (void)Graph(moved); });
  moved = graph;
  EXPECT_EQ(moved.compile(device).report().kernels.size(), 1u);

  Operation operation = Expression{"b = a * 2"};
  graph.add(std::move(operation));
  const Operation copy = operation;
  for (const Operation& gone : {operation, copy}) {
    expect_error<BindingError>([&] { graph.add(gone); }, ErrorCode::destroyed, "",
                               "The operation was moved from; add a copy where one is added twice.");
  }
  Expression expression("c = b * 2");
  graph.add(std::move(expression));
  EXPECT_EQ(expression.output(), "c");
  EXPECT_EQ(graph.compile(device).report().kernels.size(), 1u);
}

// A typing mistake in one formula would leave a graph that can no longer be compiled.
TEST_F(Compile, LeavesTheGraphUsableAfterAnError) {
  Graph graph = graph_of({{"x", vector_of(Format::float32)}}, {"twice = x * 2"});
  Graph misspelled = graph;
  misspelled.add(Expression{"more = twise + 1"});
  for (int attempt = 0; attempt < 2; ++attempt) {
    expect_error<GraphError>(
        [&] { (void)misspelled.compile(device); }, ErrorCode::missing_producer, "twise",
        "Operation \"more = twise + 1\" reads \"twise\", which nothing before it defines; did you mean "
        "\"twice\"?");
  }
  expect_error<GraphError>([&] { (void)graph.compile(device, {.outputs = {"thrice"}}); }, ErrorCode::unknown_output,
                           "thrice", "No operation defines the output \"thrice\"; did you mean \"twice\"?");
  const Vector x = device.upload(Format::float32, {1.0f});
  EXPECT_EQ(graph.compile(device).run({.inputs = {{"x", x}}}).take("twice").read<float>(), Floats{2});
}

// A compiled graph would change with the graph that it was made from.
TEST_F(Compile, WorksOnASnapshot) {
  Graph graph = graph_of({{"x", vector_of(Format::float32)}}, {"a = x + 1"});
  const CompiledGraph before = graph.compile(device);
  graph.add(Expression{"b = a + 1"});
  const CompiledGraph after = graph.compile(device);
  const Vector x = device.upload(Format::float32, {1.0f});
  EXPECT_EQ(before.run({.inputs = {{"x", x}}}).names(), Names{"a"});
  EXPECT_EQ(after.run({.inputs = {{"x", x}}}).take("b").read<float>(), Floats{3});
}

// A user of integer columns would get truncated quotients without having asked.
TEST_F(Compile, RefusesIntegerDivisionWhereAsked) {
  const Graph graph = graph_of({{"a", vector_of(Format::sint32)}, {"b", vector_of(Format::sint32)}}, {"q = a / b"});
  EXPECT_NO_THROW((void)graph.compile(device));
  try {
    (void)graph.compile(device, {.integer_division = IntegerDivision::refuse});
    ADD_FAILURE() << "the division was taken";
  } catch (const ExpressionError& error) {
    EXPECT_EQ(to_string(error.code()), "integer_division_refused");
  }
}

// More scalars than a uniform binding holds would be cut off.
TEST_F(Compile, RefusesMoreScalarsThanABindingHolds) {
  const std::uint64_t limit = device.capabilities().uniform_binding_byte_size;
  const std::uint64_t fitting = (limit / 4 - 2) / 4;  // float32x4 each, behind two words of our own
  if (fitting > 100'000) return;                      // a device without a limit that matters
  Graph graph;
  for (std::uint64_t index = 0; index <= fitting; ++index) {
    graph.add_input("s" + std::to_string(index), scalar_of(Format::float32x4));
  }
  graph.add(Expression{"sum = s0 + s" + std::to_string(fitting - 1)});
  const std::string name = "s" + std::to_string(fitting);
  expect_error<DeviceError>([&] { (void)graph.compile(device); }, ErrorCode::too_many_scalars, name,
                            "Scalar input \"" + name +
                                "\" does not fit: the scalars of a graph share one uniform binding, "
                                "which this device limits to " +
                                std::to_string(limit) + " bytes.");
}

// D-12: pipelines, layouts or buffers would pile up until the device is full.
TEST_F(Compile, LeavesNothingBehind) {
  const Graph graph = graph_of({{"x", vector_of(Format::float32)}, {"k", scalar_of(Format::float32)}},
                               {"a = x * k", "b = a + 1", "c = k * 2"});
  const Vector x = device.upload(Format::float32, {1.0f, 2.0f});
  const auto once = [&](float k) {
    const Results results =
        graph.compile(device, {.outputs = {"b", "c"}, .fusion = false}).run({.inputs = {{"x", x}, {"k", k}}});
    return results["b"].read<float>();
  };
  (void)once(1);
  device.wait();
  device.trim();
  const DeviceStats before = device.stats();
  for (int round = 0; round < 1000; ++round) {
    const auto k = static_cast<float>(round);
    ASSERT_EQ(once(k), (Floats{k + 1, 2 * k + 1}));
  }
  device.wait();
  device.trim();
  const DeviceStats after = device.stats();
  EXPECT_EQ(after.live_objects, before.live_objects);
  EXPECT_EQ(after.live_bytes, before.live_bytes);
  EXPECT_EQ(after.cached_bytes, before.cached_bytes);
}

}  // namespace
}  // namespace millrace
