// The walk over the tree, names, lanes, and what the result is stored as.
#include <algorithm>
#include <array>
#include <numbers>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/counted.hpp"
#include "src/base/near_name.hpp"
#include "src/expression/fault.hpp"
#include "src/expression/foreign_names.hpp"
#include "src/expression/inference.hpp"
#include "src/format/format_table.hpp"

namespace millrace::expression {
namespace {

constexpr Type kF32{Lane::f32, 1};
constexpr Type kU32{Lane::u32, 1};

[[noreturn]] void refuse_unknown_name(const Formula& formula, const SyntaxNode& node,
                                      const std::vector<std::string>& known_names) {
  const std::string& name = node.name;
  std::string advice = name_advice(name, known_names);
  if (!find_near_name(name, known_names)) {
    // Not pi and e, which are near to every short name.
    std::optional<std::string> builtin = find_near_name(name, {"true", "false", "row", "rows", "inf", "nan"});
    if (const auto foreign = find_foreign_constant(name)) builtin = std::string(*foreign);
    if (builtin) advice = fmt::format("; did you mean \"{builtin}\"?", fmt::arg("builtin", *builtin));
  }
  if (node.is_quoted && is_builtin(name)) {
    advice = fmt::format("; the language's own {name} stands without backticks.", fmt::arg("name", name));
  }
  throw GraphError(ErrorCode::missing_producer, name,
                   fmt::format("Operation {formula} reads {name}, which nothing before it defines{advice}",
                               fmt::arg("formula", quoted(formula.text)), fmt::arg("name", quoted(name)),
                               fmt::arg("advice", advice)));
}

std::uint8_t lane_of_letter(char letter) {
  constexpr std::string_view kXyzw = "xyzw";
  constexpr std::string_view kRgba = "rgba";
  return static_cast<std::uint8_t>(std::min(kXyzw.find(letter), kRgba.find(letter)));
}

}  // namespace

Inference::Inference(const Formula& formula, const FindName& find, const std::vector<std::string>& known_names,
                     Dag& dag, const InferOptions& options)
    : formula_(formula), tree_(*formula.tree), find_(find), known_names_(known_names), dag_(dag), options_(options) {}

Inferred Inference::run() {
  values_.reserve(tree_.nodes.size());
  for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
    visited_ = SyntaxIndex{i};
    values_.push_back(visit({i}));
  }
  visited_ = std::nullopt;
  check_rows_have_vector();
  return finish();
}

Value Inference::visit(SyntaxIndex at) {
  const SyntaxNode& node = tree_.node(at);
  switch (node.kind) {
    case SyntaxKind::number:
      return {.constant = {node.number}};
    case SyntaxKind::name:
      return visit_name(at);
    case SyntaxKind::unary:
      return visit_unary(at);
    case SyntaxKind::binary:
      return visit_binary(at);
    case SyntaxKind::ternary:
      return visit_ternary(at);
    case SyntaxKind::call:
      return visit_call(at);
    case SyntaxKind::swizzle:
      return visit_swizzle(at);
    case SyntaxKind::lane:
      return visit_lane(at);
  }
  throw InternalError("A syntax node is of no kind.");
}

Value Inference::visit_name(SyntaxIndex at) {
  const SyntaxNode& node = tree_.node(at);
  const bool means_builtin = !node.is_quoted && is_builtin(node.name);
  if (const std::optional<NodeIndex> found = find_(node.name)) {
    if (means_builtin &&
        std::find(hidden_builtins_.begin(), hidden_builtins_.end(), node.name) == hidden_builtins_.end())
      hidden_builtins_.push_back(node.name);
    reads_vector_ = reads_vector_ || dag_.node(*found).per_row;
    return {.node = *found, .type = dag_.node(*found).type};
  }
  if (!means_builtin) refuse_unknown_name(formula_, node, known_names_);
  return visit_builtin(at);
}

