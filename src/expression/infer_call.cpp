// Operators and functions: which row of the function table a node is, and how one is applied whose operands have one type.
#include <algorithm>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/counted.hpp"
#include "src/expression/fault.hpp"
#include "src/expression/foreign_names.hpp"
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

bool is_cast(Signature signature) {
  return signature == Signature::to_f32 || signature == Signature::to_i32 || signature == Signature::to_u32 ||
         signature == Signature::to_bool;
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
  if (!found) refuse_unknown_function(at);
  const FunctionRow& row = function(*found);
  const std::size_t count = node.operands.size();
  if (count < row.least_operands || count > row.most_operands) {
    refuse(ErrorCode::wrong_argument_count,
           fmt::format("{name} takes {expected}, but {count} {verb} given{cure}.", fmt::arg("name", quoted(node.name)),
                       fmt::arg("expected", count_text(row)), fmt::arg("count", count),
                       fmt::arg("verb", count == 1 ? "is" : "are"),
                       fmt::arg("cure", foreign_arguments_advice(node.name, count))),
           at);
  }
  if (is_cast(row.signature)) return apply_cast(*found, at, node.operands[0]);
  if (row.name == "pow" && is_small_power(node.operands[1])) return apply_power(*found, at, node.operands);
  switch (row.signature) {
    case Signature::select:
      return apply_select(at, node.operands[0], node.operands[1], node.operands[2]);
    case Signature::extract_bits:
    case Signature::insert_bits:
      return apply_bit_range(*found, at, node.operands);
    case Signature::construct:
      return apply_constructor(*found, at, node.operands);
    case Signature::scale:
      return apply_scale(*found, at, node.operands);
    case Signature::refraction:
      return apply_refraction(*found, at, node.operands);
    case Signature::bits_to_f32:
    case Signature::bits_to_i32:
    case Signature::bits_to_u32:
      return apply_bitcast(*found, at, node.operands);
    default:
      return apply(*found, at, node.operands);
  }
}

void Inference::refuse_unknown_function(SyntaxIndex at) const {
  const std::string& name = tree_.node(at).name;
  if (const std::vector<FunctionIndex> members = find_members(name); !members.empty()) {
    refuse(ErrorCode::unknown_member,
           fmt::format("{name} gives two values; write {advice}.", fmt::arg("name", quoted(name)),
                       fmt::arg("advice", member_advice(name, one_line(tree_.outer_source(at))))),
           at);
  }
  if (find_(name)) {
    refuse(ErrorCode::unknown_function,
           fmt::format("{name} is a value and no function; write {name_text} * (...) for a product.",
                       fmt::arg("name", quoted(name)), fmt::arg("name_text", one_line(name))),
           at);
  }
  refuse(ErrorCode::unknown_function,
         fmt::format("There is no function {name}{advice}", fmt::arg("name", quoted(name)),
                     fmt::arg("advice", unknown_function_advice(name))),
         at);
}

Value Inference::call(FunctionIndex function, Type result, std::span<const NodeIndex> operands) {
  return {.node = dag_.add(NodeKind::call, result, function.value, operands), .type = result};
}

Value Inference::apply(FunctionIndex index, SyntaxIndex at, Operands operands) {
  const FunctionRow& row = function(index);
  const Meeting meeting = meet_lanes(at, operands, row);
  const Lane lane = settle_lane(at, operands, row, meeting);
  const std::uint8_t width = meet_widths(at, operands);
  check_division(at, operands, meeting.lane);
  if (std::optional<Value> folded = fold(at, operands, meeting)) return *folded;

  if (width < row.least_width || width > row.most_width) refuse_width(at, operands, row);
  std::vector<NodeIndex> nodes;
  for (const SyntaxIndex operand : operands) nodes.push_back(node_of(operand, {lane, width}, meeting.decider));
  const Type type{lane, width};
  if (row.signature == Signature::reduction && width == 1) return reduce_one_lane(type, nodes);
  return call(index, result_type(row, type), nodes);
}

void Inference::check_lanes(SyntaxIndex at, Operands operands, const FunctionRow& row, Lane lane) const {
  if (holds(row.lanes, lane)) return;
  std::vector<SyntaxIndex> offenders;
  std::optional<Lane> common;  // of an operand that the function takes, which the others have to meet
  for (const SyntaxIndex operand : operands) {
    const bool is_typed = !value(operand).is_constant() || find_lane(value(operand).constant[0]);
    const Lane own = own_type(operand).lane;
    if (!holds(row.lanes, own)) {
      offenders.push_back(operand);
    } else if (is_typed && row.signature != Signature::shift) {
      common = own;
    }
  }
  // Operands that fit by themselves may still meet in a lane that does not: 1.5 makes an i32 an f32.
  if (offenders.empty()) offenders.push_back(operands.front());
  const SyntaxIndex operand = offenders.front();
  const std::string name = row.name == "unary -" ? "-" : std::string(row.name);
  std::string cure = with_casts(at, offenders, common ? *common : cast_into(row.lanes, own_type(operand).lane));
  if (lane == Lane::boolean && (name == "&" || name == "|")) cure = with_operator(at, name + name);
  if (lane == Lane::boolean && name == "^") cure = with_operator(at, "!=");
  if (lane == Lane::f32 && name == "^" && operands_of(operands, Lane::boolean).empty()) {
    cure = fmt::format("pow({base}, {exponent}) for a power, or {cure} for bits",
                       fmt::arg("base", one_line(tree_.source(operands[0]))),
                       fmt::arg("exponent", one_line(tree_.source(operands[1]))), fmt::arg("cure", cure));
  }
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
  const std::uint8_t width = value(*widest).width();
  std::string expected = counted(row.most_width, "lane");
  std::string cure;
  if (row.least_width != row.most_width) {
    expected =
        fmt::format("{least} to {most} lanes", fmt::arg("least", row.least_width), fmt::arg("most", row.most_width));
  } else if (width > row.most_width) {
    cure = with_text(at, *widest, lanes_of(*widest, std::string_view("xyzw").substr(0, row.most_width)));
  } else if (width == 1) {
    cure = with_text(at, *widest, fmt::format("vec{}({})", row.most_width, one_line(tree_.source(*widest))));
  }
  refuse(ErrorCode::width_mismatch,
         fmt::format("\"{name}\" takes values of {expected}, but {operand} has {width}{cure}.",
                     fmt::arg("name", row.name), fmt::arg("expected", expected), fmt::arg("operand", quote(*widest)),
                     fmt::arg("width", width), fmt::arg("cure", cure.empty() ? "" : "; write " + cure)),
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

}  // namespace millrace::expression
