// Graph documents: what they declare, and what is said to those that are wrong.
#include "tools/millrace/graph_document.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/data/temporary_folder.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {
namespace {

void refuse(const std::string& text, const std::string& message) {
  try {
    static_cast<void>(parse_graph_document(text, "g.yaml"));
    ADD_FAILURE() << "Nothing was thrown for:\n" << text;
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()), "g.yaml:" + message) << text;
  }
}

std::vector<std::string> texts_of(const std::vector<Expression>& expressions) {
  std::vector<std::string> texts;
  for (const Expression& expression : expressions) texts.push_back(expression.text());
  return texts;
}

constexpr const char* kGraph =
    "inputs:\n"
    "  distance: float32\n"
    "  where: {vector: float32x3, column: \"the position\"}\n"
    "  on: bool\n"
    "  scale: {scalar: float32, default: 2}\n"
    "  offset: {scalar: sint32x2}\n"
    "constants: {g: 9.81, up: [0, 0.5, 1], yes: true}\n"
    "operations:\n"
    "  - a = distance * scale\n"
    "  - \"b = a + g\"\n"
    "  - p: unorm8x4 = vec4(a)\n";

// A declaration would be lost, or mean another type, column or number than was written.
TEST(GraphDocument, DeclaresAGraph) {
  const GraphDocument document = parse_graph_document(kGraph, "g.yaml");
  EXPECT_EQ(document.outputs, (std::vector<std::string>{"b", "p"}));
  const Declarations graph = declarations_of(document, parse_assignments("--set", {"offset=3,4", "scale=0.5"}),
                                             parse_assignments("--bind", {"distance=miles"}), {});
  EXPECT_EQ(texts_of(graph.formulas),
            (std::vector<std::string>{"a = distance * scale", "b = a + g", "p: unorm8x4 = vec4(a)"}));
  EXPECT_EQ(graph.select, document.outputs);
  EXPECT_FALSE(graph.reads_any_column);
  ASSERT_EQ(graph.inputs.size(), 3U);
  EXPECT_EQ(graph.inputs[0].column, "miles");
  EXPECT_EQ(graph.inputs[0].wanted, (data::NumberType{data::ElementType::float32, 1}));
  EXPECT_EQ(graph.inputs[1].name, "where");
  EXPECT_EQ(graph.inputs[1].column, "the position");
  EXPECT_EQ(graph.inputs[1].wanted, (data::NumberType{data::ElementType::float32, 3}));
  EXPECT_EQ(graph.inputs[2].wanted, (data::NumberType{data::ElementType::boolean, 1}));
  ASSERT_EQ(graph.scalars.size(), 5U);
  EXPECT_EQ(graph.scalars[0].lanes, std::vector<ScalarLane>{0.5f});
  EXPECT_EQ(graph.scalars[1].lanes, (std::vector<ScalarLane>{3, 4}));
  EXPECT_EQ(graph.scalars[2].lanes, std::vector<ScalarLane>{9.81f});
  EXPECT_EQ(graph.scalars[3].lanes, (std::vector<ScalarLane>{0.0f, 0.5f, 1.0f}));
  EXPECT_EQ(graph.scalars[4].type.element, data::ElementType::boolean);
  EXPECT_EQ(declarations_of(document, parse_assignments("--set", {"offset=3,4"}), {}, {"a"}).scalars[0].lanes,
            std::vector<ScalarLane>{2.0f});
}

// A value would go to a name that nothing declares, or the graph run without one.
TEST(GraphDocument, ChecksWhatIsGiven) {
  const GraphDocument document = parse_graph_document(kGraph, "g.yaml");
  const auto refuse_values = [&](const std::vector<std::string>& set, const std::vector<std::string>& bind,
                                 const std::string& message) {
    try {
      static_cast<void>(
          declarations_of(document, parse_assignments("--set", set), parse_assignments("--bind", bind), {}));
      ADD_FAILURE() << message;
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()), message);
    }
  };
  refuse_values({}, {}, "g.yaml: The scalar \"offset\" has no default; give it a value with --set offset=VALUE.");
  refuse_values({"ofset=1,2"}, {},
                "--set ofset=1,2: g.yaml has no scalar \"ofset\"; did you mean \"offset\"? There are scale, offset.");
  refuse_values({"g=1"}, {}, "--set g=1: g.yaml has no scalar \"g\". There are scale, offset.");
  refuse_values({"offset=1"}, {}, "--set offset=1: There are 1 numbers, and sint32x2 has 2.");
  refuse_values({"offset=1,2.5"}, {}, "--set offset=1,2.5: 2.5 is no sint32 (-2147483648 to 2147483647).");
  refuse_values({"offset=1,2"}, {"scale=x"},
                "--bind scale=x: g.yaml has no vector input \"scale\". There are distance, where, on.");
}