Value Inference::visit_builtin(SyntaxIndex at) {
  const std::string& name = tree_.node(at).name;
  if (name == "pi") return {.constant = {make_real(std::numbers::pi)}};
  if (name == "e") return {.constant = {make_real(std::numbers::e)}};
  if (name == "true" || name == "false") return {.constant = {make_boolean(name == "true")}};
  if (name == "inf") return {.node = dag_.add(NodeKind::infinity, kF32, 0, {}), .type = kF32};
  if (name == "nan") return {.node = dag_.add(NodeKind::not_a_number, kF32, 0, {}), .type = kF32};
  if (!rows_at_) rows_at_ = at;
  const NodeKind kind = name == "row" ? NodeKind::row : NodeKind::rows;
  return {.node = dag_.add(kind, kU32, 0, {}), .type = kU32};
}

void Inference::check_rows_have_vector() const {
  if (!rows_at_ || reads_vector_) return;
  const std::string& name = tree_.node(*rows_at_).name;
  refuse(ErrorCode::row_without_vector,
         fmt::format("{name} is {meaning} of the vectors that a formula reads, but this formula reads none.",
                     fmt::arg("name", quoted(name)),
                     fmt::arg("meaning", name == "row" ? "the index of each row" : "the number of rows")),
         *rows_at_);
}

Value Inference::pick_lanes(const Value& from, std::span<const std::uint8_t> picked) {
  if (from.is_constant()) {
    Value result;
    for (const std::uint8_t lane : picked) result.constant.push_back(from.constant[lane]);
    return result;
  }
  const Type type{from.type.lane, static_cast<std::uint8_t>(picked.size())};
  if (from.type.width == 1) return {.node = splat(from.node, type), .type = type};
  std::uint32_t payload = 0;
  bool is_identity = picked.size() == from.type.width;
  for (std::size_t i = 0; i < picked.size(); ++i) {
    payload |= static_cast<std::uint32_t>(picked[i]) << (2 * i);
    is_identity = is_identity && picked[i] == i;
  }
  if (is_identity) return from;
  return {.node = dag_.add(NodeKind::swizzle, type, payload, {from.node}), .type = type};
}

Value Inference::visit_swizzle(SyntaxIndex at) {
  const SyntaxNode& node = tree_.node(at);
  const Value& from = value(node.operands[0]);
  std::vector<std::uint8_t> picked;
  for (const char letter : node.name) {
    picked.push_back(lane_of_letter(letter));
    if (picked.back() < from.width()) continue;
    // In the letters of the text: of rgba where one of them is.
    const std::string_view letters = node.name.find_first_of("rgba") != std::string::npos ? "rgba" : "xyzw";
    refuse(ErrorCode::lane_out_of_range,
           fmt::format("\".{lanes}\" asks for lane \"{letter}\", but {value} has {width}: {there}.",
                       fmt::arg("lanes", node.name), fmt::arg("letter", letter),
                       fmt::arg("value", quote(node.operands[0])), fmt::arg("width", counted(from.width(), "lane")),
                       fmt::arg("there", lanes_of(node.operands[0], letters.substr(0, from.width())))),
           at);
  }
  return pick_lanes(from, picked);
}

Value Inference::visit_lane(SyntaxIndex at) {
  const SyntaxIndex from = tree_.node(at).operands[0];
  const SyntaxIndex index = tree_.node(at).operands[1];
  const Type index_type = own_type(index);
  if (index_type.width != 1 || !holds(Lanes::integer, index_type.lane)) refuse_index(at, index_type);
  const std::uint8_t width = value(from).width();
  if (value(index).is_constant()) {
    const Number& number = value(index).constant[0];
    if (number.numerator < 0 || number.numerator >= width) {
      refuse(ErrorCode::lane_out_of_range,
             fmt::format("Lane {number} is out of range: {value} has {width}, {first}{last}.",
                         fmt::arg("number", number_text(index, number)), fmt::arg("value", quote(from)),
                         fmt::arg("width", counted(width, "lane")), fmt::arg("first", with_text(at, index, "0")),
                         fmt::arg("last", width == 1 ? "" : " to " + with_text(at, index, std::to_string(width - 1)))),
             index);
    }
    const std::array picked = {static_cast<std::uint8_t>(number.numerator)};
    return pick_lanes(value(from), picked);
  }
  if (width == 1) {
    refuse(ErrorCode::lane_out_of_range,
           fmt::format(
               "{whole} is always {value}, which has 1 lane: an index picks a lane of the row, and other rows cannot "
               "be reached.",
               fmt::arg("whole", quote(at)), fmt::arg("value", quote(from))),
           index);
  }
  const Type type = own_type(from);
  const NodeIndex vector = node_of(from, type, std::nullopt);
  const Type result{type.lane, 1};
  return {.node = dag_.add(NodeKind::lane, result, 0, {vector, value(index).node}), .type = result};
}

