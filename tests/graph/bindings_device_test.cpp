// What a run refuses to be given, by name.
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/expect_error.hpp"
#include "tests/graph/on_device.hpp"

namespace millrace {
namespace {

// positions (float32x3), scale (float32), offset (float32x2) and count (uint32), all of them read.
class Binding : public testing::Test {
 protected:
  Device& device = device_with(Caps::none);
  CompiledGraph compiled = graph_of({{"positions", vector_of(Format::float32x3)},
                                     {"scale", scalar_of(Format::float32)},
                                     {"offset", scalar_of(Format::float32x2)},
                                     {"count", scalar_of(Format::uint32)}},
                                    {"r = positions * scale + offset.x + f32(count)"})
                               .compile(device);
  Vector positions = device.upload(Format::float32x3, {1.0f, 2.0f, 3.0f});
  static constexpr std::array<float, 2> kOffset{1, 2};

  Bindings right() { return {.inputs = {{"positions", positions}, {"scale", 2}, {"offset", kOffset}, {"count", 1}}}; }

  void expect_refused(ErrorCode code, const char* subject, const char* message, const Bindings& bindings) {
    expect_error<BindingError>([&] { (void)compiled.run(bindings); }, code, subject, message);
    // What was refused leaves the graph as it was.
    EXPECT_EQ(compiled.run(right()).take("r").read<float>(), (std::vector<float>{4, 6, 8}));
  }
};

// A forgotten input would be zeros.
TEST_F(Binding, RefusesMissingInputs) {
  expect_refused(ErrorCode::missing_binding, "scale", "Input \"scale\" is not bound, and the graph's results need it.",
                 {.inputs = {{"positions", positions}, {"offset", kOffset}, {"count", 1}}});
  expect_refused(ErrorCode::missing_binding, "positions",
                 "Input \"positions\" is not bound, and the graph's results need it.", {});
}

// An input that no result needs would be demanded all the same.
TEST_F(Binding, AsksOnlyForInputsThatResultsNeed) {
  const Graph graph = graph_of(
      {{"x", vector_of(Format::float32)}, {"y", vector_of(Format::float32)}, {"k", scalar_of(Format::float32)}},
      {"a = x + 1", "b = y * k"});
  const Vector x = device.upload(Format::float32, {1.0f});
  EXPECT_EQ(graph.compile(device, {.outputs = {"a"}}).run({.inputs = {{"x", x}}}).take("a").read<float>(),
            std::vector<float>{2});
}

// A misspelled name would be ignored.
TEST_F(Binding, RefusesUnknownNames) {
  Bindings bindings = right();
  bindings.inputs.set("postions", positions);
  expect_refused(ErrorCode::unknown_binding, "postions",
                 "The graph has no input \"postions\"; did you mean \"positions\"?", bindings);
  bindings = right();
  bindings.inputs.set("zzz", 1);
  expect_refused(ErrorCode::unknown_binding, "zzz",
                 "The graph has no input \"zzz\"; there are \"positions\", \"scale\", \"offset\" and \"count\".",
                 bindings);
  expect_error<BindingError>(
      [&] {
        (void)Graph().compile(device).run({.inputs = {{"x", 1}}});
      },
      ErrorCode::unknown_binding, "x", "The graph has no input \"x\".");
}

// One of two values for a name would win by chance.
TEST_F(Binding, RefusesANameTwice) {
  expect_refused(ErrorCode::duplicate_binding, "scale", "Input \"scale\" is bound twice.",
                 {.inputs = {{"positions", positions}, {"scale", 2}, {"scale", 3}, {"offset", kOffset}, {"count", 1}}});
}

// A number would be taken for a vector of one row, or the other way round.
TEST_F(Binding, RefusesValuesOfTheOtherKind) {
  Bindings bindings = right();
  bindings.inputs.set("positions", 1.0f);
  expect_refused(ErrorCode::binding_kind_mismatch, "positions",
                 "Input \"positions\" is a vector and was given a number.", bindings);
  bindings = right();
  bindings.inputs.set("scale", positions);
  expect_refused(ErrorCode::binding_kind_mismatch, "scale", "Input \"scale\" is a scalar and was given a vector.",
                 bindings);
}

// Rows of another format would be read as if they were of the declared one.
TEST_F(Binding, RefusesVectorsOfAnotherFormat) {
  const Vector packed = device.upload(Format::float32, {1.0f, 2.0f, 3.0f});
  Bindings bindings = right();
  bindings.inputs.set("positions", packed);
  expect_refused(ErrorCode::binding_format_mismatch, "positions",
                 "Input \"positions\" is declared float32x3 and was given a vector of float32.", bindings);
}

// Lanes that are missing would be zeros, and those too many dropped.
TEST_F(Binding, RefusesScalarsOfAnotherWidth) {
  Bindings bindings = right();
  bindings.inputs.set("offset", std::array{1.0f, 2.0f, 3.0f});
  expect_refused(ErrorCode::lane_count_mismatch, "offset",
                 "Input \"offset\" is a float32x2 scalar, which has 2 lanes, and was given 3.", bindings);
  bindings.inputs.set("offset", 1.0f);
  expect_refused(ErrorCode::lane_count_mismatch, "offset",
                 "Input \"offset\" is a float32x2 scalar, which has 2 lanes, and was given 1.", bindings);
  bindings = right();
  bindings.inputs.set("scale", kOffset);
  expect_refused(ErrorCode::lane_count_mismatch, "scale",
                 "Input \"scale\" is a float32 scalar, which has 1 lane, and was given 2.", bindings);
}

// A number that its scalar does not hold would be rounded or wrapped in silence.
TEST_F(Binding, RefusesNumbersOutOfRange) {
  Bindings bindings = right();
  bindings.inputs.set("count", -1);
  expect_refused(ErrorCode::number_out_of_range, "count",
                 "Input \"count\" is a uint32 scalar and was given -1; uint32 holds 0 to 4294967295.", bindings);
  bindings = right();
  bindings.inputs.set("offset", std::array{0, 16777217});
  expect_refused(
      ErrorCode::number_out_of_range, "offset",
      "Input \"offset\" is a float32x2 scalar and was given 16777217; float32 does not hold this integer exactly, "
      "so convert it first.",
      bindings);
}

// Rows of a vector that is gone would be read from whatever lies there now.
TEST_F(Binding, RefusesViewsOfDestroyedVectors) {
  std::optional<Vector> gone = device.upload(Format::float32x3, {1.0f, 2.0f, 3.0f});
  Bindings bindings = right();
  bindings.inputs.set("positions", *gone);
  gone.reset();
  expect_refused(
      ErrorCode::destroyed, "positions",
      "Input \"positions\" looks at a vector that was destroyed; keep a vector for as long as its views are used.",
      bindings);
}

// D-06: a buffer of another device would abort the process.
TEST_F(Binding, RefusesVectorsOfAnotherDevice) {
  Device other = Device::open();
  const Vector foreign = other.upload(Format::float32x3, {1.0f, 2.0f, 3.0f});
  Bindings bindings = right();
  bindings.inputs.set("positions", foreign);
  expect_refused(ErrorCode::foreign_device, "positions",
                 "Input \"positions\" was given a vector of another device than the graph was compiled for.", bindings);
}

// Operands of unequal lengths would be padded or cut.
TEST_F(Binding, RefusesUnequalRowCounts) {
  const CompiledGraph sum =
      graph_of({{"a", vector_of(Format::float32)}, {"b", vector_of(Format::float32)}}, {"sum = a + b"}).compile(device);
  const Vector a = device.upload(Format::float32, ramp(3)), b = device.upload(Format::float32, ramp(2));
  for (int attempt = 0; attempt < 2; ++attempt) {  // a failed shape must not be remembered as a good one
    expect_error<BindingError>(
        [&] {
          (void)sum.run({.inputs = {{"a", a}, {"b", b}}});
        },
        ErrorCode::row_count_mismatch, "b",
        "Input \"b\" has 2 rows but input \"a\" has 3; element-wise operands need equal row counts.");
  }
}

// A declared shape would promise what no run is held to, in the view's rows too.
TEST_F(Binding, RefusesShapesOtherThanDeclared) {
  Graph graph;
  graph.add_input("a", vector_of(Format::float32, {.length = 3}));
  graph.add_input("b", vector_of(Format::float32, like("a")));
  graph.add(Expression{"sum = a + b"});
  const CompiledGraph sum = graph.compile(device);
  const Vector x = device.upload(Format::float32, ramp(4));
  expect_error<BindingError>(
      [&] {
        (void)sum.run({.inputs = {{"a", x}, {"b", x}}});
      },
      ErrorCode::shape_mismatch, "a", "Input \"a\" was given 4 rows, and is declared with 3 rows.");
  const VectorView cut = VectorView::join({x.rows({0, 1}), x.rows({1, 2})});
  expect_error<BindingError>(
      [&] {
        (void)sum.run({.inputs = {{"a", x.rows({0, 3})}, {"b", cut}}});
      },
      ErrorCode::shape_mismatch, "b",
      "Input \"b\" was given chunks of [1, 2] rows, and is declared with the shape of \"a\", chunks of [3] rows.");
  EXPECT_EQ(sum.run({.inputs = {{"a", x.rows({0, 3})}, {"b", x.rows({1, 3})}}}).take("sum").read<float>(),
            (std::vector<float>{1, 3, 5}));
}

// One vector as two inputs would be refused, although nothing writes it.
TEST_F(Binding, TakesOneVectorUnderTwoNames) {
  const CompiledGraph sum =
      graph_of({{"a", vector_of(Format::float32)}, {"b", vector_of(Format::float32)}}, {"sum = a + b"}).compile(device);
  const Vector x = device.upload(Format::float32, ramp(4));
  EXPECT_EQ(sum.run({.inputs = {{"a", x.rows({0, 3})}, {"b", x.rows({1, 3})}}}).take("sum").read<float>(),
            (std::vector<float>{1, 3, 5}));
}

}  // namespace
}  // namespace millrace
