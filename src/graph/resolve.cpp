// One pass in declaration order: a name means what was defined before.
#include "src/graph/resolve.hpp"

#include <map>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/expression/fault.hpp"

namespace millrace::graph {
namespace {

class Resolver {
 public:
  Resolver(const std::vector<DeclaredInput>& inputs, IntegerDivision integer_division)
      : options_{.integer_division = integer_division} {
    graph_.inputs = inputs;
    for (const DeclaredInput& input : inputs) add_input(input);
  }

  void add_operation(const expression::Formula& formula) {
    check_name_is_free(formula);
    const auto find = [this](std::string_view name) -> std::optional<expression::NodeIndex> {
      const auto value = find_value(name);
      if (!value) return std::nullopt;
      return graph_.value(*value).node;
    };
    const expression::Inferred inferred = expression::infer(formula, find, names_, graph_.dag, options_);
    const OperationIndex operation{static_cast<std::uint32_t>(graph_.operations.size())};
    ResolvedOperation resolved{.formula = formula.text, .output = {}, .operands = operand_values(formula)};
    resolved.output = add_value({.name = formula.output,
                                 .node = inferred.node,
                                 .format = inferred.format,
                                 .is_vector = graph_.dag.node(inferred.node).per_row,
                                 .producer = operation});
    for (const std::string& hidden : inferred.hidden_builtins) {
      graph_.hidden_builtins.push_back({.name = hidden, .operation = formula.text});
    }
    graph_.operations.push_back(std::move(resolved));
  }

  ResolvedGraph take() && { return std::move(graph_); }

 private:
  void add_input(const DeclaredInput& input) {
    const Format format = input.type.format();
    const bool is_vector = !input.type.is_scalar();
    const expression::OperandIndex operand =
        graph_.dag.add_operand({.name = input.name, .format = format, .is_vector = is_vector});
    const expression::NodeIndex node =
        graph_.dag.add(expression::NodeKind::operand, expression::read_type(format), operand.value, {});
    add_value({.name = input.name, .node = node, .format = format, .is_vector = is_vector, .producer = {}});
  }

  ValueIndex add_value(ResolvedValue value) {
    const ValueIndex index{static_cast<std::uint32_t>(graph_.values.size())};
    by_name_.emplace(value.name, index);
    names_.push_back(value.name);
    graph_.values.push_back(std::move(value));
    return index;
  }

  [[nodiscard]] std::optional<ValueIndex> find_value(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return std::nullopt;
    return found->second;
  }

  void check_name_is_free(const expression::Formula& formula) const {
    const auto value = find_value(formula.output);
    if (!value) return;
    const bool is_input = !graph_.value(*value).producer;
    throw GraphError(
        ErrorCode::name_in_use, formula.output,
        fmt::format("Operation {formula} defines {name}, which is the name of {owner} already; each result needs a "
                    "name of its own.",
                    fmt::arg("formula", expression::quoted(formula.text)),
                    fmt::arg("name", expression::quoted(formula.output)),
                    fmt::arg("owner", is_input ? "an input" : "an earlier result")));
  }

  [[nodiscard]] std::vector<ValueIndex> operand_values(const expression::Formula& formula) const {
    std::vector<ValueIndex> operands;
    for (const std::string& name : formula.operands) {
      if (const auto value = find_value(name)) operands.push_back(*value);  // else a constant or builtin
    }
    return operands;
  }

  expression::InferOptions options_;
  ResolvedGraph graph_;
  std::map<std::string, ValueIndex, std::less<>> by_name_;
  std::vector<std::string> names_;
};

}  // namespace

ResolvedGraph resolve(const std::vector<DeclaredInput>& inputs, const std::vector<Operation>& operations,
                      IntegerDivision integer_division) {
  Resolver resolver(inputs, integer_division);
  for (const Operation& operation : operations) {
    resolver.add_operation(ExpressionAccess::formula(OperationAccess::expression(operation)));
  }
  return std::move(resolver).take();
}

}  // namespace millrace::graph
