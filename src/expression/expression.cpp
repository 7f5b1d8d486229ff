// The public class: a parsed formula behind a pointer.
#include <millrace/expression.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "src/expression/formula.hpp"

namespace millrace {

Expression::Expression(std::string formula, std::optional<Format> format)
    : formula_(std::make_shared<const expression::Formula>(expression::parse_formula(std::move(formula), format))) {}

const std::string& Expression::text() const { return formula_->text; }

const std::string& Expression::output() const { return formula_->output; }

std::vector<std::string> Expression::operands() const { return formula_->operands; }

const expression::Formula& ExpressionAccess::formula(const Expression& expression) { return *expression.formula_; }

bool is_builtin(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames = {"pi", "e", "inf", "nan", "true", "false", "row", "rows"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace millrace
