// What a formula means before any type is known, and what is refused as text.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <millrace/expression.hpp>

#include "src/expression/formula.hpp"
#include "src/expression/syntax.hpp"
#include "tests/expect_error.hpp"
#include "tests/expression/fault_column.hpp"

namespace millrace::expression {
namespace {

using testing::ElementsAre;

// The tree with parentheses around everything that has operands.
std::string show(const SyntaxTree& tree, SyntaxIndex index) {
  const SyntaxNode& node = tree.node(index);
  const auto operand = [&](std::size_t i) { return show(tree, node.operands[i]); };
  switch (node.kind) {
    case SyntaxKind::number:
      return std::string(tree.source(index));
    case SyntaxKind::name:
      return node.name;
    case SyntaxKind::unary:
      return "(" + node.name + operand(0) + ")";
    case SyntaxKind::binary:
      return "(" + operand(0) + node.name + operand(1) + ")";
    case SyntaxKind::ternary:
      return "(" + operand(0) + "?" + operand(1) + ":" + operand(2) + ")";
    case SyntaxKind::swizzle:
      return operand(0) + "." + node.name;
    case SyntaxKind::lane:
      return operand(0) + "[" + operand(1) + "]";
    case SyntaxKind::call:
      break;
  }
  std::string result = node.name + "(";
  for (std::size_t i = 0; i < node.operands.size(); ++i) result += (i == 0 ? "" : ",") + operand(i);
  return result + ")";
}

std::string show(const std::string& expression) {
  const Formula formula = parse_formula("out = " + expression, std::nullopt);
  return show(*formula.tree, formula.tree->root());
}

void expect_refused(const std::string& text, ErrorCode code, const std::string& message) {
  expect_error<Error>([&] { return parse_formula(text, std::nullopt); }, code, message);
}

std::string repeat(std::string_view part, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += part;
  return result;
}

// a - b - c would be a - (b - c), and a + b * c would be (a + b) * c.
TEST(Parser, GroupsOperatorsAsInC) {
  EXPECT_EQ(show("a - b - c"), "((a-b)-c)");
  EXPECT_EQ(show("a + b * c % d"), "(a+((b*c)%d))");
  EXPECT_EQ(show("a * b + c < d - e"), "(((a*b)+c)<(d-e))");
  EXPECT_EQ(show("a < b && c >= d && !e"), "(((a<b)&&(c>=d))&&(!e))");
  EXPECT_EQ(show("a == b || c != d"), "((a==b)||(c!=d))");
  EXPECT_EQ(show("a << b == c"), "((a<<b)==c)");
  EXPECT_EQ(show("a & b & c"), "((a&b)&c)");
  EXPECT_EQ(show("(a + b) * c"), "((a+b)*c)");
}

// -a.x would be (-a).x, and !b[1] would be (!b)[1].
TEST(Parser, BindsPostfixBeforePrefixBeforeOperators) {
  EXPECT_EQ(show("-a.x * !b[1]"), "((-a.x)*(!b[1]))");
  EXPECT_EQ(show("- - ~a"), "(-(-(~a)))");
  EXPECT_EQ(show("a.xyz.zy[i + 1].r"), "a.xyz.zy[(i+1)].r");
  EXPECT_EQ(show("f(a, b).x"), "f(a,b).x");
  EXPECT_EQ(show("(a + b).x"), "(a+b).x");
  EXPECT_EQ(show("-a & ~b"), "((-a)&(~b))");
}

// a ? b : c ? d : e is a ladder of cases.
TEST(Parser, GroupsChoicesFromTheRight) {
  EXPECT_EQ(show("a ? b : c ? d : e"), "(a?b:(c?d:e))");
  EXPECT_EQ(show("a ? b ? c : d : e"), "(a?(b?c:d):e)");
  EXPECT_EQ(show("a || b ? c + 1 : d"), "((a||b)?(c+1):d)");
}

// Words of WGSL and names of functions are names like any other.
TEST(Parser, ReadsNamesAndCalls) {
  EXPECT_EQ(show("`air time` / 60"), "(air time/60)");
  EXPECT_EQ(show("length(length)"), "length(length)");
  EXPECT_EQ(show("f()"), "f()");
  EXPECT_EQ(show("if + while + fn"), "((if+while)+fn)");
}

// The names that a graph has to resolve, and a tool has to read from a file.
TEST(Expression, ListsItsOperandsOnceInOrderOfAppearance) {
  const Expression expression("`out put` = b * a + f(b, `c d`, pi) + a.x");
  EXPECT_EQ(expression.output(), "out put");
  EXPECT_THAT(expression.operands(), ElementsAre("b", "a", "c d", "pi"));
  EXPECT_EQ(expression.text(), "`out put` = b * a + f(b, `c d`, pi) + a.x");
}

// A format that is lost stores four floats where four bytes were meant.
TEST(Expression, TakesAFormatFromItsTextOrItsCaller) {
  EXPECT_EQ(parse_formula("a: unorm10-10-10-2 = b", std::nullopt).format, Format::unorm10_10_10_2);
  EXPECT_EQ(parse_formula("a :unorm8x4-bgra= b", std::nullopt).format, Format::unorm8x4_bgra);
  EXPECT_EQ(parse_formula("a = b", Format::float32).format, Format::float32);
  EXPECT_EQ(parse_formula("a: float32 = b", Format::float32).format, Format::float32);
  EXPECT_EQ(parse_formula("a = b", std::nullopt).format, std::nullopt);
  expect_error<Error>([] { return Expression("a: unorm8x4 = b", Format::float32x4); }, ErrorCode::format_mismatch,
                      "The text of \"a\" says unorm8x4, but its caller says float32x4; give one of them.\n"
                      "  a: unorm8x4 = b\n"
                      "     ^");
}

// A misspelled format has to be shown in the formula, not as a failure of its own.
TEST(Expression, RefusesFormatsThatAreNone) {
  EXPECT_EQ(fault_column([] { return Expression("a: float33 = b"); }), 4u);
  try {
    const Expression expression("a: uint8 = b");
    ADD_FAILURE();
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
    EXPECT_EQ(error.subject(), "a");
    EXPECT_THAT(error.what(), testing::EndsWith(".\n  a: uint8 = b\n     ^"));
  }
  // The message shows the name on one line, and its beginning alone where it is long.
  try {
    (void)Expression("a: float\v" + std::string(100, 'x') + " = b");
    ADD_FAILURE();
  } catch (const ExpressionError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("\"float " + std::string(54, 'x') + "...\" is no format; "));
  }
}

// A tool that asks for a column "pi" would refuse every formula with a circle in it.
TEST(Expression, KnowsItsBuiltins) {
  for (const char* name : {"pi", "e", "inf", "nan", "true", "false", "row", "rows"}) EXPECT_TRUE(is_builtin(name));
  EXPECT_FALSE(is_builtin("x"));
  EXPECT_FALSE(is_builtin("Pi"));
}

// A call that spells its type, and two functions whose results are named, are calls like others.
TEST(Parser, TakesBitcastsAndMembersAsCalls) {
  EXPECT_EQ(show("bitcast<f32>(a) + b"), "(bitcast<f32>(a)+b)");
  EXPECT_EQ(show("-bitcast < u32 > (a)[0]"), "(-bitcast<u32>(a)[0])");
  EXPECT_EQ(show("bitcast<i32>(bitcast<u32>(a))"), "bitcast<i32>(bitcast<u32>(a))");
  EXPECT_EQ(show("frexp(a).exp * modf(b).whole"), "(frexp.exp(a)*modf.whole(b))");
  EXPECT_EQ(show("(frexp((a))).fract.x"), "frexp.fract(a).x");
  EXPECT_EQ(show("bitcast < a"), "(bitcast<a)");
  EXPECT_EQ(show("bitcast > (a)"), "(bitcast>a)");
  EXPECT_EQ(show("frexp + modf.x"), "(frexp+modf.x)");
}

// WGSL's own way to write types has more in it than is needed here.
TEST(ParserFaults, RefuseTypesThatFollowFromTheOperands) {
  expect_refused("a = 1 + bitcast<vec3<u32>>(p)", ErrorCode::syntax_error,
                 "\"bitcast<vec3<u32>>\" names more than a lane type; bitcast keeps the number of lanes, so write "
                 "bitcast<u32>.\n"
                 "  a = 1 + bitcast<vec3<u32>>(p)\n"
                 "          ^");
  expect_refused("a = vec3<f32>(x, y, z)", ErrorCode::syntax_error,
                 "\"vec3<f32>\" names a lane type, which is that of its arguments; write vec3.\n"
                 "  a = vec3<f32>(x, y, z)\n"
                 "      ^");
  for (const char* text : {"bitcast<", "bitcast<f32>", "bitcast<vec2<f32>>", "vec2 <", "vec2<f32>>"})
    EXPECT_TRUE(fault_column([&] { return parse_formula(std::string("a = ") + text, std::nullopt); }).has_value())
        << text;
}

// Who writes another language's operator is told ours.
TEST(ParserFaults, TranslateOperatorsOfOtherLanguages) {
  expect_refused("a = x > 0 and y > 0", ErrorCode::syntax_error,
                 "An operator is missing before \"and\"; write &&.\n"
                 "  a = x > 0 and y > 0\n"
                 "            ^");
  expect_refused("a = x = 2", ErrorCode::syntax_error,
                 "The expression ends before \"=\", which has no meaning here; write ==.\n"
                 "  a = x = 2\n"
                 "        ^");
  expect_refused("a = x => 2", ErrorCode::syntax_error,
                 "The expression ends before \"=\", which has no meaning here; write >=.\n"
                 "  a = x => 2\n"
                 "        ^");
  expect_refused("a = not x", ErrorCode::syntax_error,
                 "An operator is missing before \"x\"; write !.\n"
                 "  a = not x\n"
                 "          ^");
  expect_refused("a = 1 + sqrt x", ErrorCode::syntax_error,
                 "An operator is missing before \"x\"; write sqrt(x).\n"
                 "  a = 1 + sqrt x\n"
                 "               ^");
  expect_refused("a = x ** 2", ErrorCode::syntax_error,
                 "A value is expected here, not \"*\"; write pow(x, y).\n"
                 "  a = x ** 2\n"
                 "         ^");
  expect_refused("a = x <> 2", ErrorCode::syntax_error,
                 "A value is expected here, not \">\"; write !=.\n"
                 "  a = x <> 2\n"
                 "         ^");
}

// The message of the smallest mistake, as a person at a terminal sees it.
TEST(ParserFaults, SayWhatIsMissingAtTheEnd) {
  expect_refused("a = x +", ErrorCode::syntax_error,
                 "The formula ends where a value is expected.\n"
                 "  a = x +\n"
                 "         ^");
  expect_refused("a = (x + 1", ErrorCode::syntax_error,
                 "\"(\" is never closed; \")\" is missing.\n"
                 "  a = (x + 1\n"
                 "      ^");
  expect_refused("a = x[1", ErrorCode::syntax_error,
                 "\"[\" is never closed; \"]\" is missing.\n"
                 "  a = x[1\n"
                 "       ^");
  expect_refused("a = x ? 1", ErrorCode::syntax_error,
                 "\"?\" is never closed; \":\" is missing.\n"
                 "  a = x ? 1\n"
                 "        ^");
}

// A caret and a reason at the very token, wherever the text goes wrong.
TEST(ParserFaults, SayWhatStandsInTheWrongPlace) {
  expect_refused("a = x * / y", ErrorCode::syntax_error,
                 "A value is expected here, not \"/\".\n"
                 "  a = x * / y\n"
                 "          ^");
  expect_refused("a = x y", ErrorCode::syntax_error,
                 "An operator is missing before \"y\"; a name with blanks stands in backticks: `x y`.\n"
                 "  a = x y\n"
                 "        ^");
  expect_refused("a = x)", ErrorCode::syntax_error,
                 "The expression ends before \")\", which has no meaning here.\n"
                 "  a = x)\n"
                 "       ^");
  expect_refused("a = f(x y)", ErrorCode::syntax_error,
                 "\")\" or an operator is expected here, not \"y\".\n"
                 "  a = f(x y)\n"
                 "          ^");
  expect_refused("a = `f`(x)", ErrorCode::syntax_error,
                 "An operator is missing before \"(\".\n"
                 "  a = `f`(x)\n"
                 "         ^");
}

// The first thing that a new user gets wrong is the part before "=".
TEST(ParserFaults, SayHowAFormulaBegins) {
  expect_refused("a x", ErrorCode::syntax_error,
                 "A formula is written \"output = expression\"; \"=\" is expected here, not \"x\".\n"
                 "  a x\n"
                 "    ^");
  expect_refused("", ErrorCode::syntax_error,
                 "A formula is written \"output = expression\"; the name of its output is expected at the end.\n"
                 "  \n"
                 "  ^");
  expect_refused("a: = x", ErrorCode::syntax_error,
                 "A formula is written \"output = expression\"; the name of a format is expected here, not \"=\".\n"
                 "  a: = x\n"
                 "     ^");
  expect_refused("a: float32", ErrorCode::syntax_error,
                 "A formula is written \"output = expression\"; \"=\" is expected at the end.\n"
                 "  a: float32\n"
                 "            ^");
  expect_refused("1 = x", ErrorCode::syntax_error,
                 "A formula is written \"output = expression\"; the name of its output is expected here, not \"1\".\n"
                 "  1 = x\n"
                 "  ^");
}

// ".xg" is refused as WGSL does, not guessed at.
TEST(ParserFaults, RefuseMixedSwizzles) {
  expect_refused("a = p.xg", ErrorCode::syntax_error,
                 "After \".\" stand one to four lanes, either of xyzw or of rgba: p.x, p.zyx, color.rgb.\n"
                 "  a = p.xg\n"
                 "        ^");
  EXPECT_EQ(fault_column([] { return Expression("a = p.xyzwx"); }), 7u);
  EXPECT_EQ(fault_column([] { return Expression("a = p.foo"); }), 7u);
  EXPECT_EQ(fault_column([] { return Expression("a = p."); }), 7u);
}

// E-04: a mask-then-compare without parentheses would mask the comparison in C and be broken WGSL.
TEST(ParserFaults, AskForParenthesesWhereWgslDoes) {
  expect_refused("a = x & 1 == 0", ErrorCode::parentheses_required,
                 "\"&\" and \"==\" need parentheses between them; write (x & 1) == 0.\n"
                 "  a = x & 1 == 0\n"
                 "            ^");
  expect_refused("a = x == 1 & y", ErrorCode::parentheses_required,
                 "\"==\" and \"&\" need parentheses between them; write x == (1 & y), or x == 1 && y where \"y\" is "
                 "a bool.\n"
                 "  a = x == 1 & y\n"
                 "             ^");
  expect_refused("a = x && y || z", ErrorCode::parentheses_required,
                 "\"&&\" and \"||\" need parentheses between them; write (x && y) || z or x && (y || z).\n"
                 "  a = x && y || z\n"
                 "             ^");
  expect_refused("a = f == g == 1", ErrorCode::parentheses_required,
                 "Comparisons do not chain; write f == g && g == 1, or f == (g == 1) where \"f\" is a bool.\n"
                 "  a = f == g == 1\n"
                 "             ^");
  expect_refused("a = f == g == h", ErrorCode::parentheses_required,
                 "Comparisons do not chain; write f == g && g == h, or (f == g) == h where \"h\" is a bool.\n"
                 "  a = f == g == h\n"
                 "             ^");
  expect_refused("a = (b && c) == x < y", ErrorCode::parentheses_required,
                 "Comparisons do not chain; write (b && c) == (x < y).\n"
                 "  a = (b && c) == x < y\n"
                 "                    ^");
  expect_refused("a = x & 1 && y", ErrorCode::parentheses_required,
                 "\"&\" and \"&&\" need parentheses between them; write (x & 1) != 0 && y.\n"
                 "  a = x & 1 && y\n"
                 "            ^");
  expect_refused("a = x | y || z & w", ErrorCode::parentheses_required,
                 "\"|\" and \"||\" need parentheses between them; write (x | y) != 0 || (z & w) != 0.\n"
                 "  a = x | y || z & w\n"
                 "            ^");
  expect_refused("a = max(x > 0 & y + 1 > 0 | !z, w)", ErrorCode::parentheses_required,
                 "\"&\" and \"+\" need parentheses between them; write (x > 0 && y + 1 > 0) || !z.\n"
                 "  a = max(x > 0 & y + 1 > 0 | !z, w)\n"
                 "                    ^");
  expect_refused("a = x == y == true", ErrorCode::parentheses_required,
                 "Comparisons do not chain; write (x == y) == true.\n"
                 "  a = x == y == true\n"
                 "             ^");
  expect_refused("a = x < y <= z", ErrorCode::parentheses_required,
                 "Comparisons do not chain; write x < y && y <= z.\n"
                 "  a = x < y <= z\n"
                 "            ^");
  for (const char* text :
       {"x | y & z", "x ^ y | z", "x + y << z", "x << y + z", "x << y << z", "x & y + z", "x * y | z", "x & y << z",
        "x || y && z", "x & y && z", "x == y == z", "x | y || z", "-x & y * z"}) {
    SCOPED_TRACE(text);
    try {
      const Expression expression("a = " + std::string(text));
      ADD_FAILURE();
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.code(), ErrorCode::parentheses_required);
    }
  }
  for (const char* text :
       {"(x & 1) == 0", "x & (y | z)", "(x + y) << z", "x << y == z", "(x && y) || z", "x | -y | ~z"})
    EXPECT_FALSE(fault_column([&] { return Expression("a = " + std::string(text)); }).has_value()) << text;
}

