// The formulas of a command line: parsed, their names resolved to the file's columns and to each other, and ordered.
//
// A name is the result of a formula of that name, else a column, else what the language knows by itself (pi, row, ...).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <millrace/expression.hpp>

namespace millrace::tool {

struct ResolvedFormula {
  Expression expression;
  // What it depends on, also through other formulas: indices into ResolvedFormulas::columns, ascending. A formula without
  // any is a scalar.
  std::vector<std::size_t> columns;
};

struct ResolvedFormulas {
  std::vector<ResolvedFormula> formulas;  // as given
  std::vector<std::size_t> order;         // indices into formulas: each after those that it reads
  std::vector<std::size_t> columns;       // of the file, each once, in order of first use
  std::vector<std::string> column_names;  // of those
  bool needs_all_rows = false;            // `row` or `rows` is read: batches would not do
  std::vector<std::string> notes;         // sentences for the user: columns that hide constants of the language
};

// UsageError where two formulas define one name; ExpressionError where one does not parse.
[[nodiscard]] std::vector<Expression> parse_formulas(const std::vector<std::string>& texts);

// file: what messages call the table. UsageError for a name that is nothing (lists the columns), for formulas that read
// each other in a circle; DataError `duplicate_column` where a formula reads a column whose name stands twice.
[[nodiscard]] ResolvedFormulas resolve_formulas(const std::vector<Expression>& expressions,
                                                const std::vector<std::string>& column_names, const std::string& file);

}  // namespace millrace::tool
