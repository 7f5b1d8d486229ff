// yaml-cpp parses; every node knows its place, and each message begins with it. Only the levels that a document has are
// visited, so aliases cannot make it grow.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <millrace/error.hpp>
#include <millrace/format.hpp>

#include "src/data/csv_field.hpp"
#include "src/data/data_error.hpp"
#include "src/data/input_file.hpp"
#include "tools/millrace/graph_document.hpp"
#include "tools/millrace/nearest_name.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

using data::ElementType;
using data::NumberType;
using Names = std::vector<std::string>;

constexpr std::size_t kByteLimit = std::size_t{1} << 20;
constexpr const char* kBoolean = "bool";
const Names kDocumentKeys = {"inputs", "constants", "operations", "outputs"};
const Names kColumnKeys = {"vector", "column"};
const Names kScalarKeys = {"scalar", "default"};
// Operations and inputs that other systems, and later versions of this one, have.
const Names kOtherOperations = {"reduce", "scan", "kernel", "update", "operation"};

std::string quoted(const Names& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string did_you_mean(const std::string& name, const Names& names) {
  const std::optional<std::string> nearest = find_nearest_name(name, names);
  return nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ".";
}

std::string node_kind(const YAML::Node& node) {
  if (node.IsMap()) return "a map";
  if (node.IsSequence()) return "a list";
  return node.IsNull() ? "nothing" : "a single value";
}

class DocumentParser {
 public:
  explicit DocumentParser(const std::string& file) { document_.file = file; }

  GraphDocument parse(const std::string& text);

 private:
  using Pairs = std::vector<std::pair<YAML::Node, YAML::Node>>;

  [[nodiscard]] YAML::Node load(const std::string& text) const;
  [[nodiscard]] Pairs pairs_of(const YAML::Node& node, std::string_view what) const;
  void check_key(const YAML::Node& key, const Names& known, std::string_view what) const;
  void declare(const YAML::Node& node, const std::string& name);
  void parse_input(const YAML::Node& name, const YAML::Node& node);
  void parse_column(const std::string& name, const YAML::Node& node);
  void parse_scalar_input(const std::string& name, const YAML::Node& node);
  void parse_constant(const YAML::Node& name, const YAML::Node& node);
  void parse_operation(const YAML::Node& node);
  void add_operation(const YAML::Node& node, const std::string& text);
  void parse_outputs(const YAML::Node& node);
  void select_terminal_results();
  void check_operands() const;
  [[nodiscard]] std::string single(const YAML::Node& node, std::string_view what) const;
  [[nodiscard]] NumberType type_of(const YAML::Node& node, const std::string& name) const;
  [[nodiscard]] ScalarInput value_of(const YAML::Node& node, const std::string& name, const std::string& what,
                                     std::optional<NumberType> type) const;
  [[nodiscard]] std::string place(const YAML::Mark& mark) const {
    return fmt::format("{}:{}:{}", document_.file, mark.line + 1, mark.column + 1);
  }
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    throw UsageError(fmt::format("{}: {}", place(node.Mark()), message));
  }

  GraphDocument document_;
  std::set<std::string> names_;
};

YAML::Node DocumentParser::load(const std::string& text) const {
  std::vector<YAML::Node> documents;
  try {
    documents = YAML::LoadAll(text);
  } catch (const YAML::Exception& error) {
    throw UsageError(fmt::format("{}: This is no YAML: {}.", place(error.mark), error.msg));
  }
  if (documents.size() > 1) {
    fail(documents[1], "A second document begins here; a file holds one graph.");
  }
  if (documents.empty() || documents.front().IsNull()) {
    throw UsageError(
        fmt::format("{}:1:1: The document is empty; a graph has `inputs` and `operations`.", document_.file));
  }
  return documents.front();
}

