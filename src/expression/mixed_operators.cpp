// Names may be bools or numbers, so that some advice holds on a condition only; literals, operators and functions tell what
// they are.
#include "src/expression/mixed_operators.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <millrace/expression.hpp>

#include "src/expression/fault.hpp"
#include "src/expression/function_table.hpp"

namespace millrace::expression {
namespace {

enum class Sort : std::uint8_t { unknown, boolean, number };

Sort sort_of_call(std::string_view name) {
  const std::optional<FunctionIndex> found = find_function(name);
  if (!found) return Sort::unknown;
  const FunctionRow& row = function(*found);
  switch (row.signature) {
    case Signature::comparison:
    case Signature::to_bool:
      return Sort::boolean;
    case Signature::select:
    case Signature::construct:
      return Sort::unknown;
    default:
      return row.lanes == Lanes::boolean ? Sort::boolean : Sort::number;
  }
}

Sort sort_of_binary(std::string_view name) {
  const OperatorGroup group = find_binary_operator(name)->group;
  return group <= OperatorGroup::comparison ? Sort::boolean : Sort::number;
}

Sort sort_of(const SyntaxTree& tree, SyntaxIndex index) {
  // Lanes are what the vector is, and a choice what its values are.
  for (;; index = tree.node(index).operands[tree.node(index).kind == SyntaxKind::ternary ? 1 : 0]) {
    const SyntaxNode& node = tree.node(index);
    switch (node.kind) {
      case SyntaxKind::number:
        return Sort::number;
      case SyntaxKind::name:
        if (node.is_quoted || !is_builtin(node.name)) return Sort::unknown;
        return node.name == "true" || node.name == "false" ? Sort::boolean : Sort::number;
      case SyntaxKind::unary:
        return node.name == "!" ? Sort::boolean : Sort::number;
      case SyntaxKind::binary:
        return sort_of_binary(node.name);
      case SyntaxKind::call:
        return sort_of_call(node.name);
      case SyntaxKind::ternary:
      case SyntaxKind::swizzle:
      case SyntaxKind::lane:
        break;
    }
  }
}

bool differ(Sort a, Sort b) { return a != Sort::unknown && b != Sort::unknown && a != b; }

bool compares_bools(const BinaryOperator& comparison) { return comparison.name == "==" || comparison.name == "!="; }

bool may_compare(const BinaryOperator& comparison, Sort a, Sort b) {
  if (differ(a, b)) return false;
  return compares_bools(comparison) || (a != Sort::boolean && b != Sort::boolean);
}

// The operator between bools that means what `&`, `|` or `^` means between bits.
std::string logical(std::string_view bit) { return bit == "^" ? "!=" : fmt::format("{0}{0}", bit); }

using Tokens = std::span<const Token>;

bool is_in(const Token& token, OperatorGroup group) {
  const BinaryOperator* const found = token.kind == TokenKind::symbol ? find_binary_operator(token.text) : nullptr;
  return found != nullptr && found->group == group;
}

bool opens(const Token& token) { return token.is("(") || token.is("["); }
bool closes(const Token& token) { return token.is(")") || token.is("]"); }

// Whether the tokens can be nothing but true or false: comparisons, a negation, or such in parentheses.
bool is_condition(Tokens tokens) {
  for (; tokens.size() > 2 && tokens.front().is("(") && tokens.back().is(")");
       tokens = tokens.subspan(1, tokens.size() - 2)) {
    int depth = 0;
    const auto is_outside = [&](const Token& token) {
      if (opens(token)) ++depth;
      if (closes(token)) --depth;
      return depth == 0;
    };
    // Parentheses around all of it.
    if (std::find_if(tokens.begin(), tokens.end(), is_outside) != tokens.end() - 1) break;
  }
  if (!tokens.empty() && tokens.front().is("!")) return true;
  int depth = 0;
  for (const Token& token : tokens) {
    if (opens(token)) ++depth;
    if (closes(token)) --depth;
    for (const OperatorGroup group :
         {OperatorGroup::comparison, OperatorGroup::logical_and, OperatorGroup::logical_or}) {
      if (depth == 0 && is_in(token, group)) return true;
    }
  }
  return false;
}

// Where what the token is an operator of begins and ends: between what binds looser.
Tokens operands_around(Tokens tokens, std::size_t byte) {
  const auto at = static_cast<std::size_t>(
      std::find_if(tokens.begin(), tokens.end(), [&](const Token& token) { return token.first == byte; }) -
      tokens.begin());
  const auto ends = [](const Token& token) {
    return token.kind == TokenKind::end || is_in(token, OperatorGroup::logical_or) ||
           is_in(token, OperatorGroup::logical_and) || token.is("?") || token.is(":") || token.is(",");
  };
  std::size_t first = at;
  for (int depth = 0; first > 0; --first) {
    const Token& token = tokens[first - 1];
    if (closes(token)) ++depth;
    if (opens(token) && --depth < 0) break;
    if (depth == 0 && ends(token)) break;
  }
  std::size_t last = at;
  for (int depth = 0; last < tokens.size(); ++last) {
    const Token& token = tokens[last];
    if (opens(token)) ++depth;
    if (closes(token) && --depth < 0) break;
    if (token.kind == TokenKind::end || (depth == 0 && ends(token))) break;
  }
  return tokens.subspan(first, last - first);
}

// x > 0 & y > 0 as x > 0 && y > 0, where all that `&`, `|` and `^` join there are conditions.
std::optional<std::string> find_joined_conditions(const SyntaxTree& tree, Tokens tokens, std::size_t byte) {
  const Tokens around = operands_around(tokens, byte);
  // Alternatives, each of conditions that must all hold.
  std::vector<std::vector<std::string>> alternatives(1);
  std::size_t first = 0;
  int differing_count = 0;  // of ^
  int depth = 0;
  for (std::size_t at = 0; at <= around.size(); ++at) {
    const bool is_end = at == around.size();
    if (!is_end && opens(around[at])) ++depth;
    if (!is_end && closes(around[at])) --depth;
    if (!is_end && (depth > 0 || !is_in(around[at], OperatorGroup::bit))) continue;
    const Tokens condition = around.subspan(first, at - first);
    if (!is_condition(condition)) return std::nullopt;
    alternatives.back().push_back(one_line(tree.slice({condition.front().first, condition.back().last})));
    if (!is_end && around[at].is("|")) alternatives.emplace_back();
    differing_count += !is_end && around[at].is("^") ? 1 : 0;
    first = at + 1;
  }
  if (differing_count > 0) {
    if (alternatives.size() > 1 || alternatives[0].size() != 2) return std::nullopt;
    return fmt::format("({}) != ({})", alternatives[0][0], alternatives[0][1]);
  }
  std::vector<std::string> texts;
  for (const std::vector<std::string>& conditions : alternatives) {
    const bool is_wrapped = alternatives.size() > 1 && conditions.size() > 1;
    texts.push_back(fmt::format("{}{}{}", is_wrapped ? "(" : "", fmt::join(conditions, " && "), is_wrapped ? ")" : ""));
  }
  return fmt::format("{}", fmt::join(texts, " || "));
}

class Advice {
 public:
  Advice(const SyntaxTree& tree, Tokens tokens, const MixedOperators& mix)
      : tree_(tree),
        tokens_(tokens),
        mix_(mix),
        sort_a_(sort_of(tree, mix.a)),
        sort_b_(sort_of(tree, mix.b)),
        sort_c_(sort_of(tree, mix.c)) {}