// A literal that wraps or becomes infinity would be another number than the one written.
TEST(ParserFaults, RefuseLiteralsThatNothingHolds) {
  expect_refused("a = 1e39", ErrorCode::literal_out_of_range,
                 "\"1e39\" does not fit f32 (up to 3.4028235e38).\n"
                 "  a = 1e39\n"
                 "      ^");
  expect_refused("a = 2147483648i", ErrorCode::literal_out_of_range,
                 "\"2147483648i\" does not fit i32 (-2147483648 to 2147483647); write 2147483648u.\n"
                 "  a = 2147483648i\n"
                 "      ^");
  expect_refused("a = x - -2147483649i", ErrorCode::literal_out_of_range,
                 "\"-2147483649i\" does not fit i32 (-2147483648 to 2147483647); write -f32(2147483649).\n"
                 "  a = x - -2147483649i\n"
                 "           ^");
  expect_refused("a = -(2147483648i)", ErrorCode::literal_out_of_range,
                 "\"2147483648i\" does not fit i32 (-2147483648 to 2147483647); write 2147483648u.\n"
                 "  a = -(2147483648i)\n"
                 "        ^");
  expect_refused("a = 0x100000000u", ErrorCode::literal_out_of_range,
                 "\"0x100000000u\" does not fit u32 (0 to 4294967295); write f32(0x100000000).\n"
                 "  a = 0x100000000u\n"
                 "      ^");
  expect_refused("a = 1000000000000000000000000000000000000000i", ErrorCode::literal_out_of_range,
                 "\"1000000000000000000000000000000000000000i\" does not fit i32 (-2147483648 to 2147483647).\n"
                 "  a = 1000000000000000000000000000000000000000i\n"
                 "      ^");
  // The largest f32 and half a step, less 1.
  expect_refused("a = x * 340282356779733661637539395458142568447", ErrorCode::literal_out_of_range,
                 "\"340282356779733661637539395458142568447\" does not fit f32 (up to 3.4028235e38).\n"
                 "  a = x * 340282356779733661637539395458142568447\n"
                 "          ^");
  for (const char* text : {"3000000000i", "4294967296u", "0x100000000u", "1e400", "3.5e38f"})
    EXPECT_EQ(fault_column([&] { return Expression("a = " + std::string(text)); }), 5u) << text;
  EXPECT_FALSE(fault_column([] { return Expression("a = 1e-400 + 4294967295u + 2147483647i"); }).has_value());
}

