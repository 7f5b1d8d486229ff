// Operator precedence with a stack of its own: what waits for an operand lies there, the innermost last, so that the
// thread's stack stays as it is however deep the text nests.
//
//   -f(a, b * (c + |        whole   prefix -   call f: a   binary *: b   parenthesis   binary +: c
//
// After each operand what binds tighter than the next token is finished, from the innermost out. What was opened -
// parentheses, calls, brackets, the middle of ?: - ends that by its kind and waits for its closing symbol.
#include "src/expression/parser.hpp"

#include <optional>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/expression/binary_operators.hpp"
#include "src/expression/fault.hpp"
#include "src/expression/foreign_names.hpp"
#include "src/expression/function_table.hpp"
#include "src/expression/mixed_operators.hpp"

namespace millrace::expression {
namespace {

constexpr std::size_t kDepthLimit = 1'000;

// What lacks an operand, or a closing symbol.
enum class PartKind : std::uint8_t {
  whole,  // the expression; the outermost
  parenthesis,
  call,         // operands: the arguments so far
  lane,         // operands: the vector
  where_true,   // the middle of ?:; operands: the condition
  where_false,  // the rest of ?:; operands: the condition, the value where true
  binary,       // operands: the left one
  prefix,
};

struct Part {
  PartKind kind;
  std::size_t token = 0;  // which one it is for: the operator, the opening symbol, the name of the function
  std::vector<SyntaxIndex> operands = {};
  const BinaryOperator* operation = nullptr;  // of a binary
  std::string name = {};                      // of a call
  std::size_t opening = 0;                    // of a call: which token opens its arguments
};

class Parser {
 public:
  Parser(std::string_view text, std::span<const Token> tokens, std::string_view subject)
      : tokens_(tokens), subject_(subject) {
    tree_.text = text;
  }

