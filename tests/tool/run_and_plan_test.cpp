// Graph documents, run and planned by the tool.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/tool/tool_run.hpp"

namespace millrace::tool {
namespace {

using ::testing::HasSubstr;

class GraphCommand : public ::testing::Test {
 protected:
  GraphCommand() {
    folder_.write("g.yaml",
                  "inputs:\n"
                  "  distance: float32\n"
                  "  minutes: float32\n"
                  "  limit: {scalar: float32, default: 10}\n"
                  "operations:\n"
                  "  - hours = minutes / 60\n"
                  "  - speed = distance / hours\n"
                  "  - fast = speed > limit\n"
                  "  - unused = distance * 2\n"
                  "outputs: [speed, fast]\n");
    folder_.write("t.csv", "distance,air time\n5,30\n6,NA\n20,60\n");
  }

  TemporaryFolder folder_;
};

// A document would compute something else than the same formulas on the command line.
TEST_F(GraphCommand, RunsOverATable) {
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"run", "g.yaml", "--input", "t.csv", "--bind", "minutes=air time", "--output", "-", "--quiet"});
    const Ended ended = run_tool(folder_, arguments);
    EXPECT_EQ(ended.exit_code, 0) << ended.errors;
    return ended.output;
  };
  EXPECT_EQ(run({}), "speed,fast\n10,false\n,\n20,true\n");
  EXPECT_EQ(run({"--set", "limit=9.5", "--select", "fast"}), "fast\ntrue\n\"\"\ntrue\n");
  EXPECT_EQ(run({"--where", "fast", "--keep-columns", "distance"}), "distance,speed,fast\n20,20,true\n");
  EXPECT_EQ(run({"--nulls", "drop"}), "speed,fast\n10,false\n20,true\n");
}

// The user would not find the fault, or a script take a failure for a success.
TEST_F(GraphCommand, RefusesWhatDoesNotFit) {
  expect_refusal(
      folder_, {"run", "g.yaml", "--input", "t.csv"}, 2,
      "\"minutes\" is to be the column \"minutes\", which t.csv does not have. The columns are distance, air "
      "time.");
  expect_refusal(folder_, {"run", "none.yaml", "--input", "t.csv"}, 1, "There is no file \"none.yaml\".");
  expect_refusal(folder_, {"run", ".", "--input", "t.csv"}, 1, "\".\" is a folder; give a file.");
  expect_refusal(folder_, {"run", "--input", "t.csv"}, 2,
                 "run needs a graph document, as in `millrace run speed.yaml`.");
  expect_refusal(folder_, {"run", "g.yaml"}, 2,
                 "run needs a file to read: --input FILE, or --input - for standard input.");
  folder_.write("lanes.yaml", "inputs: {distance: float32}\noperations:\n  - a = 1\n  - b = distance.xy\n");
  const std::string fault =
      "lanes.yaml:4:5: \".xy\" asks for lane \"y\", but \"distance\" has 1 lane: distance.x.\n"
      "  b = distance.xy\n"
      "              ^";
  expect_refusal(folder_, {"run", "lanes.yaml", "--input", "t.csv"}, 2, fault);
  expect_refusal(folder_, {"plan", "lanes.yaml"}, 2, fault);
  folder_.write("packed.yaml", "inputs: {distance: float32}\noperations: ['a: unorm8x4 = vec4(distance)']\n");
  expect_refusal(
      folder_, {"run", "packed.yaml", "--input", "t.csv"}, 2,
      "The result \"a\" has the packed format unorm8x4, and a table has columns of numbers; leave the format "
      "out of its formula.");
  folder_.write("circle.yaml", "operations: [a = b, b = a]\noutputs: [a]\n");
  expect_refusal(folder_, {"plan", "circle.yaml"}, 2,
                 "Formula \"b = a\" reads \"a\", and \"a = b\" reads \"b\" in turn, itself or through others; formulas "
                 "cannot read each other in a circle.");
}

// Nobody could see what is fused and dropped, or the drawing would be none.
TEST_F(GraphCommand, IsPlannedWithoutATable) {
  const Ended text = run_tool(folder_, {"plan", "g.yaml"});
  EXPECT_EQ(text.exit_code, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("kernel 1 of 1, 4 storage bindings:\n"
                                     "  hours = minutes / 60\n"
                                     "  speed = distance / hours\n"
                                     "  fast = speed > limit\n"
                                     "dropped: unused = distance * 2: "));
  EXPECT_THAT(text.output, HasSubstr("\"hours\" is a vector of float32: fused\n"));
  const Ended dot = run_tool(folder_, {"plan", "g.yaml", "--dot", "-", "--select", "speed"});
  EXPECT_TRUE(dot.output.starts_with("digraph plan {\n")) << dot.output;
  EXPECT_THAT(dot.output, HasSubstr("label=\"hours = minutes / 60\\lspeed = distance / hours\\l\"];\n"));
  EXPECT_THAT(dot.output, HasSubstr(" -> k0;\n"));
  const Ended file = run_tool(folder_, {"plan", "g.yaml", "--dot", "g.dot", "--select", "speed"});
  EXPECT_EQ(folder_.read("g.dot"), dot.output);
  EXPECT_TRUE(file.output.starts_with("kernel 1 of 1")) << file.output;
  expect_refusal(folder_, {"plan", "g.yaml", "--dot", "none/g.dot"}, 1,
                 "none/g.dot: The file cannot be written: No such file or directory.");
}

// A program that reads the plan would find no JSON, or kernels that do not name their values.
TEST_F(GraphCommand, IsPlannedAsJson) {
  const Ended ended = run_tool(folder_, {"plan", "g.yaml", "--json"});
  const nlohmann::json plan = nlohmann::json::parse(ended.output);
  ASSERT_EQ(plan["kernels"].size(), 1U);
  EXPECT_EQ(plan["kernels"][0]["writes"], nlohmann::json({"speed", "fast"}));
  EXPECT_EQ(plan["dropped"][0]["operation"], "unused = distance * 2");
  for (const nlohmann::json& value : plan["values"]) {
    if (value["name"] == "hours") {
      EXPECT_EQ(value["role"], "fused");
      EXPECT_EQ(value["operation"], "hours = minutes / 60");
      EXPECT_EQ(value["kernels"], nlohmann::json({0}));
    }
  }
}

}  // namespace
}  // namespace millrace::tool
