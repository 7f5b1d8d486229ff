// The report of a compiled graph, in three forms.
#include "tools/millrace/plan_command.hpp"

#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <millrace/device.hpp>
#include <millrace/report.hpp>
#include <nlohmann/json.hpp>

#include "src/data/data_error.hpp"
#include "src/data/pending_file.hpp"
#include "tools/millrace/evaluation.hpp"
#include "tools/millrace/graph_document.hpp"
#include "tools/millrace/removal_on_signal.hpp"

namespace millrace::tool {

namespace {

using Json = nlohmann::ordered_json;

std::string type_text(const ReportedValue& value) {
  const std::string format = value.is_boolean ? "bool" : std::string(format_name(value.format));
  return fmt::format("{} {}", value.is_vector ? "vector of" : "scalar", format);
}

Json names_json(const CompileReport& report, const std::vector<std::size_t>& values) {
  Json names = Json::array();
  for (const std::size_t value : values) names.push_back(report.values[value].name);
  return names;
}

std::string json_text(const CompileReport& report) {
  Json values = Json::array();
  for (const ReportedValue& value : report.values) {
    values.push_back({{"name", value.name},
                      {"format", format_name(value.format)},
                      {"vector", value.is_vector},
                      {"boolean", value.is_boolean},
                      {"role", to_string(value.role)},
                      {"operation", value.operation.empty() ? Json(nullptr) : Json(value.operation)},
                      {"kernels", value.kernels}});
  }
  Json kernels = Json::array();
  for (const FusedKernel& kernel : report.kernels) {
    kernels.push_back({{"operations", kernel.operations},
                       {"storage_bindings", kernel.storage_bindings},
                       {"reads", names_json(report, kernel.reads)},
                       {"writes", names_json(report, kernel.writes)}});
  }
  Json dropped = Json::array();
  for (const DroppedOperation& operation : report.dropped) {
    dropped.push_back({{"operation", operation.operation}, {"reason", operation.reason}});
  }
  const Json plan = {{"values", std::move(values)}, {"kernels", std::move(kernels)}, {"dropped", std::move(dropped)}};
  return plan.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// In a quoted string of Graphviz; "\l" ends a line to the left.
std::string escape_dot(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    if (character == '"' || character == '\\') escaped += '\\';
    escaped += character;
  }
  return escaped;
}

std::string dot_text(const CompileReport& report) {
  std::string text = "digraph plan {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n";
  for (std::size_t index = 0; index < report.values.size(); ++index) {
    const ReportedValue& value = report.values[index];
    if (value.role == ValueRole::fused) continue;  // it lives inside of kernels, which name it
    const char* const style = value.role == ValueRole::dropped  ? ", style=dashed"
                              : value.role == ValueRole::output ? ", penwidth=2"
                                                                : "";
    text += fmt::format("  v{} [shape=box, label=\"{}\\n{}\"{}];\n", index, escape_dot(value.name), type_text(value),
                        style);
  }
  for (std::size_t index = 0; index < report.kernels.size(); ++index) {
    const FusedKernel& kernel = report.kernels[index];
    std::string label;
    for (const std::string& operation : kernel.operations) label += escape_dot(operation) + "\\l";
    text += fmt::format("  k{} [shape=box, style=\"rounded,filled\", fillcolor=\"#e8eef7\", label=\"{}\"];\n", index,
                        label);
    for (const std::size_t value : kernel.reads) text += fmt::format("  v{} -> k{};\n", value, index);
    for (const std::size_t value : kernel.writes) text += fmt::format("  k{} -> v{};\n", index, value);
  }
  return text + "}\n";
}

void write_file(const std::string& path, const std::string& text) {
  data::PendingFile file(path);
  const RemovalOnSignal removal(file.temporary_path());
  std::ofstream stream(file.temporary_path(), std::ios::binary);
  if (!(stream << text << std::flush)) {
    throw data::DataError(data::DataErrorCode::unwritable_file, fmt::format("{}: The file cannot be written: {}.", path,
                                                                            std::generic_category().message(errno)));
  }
  file.commit();
}

CompileReport report_of(const PlanOptions& options) {
  const GraphDocument document = read_graph_document(options.document);
  const Declarations declarations = declarations_without_values(document, options.select);
  std::vector<std::string> columns;
  for (const DocumentColumn& column : document.columns) columns.push_back(column.column);
  const ResolvedFormulas formulas = resolve_formulas(declarations, columns, document.file);
  Device device = Device::open({.adapter_name_contains = options.device_name});
  try {
    return report_formulas(device, formulas, options.integer_division);
  } catch (const ExpressionError& error) {
    rethrow_with_place(document, error);
  }
}

}  // namespace

void plan(const PlanOptions& options) {
  const CompileReport report = report_of(options);
  if (!options.dot.empty() && options.dot != "-") write_file(options.dot, dot_text(report));
  if (options.dot == "-") {
    fmt::print("{}", dot_text(report));
  } else {
    fmt::print("{}", options.json ? json_text(report) : report.text());
  }
}

}  // namespace millrace::tool