  ParsedExpression run() {
    parts_.push_back({PartKind::whole});
    std::optional<SyntaxIndex> value;
    while (!parts_.empty()) value = value ? take_value(*value) : begin_value();
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
           fmt::format("{fault} {token}{rest}{advice}.",
                       fmt::arg("fault", begins_value ? "An operator is missing before" : "The expression ends before"),
                       fmt::arg("token", quoted(source(token()))),
                       fmt::arg("rest", begins_value ? "" : ", which has no meaning here"),
                       fmt::arg("advice", trailing_advice())),
           token().first);
  }
  [[nodiscard]] std::string trailing_advice() const {
    const Token& before = tokens_[at_ - 1];
    const bool is_word = before.kind == TokenKind::name && token().kind != TokenKind::symbol;
    if (is_word && find_function(before.text)) return fmt::format("; write {}(x)", before.text);
    if (is_word && before.text == "not") return foreign_operator_advice(before.text);
    // "=>" is two symbols here.
    const Token& next = tokens_[token().kind == TokenKind::end ? at_ : at_ + 1];
    const bool is_joined = next.kind == TokenKind::symbol && next.first == token().last;
    const std::string joined =
        is_joined ? foreign_operator_advice(tree_.slice({token().first, next.last})) : std::string();
    std::string advice = joined.empty() ? foreign_operator_advice(source(token())) : joined;
    if (advice.empty() && is_word && token().kind == TokenKind::name) {
      advice = fmt::format("; a name with blanks stands in backticks: `{} {}`", before.text, token().text);
    }
    return advice;
  }
  [[noreturn]] void refuse_missing_value() const {
    if (token().kind == TokenKind::end)
      refuse(ErrorCode::syntax_error, "The formula ends where a value is expected.", token().first);
    const bool has_left = parts_.back().kind == PartKind::binary && parts_.back().token + 1 == at_;
    const Token& written = has_left ? tokens_[at_ - 1] : token();
    refuse(ErrorCode::syntax_error,
           fmt::format("A value is expected here, not {token}{advice}.", fmt::arg("token", quoted(source(token()))),
                       fmt::arg("advice", foreign_operator_advice(tree_.slice({written.first, token().last})))),
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

  // One level deeper: into what the token opens.
  void open(Part part) {
    parts_.push_back(std::move(part));
    if (++depth_ <= kDepthLimit) return;
    refuse(ErrorCode::expression_too_deep,
           "The formula nests more than 1,000 levels deep here; name its parts in formulas of their own.",
           token().first);
  }
  Part take_part() {
    Part part = std::move(parts_.back());
    parts_.pop_back();
    return part;
  }
  // One level up.
  Part take_level() {
    --depth_;
    return take_part();
  }

  // The closing symbol of `opening`.
  std::size_t expect_closing(std::string_view symbol, const Token& opening) {
    const std::size_t last = token().last;
    if (accept(symbol)) return last;
    if (token().kind == TokenKind::end) {
      refuse(ErrorCode::syntax_error,
             fmt::format("{open} is never closed; {symbol} is missing.", fmt::arg("open", quoted(source(opening))),
                         fmt::arg("symbol", quoted(symbol))),
             opening.first);
    }
    refuse(ErrorCode::syntax_error,
           fmt::format("{symbol} or an operator is expected here, not {token}.", fmt::arg("symbol", quoted(symbol)),
                       fmt::arg("token", quoted(source(token())))),
           token().first);
  }

  // Prefixes and the beginning of an operand. The operand, or nothing where it opens something that begins with another.
  std::optional<SyntaxIndex> begin_value() {
    for (; token().is("-") || token().is("!") || token().is("~"); ++at_) parts_.push_back({PartKind::prefix, at_});
    const Token& here = token();
    if (here.kind == TokenKind::number) return parse_number();
    if (here.kind == TokenKind::name && tokens_[at_ + 1].is("(")) return begin_call(std::string(here.text), 1);
    if (const std::size_t count = typed_call_token_count(); count > 0) return begin_typed_call(count);
    if (here.kind == TokenKind::name || here.kind == TokenKind::quoted_name) return parse_name();
    if (!here.is("(")) refuse_missing_value();
    ++at_;
    open({PartKind::parenthesis, at_ - 1});
    return std::nullopt;
  }

  // What follows an operand. The larger one that it becomes, or nothing where another comes next.
  std::optional<SyntaxIndex> take_value(SyntaxIndex value) {
    if (token().is(".")) return parse_swizzle(value);
    if (token().is("[")) {
      ++at_;
      open({PartKind::lane, at_ - 1, {value}});
      return std::nullopt;
    }
    value = finish_prefixes(value);
    if (const BinaryOperator* const operation = find_operator()) {
      value = finish_binaries(operation->group, value);
      parts_.push_back({PartKind::binary, at_, {value}, operation});
      ++at_;
      return std::nullopt;
    }
    value = finish_binaries(OperatorGroup::logical_or, value);
    if (token().is("?")) {
      ++at_;
      open({PartKind::where_true, at_ - 1, {value}});
      return std::nullopt;
    }
    return close(finish_choices(value));
  }

  SyntaxIndex finish_prefixes(SyntaxIndex operand) {
    for (; parts_.back().kind == PartKind::prefix; parts_.pop_back()) {
      const Token& prefix = tokens_[parts_.back().token];
      operand = push({.kind = SyntaxKind::unary,
                      .name = std::string(prefix.text),
                      .operands = {operand},
                      .at = prefix.first,
                      .range = {prefix.first, tree_.node(operand).outer.last}});
    }
    return operand;
  }

  [[nodiscard]] const BinaryOperator* find_operator() const {
    return token().kind == TokenKind::symbol ? find_binary_operator(token().text) : nullptr;
  }

  // Those that bind no looser than `loosest`: operators of one group are grouped from the left.
  SyntaxIndex finish_binaries(OperatorGroup loosest, SyntaxIndex right) {
    while (parts_.back().kind == PartKind::binary && parts_.back().operation->group >= loosest) {
      const Part part = take_part();
      const SyntaxIndex left = part.operands[0];
      const std::size_t at = tokens_[part.token].first;
      check_mixing(*part.operation, left, right, at);
      right = push({.kind = SyntaxKind::binary,
                    .name = std::string(part.operation->name),
                    .operands = {left, right},
                    .at = at,
                    .range = spanned(left, right)});
    }
    return right;
  }

  // a ? b : c ? d : e, from the right once the last part is there.
  SyntaxIndex finish_choices(SyntaxIndex last) {
    while (parts_.back().kind == PartKind::where_false) {
      const Part part = take_part();
      last = push({.kind = SyntaxKind::ternary,
                   .operands = {part.operands[0], part.operands[1], last},
                   .at = tokens_[part.token].first,
                   .range = spanned(part.operands[0], last)});
    }
    return last;
  }

  // The end of what something contains. That as an operand, or nothing where another comes next.
  std::optional<SyntaxIndex> close(SyntaxIndex inner) {
    Part& outer = parts_.back();
    switch (outer.kind) {
      case PartKind::parenthesis:
        return finish_parenthesis(inner);
      case PartKind::lane:
        return finish_lane(inner);
      case PartKind::call:
        outer.operands.push_back(inner);
        if (accept(",")) return std::nullopt;
        return finish_call(take_level());
      case PartKind::where_true: {
        Part choice = take_level();
        expect_closing(":", tokens_[choice.token]);
        parts_.push_back({PartKind::where_false, choice.token, {choice.operands[0], inner}});
        return std::nullopt;
      }
      case PartKind::whole:
        if (token().kind != TokenKind::end) refuse_trailing();
        parts_.pop_back();
        return inner;
      case PartKind::where_false:
      case PartKind::binary:
      case PartKind::prefix:
        break;
    }
    throw InternalError("An operator of a formula is left without its operand.");
  }

  SyntaxIndex finish_parenthesis(SyntaxIndex inner) {
    const Token& opening = tokens_[take_level().token];
    tree_.nodes[inner.value].outer = {opening.first, expect_closing(")", opening)};
    return inner;
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
      refuse_mixing({*left_operator, outer, inner.at, at, inner.operands[0], inner.operands[1], right, true});
    }
    const BinaryOperator* const right_operator = find_bare_operator(right);
    if (right_operator != nullptr && !may_mix(outer, *right_operator, false)) {
      const SyntaxNode& inner = tree_.node(right);
      refuse_mixing({outer, *right_operator, at, inner.at, left, inner.operands[0], inner.operands[1], false});
    }
  }

  [[noreturn]] void refuse_mixing(const MixedOperators& mix) const {
    refuse(ErrorCode::parentheses_required, mixed_operators_fault(tree_, tokens_, mix), mix.second_at);
  }

  SyntaxIndex parse_swizzle(SyntaxIndex value) {
    const std::size_t at = token().first;
    ++at_;
    const Token& letters = token();
    const SyntaxNode& node = tree_.node(value);
    if (node.kind == SyntaxKind::call && !find_members(node.name).empty()) return finish_member(value);
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

  // frexp(x).exp is one call, of that name.
  SyntaxIndex finish_member(SyntaxIndex call) {
    const Token& member = token();
    SyntaxNode& node = tree_.nodes[call.value];
    const std::string name = fmt::format("{}.{}", node.name, source(member));
    if (!find_function(name)) {
      const bool is_name = member.kind == TokenKind::name;
      refuse(ErrorCode::unknown_member,
             fmt::format("{function} gives two values{fault}; write {advice}.", fmt::arg("function", quoted(node.name)),
                         fmt::arg("fault", is_name ? fmt::format(", and {} is none of them", quoted(member.text)) : ""),
                         fmt::arg("advice", member_advice(node.name, one_line(tree_.outer_source(call))))),
             member.first);
    }
    ++at_;
    node.name = name;
    node.range = node.outer = {node.outer.first, member.last};
    return call;
  }

  SyntaxIndex finish_lane(SyntaxIndex index) {
    const Part part = take_level();
    const Token& opening = tokens_[part.token];
    const std::size_t last = expect_closing("]", opening);
    const SyntaxIndex value = part.operands[0];
    return push({.kind = SyntaxKind::lane,
                 .operands = {value, index},
                 .at = opening.first,
                 .range = {tree_.node(value).outer.first, last}});
  }

  SyntaxIndex parse_name() {
    const Token& here = token();
    ++at_;
    std::string name(here.text);
    if (known_names_.insert(name).second) names_.push_back(name);
    return push({.kind = SyntaxKind::name,
                 .name = std::move(name),
                 .is_quoted = here.kind == TokenKind::quoted_name,
                 .at = here.first,
                 .range = {here.first, here.last}});
  }

  SyntaxIndex parse_number() {
    const Token& here = token();
    ++at_;
    const Folded read = read_number(here.text);
    if (const Number* const number = std::get_if<Number>(&read)) {
      return push({.kind = SyntaxKind::number, .number = *number, .at = here.first, .range = {here.first, here.last}});
    }
    const bool is_negated = parts_.back().kind == PartKind::prefix && tokens_[parts_.back().token].is("-");
    const std::optional<Number> least = is_negated ? find_least_i32(here.text) : std::nullopt;
    if (!least) refuse_number(here, is_negated);
    const Token& minus = tokens_[take_part().token];
    return push({.kind = SyntaxKind::number, .number = *least, .at = minus.first, .range = {minus.first, here.last}});
  }

  // is_negated: the token before it is a minus sign.
  [[noreturn]] void refuse_number(const Token& token, bool is_negated) const {
    const char suffix = token.text.back();
    const Lane lane = suffix == 'i' ? Lane::i32 : suffix == 'u' ? Lane::u32 : Lane::f32;
    std::string cure;
    if (lane != Lane::f32) {
      const std::string_view plain = token.text.substr(0, token.text.size() - 1);
      const Folded read = read_number(plain);
      const Number* const number = std::get_if<Number>(&read);
      if (number != nullptr) {
        const bool is_u32 = fits(*number, Lane::u32) && !is_negated;
        cure = fmt::format(fmt::runtime(is_u32       ? "; write {}u"
                                        : is_negated ? "; write -f32({})"
                                                     : "; write f32({})"),
                           one_line(plain));
      }
    }
    const std::size_t first = is_negated ? tokens_[parts_.back().token].first : token.first;
    refuse(ErrorCode::literal_out_of_range,
           fmt::format("{number} does not fit {lane} ({range}){cure}.",
                       fmt::arg("number", quoted(tree_.slice({first, token.last}))), fmt::arg("lane", to_string(lane)),
                       fmt::arg("range", range_of(lane)), fmt::arg("cure", cure)),
           token.first);
  }

  // The name of a function, of as many tokens, and what opens its arguments.
  std::optional<SyntaxIndex> begin_call(std::string name, std::size_t token_count) {
    Part call{.kind = PartKind::call, .token = at_, .name = std::move(name), .opening = at_ + token_count};
    at_ += token_count + 1;
    if (token().is(")")) return finish_call(std::move(call));
    open(std::move(call));
    return std::nullopt;
  }

  // The tokens before "(" of bitcast<f32>(x), and of what WGSL writes alike: vec3<f32>(x), bitcast<vec3<f32>>(x). 0 where
  // it is something else. Nothing else can be meant: comparisons do not chain.
  [[nodiscard]] std::size_t typed_call_token_count() const {
    const bool is_typed =
        token().text == "bitcast" || token().text == "vec2" || token().text == "vec3" || token().text == "vec4";
    if (token().kind != TokenKind::name || !is_typed || !tokens_[at_ + 1].is("<")) return 0;
    if (tokens_[at_ + 2].kind != TokenKind::name) return 0;
    if (tokens_[at_ + 3].is(">")) return tokens_[at_ + 4].is("(") ? 4 : 0;
    if (!tokens_[at_ + 3].is("<") || tokens_[at_ + 4].kind != TokenKind::name) return 0;
    return tokens_[at_ + 5].is(">>") && tokens_[at_ + 6].is("(") ? 6 : 0;
  }

  std::optional<SyntaxIndex> begin_typed_call(std::size_t token_count) {
    const std::string_view name = token().text;
    const bool is_bitcast = name == "bitcast";
    if (is_bitcast && token_count == 4)
      return begin_call(fmt::format("bitcast<{}>", tokens_[at_ + 2].text), token_count);
    const std::string_view given = tree_.slice({token().first, tokens_[at_ + token_count - 1].last});
    const std::string sentence =
        is_bitcast ? fmt::format(
                         "{given} names more than a lane type; bitcast keeps the number of lanes, so write "
                         "bitcast<{lane}>.",
                         fmt::arg("given", quoted(given)), fmt::arg("lane", tokens_[at_ + 4].text))
                   : fmt::format("{given} names a lane type, which is that of its arguments; write {name}.",
                                 fmt::arg("given", quoted(given)), fmt::arg("name", name));
    refuse(ErrorCode::syntax_error, sentence, token().first);
  }

  SyntaxIndex finish_call(Part part) {
    const Token& name = tokens_[part.token];
    const std::size_t last = expect_closing(")", tokens_[part.opening]);
    return push({.kind = SyntaxKind::call,
                 .name = std::move(part.name),
                 .operands = std::move(part.operands),
                 .at = name.first,
                 .range = {name.first, last}});
  }

  SyntaxTree tree_;
  std::span<const Token> tokens_;
  std::string subject_;
  std::vector<Part> parts_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;  // parts that a closing symbol ends
  std::vector<std::string> names_;
  std::unordered_set<std::string> known_names_;
};

}  // namespace

ParsedExpression parse_expression(std::string_view text, std::span<const Token> tokens, std::string_view subject) {
  return Parser(text, tokens, subject).run();
}

}  // namespace millrace::expression