// The user would look for the fault in the wrong place, or the document mean what nobody wrote.
TEST(GraphDocument, PointsAtFaults) {
  refuse("", "1:1: The document is empty; a graph has `inputs` and `operations`.");
  refuse("inputs: {a: [float32\n", "2:1: This is no YAML: end of sequence flow not found.");
  refuse("operations: [a = 1]\n---\noperations: [b = 1]\n",
         "3:1: A second document begins here; a file holds one graph.");
  refuse("- a = 1\n", "1:1: A graph document is a map, \"name: value\", but here is a list.");
  refuse("input: {a: float32}\n",
         "1:1: A graph document has no \"input\"; did you mean \"inputs\"? There are inputs, constants, operations, "
         "outputs.");
  refuse("inputs: {a: float32}\ninputs: {b: float32}\noperations: [c = a]\n",
         "2:1: \"inputs\" stands twice in A graph document.");
  refuse("inputs: {a: float32}\n", "1:1: The document has no `operations`, so there is nothing to compute.");
  refuse("operations: a = 1\n", "1:13: operations is a list of expressions, but here is a single value.");
  refuse("operations: []\n", "1:13: operations is a list of expressions, but here is an empty list.");
  refuse("inputs:\n  a: float32\n  a: float32\noperations: [b = a]\n", "3:3: \"a\" stands twice in inputs.");
  refuse("inputs: {a: float32}\nconstants: {a: 1}\noperations: [b = a]\n", "2:13: \"a\" is declared twice.");
  refuse("inputs: {a: float32}\noperations:\n  - b = a\n  - b = a + 1\n", "4:5: \"b\" is declared twice.");
  refuse(
      "inputs: {a: flot32}\noperations: [b = a]\n",
      "1:13: \"a\" has the format \"flot32\", which there is not; did you mean \"float32\"? There are bool, float32, "
      "float32x2, float32x3, float32x4, sint32, sint32x2, sint32x3, sint32x4, uint32, uint32x2, uint32x3, uint32x4.");
  refuse("inputs: {a: unorm8x4}\noperations: [b = a]\n",
         "1:13: \"a\" has the packed format \"unorm8x4\", which no column of a table has; the formats of columns are "
         "bool, float32, float32x2, float32x3, float32x4, sint32, sint32x2, sint32x3, sint32x4, uint32, uint32x2, "
         "uint32x3, uint32x4.");
  refuse("inputs: {a: {state: float32}}\noperations: [b = a]\n",
         "1:13: \"a\" is a state, which tables do not have; an input is a vector or a scalar.");
  refuse("inputs: {a: {vector: float32, colum: x}}\noperations: [b = a]\n",
         "1:31: The input \"a\" has no \"colum\"; did you mean \"column\"? There are vector, column.");
  refuse("inputs: {a: {column: x}}\noperations: [b = a]\n",
         "1:13: The input \"a\" is neither a vector nor a scalar: write \"vector: float32\" or \"scalar: float32\".");
  refuse("inputs: {a: [float32]}\noperations: [b = a]\n",
         "1:13: The format of \"a\" is a single value, but here is a list.");
  refuse("inputs: {a: {scalar: sint32, default: 1.5}}\noperations: [b = a]\n",
         "1:39: The default of \"a\" is \"1.5\": 1.5 is no sint32 (-2147483648 to 2147483647).");
  refuse("inputs: {a: {scalar: float32x2, default: [1, 2, 3]}}\noperations: [b = a]\n",
         "1:42: The default of \"a\" is \"1, 2, 3\": There are 3 numbers, and float32x2 has 2.");
  refuse("constants: {g: .inf}\noperations: [b = g]\n",
         "1:16: The constant \"g\" is \".inf\": \".inf\" is no number; a value is a number, true, false, or 2 to 4 "
         "numbers "
         "with commas between.");
  refuse("constants: {g: inf}\noperations: [b = g]\n",
         "1:16: The constant \"g\" is \"inf\", which is no finite number that a float32 holds.");
  refuse("constants: {g: 1e99}\noperations: [b = g]\n",
         "1:16: The constant \"g\" is \"1e99\", which is no finite number that a float32 holds.");
  refuse("operations:\n  - {reduce: mean, of: speed, output: m}\n",
         "2:6: There is no operation \"reduce\" in graphs over tables; an operation is an expression, \"name = "
         "expression\".");
  refuse("operations:\n  - {speed: 3}\n",
         "2:6: An operation is an expression, \"name = expression\"; \"speed\" is none.");
  refuse("operations:\n  - [a, b]\n", "2:5: An operation is an expression, \"name = expression\", but here is a list.");
  refuse("inputs: {a: float32}\noperations:\n  - b = a +\n",
         "3:5: The formula ends where a value is expected.\n  b = a +\n         ^");
  refuse(
      "inputs: {a: float32}\noperations:\n  - b = aa * 2\n",
      "3:5: Operation \"b = aa * 2\" reads \"aa\", which is no input, no constant and no result of another operation; "
      "did you mean \"a\"? There are a, b.");
  refuse("inputs: {a: float32}\noperations: [b = a]\noutputs: b\n",
         "3:10: outputs is a list of names, but here is a single value.");
  refuse("inputs: {a: float32}\noperations: [b = a]\noutputs: []\n",
         "3:10: outputs is an empty list; leave it out for the results that nothing reads.");
  refuse("inputs: {a: float32}\noperations: [b = a]\noutputs: [total]\n",
         "3:11: The output \"total\" is the result of no operation.");
  refuse("inputs: {a: float32}\noperations: [b = a]\noutputs: [a]\n",
         "3:11: The output \"a\" is no result of an operation, but an input or a constant.");
  refuse("inputs: {a: float32}\noperations: [b = a]\noutputs: [b, b]\n", "3:14: The output \"b\" stands twice.");
}

