// Precedence climbing. Only parentheses, calls, brackets and the middle of ?: recurse, and their depth is bounded; chains
// of operators, prefixes and ?: are loops.
#include "src/expression/parser.hpp"

#include <array>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "src/expression/fault.hpp"

namespace millrace::expression {
namespace {

constexpr std::size_t kDepthLimit = 1'000;

// Operators of one group bind alike. Which groups may be operands of which without parentheses is WGSL's rule
// (https://www.w3.org/TR/WGSL/#operator-precedence-associativity).
enum class Group : std::uint8_t { logical_or, logical_and, comparison, bit, shift, sum, product };

struct BinaryOperator {
  std::string_view name;
  Group group;
};
constexpr std::array kBinaryOperators = {
    BinaryOperator{"||", Group::logical_or}, BinaryOperator{"&&", Group::logical_and},
    BinaryOperator{"==", Group::comparison}, BinaryOperator{"!=", Group::comparison},
    BinaryOperator{"<", Group::comparison},  BinaryOperator{"<=", Group::comparison},
    BinaryOperator{">", Group::comparison},  BinaryOperator{">=", Group::comparison},
    BinaryOperator{"|", Group::bit},         BinaryOperator{"^", Group::bit},
    BinaryOperator{"&", Group::bit},         BinaryOperator{"<<", Group::shift},
    BinaryOperator{">>", Group::shift},      BinaryOperator{"+", Group::sum},
    BinaryOperator{"-", Group::sum},         BinaryOperator{"*", Group::product},
    BinaryOperator{"/", Group::product},     BinaryOperator{"%", Group::product},
};

const BinaryOperator* find_binary_operator(std::string_view name) {
  for (const BinaryOperator& candidate : kBinaryOperators) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

Group next_tighter(Group group) { return static_cast<Group>(static_cast<int>(group) + 1); }

// Whether `inner` may be the left (or right) operand of `outer` without parentheses, given that it binds no looser.
bool may_mix(const BinaryOperator& outer, const BinaryOperator& inner, bool is_left) {
  switch (outer.group) {
    case Group::logical_or:
    case Group::logical_and:
      if (inner.group == outer.group) return is_left;
      return inner.group >= Group::comparison && inner.group != Group::bit;
    case Group::comparison:
      return inner.group >= Group::shift;
    case Group::bit:
      return is_left && inner.name == outer.name;
    case Group::shift:
      return false;
    case Group::sum:
    case Group::product:
      return true;
  }
  return true;
}

class Parser {
 public:
  Parser(std::string_view text, std::span<const Token> tokens, std::string_view subject)
      : tokens_(tokens), subject_(subject) {
    tree_.text = text;
  }

  ParsedExpression run() {
    parse_ternary();
    if (token().kind != TokenKind::end) refuse_trailing();
    return {std::move(tree_), std::move(names_)};
  }

 private:
  [[nodiscard]] const Token& token() const { return tokens_[at_]; }
  [[nodiscard]] bool accept(std::string_view symbol) {
    if (!token().is(symbol)) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void refuse(ErrorCode code, std::string_view sentence, std::size_t byte) const {
    throw_fault(code, subject_, sentence, tree_.text, byte);
  }
  [[noreturn]] void refuse_trailing() const {
    const bool begins_value = token().kind != TokenKind::symbol || token().is("(") || token().is("[");
    refuse(ErrorCode::syntax_error,
           fmt::format("{fault} {token}{rest}.",
                       fmt::arg("fault", begins_value ? "An operator is missing before" : "The expression ends before"),
                       fmt::arg("token", quoted(source(token()))),
                       fmt::arg("rest", begins_value ? "" : ", which has no meaning here")),
           token().first);
  }
  [[noreturn]] void refuse_missing_value() const {
    if (token().kind == TokenKind::end)
      refuse(ErrorCode::syntax_error, "The formula ends where a value is expected.", token().first);
    refuse(ErrorCode::syntax_error,
           fmt::format("A value is expected here, not {token}.", fmt::arg("token", quoted(source(token())))),
           token().first);
  }
  [[nodiscard]] std::string_view source(const Token& of) const { return tree_.slice({of.first, of.last}); }

  SyntaxIndex push(SyntaxNode node) {
    if (node.outer.last == 0) node.outer = node.range;
    tree_.nodes.push_back(std::move(node));
    return tree_.root();
  }
  [[nodiscard]] SourceRange spanned(SyntaxIndex first, SyntaxIndex last) const {
    return {tree_.node(first).outer.first, tree_.node(last).outer.last};
  }

  void enter() {
    if (++depth_ <= kDepthLimit) return;
    refuse(ErrorCode::expression_too_deep,
           "The formula nests more than 1,000 levels deep here; name its parts in formulas of their own.",
           token().first);
  }
  void leave() { --depth_; }

  // The closing symbol of what `open` opened.
  std::size_t expect_closing(std::string_view symbol, const Token& open) {
    const std::size_t last = token().last;
    if (accept(symbol)) return last;
    if (token().kind == TokenKind::end) {
      refuse(ErrorCode::syntax_error,
             fmt::format("{open} is never closed; {symbol} is missing.", fmt::arg("open", quoted(source(open))),
                         fmt::arg("symbol", quoted(symbol))),
             open.first);
    }
    refuse(ErrorCode::syntax_error,
           fmt::format("{symbol} or an operator is expected here, not {token}.", fmt::arg("symbol", quoted(symbol)),
                       fmt::arg("token", quoted(source(token())))),
           token().first);
  }

  // An expression inside of something: one level deeper.
  SyntaxIndex parse_nested() {
    enter();
    const SyntaxIndex inner = parse_ternary();
    leave();
    return inner;
  }

  // a ? b : c ? d : e, folded from the right once the last part is there.
  SyntaxIndex parse_ternary() {
    struct Pending {
      SyntaxIndex condition;
      SyntaxIndex where_true;
      std::size_t at;
    };
    std::vector<Pending> pending;
    SyntaxIndex last = parse_binary(Group::logical_or);
    while (token().is("?")) {
      const Token& question = token();
      ++at_;
      const SyntaxIndex where_true = parse_nested();
      expect_closing(":", question);
      pending.push_back({last, where_true, question.first});
      last = parse_binary(Group::logical_or);
    }
    for (; !pending.empty(); pending.pop_back()) {
      const Pending& part = pending.back();
      last = push({.kind = SyntaxKind::ternary,
                   .operands = {part.condition, part.where_true, last},
                   .at = part.at,
                   .range = spanned(part.condition, last)});
    }
    return last;
  }

  [[nodiscard]] const BinaryOperator* find_operator(Group loosest) const {
    if (token().kind != TokenKind::symbol) return nullptr;
    const BinaryOperator* const found = find_binary_operator(token().text);
    return found != nullptr && found->group >= loosest ? found : nullptr;
  }

  SyntaxIndex parse_binary(Group loosest) {
    SyntaxIndex left = parse_unary();
    while (const BinaryOperator* const operation = find_operator(loosest)) {
      const std::size_t at = token().first;
      ++at_;
      const SyntaxIndex right =
          operation->group == Group::product ? parse_unary() : parse_binary(next_tighter(operation->group));
      check_mixing(*operation, left, right, at);
      left = push({.kind = SyntaxKind::binary,
                   .name = std::string(operation->name),
                   .operands = {left, right},
                   .at = at,
                   .range = spanned(left, right)});
    }
    return left;
  }

  // The operator of a node that is a binary expression without parentheses.
  [[nodiscard]] const BinaryOperator* find_bare_operator(SyntaxIndex index) const {
    const SyntaxNode& node = tree_.node(index);
    const bool is_bare = node.kind == SyntaxKind::binary && node.range.first == node.outer.first;
    return is_bare ? find_binary_operator(node.name) : nullptr;
  }

  void check_mixing(const BinaryOperator& outer, SyntaxIndex left, SyntaxIndex right, std::size_t at) const {
    const BinaryOperator* const left_operator = find_bare_operator(left);
    if (left_operator != nullptr && !may_mix(outer, *left_operator, true)) {
      const SyntaxNode& inner = tree_.node(left);
      refuse_mixing(*left_operator, outer, inner.operands[0], inner.operands[1], right, true, at);
    }
    const BinaryOperator* const right_operator = find_bare_operator(right);
    if (right_operator != nullptr && !may_mix(outer, *right_operator, false)) {
      const SyntaxNode& inner = tree_.node(right);
      refuse_mixing(outer, *right_operator, left, inner.operands[0], inner.operands[1], false, inner.at);
    }
  }

  // a first b second c: the two ways to write it, the way that precedence would read it before the other.
  [[noreturn]] void refuse_mixing(const BinaryOperator& first, const BinaryOperator& second, SyntaxIndex a,
                                  SyntaxIndex b, SyntaxIndex c, bool left_first, std::size_t at) const {
    const auto arguments = [&](const char* form) {
      return fmt::format(fmt::runtime(form), fmt::arg("a", one_line(tree_.outer_source(a))),
                         fmt::arg("b", one_line(tree_.outer_source(b))), fmt::arg("c", one_line(tree_.outer_source(c))),
                         fmt::arg("first", first.name), fmt::arg("second", second.name));
    };
    if (first.group == Group::comparison && second.group == Group::comparison) {
      refuse(ErrorCode::parentheses_required,
             arguments("Comparisons do not chain; write {a} {first} {b} && {b} {second} {c}."), at);
    }
    const std::string left_form = arguments("({a} {first} {b}) {second} {c}");
    const std::string right_form = arguments("{a} {first} ({b} {second} {c})");
    refuse(ErrorCode::parentheses_required,
           fmt::format("\"{first}\" and \"{second}\" need parentheses between them; write {one} or {other}.",
                       fmt::arg("first", first.name), fmt::arg("second", second.name),
                       fmt::arg("one", left_first ? left_form : right_form),
                       fmt::arg("other", left_first ? right_form : left_form)),
           at);
  }

  SyntaxIndex parse_unary() {
    std::vector<const Token*> prefixes;
    while (token().is("-") || token().is("!") || token().is("~")) {
      prefixes.push_back(&token());
      ++at_;
    }
    SyntaxIndex operand = parse_postfix();
    for (; !prefixes.empty(); prefixes.pop_back()) {
      const Token& prefix = *prefixes.back();
      operand = push({.kind = SyntaxKind::unary,
                      .name = std::string(prefix.text),
                      .operands = {operand},
                      .at = prefix.first,
                      .range = {prefix.first, tree_.node(operand).outer.last}});
    }
    return operand;
  }

  SyntaxIndex parse_postfix() {
    SyntaxIndex value = parse_primary();
    for (;;) {
      if (token().is(".")) {
        value = parse_swizzle(value);
      } else if (token().is("[")) {
        value = parse_lane(value);
      } else {
        return value;
      }
    }
  }

  SyntaxIndex parse_swizzle(SyntaxIndex value) {
    const std::size_t at = token().first;
    ++at_;
    const Token& letters = token();
    const auto all_of = [&](std::string_view set) {
      return letters.kind == TokenKind::name && letters.text.find_first_not_of(set) == std::string_view::npos;
    };
    if ((!all_of("xyzw") && !all_of("rgba")) || letters.text.size() > 4) {
      refuse(ErrorCode::syntax_error,
             "After \".\" stand one to four lanes, either of xyzw or of rgba: p.x, p.zyx, color.rgb.", letters.first);
    }
    ++at_;
    return push({.kind = SyntaxKind::swizzle,
                 .name = std::string(letters.text),
                 .operands = {value},
                 .at = at,
                 .range = {tree_.node(value).outer.first, letters.last}});
  }

  SyntaxIndex parse_lane(SyntaxIndex value) {
    const Token& open = token();
    ++at_;
    const SyntaxIndex index = parse_nested();
    const std::size_t last = expect_closing("]", open);
    return push({.kind = SyntaxKind::lane,
                 .operands = {value, index},
                 .at = open.first,
                 .range = {tree_.node(value).outer.first, last}});
  }

  SyntaxIndex parse_primary() {
    const Token& here = token();
    if (here.kind == TokenKind::number) return parse_number();
    if (here.kind == TokenKind::name && tokens_[at_ + 1].is("(")) return parse_call();
    if (here.kind == TokenKind::name || here.kind == TokenKind::quoted_name) {
      ++at_;
      std::string name(here.text);
      if (known_names_.insert(name).second) names_.push_back(name);
      return push({.kind = SyntaxKind::name,
                   .name = std::move(name),
                   .is_quoted = here.kind == TokenKind::quoted_name,
                   .at = here.first,
                   .range = {here.first, here.last}});
    }
    if (!here.is("(")) refuse_missing_value();
    ++at_;
    const SyntaxIndex inner = parse_nested();
    const std::size_t last = expect_closing(")", here);
    tree_.nodes[inner.value].outer = {here.first, last};
    return inner;
  }

  SyntaxIndex parse_number() {
    const Token& here = token();
    ++at_;
    const Folded read = read_number(here.text);
    if (const Number* const number = std::get_if<Number>(&read)) {
      return push({.kind = SyntaxKind::number, .number = *number, .at = here.first, .range = {here.first, here.last}});
    }
    refuse(ErrorCode::literal_out_of_range,
           fmt::format("{number} is past what a literal holds: i32 is -2147483648 to 2147483647, u32 is 0 to "
                       "4294967295, and f32 ends at 3.4028235e38.",
                       fmt::arg("number", quoted(here.text))),
           here.first);
  }

  SyntaxIndex parse_call() {
    const Token& name = token();
    const Token& open = tokens_[at_ + 1];
    at_ += 2;
    std::vector<SyntaxIndex> operands;
    if (!token().is(")")) {
      do {
        operands.push_back(parse_nested());
      } while (accept(","));
    }
    const std::size_t last = expect_closing(")", open);
    return push({.kind = SyntaxKind::call,
                 .name = std::string(name.text),
                 .operands = std::move(operands),
                 .at = name.first,
                 .range = {name.first, last}});
  }

  SyntaxTree tree_;
  std::span<const Token> tokens_;
  std::string subject_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::vector<std::string> names_;
  std::unordered_set<std::string> known_names_;
};

}  // namespace

ParsedExpression parse_expression(std::string_view text, std::span<const Token> tokens, std::string_view subject) {
  return Parser(text, tokens, subject).run();
}

}  // namespace millrace::expression
