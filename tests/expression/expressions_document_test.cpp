// The tables of docs/expressions.md are what the function table and the device say, to the letter. Refresh them with
// MILLRACE_REFRESH_GOLDENS=1 and read the diff.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/expression/declared_names.hpp"
#include "tests/expression/function_docs.hpp"
#include "tests/expression/run_kernel.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace::expression {
namespace {

struct ExampleValue {
  const char* name;
  Format format;
  std::vector<std::uint32_t> words;
};

std::vector<std::uint32_t> bits_of(std::initializer_list<float> lanes) {
  std::vector<std::uint32_t> words;
  for (const float lane : lanes) words.push_back(std::bit_cast<std::uint32_t>(lane));
  return words;
}

const std::vector<ExampleValue>& example_values() {
  static const std::vector<ExampleValue> kValues = {
      {"x", Format::float32, bits_of({2.5f})},
      {"y", Format::float32, bits_of({-0.75f})},
      {"p", Format::float32x3, bits_of({3, 4, 12})},
      {"q", Format::float32x3, bits_of({1, -2, 2})},
      {"c", Format::float32x4, bits_of({0.2f, 0.4f, 0.6f, 1})},
      {"i", Format::sint32, {static_cast<std::uint32_t>(-7)}},
      {"j", Format::sint32, {3}},
      {"u", Format::uint32, {12}},
      {"k", Format::uint32, {5}},
      {"w", Format::uint32, {0xff804020u}},
  };
  return kValues;
}

std::string lane_text(std::uint32_t word, Lane lane) {
  switch (lane) {
    case Lane::f32:
      return fmt::format("{:.5g}", std::bit_cast<float>(word));
    case Lane::i32:
      return fmt::format("{}", static_cast<std::int32_t>(word));
    case Lane::u32:
      // Large ones are bits that belong together.
      return word < 1u << 24 ? fmt::format("{}", word) : fmt::format("{:#010x}", word);
    case Lane::boolean:
      break;
  }
  return word != 0 ? "true" : "false";
}

std::string row_text(const std::vector<std::uint32_t>& words, Lane lane) {
  std::vector<std::string> lanes;
  for (const std::uint32_t word : words) lanes.push_back(lane_text(word, lane));
  return lanes.size() == 1 ? lanes[0] : fmt::format("({})", fmt::join(lanes, ", "));
}

// The value of an expression over the example values, on the device.
std::string evaluate(std::string_view expression) {
  DeclaredNames names;
  KernelCut cut;
  KernelRun run;
  for (const ExampleValue& value : example_values()) {
    names.add(value.name, value.format, false);
    const auto offset = static_cast<std::uint32_t>(ScalarBlock::kFirstScalar + run.host_scalars.size());
    cut.leaves.push_back({names.nodes.at(value.name), LeafKind::host_scalar, value.format, offset});
    run.host_scalars.insert(run.host_scalars.end(), value.words.begin(), value.words.end());
  }
  const Inferred inferred = names.infer(fmt::format("result = {}", expression));
  cut.outputs = {{inferred.node, inferred.format}};
  const auto results = run_cut(*webgpu::DeviceAccess::core(shared_device()), names.dag, cut, run);
  return row_text(results[0], names.dag.node(inferred.node).type.lane);
}

std::string lanes_text(Lanes lanes) {
  std::string text;
  for (const Lane lane : {Lane::f32, Lane::i32, Lane::u32, Lane::boolean}) {
    if (holds(lanes, lane)) text += (text.empty() ? "" : ", ") + to_string(lane);
  }
  return text;
}

// All types that a row's T may be.
std::vector<Type> types_of(const FunctionRow& row) {
  std::vector<Type> types;
  for (const Lane lane : {Lane::f32, Lane::i32, Lane::u32, Lane::boolean}) {
    for (std::uint8_t width = row.least_width; holds(row.lanes, lane) && width <= row.most_width; ++width)
      types.push_back({lane, width});
  }
  return types;
}

// "T", "bool lanes", "`u32`", "one lane of T": what an operand or a result is, given its type for each T.
template <class TypeFor>
std::string type_text(const FunctionRow& row, TypeFor type_for) {
  const std::vector<Type> types = types_of(row);
  const Type first = type_for(types[0]);
  const auto always = [&](auto is_so) { return std::all_of(types.begin(), types.end(), is_so); };
  if (types.size() > 1 && always([&](Type t) { return type_for(t) == t; })) return "T";
  if (always([&](Type t) { return type_for(t) == first; })) return fmt::format("`{}`", to_string(first));
  if (always([&](Type t) { return type_for(t).lane == first.lane; })) return to_string(first.lane) + " lanes";
  return "one lane of T";
}

std::string signature_text(const FunctionRow& row) {
  if (row.signature == Signature::construct) return "lanes of one type → as many of it";
  std::string text;
  for (std::size_t operand = 0; operand < row.least_operands; ++operand) {
    text += text.empty() ? "" : ", ";
    const bool is_amount = row.signature == Signature::shift && operand == 1;  // converted from either
    text += is_amount ? "i32 or u32 lanes" : type_text(row, [&](Type t) { return operand_type(row, operand, t); });
  }
  text += " → " + type_text(row, [&](Type t) { return result_type(row, t); });
  if (types_of(row).size() == 1) return text;
  text += "; T: " + lanes_text(row.lanes);
  if (row.least_width > 1) text += fmt::format(", {} to {} lanes", row.least_width, row.most_width);
  return text;
}

const FunctionRow* find_row(std::string_view name) {
  for (const FunctionRow& row : function_table()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// In a cell of a table a bar stands for itself only behind a backslash.
std::string cell(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '|') result += '\\';
    result += letter;
  }
  return result;
}

std::string values_table() {
  std::string text = "| value | format | row |\n| --- | --- | --- |\n";
  for (const ExampleValue& value : example_values()) {
    text += fmt::format("| `{}` | {} | {} |\n", value.name, format_name(value.format),
                        row_text(value.words, read_type(value.format).lane));
  }
  return text;
}

std::string function_table_text(std::string_view group) {
  std::string text = "| written | types | meaning | example | result |\n| --- | --- | --- | --- | --- |\n";
  for (const FunctionDoc& doc : function_docs()) {
    if (doc.group != group) continue;
    const FunctionRow* const row = find_row(doc.name);
    if (row == nullptr) continue;  // which another test reports
    text += fmt::format("| `{written}` | {types} | {meaning} | `{example}` | {result} |\n",
                        fmt::arg("written", cell(doc.written)), fmt::arg("types", signature_text(*row)),
                        fmt::arg("meaning", doc.meaning), fmt::arg("example", cell(doc.example)),
                        fmt::arg("result", evaluate(doc.example)));
  }
  return text;
}

// The document with each table in its place: between `<!-- table NAME -->` and `<!-- end -->`.
std::string with_tables(const std::string& document) {
  static const std::string kBegin = "<!-- table ";
  static const std::string kEnd = "<!-- end -->";
  std::string text;
  std::size_t done = 0;
  for (std::size_t at = document.find(kBegin); at != std::string::npos; at = document.find(kBegin, done)) {
    const std::size_t name_at = at + kBegin.size();
    const std::string name = document.substr(name_at, document.find(' ', name_at) - name_at);
    text += document.substr(done, document.find('\n', at) + 1 - done);
    text += name == "values" ? values_table() : function_table_text(name);
    done = document.find(kEnd, at);
    if (done == std::string::npos) return "The table " + name + " has no end.";
  }
  return text + document.substr(done);
}

// A function could be added without a word in the document, or stay there after it is gone.
TEST(ExpressionsDocument, SaysSomethingOfEachFunction) {
  std::set<std::string_view> rows, documented;
  for (const FunctionRow& row : function_table()) rows.insert(row.name);
  for (const FunctionDoc& doc : function_docs()) EXPECT_TRUE(documented.insert(doc.name).second) << doc.name;
  EXPECT_EQ(rows, documented);
}

std::string read_document() {
  std::ostringstream text;
  text << std::ifstream(MILLRACE_EXPRESSIONS_DOCUMENT).rdbuf();
  return text.str();
}

// The formulas that a reader tries first would be refused.
TEST(ExpressionsDocument, BeginsWithFormulasThatAreRight) {
  const std::string document = read_document();
  const std::size_t first = document.find("```\n") + 4;
  std::istringstream lines(document.substr(first, document.find("```", first) - first));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_NO_THROW((void)parse_formula(line, {})) << line;
  EXPECT_EQ(count, 4u);
}

// A reader would rely on a type or on a result that is another.
TEST(ExpressionsDocument, IsWhatTheFunctionTableAndTheDeviceSay) {
  const std::string document = read_document();
  const std::string right = with_tables(document);
  if (std::getenv("MILLRACE_REFRESH_GOLDENS") != nullptr) std::ofstream(MILLRACE_EXPRESSIONS_DOCUMENT) << right;
  std::istringstream lines(document), right_lines(right);
  for (std::string line, right_line; std::getline(right_lines, right_line);) {
    std::getline(lines, line);
    EXPECT_EQ(line, right_line);
  }
  EXPECT_EQ(document.size(), right.size());
  for (const FunctionDoc& doc : function_docs())
    EXPECT_NE(document.find(fmt::format("<!-- table {} -->", doc.group)), std::string::npos) << doc.group;
}

}  // namespace
}  // namespace millrace::expression
