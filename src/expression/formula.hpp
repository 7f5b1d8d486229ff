// A parsed formula, and the two stages that make and resolve it: parse_formula and infer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <millrace/expression.hpp>
#include <millrace/format.hpp>
#include <millrace/graph.hpp>

#include "src/expression/dag.hpp"

namespace millrace::expression {

struct SyntaxTree;  // syntax.hpp

// "output: format = expression", parsed.
struct Formula {
  std::string text;              // whole, as given
  std::string output;            // without its quotes
  std::optional<Format> format;  // of the result, where the text or the caller says one
  std::shared_ptr<const SyntaxTree> tree;
  std::vector<std::string> operands;  // the names it reads, each once, in order of appearance; builtins too
};

// Throws ExpressionError with the text and a caret. format: the caller's second argument.
[[nodiscard]] Formula parse_formula(std::string text, std::optional<Format> format);

// How a name resolves: to the node of an input or of an earlier result, or to nothing.
using FindName = std::function<std::optional<NodeIndex>(std::string_view)>;

struct InferOptions {
  IntegerDivision integer_division = IntegerDivision::truncate;
};

struct Inferred {
  NodeIndex node;                            // in the DAG; requantized where the formula has a packed format
  Format format;                             // what the result is stored as
  std::vector<std::string> hidden_builtins;  // names that resolved to a declared value and mean something by themselves
};

// Types the formula and adds its nodes to the DAG. Names: `find` first, then constants and builtins; a name that is
// neither is GraphError `missing_producer`, whose message quotes the formula and, where one of `known_names` is near,
// asks "did you mean". Every other fault is an ExpressionError. Nothing is left half-added that matters: unused nodes
// of a failed inference stay in the DAG unreferenced.
[[nodiscard]] Inferred infer(const Formula& formula, const FindName& find, const std::vector<std::string>& known_names,
                             Dag& dag, const InferOptions& options);

}  // namespace millrace::expression

namespace millrace {

struct ExpressionAccess {
  [[nodiscard]] static const expression::Formula& formula(const Expression& expression);
};

}  // namespace millrace
