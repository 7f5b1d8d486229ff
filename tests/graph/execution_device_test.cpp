// Prepared executions and results: what can be done with them, in which order, and what is refused.
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/expect_error.hpp"
#include "tests/graph/on_device.hpp"

namespace millrace {
namespace {

using Floats = std::vector<float>;

constexpr const char* kGraphDestroyed = "The compiled graph was destroyed; it prepares and encodes nothing more.";
constexpr const char* kEncodedBefore =
    "The prepared execution was encoded before; each can be encoded once, so prepare another one.";
constexpr const char* kExecutionDestroyed = "The prepared execution was destroyed; prepare another one.";

class Execution : public testing::Test {
 protected:
  Device& device = device_with(Caps::none);
  Graph graph = graph_of({{"x", vector_of(Format::float32)}, {"k", scalar_of(Format::float32)}}, {"y = x * k"});
  CompiledGraph compiled = graph.compile(device);
  Vector x = device.upload(Format::float32, {1.0f, 2.0f, 3.0f});

  PreparedExecution prepare(float k) { return compiled.prepare({.inputs = {{"x", x}, {"k", k}}}); }
  void submit(CommandEncoder& encoder) { device.submit(encoder.finish()); }
};

// An application could not put a graph between its own commands.
TEST_F(Execution, EncodesIntoTheCallersEncoder) {
  PreparedExecution execution = prepare(2);
  EXPECT_EQ(execution.outputs().names(), std::vector<std::string>{"y"});
  EXPECT_EQ(execution.outputs()["y"].row_count(), 3u);
  CommandEncoder encoder = device.create_command_encoder();
  execution.encode(encoder);
  submit(encoder);
  execution.destroy();
  EXPECT_EQ(execution.outputs()["y"].read<float>(), (Floats{2, 4, 6}));
}

// The second of two executions in one submission would overwrite the scalars of the first.
TEST_F(Execution, KeepsItsScalarsBesideAnotherInOneSubmission) {
  PreparedExecution first = prepare(10), second = prepare(100);
  CommandEncoder encoder = device.create_command_encoder();
  first.encode(encoder);
  second.encode(encoder);
  submit(encoder);
  EXPECT_EQ(first.outputs()["y"].read<float>(), (Floats{10, 20, 30}));
  EXPECT_EQ(second.outputs()["y"].read<float>(), (Floats{100, 200, 300}));
}

// A graph's outputs could be bound to the next graph only after a round trip over the host.
TEST_F(Execution, BindsOutputsToAnotherGraphBeforeSubmission) {
  PreparedExecution first = prepare(2);
  PreparedExecution second = compiled.prepare({.inputs = {{"x", first.outputs()["y"]}, {"k", 5}}});
  CommandEncoder encoder = device.create_command_encoder();
  first.encode(encoder);
  second.encode(encoder);
  submit(encoder);
  EXPECT_EQ(second.outputs()["y"].read<float>(), (Floats{10, 20, 30}));
}

// P-20: work would be done twice on outputs that exist once.
TEST_F(Execution, EncodesOnce) {
  PreparedExecution execution = prepare(2);
  CommandEncoder encoder = device.create_command_encoder();
  execution.encode(encoder);
  expect_error<GraphError>([&] { execution.encode(encoder); }, ErrorCode::already_encoded, "", kEncodedBefore);
  submit(encoder);
  EXPECT_EQ(execution.outputs()["y"].read<float>(), (Floats{2, 4, 6}));
}

// An encoder that holds half of an invocation would be tried again.
TEST_F(Execution, EncodesNotAgainAfterAFailedAttempt) {
  Device other = Device::open();
  CommandEncoder foreign = other.create_command_encoder();
  PreparedExecution execution = prepare(2);
  expect_error<BindingError>([&] { execution.encode(foreign); }, ErrorCode::foreign_device, "",
                             "The encoder belongs to another device than the graph was compiled for.");
  CommandEncoder encoder = device.create_command_encoder();
  expect_error<GraphError>([&] { execution.encode(encoder); }, ErrorCode::already_encoded, "", kEncodedBefore);
}

// Commands would go into a recording that was ended.
TEST_F(Execution, RefusesFinishedEncoders) {
  CommandEncoder encoder = device.create_command_encoder();
  device.submit(encoder.finish());
  PreparedExecution execution = prepare(2);
  expect_error<BindingError>([&] { execution.encode(encoder); }, ErrorCode::destroyed, "",
                             "The command encoder was finished or moved from; create a new one.");
}

// Commands would reach bind groups that were released.
TEST_F(Execution, EncodesNotAfterDestroy) {
  PreparedExecution execution = prepare(2);
  execution.destroy();
  execution.destroy();
  CommandEncoder encoder = device.create_command_encoder();
  expect_error<BindingError>([&] { execution.encode(encoder); }, ErrorCode::destroyed, "", kExecutionDestroyed);
  EXPECT_EQ(execution.outputs()["y"].row_count(), 3u);
}

// An execution that was moved would be used through the object it left.
TEST_F(Execution, MovesAndLeavesNothingBehind) {
  PreparedExecution execution = prepare(2);
  PreparedExecution moved = std::move(execution);
  CommandEncoder encoder = device.create_command_encoder();
  expect_error<BindingError>([&] { execution.encode(encoder); }, ErrorCode::destroyed, "", kExecutionDestroyed);
  expect_error<BindingError>([&] { (void)execution.outputs(); }, ErrorCode::destroyed, "",
                             "The prepared execution was moved from.");
  execution.destroy();
  moved.encode(encoder);
  submit(encoder);
  EXPECT_EQ(moved.outputs()["y"].read<float>(), (Floats{2, 4, 6}));
}

// Scratch of executions given up before encoding would stay for good.
TEST_F(Execution, GivesUpWithoutEncoding) {
  const DeviceStats before = device.stats();
  {
    PreparedExecution execution = prepare(2);
    EXPECT_GT(device.stats().live_bytes, before.live_bytes);
  }
  EXPECT_EQ(device.stats().live_bytes, before.live_bytes);
  EXPECT_EQ(device.stats().live_objects, before.live_objects);
}

// A destroyed graph would go on, or take its results with it.
TEST_F(Execution, StopsWithItsGraphAndLeavesResults) {
  const Results results = compiled.run({.inputs = {{"x", x}, {"k", 3}}});
  PreparedExecution execution = prepare(2);
  compiled.destroy();
  compiled.destroy();
  CommandEncoder encoder = device.create_command_encoder();
  expect_error<BindingError>([&] { execution.encode(encoder); }, ErrorCode::destroyed, "", kGraphDestroyed);
  expect_error<BindingError>([&] { (void)prepare(2); }, ErrorCode::destroyed, "", kGraphDestroyed);
  expect_error<BindingError>(
      [&] {
        (void)compiled.run({.inputs = {{"x", x}, {"k", 3}}});
      },
      ErrorCode::destroyed, "", kGraphDestroyed);
  EXPECT_EQ(results["y"].read<float>(), (Floats{3, 6, 9}));
  EXPECT_EQ(compiled.report().kernels.size(), 1u);
}

// A graph that goes out of scope would leave its executions with pipelines that are gone.
TEST_F(Execution, StopsWhereItsGraphWentOutOfScope) {
  std::optional<CompiledGraph> short_lived = graph.compile(device);
  PreparedExecution execution = short_lived->prepare({.inputs = {{"x", x}, {"k", 2}}});
  short_lived.reset();
  CommandEncoder encoder = device.create_command_encoder();
  expect_error<BindingError>([&] { execution.encode(encoder); }, ErrorCode::destroyed, "", kGraphDestroyed);
}

// Results that were moved would be searched in the object they left, and a name in them be called unknown.
TEST_F(Execution, RefusesMovedResults) {
  Results results = compiled.run({.inputs = {{"x", x}, {"k", 3}}});
  const Results moved = std::move(results);
  constexpr const char* kMoved = "The results were moved from; use the object that they were moved to.";
  expect_error<BindingError>([&] { (void)results["y"]; }, ErrorCode::destroyed, "", kMoved);
  expect_error<BindingError>([&] { (void)results.take("y"); }, ErrorCode::destroyed, "", kMoved);
  expect_error<BindingError>([&] { (void)results.names(); }, ErrorCode::destroyed, "", kMoved);
  EXPECT_EQ(moved["y"].read<float>(), (Floats{3, 6, 9}));
}

// A compiled graph that was moved would be used through the object it left.
TEST_F(Execution, MovesGraphs) {
  CompiledGraph moved = std::move(compiled);
  expect_error<BindingError>([&] { (void)compiled.run(); }, ErrorCode::destroyed, "",
                             "The compiled graph was moved from.");
  expect_error<BindingError>([&] { (void)compiled.report(); }, ErrorCode::destroyed, "",
                             "The compiled graph was moved from.");
  compiled.destroy();
  compiled = std::move(moved);
  EXPECT_EQ(compiled.run({.inputs = {{"x", x}, {"k", 2}}}).take("y").read<float>(), (Floats{2, 4, 6}));
}

// Rows destroyed after prepare would be read by commands that are encoded later.
TEST_F(Execution, RefusesInputsDestroyedSincePrepare) {
  PreparedExecution execution = prepare(2);
  x.destroy();
  CommandEncoder encoder = device.create_command_encoder();
  expect_error<BindingError>(
      [&] { execution.encode(encoder); }, ErrorCode::destroyed, "x",
      "Input \"x\" looks at a vector that was destroyed; keep a vector for as long as its views are used.");
}

// A result would be given away twice, or be lost to views when it is taken.
TEST_F(Execution, GivesEachResultAwayOnce) {
  Results results = compiled.run({.inputs = {{"x", x}, {"k", 2}}});
  const VectorView view = results["y"];
  const Vector y = results.take("y");
  EXPECT_EQ(y.read<float>(), (Floats{2, 4, 6}));
  EXPECT_EQ(view.read<float>(), (Floats{2, 4, 6}));
  expect_error<GraphError>([&] { (void)results.take("y"); }, ErrorCode::not_owned, "y",
                           "The result \"y\" was taken; what took it owns it now.");
  EXPECT_EQ(results.names(), std::vector<std::string>{"y"});
}

// A misspelled result would be an empty vector.
TEST_F(Execution, RefusesUnknownResults) {
  const Graph two = graph_of({{"x", vector_of(Format::float32)}}, {"first = x + 1", "second = x + 2"});
  Results results = two.compile(device).run({.inputs = {{"x", x}}});
  EXPECT_EQ(results.names(), (std::vector<std::string>{"first", "second"}));
  expect_error<GraphError>([&] { (void)results["frist"]; }, ErrorCode::no_such_result, "frist",
                           "The run has no result \"frist\"; did you mean \"first\"?");
  expect_error<GraphError>([&] { (void)results.take("zzz"); }, ErrorCode::no_such_result, "zzz",
                           "The run has no result \"zzz\"; there are \"first\" and \"second\".");
}

// Results would die with the device object, the graph or the execution that made them.
TEST_F(Execution, LeavesResultsThatOutliveEverything) {
  const Vector y = [] {
    Device own = Device::open();
    const Vector rows = own.upload(Format::float32, {1.0f, 2.0f});
    return graph_of({{"x", vector_of(Format::float32)}}, {"y = x + 1"})
        .compile(own)
        .run({.inputs = {{"x", rows}}})
        .take("y");
  }();
  EXPECT_EQ(y.read<float>(), (Floats{2, 3}));
}

}  // namespace
}  // namespace millrace