// Deep formulas come from generators; a stack overflow would take the process with it.
TEST(ParserFaults, RefuseMoreThanAThousandLevels) {
  const std::string deepest = repeat("(", 1000) + "x" + repeat(")", 1000);
  EXPECT_FALSE(fault_column([&] { return Expression("a = " + deepest); }).has_value());
  expect_refused("a = (" + deepest + ")", ErrorCode::expression_too_deep,
                 "The formula nests more than 1,000 levels deep here; name its parts in formulas of their own.\n"
                 "  ..." +
                     repeat("(", 50) + "x" + repeat(")", 49) + "...\n" + repeat(" ", 55) + "^");
  for (const char* part : {"(", "f(", "x[", "x?", "(-", "f(1,"})
    EXPECT_TRUE(fault_column([&] { return Expression("a = " + repeat(part, 25'000)); }).has_value()) << part;
}

// Long formulas are fine where they are not deep.
TEST(Parser, TakesLongChains) {
  EXPECT_FALSE(fault_column([] { return Expression("a = b" + repeat("+b", 49'000)); }).has_value());
  EXPECT_FALSE(fault_column([] { return Expression("a = " + repeat("-", 99'000) + "b"); }).has_value());
  EXPECT_FALSE(fault_column([] { return Expression("a = " + repeat("b?c:", 24'000) + "d"); }).has_value());
  EXPECT_FALSE(fault_column([] { return Expression("a = b" + repeat("[0]", 30'000)); }).has_value());
  EXPECT_FALSE(fault_column([] { return Expression("a = b" + repeat(".x", 40'000)); }).has_value());
}

}  // namespace
}  // namespace millrace::expression
