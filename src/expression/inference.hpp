// One inference: what the stage `infer` keeps while it walks a syntax tree. Shared by the files infer*.cpp only.
//
// The walk is a loop over the flat tree. Each node becomes a Value: a constant that the host still knows, or a node of
// the DAG. A constant turns into a node where it meets one, in the lane type that it finds there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/expression/formula.hpp"
#include "src/expression/function_table.hpp"
#include "src/expression/syntax.hpp"

namespace millrace::expression {

struct Value {
  // One to four lanes of one NumberKind; empty for a node.
  std::vector<Number> constant = {};
  NodeIndex node = {};
  Type type = {};  // of the node

  [[nodiscard]] bool is_constant() const { return !constant.empty(); }
  [[nodiscard]] std::uint8_t width() const {
    return is_constant() ? static_cast<std::uint8_t>(constant.size()) : type.width;
  }
};

class Inference {
 public:
  Inference(const Formula& formula, const FindName& find, const std::vector<std::string>& known_names, Dag& dag,
            const InferOptions& options);
  [[nodiscard]] Inferred run();

 private:
  using Operands = std::span<const SyntaxIndex>;
  // The lane type that the operands meet in, and the operand that decides it. Nothing where all are fractions without a
  // type, which the caller may fold.
  struct Meeting {
    std::optional<Lane> lane = {};
    std::optional<SyntaxIndex> decider = {};
  };

  // infer.cpp: the walk, names, lanes, the result.
  [[nodiscard]] Value visit(SyntaxIndex at);
  [[nodiscard]] Value visit_name(SyntaxIndex at);
  [[nodiscard]] Value visit_builtin(SyntaxIndex at);
  [[nodiscard]] Value visit_swizzle(SyntaxIndex at);
  [[nodiscard]] Value visit_lane(SyntaxIndex at);
  [[nodiscard]] Value pick_lanes(const Value& from, std::span<const std::uint8_t> picked);
  [[noreturn]] void refuse_index(SyntaxIndex at, Type given) const;
  void check_rows_have_vector() const;
  [[nodiscard]] Inferred finish();
  [[noreturn]] void refuse_format(Type type, Type wanted) const;

  // infer_call.cpp: operators and functions whose operands have one type.
  [[nodiscard]] Value visit_unary(SyntaxIndex at);
  [[nodiscard]] Value visit_binary(SyntaxIndex at);
  [[nodiscard]] Value visit_ternary(SyntaxIndex at);
  [[nodiscard]] Value visit_call(SyntaxIndex at);
  [[nodiscard]] Value apply(FunctionIndex index, SyntaxIndex at, Operands operands);
  [[nodiscard]] Value call(FunctionIndex function, Type result, std::span<const NodeIndex> operands);
  // The value of a unary or binary operator whose operands are all constants.
  [[nodiscard]] std::optional<Value> fold(SyntaxIndex at, Operands operands, const Meeting& meeting) const;
  [[nodiscard]] Number number_of(SyntaxIndex operand, std::size_t lane_index, const Meeting& meeting) const;
  void refuse_fold(SyntaxIndex at, NumberFault fault, std::optional<Lane> lane) const;
  void check_division(SyntaxIndex at, Operands operands, std::optional<Lane> lane) const;
  void check_lanes(SyntaxIndex at, Operands operands, const FunctionRow& row, Lane lane) const;
  [[noreturn]] void refuse_width(SyntaxIndex at, Operands operands, const FunctionRow& row) const;
  [[noreturn]] void refuse_unknown_function(SyntaxIndex at) const;

  // infer_signature.cpp: functions whose operands differ in type.
  [[nodiscard]] Value apply_select(SyntaxIndex at, SyntaxIndex where_false, SyntaxIndex where_true,
                                   SyntaxIndex condition);
  [[nodiscard]] Value apply_shift(FunctionIndex index, SyntaxIndex at, Operands operands);
  [[nodiscard]] Value apply_cast(FunctionIndex index, SyntaxIndex at, SyntaxIndex operand);
  [[nodiscard]] Value apply_constructor(FunctionIndex index, SyntaxIndex at, Operands operands);
  [[nodiscard]] Value apply_bit_range(FunctionIndex index, SyntaxIndex at, Operands operands);
  void check_bound(SyntaxIndex at, SyntaxIndex bound, const FunctionRow& row) const;
  [[noreturn]] void refuse_bound(SyntaxIndex at, SyntaxIndex bound, const FunctionRow& row) const;
  [[nodiscard]] Value apply_scale(FunctionIndex index, SyntaxIndex at, Operands operands);
  [[nodiscard]] Value apply_refraction(FunctionIndex index, SyntaxIndex at, Operands operands);
  [[nodiscard]] Value apply_bitcast(FunctionIndex index, SyntaxIndex at, Operands operands);
  [[nodiscard]] Value apply_power(FunctionIndex index, SyntaxIndex at, Operands operands);
  [[nodiscard]] bool is_small_power(SyntaxIndex exponent) const;
  [[nodiscard]] Value reduce_one_lane(Type type, std::span<const NodeIndex> operands);

