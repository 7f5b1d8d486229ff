// Which lane type and width operands share, and how each becomes a node of it.
#include <algorithm>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/expression/fault.hpp"
#include "src/expression/inference.hpp"

namespace millrace::expression {
namespace {

// The lane type that holds the number, integers first.
Lane narrowest_lane(const Number& number) {
  if (fits(number, Lane::i32)) return Lane::i32;
  return fits(number, Lane::u32) ? Lane::u32 : Lane::f32;
}

bool all_fit(const std::vector<Number>& numbers, Lane lane) {
  return std::all_of(numbers.begin(), numbers.end(), [&](const Number& number) { return fits(number, lane); });
}

// Whether the casts to integer lanes take the number.
bool is_word(const Number& number) { return fits(number, Lane::i32) || fits(number, Lane::u32); }

bool all_whole(const std::vector<Number>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](const Number& number) { return number.is_whole(); });
}

constexpr std::size_t kSplicedLimit = 60;

}  // namespace

Inference::Meeting Inference::meet_lanes(SyntaxIndex at, Operands operands, const FunctionRow& row) const {
  std::optional<SyntaxIndex> first[4];  // by lane
  std::optional<SyntaxIndex> untyped;
  std::optional<SyntaxIndex> fraction;
  for (const SyntaxIndex operand : operands) {
    const Value& given = value(operand);
    const std::optional<Lane> lane = given.is_constant() ? find_lane(given.constant[0]) : given.type.lane;
    std::optional<SyntaxIndex>& kind = lane ? first[static_cast<std::size_t>(*lane)] : untyped;
    if (!kind) kind = operand;
    if (!lane && !fraction && !all_whole(given.constant)) fraction = operand;
  }
  const auto& [f32, i32, u32, boolean] = first;
  if (boolean && (f32 || i32 || u32 || untyped)) {
    const SyntaxIndex other = f32 ? *f32 : i32 ? *i32 : u32 ? *u32 : *untyped;
    // Where the function takes the one and not the other, that is what is wrong.
    check_lanes(at, operands, row, own_type(other).lane);
    refuse_bool(at, operands, row, other);
  }
  if (boolean) return {Lane::boolean, boolean};
  if (f32) return {Lane::f32, f32};
  if (i32 && u32) {
    check_lanes(at, operands, row, Lane::i32);
    check_lanes(at, operands, row, Lane::u32);
    refuse_mixed(at, operands, *i32, *u32);
  }
  if (fraction && (i32 || u32)) return {Lane::f32, fraction};
  if (i32) return {Lane::i32, i32};
  if (u32) return {Lane::u32, u32};
  return {};
}

std::uint8_t Inference::meet_widths(SyntaxIndex at, Operands operands) const {
  std::optional<SyntaxIndex> wide;
  for (const SyntaxIndex operand : operands) {
    if (value(operand).width() == 1) continue;
    if (!wide) wide = operand;
    if (value(operand).width() == value(*wide).width()) continue;
    refuse(ErrorCode::width_mismatch,
           fmt::format("{first} has {first_width} lanes but {second} has {second_width}; widths must be equal, or one "
                       "of them 1.",
                       fmt::arg("first", quote(*wide)), fmt::arg("first_width", value(*wide).width()),
                       fmt::arg("second", quote(operand)), fmt::arg("second_width", value(operand).width())),
           at);
  }
  return wide ? value(*wide).width() : std::uint8_t{1};
}

Lane Inference::default_lane(Operands operands, Lanes lanes) const {
  bool fit_i32 = holds(lanes, Lane::i32);
  bool fit_u32 = holds(lanes, Lane::u32);
  for (const SyntaxIndex operand : operands) {
    const std::vector<Number>& numbers = value(operand).constant;
    if (!all_whole(numbers)) return Lane::f32;
    fit_i32 = fit_i32 && all_fit(numbers, Lane::i32);
    fit_u32 = fit_u32 && all_fit(numbers, Lane::u32);
  }
  if (fit_i32) return Lane::i32;
  if (fit_u32) return Lane::u32;
  // What fits nowhere is refused in the lane type that it would be by itself.
  if (lanes == Lanes::u32) return Lane::u32;
  return holds(lanes, Lane::i32) && (!holds(lanes, Lane::f32) || holds(lanes, Lane::u32)) ? Lane::i32 : Lane::f32;
}

Lane Inference::settle_lane(SyntaxIndex at, Operands operands, const FunctionRow& row, const Meeting& meeting) const {
  const Lane lane = meeting.lane ? *meeting.lane : default_lane(operands, row.lanes);
  check_lanes(at, operands, row, lane);
  // Operators compute what no lane holds too.
  if (!meeting.lane && !holds(row.lanes, Lane::f32) && tree_.node(at).kind == SyntaxKind::call) {
    for (const SyntaxIndex operand : operands) check_fits(operand, lane, std::nullopt, lane);
  }
  return lane;
}