  [[nodiscard]] std::string text() const {
    const OperatorGroup first = mix_.first.group;
    const OperatorGroup second = mix_.second.group;
    if (first == OperatorGroup::comparison && second == OperatorGroup::comparison) return chained_comparisons();
    for (const auto& [operation, at] : {std::pair(mix_.first, mix_.first_at), std::pair(mix_.second, mix_.second_at)}) {
      if (operation.group != OperatorGroup::bit) continue;
      if (const auto joined = find_joined_conditions(tree_, tokens_, at)) return *joined;
    }
    if (first == OperatorGroup::bit && second <= OperatorGroup::comparison) return bits_first();
    if (second == OperatorGroup::bit && first <= OperatorGroup::comparison) return bits_second();
    const std::string left = fill("({a} {first} {b1}) {second} {c}");
    const std::string right = fill("{a} {first} ({b2} {second} {c})");
    return mix_.first_binds ? left + " or " + right : right + " or " + left;
  }

 private:
  [[nodiscard]] const BinaryOperator* find_bare_operator(SyntaxIndex index) const {
    const SyntaxNode& node = tree_.node(index);
    const bool is_bare = node.kind == SyntaxKind::binary && node.range.first == node.outer.first;
    return is_bare ? find_binary_operator(node.name) : nullptr;
  }
  // As the left or right operand of the operator: in parentheses where the two do not mix either.
  [[nodiscard]] std::string source(SyntaxIndex index, const BinaryOperator& outer, bool is_left) const {
    std::string text = one_line(tree_.outer_source(index));
    const BinaryOperator* const inner = find_bare_operator(index);
    if (inner == nullptr || may_mix(outer, *inner, is_left)) return text;
    const bool are_bits = inner->group == OperatorGroup::bit && outer.group < OperatorGroup::comparison;
    return fmt::format(fmt::runtime(are_bits ? "({}) != 0" : "({})"), text);
  }
  // Holes: {a}, {b1} as the right operand of the first operator, {b2} as the left one of the second, {c}; {first} and
  // {second}, and {first_logical} and {second_logical} in their place between bools.
  [[nodiscard]] std::string fill(const char* form) const {
    return fmt::format(fmt::runtime(form), fmt::arg("a", source(mix_.a, mix_.first, true)),
                       fmt::arg("b1", source(mix_.b, mix_.first, false)),
                       fmt::arg("b2", source(mix_.b, mix_.second, true)),
                       fmt::arg("c", source(mix_.c, mix_.second, false)), fmt::arg("first", mix_.first.name),
                       fmt::arg("second", mix_.second.name), fmt::arg("first_logical", logical(mix_.first.name)),
                       fmt::arg("second_logical", logical(mix_.second.name)));
  }
  [[nodiscard]] std::string where_bool(SyntaxIndex index) const {
    return fmt::format(" where {} is a bool", quoted(tree_.source(index)));
  }

