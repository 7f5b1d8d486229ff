// "output: format = expression": the part before "=", and the whole.
#include "src/expression/formula.hpp"

#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/expression/fault.hpp"
#include "src/expression/lexer.hpp"
#include "src/expression/parser.hpp"

namespace millrace::expression {
namespace {

struct Heading {
  std::string output;
  std::optional<Format> format = {};
  std::size_t format_at = 0;  // where the text says it
  std::size_t token_count;    // "=" included
};

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\f\v");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n\f\v") - first + 1);
}

[[noreturn]] void refuse_heading(std::string_view text, const Token& found, std::string_view expected) {
  const std::string_view source = text.substr(found.first, found.last - found.first);
  throw_fault(ErrorCode::syntax_error, leading_name(text),
              fmt::format("A formula is written \"output = expression\"; {expected} is expected {place}.",
                          fmt::arg("expected", expected),
                          fmt::arg("place", found.kind == TokenKind::end
                                                ? std::string("at the end")
                                                : fmt::format("here, not {found}", fmt::arg("found", quoted(source))))),
              text, found.first);
}

// A format's name may hold "-", so it is the text between ":" and "=", not a token.
void read_format(std::string_view text, const std::vector<Token>& tokens, Heading& heading) {
  std::size_t& at = heading.token_count;
  const std::size_t first = at + 1;
  for (at = first; !tokens[at].is("="); ++at) {
    if (tokens[at].kind == TokenKind::end) refuse_heading(text, tokens[at], "\"=\"");
  }
  if (at == first) refuse_heading(text, tokens[at], "the name of a format");
  heading.format_at = tokens[first].first;
  try {
    const std::string_view name = trim(text.substr(heading.format_at, tokens[at].first - heading.format_at));
    heading.format = parse_format(one_line(name));  // which its message quotes
  } catch (const BindingError& error) {
    throw_fault(error.code(), heading.output, error.what(), text, heading.format_at);
  }
}

Heading read_heading(std::string_view text, const std::vector<Token>& tokens) {
  const Token& name = tokens.front();
  if (name.kind != TokenKind::name && name.kind != TokenKind::quoted_name) {
    refuse_heading(text, name, "the name of its output");
  }
  Heading heading{.output = std::string(name.text), .token_count = 1};
  if (tokens[1].is(":")) read_format(text, tokens, heading);
  if (!tokens[heading.token_count].is("=")) refuse_heading(text, tokens[heading.token_count], "\"=\"");
  ++heading.token_count;
  return heading;
}

}  // namespace

Formula parse_formula(std::string text, std::optional<Format> format) {
  const std::vector<Token> tokens = lex(text);
  Heading heading = read_heading(text, tokens);
  if (format && heading.format && *format != *heading.format) {
    throw_fault(ErrorCode::format_mismatch, heading.output,
                fmt::format("The text of \"{output}\" says {in_text}, but its caller says {given}; give one of them.",
                            fmt::arg("output", heading.output), fmt::arg("in_text", format_name(*heading.format)),
                            fmt::arg("given", format_name(*format))),
                text, heading.format_at);
  }
  ParsedExpression parsed = parse_expression(text, std::span(tokens).subspan(heading.token_count), heading.output);
  return {.text = std::move(text),
          .output = std::move(heading.output),
          .format = heading.format ? heading.format : format,
          .tree = std::make_shared<const SyntaxTree>(std::move(parsed.tree)),
          .operands = std::move(parsed.names)};
}

}  // namespace millrace::expression
