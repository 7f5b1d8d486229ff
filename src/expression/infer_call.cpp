// Operators and functions: each is applied by the signature of its row in the function table.
#include <algorithm>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/counted.hpp"
#include "src/base/near_name.hpp"
#include "src/expression/fault.hpp"
#include "src/expression/inference.hpp"

namespace millrace::expression {
namespace {

std::string lanes_text(Lanes lanes) {
  switch (lanes) {
    case Lanes::f32:
      return "f32";
    case Lanes::i32:
      return "i32";
    case Lanes::u32:
      return "u32";
    case Lanes::boolean:
      return "bool";
    case Lanes::integer:
      return "i32 or u32";
    case Lanes::with_sign:
      return "f32 or i32";
    case Lanes::numeric:
      return "f32, i32 or u32";
    case Lanes::any:
      break;
  }
  return "any";
}

// The cast that brings a lane type into the set.
Lane cast_into(Lanes lanes, Lane given) {
  if (given == Lane::u32 && holds(lanes, Lane::i32)) return Lane::i32;
  if (given == Lane::f32 && holds(lanes, Lane::i32)) return Lane::i32;
  if (holds(lanes, Lane::u32)) return Lane::u32;
  return holds(lanes, Lane::f32) ? Lane::f32 : holds(lanes, Lane::i32) ? Lane::i32 : Lane::boolean;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const FunctionRow& row : function_table()) {
    if (find_function(row.name)) names.emplace_back(row.name);
  }
  return names;
}

bool is_cast(Signature signature) {
  return signature == Signature::to_f32 || signature == Signature::to_i32 || signature == Signature::to_u32 ||
         signature == Signature::to_bool;
}

Lane cast_lane(Signature signature) {
  if (signature == Signature::to_f32) return Lane::f32;
  if (signature == Signature::to_i32) return Lane::i32;
  return signature == Signature::to_u32 ? Lane::u32 : Lane::boolean;
}

std::string count_text(const FunctionRow& row) {
  if (row.least_operands != row.most_operands)
    return fmt::format("{least} to {most} arguments", fmt::arg("least", row.least_operands),
                       fmt::arg("most", row.most_operands));
  return counted(row.most_operands, "argument");
}

}  // namespace

Value Inference::visit_unary(SyntaxIndex at) {
  const SyntaxNode& node = tree_.node(at);
  const std::string name = node.name == "-" ? "unary -" : node.name;
  return apply(operator_function(name), at, node.operands);
}

Value Inference::visit_binary(SyntaxIndex at) {
  const SyntaxNode& node = tree_.node(at);
  const FunctionIndex operation = operator_function(node.name);
  if (function(operation).signature == Signature::shift) return apply_shift(operation, at, node.operands);
  return apply(operation, at, node.operands);
}

Value Inference::visit_ternary(SyntaxIndex at) {
  const std::vector<SyntaxIndex>& operands = tree_.node(at).operands;
  return apply_select(at, operands[2], operands[1], operands[0]);
}

Value Inference::visit_call(SyntaxIndex at) {
  const SyntaxNode& node = tree_.node(at);
  const std::optional<FunctionIndex> found = find_function(node.name);
  if (!found) {
    refuse(ErrorCode::unknown_function,
           fmt::format("There is no function {name}{advice}", fmt::arg("name", quoted(node.name)),
                       fmt::arg("advice", name_advice(node.name, function_names()))),
           at);
  }
  const FunctionRow& row = function(*found);
  const std::size_t count = node.operands.size();
  if (count < row.least_operands || count > row.most_operands) {
    refuse(ErrorCode::wrong_argument_count,
           fmt::format("{name} takes {expected}, but {count} {verb} given.", fmt::arg("name", quoted(node.name)),
                       fmt::arg("expected", count_text(row)), fmt::arg("count", count),
                       fmt::arg("verb", count == 1 ? "is" : "are")),
           at);
  }
  if (is_cast(row.signature)) return apply_cast(*found, at, node.operands[0]);
  switch (row.signature) {
    case Signature::select:
      return apply_select(at, node.operands[0], node.operands[1], node.operands[2]);
    case Signature::extract_bits:
    case Signature::insert_bits:
      return apply_bit_range(*found, at, node.operands);
    case Signature::construct:
      return apply_constructor(*found, at, node.operands);
    default:
      return apply(*found, at, node.operands);
  }
}

Value Inference::call(FunctionIndex function, Type result, std::span<const NodeIndex> operands) {
  return {.node = dag_.add(NodeKind::call, result, function.value, operands), .type = result};
}

