// Tokens, characters, and how faults are shown.
#include "src/expression/lexer.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/expression/fault.hpp"
#include "src/expression/utf8.hpp"
#include "tests/expect_error.hpp"
#include "tests/expression/fault_column.hpp"

namespace millrace::expression {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> result;
  for (const Token& token : lex(text)) {
    if (token.kind != TokenKind::end) result.emplace_back(token.text);
  }
  return result;
}

// "<<" read as two "<" would be a comparison of a comparison.
TEST(Lexer, TakesTheLongestSymbol) {
  EXPECT_THAT(texts("a<<b<=c==d&&e!=!f"), ElementsAre("a", "<<", "b", "<=", "c", "==", "d", "&&", "e", "!=", "!", "f"));
}

// Each way of writing a number that the language names.
TEST(Lexer, ReadsNumbersWhole) {
  EXPECT_THAT(texts("1 2u 3i 0xff 0xFFu 1.5 .5 1. 1e-3 2E+4 2.5f 7f"),
              ElementsAre("1", "2u", "3i", "0xff", "0xFFu", "1.5", ".5", "1.", "1e-3", "2E+4", "2.5f", "7f"));
}

// Columns are named in the language of whoever made the file.
TEST(Lexer, ReadsNamesOfAnyScript) {
  EXPECT_THAT(texts("größe+速度*скорость_2"), ElementsAre("größe", "+", "速度", "*", "скорость_2"));
}

// A column named "air time (min)" could not be used in any formula.
TEST(Lexer, ReadsQuotedNamesWithoutTheirBackticks) {
  EXPECT_THAT(texts("`air time (min) 🚀`-`if`"), ElementsAre("air time (min) 🚀", "-", "if"));
}

// "2x" read as 2 and x would be a product that the language does not have.
TEST(Lexer, RefusesWhatIsNoNumber) {
  expect_error<Error>([] { return lex("a = 2x"); }, ErrorCode::syntax_error,
                      "\"2x\" is no number; numbers are written like 1, 2u, 3i, 0xff, 1.5, 1e-3 or 2.5f.\n"
                      "  a = 2x\n"
                      "      ^");
  for (const char* text : {"0x", "1e", "1e+", "1.5u", "0xffg", "1.x", "3ii", "1_000"})
    EXPECT_EQ(fault_column([&] { return lex(text); }), 1u) << text;
}

// A pasted "×" or "$" has to be named, since it is hard to see.
TEST(Lexer, RefusesStrayCharacters) {
  expect_error<Error>(
      [] { return lex("a = $b"); }, ErrorCode::syntax_error,
      "The character \"$\" (U+0024) has no meaning in a formula; a name that holds it stands in `backticks`.\n"
      "  a = $b\n"
      "      ^");
  expect_error<Error>(
      [] { return lex("a = b × c"); }, ErrorCode::syntax_error,
      "The character \"×\" (U+00D7) has no meaning in a formula; a name that holds it stands in `backticks`.\n"
      "  a = b × c\n"
      "        ^");
}

// A forgotten backtick would swallow the rest of the formula as one name.
TEST(Lexer, RefusesBacktickNamesThatAreEmptyOrOpen) {
  expect_error<Error>([] { return lex("a = `b"); }, ErrorCode::syntax_error,
                      "The backtick that opens a name is never closed.\n  a = `b\n      ^");
  expect_error<Error>([] { return lex("a = ``"); }, ErrorCode::syntax_error,
                      "The name between the backticks is empty.\n  a = ``\n      ^");
}

// Text in another encoding would become names that nothing matches.
TEST(Lexer, RefusesWhatIsNoUtf8) {
  expect_error<Error>(
      [] {
        return lex(
            "a = gr\xf6\xdf"
            "e");
      },
      ErrorCode::syntax_error,
      "The byte 0xf6 is no UTF-8; formulas are text in UTF-8.\n"
      "  a = gr\xef\xbf\xbd\xef\xbf\xbd"
      "e\n"
      "        ^");
  for (const char* text : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "`\xff`"})
    EXPECT_TRUE(fault_column([&] { return lex(text); }).has_value()) << testing::PrintToString(text);
}