void Inference::refuse_index(SyntaxIndex at, Type given) const {
  const SyntaxIndex index = tree_.node(at).operands[1];
  std::string one = given.width == 1 ? one_line(tree_.source(index)) : lanes_of(index, "x");
  if (!holds(Lanes::integer, given.lane)) one = fmt::format("{}({})", given.lane == Lane::f32 ? "i32" : "u32", one);
  refuse(ErrorCode::type_mismatch,
         fmt::format("A lane is picked by one i32 or u32, but {index} is {type}; write {cure}.",
                     fmt::arg("index", quote(index)), fmt::arg("type", to_string(given)),
                     fmt::arg("cure", with_text(at, index, one))),
         index);
}

Inferred Inference::finish() {
  const SyntaxIndex root = tree_.root();
  Type type = own_type(root);
  if (!formula_.format) {
    return {node_of(root, type, std::nullopt), stored_format(type), std::move(hidden_builtins_)};
  }
  const Format format = *formula_.format;
  const Type wanted = read_type(format);
  const bool is_packed = lanes_share_words(format);
  const bool is_untyped = value(root).is_constant() && !find_lane(value(root).constant[0]);
  // Whole numbers take the lane type of the format, and a bool is stored as 0 or 1.
  if (is_untyped && (type.lane != Lane::f32)) type.lane = wanted.lane;
  const bool stores_bool = type.lane == Lane::boolean && wanted.lane == Lane::u32 && !is_packed;
  if (type.width != wanted.width || (type.lane != wanted.lane && !stores_bool)) refuse_format(type, wanted);

  NodeIndex node = node_of(root, type, std::nullopt);
  if (is_packed) node = dag_.add(NodeKind::requantize, wanted, static_cast<std::uint32_t>(format), {node});
  return {node, format, std::move(hidden_builtins_)};
}

void Inference::refuse_format(Type type, Type wanted) const {
  const SyntaxIndex root = tree_.root();
  const bool is_more = type.width > wanted.width;
  std::string cure =
      is_more ? lanes_of(root, std::string_view("xyzw").substr(0, wanted.width)) : one_line(tree_.source(root));
  if (type.lane != wanted.lane) cure = fmt::format("{}({})", to_string(wanted.lane), cure);
  std::string rest;
  if (type.width == 1 && !is_more && wanted.width > 1) {
    cure = fmt::format("vec{}({})", wanted.width, cure);
  } else if (type.width < wanted.width) {
    const std::string_view missing = std::string_view("xyzw").substr(type.width, wanted.width - type.width);
    cure = fmt::format("vec{}({}{})", wanted.width, cure, missing.size() == 1 ? ", 0" : ", 0, 0");
    rest = missing.size() == 1 ? fmt::format(", or what else lane {} is", missing)
                               : fmt::format(", or what else lanes {} and {} are", missing[0], missing[1]);
  }
  refuse(ErrorCode::format_mismatch,
         fmt::format("{value} is {type}, but a row of {format} is {wanted}; write {cure}{rest}.",
                     fmt::arg("value", quote(root)), fmt::arg("type", to_string(type)),
                     fmt::arg("format", format_name(*formula_.format)), fmt::arg("wanted", to_string(wanted)),
                     fmt::arg("cure", cure), fmt::arg("rest", rest)),
         root);
}

Inferred infer(const Formula& formula, const FindName& find, const std::vector<std::string>& known_names, Dag& dag,
               const InferOptions& options) {
  return Inference(formula, find, known_names, dag, options).run();
}

}  // namespace millrace::expression