Value Inference::apply(FunctionIndex index, SyntaxIndex at, Operands operands) {
  const FunctionRow& row = function(index);
  const Meeting meeting = meet_lanes(at, operands);
  const Lane lane = meeting.lane ? *meeting.lane : default_lane(operands, row.lanes);
  check_lanes(at, operands, row, lane);
  const std::uint8_t width = meet_widths(at, operands);
  check_division(at, operands, meeting.lane);
  if (std::optional<Value> folded = fold(at, operands, meeting)) return *folded;

  if (width < row.least_width || width > row.most_width) refuse_width(at, operands, row);
  std::vector<NodeIndex> nodes;
  for (const SyntaxIndex operand : operands) nodes.push_back(node_of(operand, {lane, width}, meeting.decider));
  Type result{lane, width};
  if (row.signature == Signature::comparison) result.lane = Lane::boolean;
  if (row.signature == Signature::reduction && width == 1) return magnitude(result, nodes);
  if (row.signature == Signature::reduction) result.width = 1;
  return call(index, result, nodes);
}

// The length of one lane, or the distance of two: exact, where the root of a square overflows or vanishes.
Value Inference::magnitude(Type type, std::span<const NodeIndex> operands) {
  const NodeIndex signed_length =
      operands.size() == 1 ? operands[0] : call(operator_function("-"), type, operands).node;
  const NodeIndex nodes[] = {signed_length};
  return call(*find_function("abs"), type, nodes);
}

void Inference::check_lanes(SyntaxIndex at, Operands operands, const FunctionRow& row, Lane lane) const {
  if (holds(row.lanes, lane)) return;
  std::vector<SyntaxIndex> offenders;
  for (const SyntaxIndex operand : operands) {
    if (!holds(row.lanes, own_type(operand).lane)) offenders.push_back(operand);
  }
  // Operands that fit by themselves may still meet in a lane that does not: 1.5 makes an i32 an f32.
  if (offenders.empty()) offenders.push_back(operands.front());
  const SyntaxIndex operand = offenders.front();
  const Lane given = own_type(operand).lane;
  const std::string name = row.name == "unary -" ? "-" : std::string(row.name);
  std::string cure = with_casts(at, offenders, cast_into(row.lanes, given));
  if (given == Lane::boolean && (name == "&" || name == "|")) cure = name + name + " instead of " + name;
  refuse(ErrorCode::type_mismatch,
         fmt::format("\"{name}\" takes {lanes} lanes, but {operand} is {type}; write {cure}.", fmt::arg("name", name),
                     fmt::arg("lanes", lanes_text(row.lanes)), fmt::arg("operand", quote(operand)),
                     fmt::arg("type", to_string(own_type(operand))), fmt::arg("cure", cure)),
         at);
}

void Inference::refuse_width(SyntaxIndex at, Operands operands, const FunctionRow& row) const {
  const SyntaxIndex* const widest =
      std::max_element(operands.data(), operands.data() + operands.size(),
                       [&](SyntaxIndex a, SyntaxIndex b) { return value(a).width() < value(b).width(); });
  const std::string expected =
      row.least_width == row.most_width
          ? fmt::format("{least}", fmt::arg("least", row.least_width))
          : fmt::format("{least} to {most}", fmt::arg("least", row.least_width), fmt::arg("most", row.most_width));
  refuse(ErrorCode::width_mismatch,
         fmt::format("\"{name}\" takes values of {expected} lanes, but {operand} has {width}.",
                     fmt::arg("name", row.name), fmt::arg("expected", expected), fmt::arg("operand", quote(*widest)),
                     fmt::arg("width", value(*widest).width())),
         at);
}

void Inference::check_division(SyntaxIndex at, Operands operands, std::optional<Lane> lane) const {
  const SyntaxNode& node = tree_.node(at);
  if (node.kind != SyntaxKind::binary || (node.name != "/" && node.name != "%")) return;
  const std::vector<Number>& divisor = value(operands[1]).constant;
  if (std::any_of(divisor.begin(), divisor.end(), [](const Number& number) { return number.is_zero(); }))
    refuse_fold(at, NumberFault::zero_divisor, lane);
  const bool is_integer = lane == Lane::i32 || lane == Lane::u32;
  if (node.name != "/" || !is_integer || options_.integer_division == IntegerDivision::truncate) return;
  const SyntaxIndex cast = value(operands[0]).is_constant() ? operands[1] : operands[0];
  refuse(ErrorCode::integer_division_refused,
         fmt::format("{whole} divides {lane} by {lane}, which would drop the fraction; write {cast}, or allow it with "
                     "integer_division = truncate (in the tool, --integer-division truncate).",
                     fmt::arg("whole", quote(at)), fmt::arg("lane", to_string(*lane)),
                     fmt::arg("cast", with_cast(at, cast, Lane::f32))),
         at);
}