Type Inference::own_type(SyntaxIndex operand) const {
  const Value& given = value(operand);
  if (!given.is_constant()) return given.type;
  const std::optional<Lane> lane = find_lane(given.constant[0]);
  const SyntaxIndex alone[] = {operand};
  return {lane ? *lane : default_lane(alone, Lanes::any), given.width()};
}

void Inference::check_fits(SyntaxIndex operand, Lane lane, std::optional<SyntaxIndex> decider,
                           std::optional<Lane> cure) const {
  for (const Number& number : value(operand).constant) {
    if (fits(number, lane)) continue;
    const std::string fitting = fitting_text(operand, number, lane, decider, cure);
    refuse(ErrorCode::literal_out_of_range,
           fmt::format("{number} does not fit {lane} ({range}){decider}{cure}.",
                       fmt::arg("number", number_text(operand, number)), fmt::arg("lane", to_string(lane)),
                       fmt::arg("range", range_of(lane)),
                       fmt::arg("decider", decider ? ", the lanes of " + quote(*decider) : ""),
                       fmt::arg("cure", fitting.empty() ? "" : "; write " + fitting)),
           operand);
  }
}

std::string Inference::fitting_text(SyntaxIndex operand, const Number& number, Lane lane,
                                    std::optional<SyntaxIndex> decider, std::optional<Lane> cure) const {
  if (decider) {
    const std::vector<SyntaxIndex>& operands = tree_.node(*visited_).operands;
    const std::optional<Lane> wanted = find_fitting_lane(operands);
    return wanted ? with_casts(*visited_, operands_of(operands, lane), *wanted) : "";
  }
  if (!visited_ && formula_.format) cure = lane;
  const bool takes_cure = cure && (!visited_ || holds(visited_lanes(), *cure));
  // A cast to an integer takes a number of 32 bits.
  if (!takes_cure || (*cure != Lane::f32 && !is_word(number))) return {};
  return visited_ ? with_cast(*visited_, operand, *cure) : cast_of(operand, *cure);
}

std::optional<Lane> Inference::find_fitting_lane(Operands operands) const {
  for (const Lane lane : {Lane::i32, Lane::u32, Lane::f32}) {
    const auto fits_it = [&](SyntaxIndex operand) {
      const std::vector<Number>& numbers = value(operand).constant;
      return numbers.empty() || find_lane(numbers[0]) || all_fit(numbers, lane);
    };
    if (holds(visited_lanes(), lane) && std::all_of(operands.begin(), operands.end(), fits_it)) return lane;
  }
  return std::nullopt;
}

Lanes Inference::visited_lanes() const {
  const SyntaxNode& node = tree_.node(*visited_);
  switch (node.kind) {
    case SyntaxKind::unary:
      return function(operator_function(node.name == "-" ? "unary -" : node.name)).lanes;
    case SyntaxKind::binary:
      return function(operator_function(node.name)).lanes;
    case SyntaxKind::call:
      return function(*find_function(node.name)).lanes;
    default:
      return Lanes::any;
  }
}

NodeIndex Inference::splat(NodeIndex node, Type type) {
  if (dag_.node(node).type.width == type.width) return node;
  return dag_.add(NodeKind::splat, type, 0, {node});
}

NodeIndex Inference::constant_node(const std::vector<Number>& lanes, Lane lane) {
  std::vector<NodeIndex> nodes;
  nodes.reserve(lanes.size());
  for (const Number& number : lanes)
    nodes.push_back(dag_.add(NodeKind::literal, {lane, 1}, lane_bits(number, lane), {}));
  const Type type{lane, static_cast<std::uint8_t>(lanes.size())};
  const bool all_equal = std::all_of(nodes.begin(), nodes.end(), [&](NodeIndex node) { return node == nodes[0]; });
  if (all_equal) return splat(nodes[0], type);
  const FunctionIndex constructor = constructor_function(type.width);
  return dag_.add(NodeKind::call, type, constructor.value, nodes);
}

NodeIndex Inference::node_of(SyntaxIndex operand, Type type, std::optional<SyntaxIndex> decider) {
  const Value& given = value(operand);
  if (given.is_constant()) {
    const bool is_same = find_lane(given.constant[0]) == type.lane;
    if (!is_same) check_fits(operand, type.lane, decider);
    return splat(constant_node(given.constant, type.lane), type);
  }
  NodeIndex node = given.node;
  if (given.type.lane != type.lane) {
    const FunctionIndex cast = cast_function(type.lane);
    node = dag_.add(NodeKind::call, {type.lane, given.type.width}, cast.value, {node});
  }
  return splat(node, type);
}