  // A bool has no order, but it may equal another.
  [[nodiscard]] std::string chained_comparisons() const {
    const std::string chain = fill("{a} {first} {b1} && {b2} {second} {c}");
    std::string left = fill("({a} {first} {b1}) {second} {c}");
    std::string right = fill("{a} {first} ({b2} {second} {c})");
    const bool first_holds = may_compare(mix_.first, sort_a_, sort_b_);
    const bool second_holds = may_compare(mix_.second, sort_b_, sort_c_);
    const bool may_left = first_holds && compares_bools(mix_.second) && sort_c_ != Sort::number;
    const bool may_right = second_holds && compares_bools(mix_.first) && sort_a_ != Sort::number;
    const bool may_chain = first_holds && second_holds;
    if (may_left && (sort_c_ == Sort::boolean || !may_chain)) return left;
    if (may_right && (sort_a_ == Sort::boolean || !may_chain)) return right;
    if (may_left) return chain + ", or " + left + where_bool(mix_.c);
    return may_right ? chain + ", or " + right + where_bool(mix_.a) : chain;
  }

  // a & b == c, a & b && c. Bits are numbers, whatever is done with them.
  [[nodiscard]] std::string bits_first() const {
    const bool is_compared = mix_.second.group == OperatorGroup::comparison;
    const bool is_same = logical(mix_.first.name) == mix_.second.name;
    const std::string as_bits =
        fill(is_compared ? "({a} {first} {b1}) {second} {c}" : "({a} {first} {b1}) != 0 {second} {c}");
    const std::string as_bools = fill(is_compared && mix_.first.name == "^"
                                          ? "{a} {first_logical} ({b2} {second} {c})"
                                          : (is_compared || is_same ? "{a} {first_logical} {b2} {second} {c}"
                                                                    : "({a} {first_logical} {b1}) {second} {c}"));
    const Sort other = is_compared ? Sort::unknown : sort_b_;
    const BinaryOperator* const far = find_bare_operator(mix_.c);
    const bool is_number = (far != nullptr && far->group == OperatorGroup::bit) ||
                           (is_compared && tree_.node(mix_.b).kind == SyntaxKind::number);
    return choose(as_bits, as_bools, sort_a_, is_number ? Sort::number : other, mix_.a);
  }

  // a == b & c, a && b & c.
  [[nodiscard]] std::string bits_second() const {
    const bool is_compared = mix_.first.group == OperatorGroup::comparison;
    const bool is_same = logical(mix_.second.name) == mix_.first.name;
    const std::string as_bits =
        fill(is_compared ? "{a} {first} ({b2} {second} {c})" : "{a} {first} ({b2} {second} {c}) != 0");
    const std::string as_bools = fill(is_compared && mix_.second.name == "^"
                                          ? "({a} {first} {b1}) {second_logical} {c}"
                                          : (is_compared || is_same ? "{a} {first} {b1} {second_logical} {c}"
                                                                    : "{a} {first} ({b2} {second_logical} {c})"));
    return choose(as_bits, as_bools, sort_c_, is_compared ? Sort::unknown : sort_b_, mix_.c);
  }

  // sort, other: of operands that are both bools where the operator is meant between bools.
  [[nodiscard]] std::string choose(const std::string& as_bits, const std::string& as_bools, Sort sort, Sort other,
                                   SyntaxIndex operand) const {
    if (sort == Sort::number || other == Sort::number) return as_bits;
    if (sort == Sort::boolean || other == Sort::boolean) return as_bools;
    return as_bits + ", or " + as_bools + where_bool(operand);
  }

  const SyntaxTree& tree_;
  Tokens tokens_;
  const MixedOperators& mix_;
  Sort sort_a_;
  Sort sort_b_;
  Sort sort_c_;
};

}  // namespace

std::string mixed_operators_fault(const SyntaxTree& tree, std::span<const Token> tokens, const MixedOperators& mix) {
  const bool chains = mix.first.group == OperatorGroup::comparison && mix.second.group == OperatorGroup::comparison;
  const std::string fault = chains
                                ? "Comparisons do not chain"
                                : fmt::format("\"{first}\" and \"{second}\" need parentheses between them",
                                              fmt::arg("first", mix.first.name), fmt::arg("second", mix.second.name));
  return fmt::format("{fault}; write {advice}.", fmt::arg("fault", fault),
                     fmt::arg("advice", Advice(tree, tokens, mix).text()));
}

}  // namespace millrace::expression
