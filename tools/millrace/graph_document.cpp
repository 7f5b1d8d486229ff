// Settings of the command line are checked against the document's declarations.
#include "tools/millrace/graph_document.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tools/millrace/nearest_name.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

template <class Range>
auto find_named(Range& range, const std::string& name) {
  return std::find_if(range.begin(), range.end(), [&](const auto& each) { return each.name == name; });
}

[[noreturn]] void throw_undeclared(const GraphDocument& document, const Assignment& assignment, const std::string& what,
                                   const std::vector<std::string>& names) {
  const std::optional<std::string> nearest = find_nearest_name(assignment.name, names);
  throw UsageError(fmt::format(
      "{place}: {file} has no {what} \"{name}\"{nearest} {there}", fmt::arg("place", assignment.place),
      fmt::arg("file", document.file), fmt::arg("what", what), fmt::arg("name", assignment.name),
      fmt::arg("nearest", nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "."),
      fmt::arg("there", names.empty() ? "There are none." : fmt::format("There are {}.", fmt::join(names, ", ")))));
}

template <class Range>
std::vector<std::string> names_of(const Range& range) {
  std::vector<std::string> names;
  names.reserve(range.size());
  for (const auto& each : range) names.push_back(each.name);
  return names;
}

ScalarInput value_of(const GraphDocument& document, const DocumentScalar& scalar, const std::vector<Assignment>& set) {
  const auto setting = find_named(set, scalar.name);
  if (setting != set.end()) return parse_scalar(*setting, scalar.type);
  if (scalar.value) return *scalar.value;
  throw UsageError(fmt::format("{file}: The scalar \"{name}\" has no default; give it a value with --set {name}=VALUE.",
                               fmt::arg("file", document.file), fmt::arg("name", scalar.name)));
}

Declarations base_declarations(const GraphDocument& document, const std::vector<std::string>& select) {
  Declarations declarations = {.formulas = {},
                               .reads_any_column = false,
                               .scalars_must_be_read = false,
                               .select = select.empty() ? document.outputs : select};
  for (const DocumentOperation& operation : document.operations) declarations.formulas.push_back(operation.expression);
  for (const DocumentColumn& column : document.columns) {
    declarations.inputs.push_back({.name = column.name, .column = column.column, .wanted = column.type});
  }
  return declarations;
}

}  // namespace

Declarations declarations_of(const GraphDocument& document, const std::vector<Assignment>& set,
                             const std::vector<Assignment>& bind, const std::vector<std::string>& select) {
  Declarations declarations = base_declarations(document, select);
  std::vector<DocumentScalar> settable;
  std::copy_if(document.scalars.begin(), document.scalars.end(), std::back_inserter(settable),
               [](const DocumentScalar& scalar) { return !scalar.is_constant; });
  for (const Assignment& setting : set) {
    if (find_named(settable, setting.name) != settable.end()) continue;
    throw_undeclared(document, setting, "scalar", names_of(settable));
  }
  for (const DocumentScalar& scalar : document.scalars) declarations.scalars.push_back(value_of(document, scalar, set));
  for (const Assignment& binding : bind) {
    const auto input = find_named(declarations.inputs, binding.name);
    if (input == declarations.inputs.end()) {
      throw_undeclared(document, binding, "vector input", names_of(document.columns));
    }
    input->column = binding.value;
  }
  return declarations;
}

Declarations declarations_without_values(const GraphDocument& document, const std::vector<std::string>& select) {
  Declarations declarations = base_declarations(document, select);
  for (const DocumentScalar& scalar : document.scalars) {
    declarations.scalars.push_back({.name = scalar.name, .type = scalar.type, .lanes = {}});
  }
  return declarations;
}

void rethrow_with_place(const GraphDocument& document, const ExpressionError& error) {
  for (const DocumentOperation& operation : document.operations) {
    if (operation.expression.text() != error.text()) continue;
    throw UsageError(fmt::format("{}: {}", operation.place, error.what()));
  }
  throw;
}

}  // namespace millrace::tool