// In the document's order; no key stands twice.
DocumentParser::Pairs DocumentParser::pairs_of(const YAML::Node& node, std::string_view what) const {
  if (!node.IsMap()) {
    fail(node, fmt::format("{} is a map, \"name: value\", but here is {}.", what, node_kind(node)));
  }
  Pairs pairs;
  std::set<std::string> keys;
  for (const auto& pair : node) {
    if (!pair.first.IsScalar())
      fail(pair.first, fmt::format("A name is a text, but here is {}.", node_kind(pair.first)));
    if (!keys.insert(pair.first.Scalar()).second) {
      fail(pair.first, fmt::format("\"{}\" stands twice in {}.", pair.first.Scalar(), what));
    }
    pairs.emplace_back(pair.first, pair.second);
  }
  return pairs;
}

void DocumentParser::check_key(const YAML::Node& key, const Names& known, std::string_view what) const {
  if (std::find(known.begin(), known.end(), key.Scalar()) != known.end()) return;
  fail(key, fmt::format("{what} has no \"{key}\"{nearest} There are {known}.", fmt::arg("what", what),
                        fmt::arg("key", key.Scalar()), fmt::arg("nearest", did_you_mean(key.Scalar(), known)),
                        fmt::arg("known", quoted(known))));
}

// A name has one meaning in a document.
void DocumentParser::declare(const YAML::Node& node, const std::string& name) {
  if (name.empty()) fail(node, "A name has at least one character.");
  if (!names_.insert(name).second) fail(node, fmt::format("\"{}\" is declared twice.", name));
}

std::string DocumentParser::single(const YAML::Node& node, std::string_view what) const {
  if (node.IsScalar()) return node.Scalar();
  fail(node, fmt::format("{} is a single value, but here is {}.", what, node_kind(node)));
}

NumberType DocumentParser::type_of(const YAML::Node& node, const std::string& name) const {
  const std::string text = single(node, fmt::format("The format of \"{}\"", name));
  if (text == kBoolean) return {.element = ElementType::boolean};
  Names formats = {kBoolean};
  for (const ElementType element : {ElementType::float32, ElementType::sint32, ElementType::uint32}) {
    for (std::uint8_t lane_count = 1; lane_count <= 4; ++lane_count) {
      const NumberType type = {.element = element, .lane_count = lane_count};
      formats.emplace_back(format_name(data::format_of(type)));
      if (formats.back() == text) return type;
    }
  }
  try {
    static_cast<void>(parse_format(text));
  } catch (const BindingError&) {
    fail(node, fmt::format("\"{name}\" has the format \"{text}\", which there is not{nearest} There are {formats}.",
                           fmt::arg("name", name), fmt::arg("text", text),
                           fmt::arg("nearest", did_you_mean(text, formats)), fmt::arg("formats", quoted(formats))));
  }
  fail(node, fmt::format("\"{name}\" has the packed format \"{text}\", which no column of a table has; the formats of "
                         "columns are {formats}.",
                         fmt::arg("name", name), fmt::arg("text", text), fmt::arg("formats", quoted(formats))));
}

// A number, true or false, or a list of two to four.
ScalarInput DocumentParser::value_of(const YAML::Node& node, const std::string& name, const std::string& what,
                                     std::optional<NumberType> type) const {
  Names parts;
  if (node.IsSequence()) {
    for (const YAML::Node& lane : node) parts.push_back(single(lane, "A lane"));
    if (parts.size() < 2) fail(node, fmt::format("{} is a list of {} numbers; it has 2 to 4.", what, parts.size()));
  } else {
    parts.push_back(single(node, what));
  }
  for (const std::string& part : parts) {
    float value = 0;
    const bool is_finite =
        data::classify_field(part) != data::FieldKind::number || (data::parse(part, value) && std::isfinite(value));
    if (part.find(',') != std::string::npos || !is_finite) {
      fail(node, fmt::format("{} is \"{}\", which is no finite number that a float32 holds.", what, part));
    }
  }
  const std::string text = fmt::format("{}", fmt::join(parts, ","));
  return parse_scalar({.name = name,
                       .value = text,
                       .place = fmt::format("{}: {} is \"{}\"", place(node.Mark()), what, fmt::join(parts, ", "))},
                      type);
}

