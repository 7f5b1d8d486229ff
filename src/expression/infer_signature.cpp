// Functions whose operands differ in type: each signature has a way of its own to bring them together.
#include <algorithm>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/expression/fault.hpp"
#include "src/expression/inference.hpp"

namespace millrace::expression {
namespace {

Lane cast_lane(Signature signature) {
  if (signature == Signature::to_f32) return Lane::f32;
  if (signature == Signature::to_i32) return Lane::i32;
  return signature == Signature::to_u32 ? Lane::u32 : Lane::boolean;
}

constexpr Int128 kMostPower = 4;
constexpr Int128 kMostBits = 32;  // of an offset or a count

}  // namespace

// The length of one lane, or the distance of two: exact, where the root of a square overflows or vanishes. One bool is
// all and any of itself.
Value Inference::reduce_one_lane(Type type, std::span<const NodeIndex> operands) {
  if (type.lane == Lane::boolean) return {.node = operands[0], .type = type};
  const NodeIndex signed_length =
      operands.size() == 1 ? operands[0] : call(operator_function("-"), type, operands).node;
  const NodeIndex nodes[] = {signed_length};
  return call(*find_function("abs"), type, nodes);
}

Value Inference::apply_shift(FunctionIndex index, SyntaxIndex at, Operands operands) {
  const FunctionRow& row = function(index);
  for (const SyntaxIndex operand : operands) check_lanes(at, operands, row, own_type(operand).lane);
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
  const Meeting meeting = meet_lanes(at, values, function(*find_function("select")));
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
      refuse(
          ErrorCode::literal_out_of_range,
          fmt::format("{number} fits neither i32 nor u32; write {cast}.",
                      fmt::arg("number", number_text(operand, number)), fmt::arg("cast", cast_of(operand, Lane::f32))),
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
  const Meeting meeting = meet_lanes(at, operands, function(index));
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
  const Meeting meeting = meet_lanes(at, words, row);
  const Lane lane = settle_lane(at, words, row, meeting);
  const Type type{lane, meet_widths(at, words)};
  std::vector<NodeIndex> nodes;
  for (const SyntaxIndex word : words) nodes.push_back(node_of(word, type, meeting.decider));
  for (const SyntaxIndex bound : operands.last(2)) {
    check_bound(at, bound, row);
    nodes.push_back(node_of(bound, {Lane::u32, 1}, std::nullopt));
  }
  return call(index, type, nodes);
}

void Inference::check_bound(SyntaxIndex at, SyntaxIndex bound, const FunctionRow& row) const {
  const Type given = own_type(bound);
  const bool is_whole = value(bound).is_constant() && holds(Lanes::integer, given.lane);
  if (given.width == 1 && given.lane == Lane::u32 && !is_whole) return;
  if (given.width == 1 && is_whole) {
    const Number& number = value(bound).constant[0];
    if (number.numerator >= 0 && number.numerator <= kMostBits) return;
    refuse_bound(at, bound, row);
  }
  std::string cure = given.width == 1 ? cast_of(bound, Lane::u32) : lanes_of(bound, "x");
  if (given.width != 1 && given.lane != Lane::u32) cure = fmt::format("u32({})", cure);
  cure = with_text(at, bound, cure);
  refuse(ErrorCode::type_mismatch,
         fmt::format("Offset and count of {name} are one u32 each, but {bound} is {type}; write {cure}.",
                     fmt::arg("name", quoted(row.name)), fmt::arg("bound", quote(bound)),
                     fmt::arg("type", to_string(given)), fmt::arg("cure", cure)),
         bound);
}

// By a count that is none, all bits are meant. There is no telling which offset is.
void Inference::refuse_bound(SyntaxIndex at, SyntaxIndex bound, const FunctionRow& row) const {
  const bool is_count = bound == tree_.node(at).operands.back();
  const std::string cure = is_count
                               ? fmt::format("write {} for all bits from the offset on", with_text(at, bound, "32"))
                               : "the lowest bit is 0 and the highest 31";
  refuse(ErrorCode::literal_out_of_range,
         fmt::format("The {bound} of {name} is 0 to 32, but {number} is given; {cure}.",
                     fmt::arg("bound", is_count ? "count" : "offset"), fmt::arg("name", quoted(row.name)),
                     fmt::arg("number", number_text(bound, value(bound).constant[0])), fmt::arg("cure", cure)),
         bound);
}

// ldexp(x, n): x * 2^n.
Value Inference::apply_scale(FunctionIndex index, SyntaxIndex at, Operands operands) {
  const FunctionRow& row = function(index);
  const Operands scaled = operands.first(1);
  const SyntaxIndex exponent = operands[1];
  const Meeting meeting = meet_lanes(at, scaled, row);
  const Lane lane = settle_lane(at, scaled, row, meeting);
  const bool is_whole = value(exponent).is_constant() && !find_lane(value(exponent).constant[0]) &&
                        holds(Lanes::integer, own_type(exponent).lane);
  if (own_type(exponent).lane != Lane::i32 && !is_whole) {
    refuse(ErrorCode::type_mismatch,
           fmt::format("The exponent of {name} is i32, but {exponent} is {type}; write {cure}.",
                       fmt::arg("name", quoted(row.name)), fmt::arg("exponent", quote(exponent)),
                       fmt::arg("type", to_string(own_type(exponent))),
                       fmt::arg("cure", with_cast(at, exponent, Lane::i32))),
           exponent);
  }
  check_fits(exponent, Lane::i32, std::nullopt, std::nullopt);
  const Type type{lane, meet_widths(at, operands)};
  const NodeIndex nodes[] = {node_of(operands[0], type, meeting.decider),
                             node_of(exponent, operand_type(row, 1, type), std::nullopt)};
  return call(index, result_type(row, type), nodes);
}

// refract(a, b, ratio): two directions of one width and one ratio of indices for all lanes.
Value Inference::apply_refraction(FunctionIndex index, SyntaxIndex at, Operands operands) {
  const FunctionRow& row = function(index);
  const Operands directions = operands.first(2);
  const Meeting meeting = meet_lanes(at, operands, row);
  const Lane lane = settle_lane(at, operands, row, meeting);
  const std::uint8_t width = meet_widths(at, directions);
  if (width < row.least_width) refuse_width(at, directions, row);
  const SyntaxIndex ratio = operands[2];
  if (value(ratio).width() != 1) {
    refuse(ErrorCode::width_mismatch,
           fmt::format("The ratio of {name} is one f32, but {ratio} has {width} lanes; write {cure}.",
                       fmt::arg("name", quoted(row.name)), fmt::arg("ratio", quote(ratio)),
                       fmt::arg("width", value(ratio).width()),
                       fmt::arg("cure", with_text(at, ratio, lanes_of(ratio, "x")))),
           ratio);
  }
  const Type type{lane, width};
  const NodeIndex nodes[] = {node_of(directions[0], type, meeting.decider),
                             node_of(directions[1], type, meeting.decider),
                             node_of(ratio, operand_type(row, 2, type), meeting.decider)};
  return call(index, result_type(row, type), nodes);
}

// The bits of lanes as lanes of another type. Those of the same type are what they were.
Value Inference::apply_bitcast(FunctionIndex index, SyntaxIndex at, Operands operands) {
  const FunctionRow& row = function(index);
  const Type given = own_type(operands[0]);
  check_lanes(at, operands, row, given.lane);
  const NodeIndex nodes[] = {node_of(operands[0], given, std::nullopt)};
  const Type result = result_type(row, given);
  if (result == given) return {.node = nodes[0], .type = given};
  return call(index, result, nodes);
}

// Whether the operand is an integer literal 0 to 4, in all its lanes.
bool Inference::is_small_power(SyntaxIndex exponent) const {
  const std::vector<Number>& lanes = value(exponent).constant;
  return !lanes.empty() && std::all_of(lanes.begin(), lanes.end(), [&](const Number& number) {
    return number.is_whole() && number.kind != NumberKind::boolean && number.numerator >= 0 &&
           number.numerator <= kMostPower && number.numerator == lanes[0].numerator;
  });
}

// pow(x, 3) is x * x * x: exact where powers of small integers are wanted, and right for negative x on every device.
Value Inference::apply_power(FunctionIndex index, SyntaxIndex at, Operands operands) {
  const FunctionRow& row = function(index);
  const Operands base = operands.first(1);
  const Meeting meeting = meet_lanes(at, base, row);
  const Lane lane = settle_lane(at, base, row, meeting);
  const Type type{lane, meet_widths(at, operands)};
  const NodeIndex x = node_of(base[0], type, meeting.decider);
  const auto product = [&](NodeIndex a, NodeIndex b) {
    const NodeIndex nodes[] = {a, b};
    return call(operator_function("*"), type, nodes).node;
  };
  switch (static_cast<int>(value(operands[1]).constant[0].numerator)) {
    case 0: {
      // 1 for each row that x has, so it still asks for x.
      const NodeIndex one = constant_node(std::vector<Number>(type.width, make_real(1)), lane);
      const NodeIndex equals[] = {x, x};
      const NodeIndex either = call(operator_function("=="), {Lane::boolean, type.width}, equals).node;
      const NodeIndex nodes[] = {one, one, either};
      return call(*find_function("select"), type, nodes);
    }
    case 1:
      return {.node = x, .type = type};
    case 2:
      return {.node = product(x, x), .type = type};
    case 3:
      return {.node = product(product(x, x), x), .type = type};
    default: {
      const NodeIndex square = product(x, x);
      return {.node = product(square, square), .type = type};
    }
  }
}

}  // namespace millrace::expression