void Inference::refuse_mixed(SyntaxIndex at, Operands operands, SyntaxIndex signed_operand,
                             SyntaxIndex unsigned_operand) const {
  const bool signed_first = tree_.node(signed_operand).range.first < tree_.node(unsigned_operand).range.first;
  const std::string to_unsigned = with_casts(at, operands_of(operands, Lane::i32), Lane::u32);
  const std::string to_signed = with_casts(at, operands_of(operands, Lane::u32), Lane::i32);
  refuse(ErrorCode::mixed_signedness,
         fmt::format("{whole} mixes {first} and {second}; write {first_cast} or {second_cast}.",
                     fmt::arg("whole", quote(at)), fmt::arg("first", signed_first ? "i32" : "u32"),
                     fmt::arg("second", signed_first ? "u32" : "i32"),
                     fmt::arg("first_cast", signed_first ? to_unsigned : to_signed),
                     fmt::arg("second_cast", signed_first ? to_signed : to_unsigned)),
         at);
}

void Inference::refuse_bool(SyntaxIndex at, Operands operands, const FunctionRow& row, SyntaxIndex other) const {
  Lane lane = own_type(other).lane;
  const bool is_large = !all_fit(value(other).constant, lane);
  if (is_large && holds(row.lanes, Lane::f32)) lane = narrowest_lane(value(other).constant[0]);
  refuse(ErrorCode::type_mismatch,
         fmt::format("{whole} mixes bool with {other}; write {cast}.", fmt::arg("whole", quote(at)),
                     fmt::arg("other", to_string(lane)),
                     fmt::arg("cast", with_casts(at, operands_of(operands, Lane::boolean), lane))),
         at);
}

std::vector<SyntaxIndex> Inference::operands_of(Operands operands, Lane lane) const {
  std::vector<SyntaxIndex> found;
  for (const SyntaxIndex operand : operands) {
    const Value& given = value(operand);
    const std::optional<Lane> own = given.is_constant() ? find_lane(given.constant[0]) : given.type.lane;
    if (own == lane) found.push_back(operand);
  }
  return found;
}

std::string Inference::cast_of(SyntaxIndex operand, Lane lane) const {
  return fmt::format("{lane}({source})", fmt::arg("lane", to_string(lane)),
                     fmt::arg("source", one_line(tree_.source(operand))));
}

std::string Inference::with_casts(SyntaxIndex at, Operands operands, Lane lane) const {
  const SourceRange whole = tree_.node(at).range;
  if (whole.last - whole.first > kSplicedLimit) return cast_of(operands.front(), lane);
  std::string result;
  std::size_t done = whole.first;
  for (const SyntaxIndex operand : operands) {
    const SourceRange replaced = tree_.node(operand).outer;
    result += one_line(tree_.slice({done, replaced.first})) + cast_of(operand, lane);
    done = replaced.last;
  }
  return result + one_line(tree_.slice({done, whole.last}));
}

std::string Inference::with_text(SyntaxIndex at, SyntaxIndex operand, std::string_view text) const {
  const SourceRange whole = tree_.node(at).range;
  if (whole.last - whole.first > kSplicedLimit) return std::string(text);
  const SourceRange replaced = tree_.node(operand).outer;
  return fmt::format("{}{}{}", one_line(tree_.slice({whole.first, replaced.first})), text,
                     one_line(tree_.slice({replaced.last, whole.last})));
}

std::string Inference::with_operator(SyntaxIndex at, std::string_view name) const {
  const SyntaxNode& node = tree_.node(at);
  if (node.range.last - node.range.first > kSplicedLimit) return std::string(name);
  return one_line(tree_.slice({node.range.first, node.at})) + std::string(name) +
         one_line(tree_.slice({node.at + node.name.size(), node.range.last}));
}

std::string Inference::lanes_of(SyntaxIndex operand, std::string_view lanes) const {
  const SyntaxKind kind = tree_.node(operand).kind;
  const bool is_loose = kind == SyntaxKind::unary || kind == SyntaxKind::binary || kind == SyntaxKind::ternary;
  const std::string source = one_line(tree_.source(operand));
  return fmt::format(fmt::runtime(is_loose ? "({source}).{lanes}" : "{source}.{lanes}"), fmt::arg("source", source),
                     fmt::arg("lanes", lanes));
}

std::string Inference::with_cast(SyntaxIndex at, SyntaxIndex operand, Lane lane) const {
  const SyntaxIndex alone[] = {operand};
  return with_casts(at, alone, lane);
}

std::string Inference::number_text(SyntaxIndex operand, const Number& number) const {
  return tree_.node(operand).kind == SyntaxKind::number ? one_line(tree_.source(operand)) : to_string(number);
}

std::string Inference::quote(SyntaxIndex at) const { return quoted(tree_.source(at)); }

void Inference::refuse(ErrorCode code, std::string_view sentence, SyntaxIndex at) const {
  throw_fault(code, formula_.output, sentence, tree_.text, tree_.node(at).at);
}

}  // namespace millrace::expression