void DocumentParser::parse_input(const YAML::Node& name, const YAML::Node& node) {
  declare(name, name.Scalar());
  if (!node.IsMap()) {
    document_.columns.push_back({.name = name.Scalar(), .column = name.Scalar(), .type = type_of(node, name.Scalar())});
  } else if (node["state"]) {
    fail(node,
         fmt::format("\"{}\" is a state, which tables do not have; an input is a vector or a scalar.", name.Scalar()));
  } else if (node["scalar"]) {
    parse_scalar_input(name.Scalar(), node);
  } else {
    parse_column(name.Scalar(), node);
  }
}

void DocumentParser::parse_column(const std::string& name, const YAML::Node& node) {
  const std::string what = fmt::format("The input \"{}\"", name);
  DocumentColumn column = {.name = name, .column = name, .type = {}};
  for (const auto& [key, value] : pairs_of(node, what)) {
    check_key(key, kColumnKeys, what);
    if (key.Scalar() == "column") column.column = single(value, fmt::format("The column of \"{}\"", name));
  }
  if (!node["vector"]) {
    fail(node, fmt::format("The input \"{}\" is neither a vector nor a scalar: write \"vector: float32\" or "
                           "\"scalar: float32\".",
                           name));
  }
  column.type = type_of(node["vector"], name);
  document_.columns.push_back(column);
}

void DocumentParser::parse_scalar_input(const std::string& name, const YAML::Node& node) {
  const std::string what = fmt::format("The input \"{}\"", name);
  DocumentScalar scalar = {.name = name, .type = type_of(node["scalar"], name), .value = {}};
  for (const auto& [key, value] : pairs_of(node, what)) {
    check_key(key, kScalarKeys, what);
    if (key.Scalar() != "default") continue;
    scalar.value = value_of(value, name, fmt::format("The default of \"{}\"", name), scalar.type);
  }
  document_.scalars.push_back(std::move(scalar));
}

void DocumentParser::parse_constant(const YAML::Node& name, const YAML::Node& node) {
  declare(name, name.Scalar());
  const ScalarInput value = value_of(node, name.Scalar(), fmt::format("The constant \"{}\"", name.Scalar()), {});
  document_.scalars.push_back({.name = name.Scalar(), .type = value.type, .value = value, .is_constant = true});
}

void DocumentParser::parse_operation(const YAML::Node& node) {
  if (node.IsScalar()) {
    add_operation(node, node.Scalar());
    return;
  }
  if (!node.IsMap() || node.size() == 0) {
    fail(node, fmt::format("An operation is an expression, \"name = expression\", but here is {}.", node_kind(node)));
  }
  for (const auto& [key, value] : pairs_of(node, "An operation")) {
    if (std::find(kOtherOperations.begin(), kOtherOperations.end(), key.Scalar()) != kOtherOperations.end()) {
      fail(key,
           fmt::format("There is no operation \"{}\" in graphs over tables; an operation is an expression, \"name = "
                       "expression\".",
                       key.Scalar()));
    }
    // "packed: unorm8x4 = ..." without quotes is a map to YAML.
    const bool is_expression = node.size() == 1 && value.IsScalar() && value.Scalar().find('=') != std::string::npos;
    if (!is_expression) {
      fail(key, fmt::format("An operation is an expression, \"name = expression\"; \"{}\" is none.", key.Scalar()));
    }
    add_operation(key, key.Scalar() + ": " + value.Scalar());
  }
}

void DocumentParser::add_operation(const YAML::Node& node, const std::string& text) {
  try {
    const Expression expression(text);
    declare(node, expression.output());
    document_.operations.push_back({.expression = expression, .place = place(node.Mark())});
  } catch (const ExpressionError& error) {
    fail(node, error.what());
  }
}