// A file given as a formula by mistake has to be refused before it is worked on.
TEST(Lexer, RefusesMoreThanAHundredThousandCharacters) {
  EXPECT_FALSE(fault_column([&] { return lex("a = " + std::string(99'996, 'x')); }).has_value());
  const std::string text = "a = " + std::string(99'997, 'x');
  expect_error<Error>(
      [&] { return lex(text); }, ErrorCode::expression_too_long,
      "The formula has 100001 characters, and at most 100,000 are allowed; name its parts in formulas of their "
      "own.\n"
      "  ..." +
          std::string(50, 'x') + "\n" + std::string(55, ' ') + "^");
  // Characters, not bytes.
  std::string wide = "a = ";
  for (int i = 0; i < 99'996; ++i) wide += "ä";
  EXPECT_FALSE(fault_column([&] { return lex(wide); }).has_value());
}

// A program that shows faults beside formulas finds the formula by its output, also where the text is no formula.
TEST(Lexer, NamesTheOutputAsTheSubjectOfItsFaults) {
  const auto subject = [](const std::string& text) -> std::string {
    try {
      static_cast<void>(lex(text));
    } catch (const ExpressionError& error) {
      return error.subject();
    }
    return "no fault";
  };
  EXPECT_EQ(subject("a = 2x"), "a");
  EXPECT_EQ(subject(" größe: float32 = $"), "größe");
  EXPECT_EQ(subject("`air time` = `"), "air time");
  EXPECT_EQ(subject("b = " + std::string(100'000, '1')), "b");
  EXPECT_EQ(subject("$ = 1"), "");
  EXPECT_EQ(subject("`a"), "a");
  EXPECT_EQ(subject("2x"), "2x");
  // What is no text is no name either.
  EXPECT_EQ(subject("`a\x8b` = b"), "a");
}

// A caret under the wrong character sends the reader to the wrong place.
TEST(Fault, PutsTheCaretBelowTheCharacter) {
  EXPECT_EQ(quote_with_caret("a = b", 4), "  a = b\n      ^");
  EXPECT_EQ(quote_with_caret("a = b", 5), "  a = b\n       ^");
  EXPECT_EQ(quote_with_caret("ä = b", 5), "  ä = b\n      ^");
  EXPECT_EQ(quote_with_caret("a\t= b", 4), "  a\t= b\n   \t  ^");
  EXPECT_EQ(quote_with_caret("速度 = b", 9), "  速度 = b\n         ^");
  EXPECT_EQ(quote_with_caret("e\u0301 = b", 6), "  e\u0301 = b\n      ^");
}

// Formulas in documents span lines; a caret under the wrong line points at nothing.
TEST(Fault, ShowsTheLineOfTheFault) {
  EXPECT_EQ(quote_with_caret("a =\n  b +\n  c", 8), "    b +\n      ^");
  EXPECT_EQ(quote_with_caret("a =\n", 4), "  \n  ^");
}

// A generated formula of 100,000 characters would flood the terminal.
TEST(Fault, ShowsThePartOfALongLineAroundTheCaret) {
  const std::string text = std::string(200, 'a') + '?' + std::string(200, 'b');
  EXPECT_EQ(quote_with_caret(text, 200),
            "  ..." + std::string(50, 'a') + '?' + std::string(49, 'b') + "...\n" + std::string(55, ' ') + "^");
}

// An editor that jumps to a column counts characters, not bytes.
TEST(Fault, CountsColumnsInCharacters) {
  EXPECT_EQ(fault_column([] { return lex("größe = $"); }), 9u);
  EXPECT_EQ(fault_column([] { return lex("`🚀` = $"); }), 7u);
}

// A character decoded wrongly would be another name, or a wrong column.
TEST(Utf8, DecodesEachLength) {
  EXPECT_EQ(find_character("a", 0)->code_point, U'a');
  EXPECT_EQ(find_character("ß", 0)->code_point, U'ß');
  EXPECT_EQ(find_character("速", 0)->code_point, U'速');
  EXPECT_EQ(find_character("🚀", 0)->code_point, U'🚀');
  EXPECT_EQ(find_character("🚀", 0)->byte_size, 4u);
  EXPECT_EQ(character_count("aß速🚀"), 4u);
  EXPECT_EQ(character_count("\xff\xfe"), 2u);
}

}  // namespace
}  // namespace millrace::expression
