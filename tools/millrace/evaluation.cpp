// Declares the graph, binds columns, and pairs results with the validity of what they came from.
#include "tools/millrace/evaluation.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tools/millrace/device_rows.hpp"

namespace millrace::tool {

namespace {

bool is_taken(const ResolvedFormulas& formulas, const std::string& name) {
  const auto defines = [&](const ResolvedFormula& formula) { return formula.expression.output() == name; };
  return std::any_of(formulas.formulas.begin(), formulas.formulas.end(), defines) ||
         std::find(formulas.column_names.begin(), formulas.column_names.end(), name) != formulas.column_names.end();
}

// A boolean column is an input of another name, from which the graph makes the bool of the column's name.
std::vector<std::string> name_inputs(const ResolvedFormulas& formulas, const std::vector<data::ElementType>& types) {
  std::vector<std::string> names = formulas.column_names;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (types[index] != data::ElementType::boolean) continue;
    do {
      names[index] += " as uint32";
    } while (is_taken(formulas, names[index]));
  }
  return names;
}

CompiledGraph compile(Device& device, const ResolvedFormulas& formulas, const std::vector<data::ElementType>& types,
                      const std::vector<std::string>& input_names, IntegerDivision integer_division) {
  Graph graph;
  for (std::size_t index = 0; index < types.size(); ++index) {
    graph.add_input(input_names[index], vector_of(data::format_of(types[index])));
    if (types[index] != data::ElementType::boolean) continue;
    graph.add(Expression{fmt::format("`{column}` = `{input}` != 0", fmt::arg("column", formulas.column_names[index]),
                                     fmt::arg("input", input_names[index]))});
  }
  for (const std::size_t index : formulas.order) graph.add(formulas.formulas[index].expression);
  std::vector<Name> outputs;
  for (const ResolvedFormula& formula : formulas.formulas) outputs.emplace_back(formula.expression.output());
  return graph.compile(device, {.outputs = Outputs(std::move(outputs)), .integer_division = integer_division});
}

}  // namespace

Evaluation::Evaluation(Device& device, ResolvedFormulas formulas, const std::vector<data::ElementType>& types,
                       IntegerDivision integer_division)
    : formulas_(std::move(formulas)),
      input_names_(name_inputs(formulas_, types)),
      graph_(compile(device, formulas_, types, input_names_, integer_division)) {}

Results Evaluation::run(const std::vector<Vector>& columns) const {
  Bindings bindings;
  for (std::size_t index = 0; index < columns.size(); ++index) bindings.inputs.set(input_names_[index], columns[index]);
  return graph_.run(bindings);
}

std::vector<data::Column> Evaluation::read_columns(const Results& results, RowRange rows,
                                                   const std::vector<data::Validity>& validity) const {
  std::vector<data::Column> columns;
  for (const ResolvedFormula& formula : formulas_.formulas) {
    if (formula.columns.empty()) continue;
    data::Validity has_value = validity[formula.columns.front()];
    for (const std::size_t column : formula.columns) has_value.intersect(validity[column]);
    const std::string& name = formula.expression.output();
    for (LaneRows& lane : read_lanes(results[name].rows(rows), name)) {
      columns.push_back(
          {.name = std::move(lane.name), .type = lane.type, .values = std::move(lane.values), .validity = has_value});
    }
  }
  return columns;
}

std::vector<ScalarResult> Evaluation::read_scalars(const Results& results) const {
  std::vector<ScalarResult> scalars;
  for (const ResolvedFormula& formula : formulas_.formulas) {
    if (!formula.columns.empty()) continue;
    const std::string& name = formula.expression.output();
    for (LaneRows& lane : read_lanes(results[name], name)) {
      scalars.push_back({.name = std::move(lane.name), .value = std::move(lane.values)});
    }
  }
  return scalars;
}

}  // namespace millrace::tool