Number Inference::number_of(SyntaxIndex operand, std::size_t lane_index, const Meeting& meeting) const {
  const std::vector<Number>& lanes = value(operand).constant;
  const Number& number = lanes.size() == 1 ? lanes[0] : lanes[lane_index];
  if (!meeting.lane || find_lane(number) == meeting.lane) return number;
  check_fits(operand, *meeting.lane, meeting.decider);
  return std::get<Number>(fold_cast(*meeting.lane, number));
}

std::optional<Value> Inference::fold(SyntaxIndex at, Operands operands, const Meeting& meeting) const {
  const SyntaxNode& node = tree_.node(at);
  if (node.kind != SyntaxKind::unary && node.kind != SyntaxKind::binary) return std::nullopt;
  const auto is_constant = [&](SyntaxIndex operand) { return value(operand).is_constant(); };
  if (!std::all_of(operands.begin(), operands.end(), is_constant)) return std::nullopt;

  const std::uint8_t width = meet_widths(at, operands);
  Value result;
  for (std::size_t i = 0; i < width; ++i) {
    const Number a = number_of(operands[0], i, meeting);
    const Folded folded = operands.size() == 1 ? fold_unary(node.name == "-" ? "unary -" : node.name, a)
                                               : fold_binary(node.name, a, number_of(operands[1], i, meeting));
    if (const NumberFault* const fault = std::get_if<NumberFault>(&folded)) refuse_fold(at, *fault, meeting.lane);
    result.constant.push_back(std::get<Number>(folded));
  }
  // Lanes that fell back to f32 bring the others with them.
  const bool any_f32 = std::any_of(result.constant.begin(), result.constant.end(),
                                   [](const Number& number) { return number.kind == NumberKind::f32; });
  for (Number& number : result.constant) {
    if (any_f32) number = std::get<Number>(fold_cast(Lane::f32, number));
  }
  return result;
}

void Inference::refuse_fold(SyntaxIndex at, NumberFault fault, std::optional<Lane> lane) const {
  const auto refuse_whole = [&](ErrorCode code, const std::string& rest) { refuse(code, quote(at) + rest, at); };
  switch (fault) {
    case NumberFault::zero_divisor:
      return refuse_whole(ErrorCode::constant_division_by_zero, " divides by a literal zero.");
    case NumberFault::overflow:
      return refuse_whole(ErrorCode::constant_overflow, " is arithmetic on literals whose result does not fit " +
                                                            (lane ? to_string(*lane) : std::string("any lane type")) +
                                                            ".");
    case NumberFault::quotient:
      return refuse_whole(ErrorCode::constant_overflow,
                          " divides -2147483648 by -1, whose quotient i32 does not hold.");
    case NumberFault::shift_too_wide:
      return refuse_whole(ErrorCode::constant_shift_too_wide, " shifts by a literal that is not 0 to 31.");
  }
}

Value Inference::apply_shift(FunctionIndex index, SyntaxIndex at, Operands operands) {
  const FunctionRow& row = function(index);
  for (const SyntaxIndex operand : operands) {
    const SyntaxIndex alone[] = {operand};
    check_lanes(at, alone, row, own_type(operand).lane);
  }
  const std::uint8_t width = meet_widths(at, operands);
  for (const Number& amount : value(operands[1]).constant) {
    if (amount.numerator < 0 || amount.numerator > 31) refuse_fold(at, NumberFault::shift_too_wide, std::nullopt);
  }
  if (std::optional<Value> folded = fold(at, operands, {})) return *folded;
  const Type type{own_type(operands[0]).lane, width};
  const NodeIndex nodes[] = {node_of(operands[0], type, std::nullopt),
                             node_of(operands[1], {Lane::u32, width}, std::nullopt)};
  return call(index, type, nodes);
}

