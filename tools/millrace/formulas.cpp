// Names are resolved depth first: a formula is placed once everything it reads has been.
#include "tools/millrace/formulas.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "src/data/data_error.hpp"
#include "tools/millrace/nearest_name.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

std::optional<std::size_t> find_result(const std::vector<Expression>& expressions, std::string_view name) {
  for (std::size_t index = 0; index < expressions.size(); ++index) {
    if (expressions[index].output() == name) return index;
  }
  return std::nullopt;
}

class Resolution {
 public:
  Resolution(const std::vector<Expression>& expressions, const std::vector<std::string>& column_names,
             const std::string& file)
      : expressions_(expressions), column_names_(column_names), file_(file), places_(expressions.size()) {
    for (const Expression& expression : expressions) {
      resolved_.formulas.push_back({.expression = expression, .columns = {}});
    }
  }

  ResolvedFormulas resolve() {
    for (std::size_t index = 0; index < expressions_.size(); ++index) place(index);
    return std::move(resolved_);
  }

 private:
  enum class Place { waiting, entered, placed };

  void place(std::size_t index);
  void resolve_name(std::size_t formula, const std::string& name);
  void read_result(std::size_t formula, std::size_t result);
  void read_column(std::size_t formula, const std::string& name, std::size_t column);
  void read_builtin(const std::string& name);
  [[noreturn]] void throw_circle(std::size_t formula, std::size_t result) const;
  [[noreturn]] void throw_unknown(std::size_t formula, const std::string& name) const;

  const std::vector<Expression>& expressions_;
  const std::vector<std::string>& column_names_;
  const std::string& file_;
  std::vector<Place> places_;
  ResolvedFormulas resolved_;
};

void Resolution::place(std::size_t index) {
  if (places_[index] == Place::placed) return;
  places_[index] = Place::entered;
  for (const std::string& name : expressions_[index].operands()) resolve_name(index, name);
  std::vector<std::size_t>& columns = resolved_.formulas[index].columns;
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  places_[index] = Place::placed;
  resolved_.order.push_back(index);
}

void Resolution::resolve_name(std::size_t formula, const std::string& name) {
  if (const std::optional<std::size_t> result = find_result(expressions_, name)) {
    read_result(formula, *result);
    return;
  }
  const auto column = std::find(column_names_.begin(), column_names_.end(), name);
  if (column != column_names_.end()) {
    read_column(formula, name, static_cast<std::size_t>(column - column_names_.begin()));
  } else if (is_builtin(name)) {
    read_builtin(name);
  } else {
    throw_unknown(formula, name);
  }
}

void Resolution::read_result(std::size_t formula, std::size_t result) {
  if (places_[result] == Place::entered) throw_circle(formula, result);
  place(result);
  std::vector<std::size_t>& columns = resolved_.formulas[formula].columns;
  const std::vector<std::size_t>& read = resolved_.formulas[result].columns;
  columns.insert(columns.end(), read.begin(), read.end());
}

void Resolution::read_column(std::size_t formula, const std::string& name, std::size_t column) {
  if (std::count(column_names_.begin(), column_names_.end(), name) > 1) {
    throw data::DataError(
        data::DataErrorCode::duplicate_column,
        fmt::format("{file}: Formula \"{formula}\" reads \"{name}\", which is the name of {count} columns; rename all "
                    "but one of them.",
                    fmt::arg("file", file_), fmt::arg("formula", expressions_[formula].text()), fmt::arg("name", name),
                    fmt::arg("count", std::count(column_names_.begin(), column_names_.end(), name))));
  }
  std::vector<std::size_t>& columns = resolved_.columns;
  const auto known = std::find(columns.begin(), columns.end(), column);
  resolved_.formulas[formula].columns.push_back(static_cast<std::size_t>(known - columns.begin()));
  if (known != columns.end()) return;
  columns.push_back(column);
  resolved_.column_names.push_back(name);
  if (is_builtin(name)) {
    resolved_.notes.push_back(fmt::format("\"{name}\" is the column of {file}, not what the language means by it.",
                                          fmt::arg("name", name), fmt::arg("file", file_)));
  }
}

void Resolution::read_builtin(const std::string& name) {
  if (name == "row" || name == "rows") resolved_.needs_all_rows = true;
}

void Resolution::throw_circle(std::size_t formula, std::size_t result) const {
  const std::string& name = expressions_[result].output();
  const bool is_column = std::find(column_names_.begin(), column_names_.end(), name) != column_names_.end();
  if (formula == result) {
    throw UsageError(
        fmt::format("Formula \"{formula}\" reads its own result \"{name}\"{column}; give the result "
                    "another name.",
                    fmt::arg("formula", expressions_[formula].text()), fmt::arg("name", name),
                    fmt::arg("column", is_column ? ", which hides the column of that name" : "")));
  }
  throw UsageError(fmt::format(
      "Formula \"{formula}\" reads \"{name}\", and \"{defining}\" reads \"{result}\" in turn, "
      "itself or through others; formulas cannot read each other in a circle.",
      fmt::arg("formula", expressions_[formula].text()), fmt::arg("name", name),
      fmt::arg("defining", expressions_[result].text()), fmt::arg("result", expressions_[formula].output())));
}

void Resolution::throw_unknown(std::size_t formula, const std::string& name) const {
  std::vector<std::string> known = column_names_;
  for (const Expression& expression : expressions_) {
    if (expression.output() != expressions_[formula].output()) known.push_back(expression.output());
  }
  const std::optional<std::string> nearest = find_nearest_name(name, known);
  throw UsageError(fmt::format(
      "Formula \"{formula}\" reads \"{name}\", which is neither a column of {file} nor the result of another "
      "formula{nearest} The columns are {columns}.",
      fmt::arg("formula", expressions_[formula].text()), fmt::arg("name", name), fmt::arg("file", file_),
      fmt::arg("nearest", nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "."),
      fmt::arg("columns", fmt::join(column_names_, ", "))));
}

}  // namespace

std::vector<Expression> parse_formulas(const std::vector<std::string>& texts) {
  std::vector<Expression> expressions;
  for (const std::string& text : texts) {
    Expression expression(text);
    if (const std::optional<std::size_t> other = find_result(expressions, expression.output())) {
      throw UsageError(
          fmt::format("Formulas \"{first}\" and \"{second}\" both define \"{name}\"; each result needs a "
                      "name of its own.",
                      fmt::arg("first", expressions[*other].text()), fmt::arg("second", text),
                      fmt::arg("name", expression.output())));
    }
    expressions.push_back(std::move(expression));
  }
  return expressions;
}

ResolvedFormulas resolve_formulas(const std::vector<Expression>& expressions,
                                  const std::vector<std::string>& column_names, const std::string& file) {
  return Resolution(expressions, column_names, file).resolve();
}

}  // namespace millrace::tool