  // infer_types.cpp: which lane type and width operands share, and their conversion.
  // row: of the function whose operands they are.
  [[nodiscard]] Meeting meet_lanes(SyntaxIndex at, Operands operands, const FunctionRow& row) const;
  [[nodiscard]] std::uint8_t meet_widths(SyntaxIndex at, Operands operands) const;
  // The lane type of constants without one: f32 where one is no whole number or `lanes` has no integers.
  [[nodiscard]] Lane default_lane(Operands operands, Lanes lanes) const;
  // The lane type that the operands meet in, or that of constants alone; the function takes it.
  [[nodiscard]] Lane settle_lane(SyntaxIndex at, Operands operands, const FunctionRow& row,
                                 const Meeting& meeting) const;
  [[nodiscard]] Type own_type(SyntaxIndex operand) const;
  // The operand as a node of that type: constants written out, ints to f32 cast, one lane splat.
  [[nodiscard]] NodeIndex node_of(SyntaxIndex operand, Type type, std::optional<SyntaxIndex> decider);
  [[nodiscard]] NodeIndex constant_node(const std::vector<Number>& lanes, Lane lane);
  [[nodiscard]] NodeIndex splat(NodeIndex node, Type type);
  // cure: the lane type to cast to where no operand decides the lane type, if there is one.
  void check_fits(SyntaxIndex operand, Lane lane, std::optional<SyntaxIndex> decider,
                  std::optional<Lane> cure = Lane::f32) const;
  // What to write where the number, an operand of the visited node, does not fit. Empty where nothing helps.
  [[nodiscard]] std::string fitting_text(SyntaxIndex operand, const Number& number, Lane lane,
                                         std::optional<SyntaxIndex> decider, std::optional<Lane> cure) const;
  // The lane type that all constants without one among the operands fit, of those that the visited node takes.
  [[nodiscard]] std::optional<Lane> find_fitting_lane(Operands operands) const;
  // Which lanes the visited node takes.
  [[nodiscard]] Lanes visited_lanes() const;
  [[noreturn]] void refuse_mixed(SyntaxIndex at, Operands operands, SyntaxIndex signed_operand,
                                 SyntaxIndex unsigned_operand) const;
  [[noreturn]] void refuse_bool(SyntaxIndex at, Operands operands, const FunctionRow& row, SyntaxIndex other) const;
  // Those that have that lane type by themselves.
  [[nodiscard]] std::vector<SyntaxIndex> operands_of(Operands operands, Lane lane) const;

  // The node's text with operands (in the order of the text) wrapped in a cast: "u32(offsets) + counts". Of a long
  // text, one cast alone.
  [[nodiscard]] std::string with_casts(SyntaxIndex at, Operands operands, Lane lane) const;
  [[nodiscard]] std::string with_cast(SyntaxIndex at, SyntaxIndex operand, Lane lane) const;
  // The node's text with an operand replaced; of a long text, the replacement alone.
  [[nodiscard]] std::string with_text(SyntaxIndex at, SyntaxIndex operand, std::string_view text) const;
  // The binary node's text with another operator; of a long text, the operator alone.
  [[nodiscard]] std::string with_operator(SyntaxIndex at, std::string_view name) const;
  // "p.xy", "(p + q).xy".
  [[nodiscard]] std::string lanes_of(SyntaxIndex operand, std::string_view lanes) const;
  [[nodiscard]] std::string cast_of(SyntaxIndex operand, Lane lane) const;
  [[nodiscard]] std::string quote(SyntaxIndex at) const;
  // A number of the operand, as it is written where the operand is that number alone.
  [[nodiscard]] std::string number_text(SyntaxIndex operand, const Number& number) const;
  [[noreturn]] void refuse(ErrorCode code, std::string_view sentence, SyntaxIndex at) const;

  [[nodiscard]] const Value& value(SyntaxIndex index) const { return values_[index.value]; }

  const Formula& formula_;
  const SyntaxTree& tree_;
  const FindName& find_;
  const std::vector<std::string>& known_names_;
  Dag& dag_;
  const InferOptions& options_;
  std::vector<Value> values_;
  std::optional<SyntaxIndex> visited_;  // the node that is visited; nothing where the result is stored
  std::vector<std::string> hidden_builtins_;
  bool reads_vector_ = false;
  std::optional<SyntaxIndex> rows_at_;  // the first `row` or `rows`
};

}  // namespace millrace::expression