Value Inference::apply_select(SyntaxIndex at, SyntaxIndex where_false, SyntaxIndex where_true, SyntaxIndex condition) {
  if (own_type(condition).lane != Lane::boolean) {
    refuse(ErrorCode::type_mismatch,
           fmt::format("A choice needs a bool, but {condition} is {type}; write {cast}.",
                       fmt::arg("condition", quote(condition)), fmt::arg("type", to_string(own_type(condition))),
                       fmt::arg("cast", cast_of(condition, Lane::boolean))),
           condition);
  }
  const SyntaxIndex values[] = {std::min(where_false, where_true), std::max(where_false, where_true)};
  const SyntaxIndex all[] = {values[0], values[1], condition};
  const Meeting meeting = meet_lanes(at, values);
  const Lane lane = meeting.lane ? *meeting.lane : default_lane(values, Lanes::any);
  const std::uint8_t width = meet_widths(at, all);
  const NodeIndex nodes[] = {node_of(where_false, {lane, width}, meeting.decider),
                             node_of(where_true, {lane, width}, meeting.decider),
                             node_of(condition, {Lane::boolean, width}, std::nullopt)};
  return call(*find_function("select"), {lane, width}, nodes);
}

Value Inference::apply_cast(FunctionIndex index, SyntaxIndex at, SyntaxIndex operand) {
  const Lane lane = cast_lane(function(index).signature);
  const Value& given = value(operand);
  if (!given.is_constant()) {
    if (given.type.lane == lane) return given;
    const NodeIndex nodes[] = {given.node};
    return call(index, {lane, given.type.width}, nodes);
  }
  Value result;
  for (const Number& number : given.constant) {
    const Folded folded = fold_cast(lane, number);
    if (std::holds_alternative<NumberFault>(folded)) {
      refuse(ErrorCode::literal_out_of_range,
             fmt::format("{number} fits neither i32 nor u32; write {cast}.", fmt::arg("number", to_string(number)),
                         fmt::arg("cast", cast_of(operand, Lane::f32))),
             at);
    }
    result.constant.push_back(std::get<Number>(folded));
  }
  return result;
}

Value Inference::apply_constructor(FunctionIndex index, SyntaxIndex at, Operands operands) {
  const auto width = static_cast<std::uint8_t>(function(index).name.back() - '0');
  std::size_t given = 0;
  for (const SyntaxIndex operand : operands) given += value(operand).width();
  if (given != width && (operands.size() != 1 || given != 1)) {
    refuse(ErrorCode::width_mismatch,
           fmt::format("{name} takes {width} lanes, or one for all of them, but {whole} gives it {given}.",
                       fmt::arg("name", quoted(function(index).name)), fmt::arg("width", width),
                       fmt::arg("whole", quote(at)), fmt::arg("given", given)),
           at);
  }
  const Meeting meeting = meet_lanes(at, operands);
  if (std::all_of(operands.begin(), operands.end(),
                  [&](SyntaxIndex operand) { return value(operand).is_constant(); })) {
    Value result;
    for (const SyntaxIndex operand : operands) {
      for (std::size_t i = 0; i < value(operand).constant.size(); ++i)
        result.constant.push_back(number_of(operand, i, meeting));
    }
    if (given == 1) result.constant = std::vector<Number>(width, result.constant[0]);
    return result;
  }
  const Type type{*meeting.lane, width};
  if (operands.size() == 1) return {.node = node_of(operands[0], type, std::nullopt), .type = type};
  std::vector<NodeIndex> nodes;
  for (const SyntaxIndex operand : operands)
    nodes.push_back(node_of(operand, {type.lane, value(operand).width()}, meeting.decider));
  return call(index, type, nodes);
}

Value Inference::apply_bit_range(FunctionIndex index, SyntaxIndex at, Operands operands) {
  const FunctionRow& row = function(index);
  const Operands words = operands.first(operands.size() - 2);
  const Meeting meeting = meet_lanes(at, words);
  const Lane lane = meeting.lane ? *meeting.lane : default_lane(words, row.lanes);
  check_lanes(at, words, row, lane);
  const Type type{lane, meet_widths(at, words)};
  std::vector<NodeIndex> nodes;
  for (const SyntaxIndex word : words) nodes.push_back(node_of(word, type, meeting.decider));
  for (const SyntaxIndex bound : operands.last(2)) {
    const Type given = own_type(bound);
    const bool is_whole = value(bound).is_constant() && holds(Lanes::integer, given.lane);
    if (given.width != 1 || (given.lane != Lane::u32 && !is_whole)) {
      refuse(ErrorCode::type_mismatch,
             fmt::format("Offset and count of {name} are one u32 each, but {bound} is {type}.",
                         fmt::arg("name", quoted(row.name)), fmt::arg("bound", quote(bound)),
                         fmt::arg("type", to_string(given))),
             bound);
    }
    nodes.push_back(node_of(bound, {Lane::u32, 1}, std::nullopt));
  }
  return call(index, type, nodes);
}

}  // namespace millrace::expression
