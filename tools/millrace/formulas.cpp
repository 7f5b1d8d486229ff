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
  Resolution(const Declarations& declarations, const std::vector<std::string>& column_names, const std::string& file)
      : declarations_(declarations), expressions_(declarations.formulas), column_names_(column_names), file_(file) {
    if (declarations.where) {
      resolved_.where = expressions_.size();
      expressions_.push_back(*declarations.where);
    }
    places_.resize(expressions_.size());
    for (const Expression& expression : expressions_)
      resolved_.formulas.push_back({.expression = expression, .columns = {}});
  }

  ResolvedFormulas resolve() {
    check_inputs();
    for (std::size_t index = 0; index < expressions_.size(); ++index) place(index);
    check_all_read();
    select_outputs();
    return std::move(resolved_);
  }

 private:
  enum class Place { waiting, entered, placed };

  void check_inputs() const;
  void check_all_read() const;
  void select_outputs();
  void place(std::size_t index);
  void resolve_name(std::size_t formula, const std::string& name);
  void read_result(std::size_t formula, std::size_t result);
  void read_scalar(const ScalarInput& scalar);
  void read_column(std::size_t formula, const ColumnInput& input);
  void read_builtin(std::size_t formula, const std::string& name);
  [[nodiscard]] bool is_column(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> readable_names(std::size_t formula) const;
  [[noreturn]] void throw_circle(std::size_t formula, std::size_t result) const;
  [[noreturn]] void throw_unknown(std::size_t formula, const std::string& name) const;

  const Declarations& declarations_;
  std::vector<Expression> expressions_;
  const std::vector<std::string>& column_names_;
  const std::string& file_;
  std::vector<Place> places_;
  ResolvedFormulas resolved_;
};

template <class Range>
auto find_named(const Range& range, std::string_view name) {
  return std::find_if(range.begin(), range.end(), [&](const auto& each) { return each.name == name; });
}

bool Resolution::is_column(const std::string& name) const {
  return std::find(column_names_.begin(), column_names_.end(), name) != column_names_.end();
}

void Resolution::check_inputs() const {
  for (const ColumnInput& input : declarations_.inputs) {
    if (is_column(input.column)) continue;
    const std::optional<std::string> nearest = find_nearest_name(input.column, column_names_);
    throw UsageError(
        fmt::format("\"{name}\" is to be the column \"{column}\", which {file} does not have{nearest} The "
                    "columns are {columns}.",
                    fmt::arg("name", input.name), fmt::arg("column", input.column), fmt::arg("file", file_),
                    fmt::arg("nearest", nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "."),
                    fmt::arg("columns", fmt::join(column_names_, ", "))));
  }
  for (const ScalarInput& scalar : declarations_.scalars) {
    const bool is_result = find_result(expressions_, scalar.name).has_value();
    if (!is_result && !(declarations_.reads_any_column && is_column(scalar.name))) continue;
    throw UsageError(fmt::format(
        "--set gives a value to \"{name}\", which is {what}; give it another name.", fmt::arg("name", scalar.name),
        fmt::arg("what", is_result ? std::string("the result of a formula") : "a column of " + file_)));
  }
}

void Resolution::check_all_read() const {
  for (const ScalarInput& scalar : declarations_.scalars) {
    if (!declarations_.scalars_must_be_read || find_named(resolved_.scalars, scalar.name) != resolved_.scalars.end()) {
      continue;
    }
    throw UsageError(fmt::format("--set gives a value to \"{}\", which no formula reads.", scalar.name));
  }
  for (const ColumnInput& input : declarations_.inputs) {
    if (!declarations_.reads_any_column || find_named(resolved_.columns, input.name) != resolved_.columns.end())
      continue;
    throw UsageError(fmt::format("--bind gives the name \"{}\" to a column, and no formula reads it.", input.name));
  }
}

void Resolution::select_outputs() {
  for (const std::string& name : declarations_.select) {
    const std::optional<std::size_t> result = find_result(declarations_.formulas, name);
    if (!result) {
      std::vector<std::string> names;
      for (const Expression& expression : declarations_.formulas) names.push_back(expression.output());
      throw UsageError(fmt::format("--select names \"{name}\", which no formula defines; the results are {names}.",
                                   fmt::arg("name", name), fmt::arg("names", fmt::join(names, ", "))));
    }
    if (std::find(resolved_.outputs.begin(), resolved_.outputs.end(), *result) != resolved_.outputs.end()) {
      throw UsageError(fmt::format("--select names \"{}\" twice; a table has each result once.", name));
    }
    resolved_.outputs.push_back(*result);
  }
  for (std::size_t index = 0; declarations_.select.empty() && index < declarations_.formulas.size(); ++index) {
    resolved_.outputs.push_back(index);
  }
}

void Resolution::place(std::size_t index) {
  if (places_[index] == Place::placed) return;
  places_[index] = Place::entered;
  for (const std::string& name : expressions_[index].operands()) resolve_name(index, name);
  ResolvedFormula& formula = resolved_.formulas[index];
  std::sort(formula.columns.begin(), formula.columns.end());
  formula.columns.erase(std::unique(formula.columns.begin(), formula.columns.end()), formula.columns.end());
  formula.has_rows = formula.has_rows || !formula.columns.empty();
  places_[index] = Place::placed;
  resolved_.order.push_back(index);
}