void DocumentParser::parse_outputs(const YAML::Node& node) {
  if (!node.IsSequence()) fail(node, fmt::format("outputs is a list of names, but here is {}.", node_kind(node)));
  Names results;
  for (const DocumentOperation& operation : document_.operations) results.push_back(operation.expression.output());
  for (const YAML::Node& output : node) {
    const std::string name = single(output, "An output");
    if (std::find(document_.outputs.begin(), document_.outputs.end(), name) != document_.outputs.end()) {
      fail(output, fmt::format("The output \"{}\" stands twice.", name));
    }
    if (std::find(results.begin(), results.end(), name) == results.end()) {
      fail(output,
           names_.contains(name)
               ? fmt::format("The output \"{}\" is no result of an operation, but an input or a constant.", name)
               : fmt::format("The output \"{}\" is the result of no operation{}", name, did_you_mean(name, results)));
    }
    document_.outputs.push_back(name);
  }
  if (document_.outputs.empty())
    fail(node, "outputs is an empty list; leave it out for the results that nothing reads.");
}

void DocumentParser::select_terminal_results() {
  std::set<std::string> read;
  for (const DocumentOperation& operation : document_.operations) {
    for (const std::string& name : operation.expression.operands()) read.insert(name);
  }
  for (const DocumentOperation& operation : document_.operations) {
    if (!read.contains(operation.expression.output())) document_.outputs.push_back(operation.expression.output());
  }
}

void DocumentParser::check_operands() const {
  const Names names(names_.begin(), names_.end());
  for (const DocumentOperation& operation : document_.operations) {
    for (const std::string& name : operation.expression.operands()) {
      if (names_.contains(name) || is_builtin(name)) continue;
      throw UsageError(fmt::format(
          "{place}: Operation \"{text}\" reads \"{name}\", which is no input, no constant and no result of another "
          "operation{nearest} There are {names}.",
          fmt::arg("place", operation.place), fmt::arg("text", operation.expression.text()), fmt::arg("name", name),
          fmt::arg("nearest", did_you_mean(name, names)), fmt::arg("names", quoted(names))));
    }
  }
}

GraphDocument DocumentParser::parse(const std::string& text) {
  const YAML::Node root = load(text);
  for (const auto& [key, value] : pairs_of(root, "A graph document")) check_key(key, kDocumentKeys, "A graph document");
  if (const YAML::Node inputs = root["inputs"]) {
    for (const auto& [name, node] : pairs_of(inputs, "inputs")) parse_input(name, node);
  }
  if (const YAML::Node constants = root["constants"]) {
    for (const auto& [name, node] : pairs_of(constants, "constants")) parse_constant(name, node);
  }
  const YAML::Node operations = root["operations"];
  if (!operations) fail(root, "The document has no `operations`, so there is nothing to compute.");
  if (!operations.IsSequence() || operations.size() == 0) {
    fail(operations, fmt::format("operations is a list of expressions, but here is {}.",
                                 operations.IsSequence() ? "an empty list" : node_kind(operations)));
  }
  for (const YAML::Node& operation : operations) parse_operation(operation);
  check_operands();
  if (const YAML::Node outputs = root["outputs"]) {
    parse_outputs(outputs);
  } else {
    select_terminal_results();
  }
  return std::move(document_);
}

}  // namespace

GraphDocument parse_graph_document(const std::string& text, const std::string& file) {
  return DocumentParser(file).parse(text);
}

GraphDocument read_graph_document(const std::filesystem::path& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw data::DataError(data::DataErrorCode::not_a_file,
                          fmt::format("\"{}\" is a folder; give a file.", path.string()));
  }
  if (!std::filesystem::exists(path, failure)) {
    throw data::DataError(data::DataErrorCode::unreadable_file, fmt::format("There is no file \"{}\".", path.string()));
  }
  const data::OwnedFile file = data::InputFile(path).open();
  std::string text(kByteLimit + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) {
    throw data::DataError(data::DataErrorCode::unreadable_file,
                          fmt::format("The file \"{}\" cannot be read.", path.string()));
  }
  if (text.size() > kByteLimit) {
    throw UsageError(fmt::format("{}:1:1: The document is larger than {} bytes.", path.string(), kByteLimit));
  }
  return parse_graph_document(text, path.string());
}

}  // namespace millrace::tool