// A small document that refers to itself over and over would take all memory or end the program.
TEST(GraphDocument, SurvivesWhatIsHostile) {
  std::string bomb = "inputs:\n  a0: &a0 [x, x]\n";
  for (int level = 1; level < 40; ++level) {
    const std::string before = "*a" + std::to_string(level - 1);
    bomb += "  a" + std::to_string(level) + ": &a" + std::to_string(level) + " [" + before + ", " + before + "]\n";
  }
  refuse(bomb + "operations: [b = a0]\n", "2:7: The format of \"a0\" is a single value, but here is a list.");
  EXPECT_THROW(static_cast<void>(parse_graph_document(std::string(100000, '['), "g.yaml")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_graph_document("a: &a [*a]\n", "g.yaml")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_graph_document(std::string("a\0b", 3), "g.yaml")), UsageError);
}

// Editors would offer what the tool refuses, or mark what it takes.
TEST(GraphDocument, HasASchemaThatAgrees) {
  const nlohmann::json schema = nlohmann::json::parse(std::ifstream(MILLRACE_GRAPH_SCHEMA));
  std::string known;
  for (const auto& [key, value] : schema["properties"].items()) known += (known.empty() ? "" : ", ") + key;
  EXPECT_EQ(known, "constants, inputs, operations, outputs");
  const nlohmann::json& formats = schema["$defs"]["format"]["enum"];
  std::string names;
  for (const nlohmann::json& format : formats) {
    const std::string name = format.get<std::string>();
    names += (names.empty() ? "" : ", ") + name;
    const std::string number = name.ends_with("x2") ? "[1, 1]" : name.ends_with("x3") ? "[1, 1, 1]" : "[1, 1, 1, 1]";
    const std::string value = name == "bool" ? "true" : name.find('x') == std::string::npos ? "1" : number;
    const std::string text = "inputs: {a: " + name + ", b: {vector: " + name + ", column: c}, s: {scalar: " + name +
                             ", default: " + value + "}}\noperations: [r = 1]\noutputs: [r]\n";
    EXPECT_EQ(parse_graph_document(text, "g.yaml").columns.size(), 2U) << text;
  }
  refuse("inputs: {a: other}\noperations: [r = 1]\n",
         "1:13: \"a\" has the format \"other\", which there is not. There are " + names + ".");
  const auto keys = [&](int alternative) {
    std::string text;
    for (const auto& [key, value] : schema["$defs"]["input"]["anyOf"][alternative]["properties"].items()) {
      text += (text.empty() ? "" : ", ") + key;
    }
    return text;
  };
  EXPECT_EQ(keys(1), "column, vector");
  EXPECT_EQ(keys(2), "default, scalar");
}

// The user would be told of YAML where there is no file.
TEST(GraphDocument, IsReadFromAFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_graph_document(folder.write("g.yaml", kGraph)).file, folder.file("g.yaml"));
  folder.write("large.yaml", "# " + std::string(1 << 20, 'x'));
  EXPECT_THROW(static_cast<void>(read_graph_document(folder.file("large.yaml"))), UsageError);
}

}  // namespace
}  // namespace millrace::tool