void Resolution::resolve_name(std::size_t formula, const std::string& name) {
  const auto scalar = find_named(declarations_.scalars, name);
  const auto input = find_named(declarations_.inputs, name);
  if (const std::optional<std::size_t> result = find_result(declarations_.formulas, name)) {
    read_result(formula, *result);
  } else if (scalar != declarations_.scalars.end()) {
    read_scalar(*scalar);
  } else if (input != declarations_.inputs.end()) {
    read_column(formula, *input);
  } else if (declarations_.reads_any_column && is_column(name)) {
    read_column(formula, {.name = name, .column = name});
  } else if (is_builtin(name)) {
    read_builtin(formula, name);
  } else {
    throw_unknown(formula, name);
  }
}

void Resolution::read_result(std::size_t formula, std::size_t result) {
  if (places_[result] == Place::entered) throw_circle(formula, result);
  place(result);
  ResolvedFormula& reader = resolved_.formulas[formula];
  const ResolvedFormula& read = resolved_.formulas[result];
  reader.columns.insert(reader.columns.end(), read.columns.begin(), read.columns.end());
  reader.has_rows = reader.has_rows || read.has_rows;
}

void Resolution::read_scalar(const ScalarInput& scalar) {
  if (find_named(resolved_.scalars, scalar.name) == resolved_.scalars.end()) resolved_.scalars.push_back(scalar);
}

void Resolution::read_column(std::size_t formula, const ColumnInput& input) {
  const auto count = std::count(column_names_.begin(), column_names_.end(), input.column);
  if (count > 1) {
    throw data::DataError(
        data::DataErrorCode::duplicate_column,
        fmt::format("{file}: Formula \"{formula}\" reads \"{name}\", which is the name of {count} columns; rename all "
                    "but one of them.",
                    fmt::arg("file", file_), fmt::arg("formula", expressions_[formula].text()),
                    fmt::arg("name", input.column), fmt::arg("count", count)));
  }
  std::vector<ResolvedColumn>& columns = resolved_.columns;
  const auto known = find_named(columns, input.name);
  resolved_.formulas[formula].columns.push_back(static_cast<std::size_t>(known - columns.begin()));
  if (known != columns.end()) return;
  const auto column = std::find(column_names_.begin(), column_names_.end(), input.column) - column_names_.begin();
  columns.push_back({.name = input.name, .column = static_cast<std::size_t>(column), .wanted = input.wanted});
  if (is_builtin(input.name)) {
    resolved_.notes.push_back(fmt::format("\"{name}\" is the column of {file}, not what the language means by it.",
                                          fmt::arg("name", input.name), fmt::arg("file", file_)));
  }
}

void Resolution::read_builtin(std::size_t formula, const std::string& name) {
  if (name == "row") resolved_.reads_row = resolved_.formulas[formula].has_rows = true;
  if (name == "rows") resolved_.reads_rows = true;
}

void Resolution::throw_circle(std::size_t formula, std::size_t result) const {
  const std::string& name = expressions_[result].output();
  if (formula == result) {
    throw UsageError(
        fmt::format("Formula \"{formula}\" reads its own result \"{name}\"{column}; give the result "
                    "another name.",
                    fmt::arg("formula", expressions_[formula].text()), fmt::arg("name", name),
                    fmt::arg("column", is_column(name) ? ", which hides the column of that name" : "")));
  }
  throw UsageError(fmt::format(
      "Formula \"{formula}\" reads \"{name}\", and \"{defining}\" reads \"{result}\" in turn, "
      "itself or through others; formulas cannot read each other in a circle.",
      fmt::arg("formula", expressions_[formula].text()), fmt::arg("name", name),
      fmt::arg("defining", expressions_[result].text()), fmt::arg("result", expressions_[formula].output())));
}

std::vector<std::string> Resolution::readable_names(std::size_t formula) const {
  std::vector<std::string> names = column_names_;
  for (const ColumnInput& input : declarations_.inputs) names.push_back(input.name);
  for (const ScalarInput& scalar : declarations_.scalars) names.push_back(scalar.name);
  for (const Expression& expression : declarations_.formulas) {
    if (expression.output() != expressions_[formula].output()) names.push_back(expression.output());
  }
  return names;
}

// In a file read with the wrong delimiter, a name is several with the right one between them.
std::string columns_sentence(const std::vector<std::string>& names) {
  std::string hint;
  for (const std::string& name : names) {
    const std::size_t place = name.find_first_of(";\t|");
    if (place == std::string::npos) continue;
    const std::string delimiter = name[place] == '\t' ? "tab" : fmt::format("'{}'", name[place]);
    hint = fmt::format("; if \"{}\" is several, give --delimiter {}", name, delimiter);
    break;
  }
  return fmt::format("The columns are {}{}.", fmt::join(names, ", "), hint);
}

void Resolution::throw_unknown(std::size_t formula, const std::string& name) const {
  const std::optional<std::string> nearest = find_nearest_name(name, readable_names(formula));
  throw UsageError(fmt::format(
      "Formula \"{formula}\" reads \"{name}\", which is neither a column of {file} nor the result of another "
      "formula{nearest} {columns}",
      fmt::arg("formula", expressions_[formula].text()), fmt::arg("name", name), fmt::arg("file", file_),
      fmt::arg("nearest", nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "."),
      fmt::arg("columns", columns_sentence(column_names_))));
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

Expression parse_where(const std::string& expression, const std::vector<Expression>& formulas) {
  std::string name = "where";
  while (find_result(formulas, name)) name += '_';
  return Expression(name + " = " + expression);
}

ResolvedFormulas resolve_formulas(const Declarations& declarations, const std::vector<std::string>& column_names,
                                  const std::string& file) {
  return Resolution(declarations, column_names, file).resolve();
}

}  // namespace millrace::tool
