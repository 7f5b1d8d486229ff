// Formulas over the columns of a table: parsed, their names resolved to columns, scalars and each other, and ordered.
//
// A name is the result of a formula of that name, else a scalar, else a column, else what the language knows by itself
// (pi, row, ...).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <millrace/expression.hpp>

#include "src/data/number_column.hpp"
#include "tools/millrace/scalar_input.hpp"

namespace millrace::tool {

// A name of formulas for a column of the file.
struct ColumnInput {
  std::string name;
  std::string column;
  std::optional<data::NumberType> wanted = {};  // what a document declares; else what the column is by itself
};

// What a command line or a graph document says.
struct Declarations {
  std::vector<Expression> formulas;
  std::optional<Expression> where = {};  // its result: whether a row is kept
  std::vector<ColumnInput> inputs = {};  // --bind, or a document's inputs
  // A name may also be a column of the file that is not among `inputs`. Without it, all names are declared.
  bool reads_any_column = true;
  std::vector<ScalarInput> scalars = {};
  bool scalars_must_be_read = true;      // one that no formula reads is a mistake
  std::vector<std::string> select = {};  // results to hand out; empty: all
};

struct ResolvedFormula {
  Expression expression;
  // What it depends on, also through other formulas: indices into ResolvedFormulas::columns, ascending.
  std::vector<std::size_t> columns;
  bool has_rows = false;  // else it is a scalar: no column and no `row` is read
};

struct ResolvedColumn {
  std::string name;
  std::size_t column;  // of the file
  std::optional<data::NumberType> wanted;
};

struct ResolvedFormulas {
  std::vector<ResolvedFormula> formulas;  // as given, `where` last
  std::vector<std::size_t> order;         // indices into formulas: each after those that it reads
  std::vector<std::size_t> outputs;       // indices into formulas: what is selected, in that order
  std::optional<std::size_t> where;       // index into formulas
  std::vector<ResolvedColumn> columns;    // each once, in order of first use
  std::vector<ScalarInput> scalars;       // those that are read
  bool reads_row = false;                 // the number of the row in the table
  bool reads_rows = false;                // how many rows the table has
  std::vector<std::string> notes;         // sentences for the user: columns that hide constants of the language
};

// UsageError where two formulas define one name; ExpressionError where one does not parse.
[[nodiscard]] std::vector<Expression> parse_formulas(const std::vector<std::string>& texts);
// `expression` as a formula with a name that no formula defines.
[[nodiscard]] Expression parse_where(const std::string& expression, const std::vector<Expression>& formulas);

// file: what messages call the table. UsageError for a name that is nothing (lists the columns), for formulas that read
// each other in a circle, for what is given and never read, for a selected name that no formula defines; DataError
// `duplicate_column` where a formula reads a column whose name stands twice.
[[nodiscard]] ResolvedFormulas resolve_formulas(const Declarations& declarations,
                                                const std::vector<std::string>& column_names, const std::string& file);

}  // namespace millrace::tool
