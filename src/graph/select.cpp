// From the selected outputs back to the operations that they need.
#include "src/graph/select.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/near_name.hpp"

namespace millrace::graph {
namespace {

std::vector<ValueIndex> terminal_results(const ResolvedGraph& graph) {
  std::vector<bool> is_read(graph.values.size(), false);
  for (const ResolvedOperation& operation : graph.operations) {
    for (const ValueIndex operand : operation.operands) is_read[operand.value] = true;
  }
  std::vector<ValueIndex> terminal;
  for (const ResolvedOperation& operation : graph.operations) {
    if (!is_read[operation.output.value]) terminal.push_back(operation.output);
  }
  return terminal;
}

ValueIndex named_result(const ResolvedGraph& graph, const std::string& name) {
  std::vector<std::string> results;
  for (std::uint32_t index = 0; index < graph.values.size(); ++index) {
    const ResolvedValue& value = graph.values[index];
    if (value.name == name && value.producer) return {index};
    if (value.name == name) {
      throw GraphError(
          ErrorCode::input_as_output, name,
          fmt::format("\"{}\" is an input, which a run is given; an output is what an operation defines.", name));
    }
    if (value.producer) results.push_back(value.name);
  }
  throw GraphError(ErrorCode::unknown_output, name,
                   fmt::format("No operation defines the output \"{name}\"{advice}", fmt::arg("name", name),
                               fmt::arg("advice", name_advice(name, results))));
}

std::vector<ValueIndex> named_results(const ResolvedGraph& graph, const std::vector<Name>& names) {
  std::vector<ValueIndex> selected;
  for (const Name& name : names) {
    const ValueIndex value = named_result(graph, name.text());
    if (std::find(selected.begin(), selected.end(), value) != selected.end()) {
      throw GraphError(ErrorCode::duplicate_output, name.text(),
                       fmt::format("The output \"{}\" is selected twice.", name.text()));
    }
    selected.push_back(value);
  }
  return selected;
}

std::vector<bool> needed_operations(const ResolvedGraph& graph, const std::vector<ValueIndex>& outputs) {
  std::vector<bool> is_needed(graph.operations.size(), false);
  for (const ValueIndex output : outputs) is_needed[graph.value(output).producer->value] = true;
  // Producers stand before consumers, so one pass from the end reaches all.
  for (std::size_t index = graph.operations.size(); index-- > 0;) {
    if (!is_needed[index]) continue;
    for (const ValueIndex operand : graph.operations[index].operands) {
      if (const auto producer = graph.value(operand).producer) is_needed[producer->value] = true;
    }
  }
  return is_needed;
}

std::vector<bool> find_read_inputs(const ResolvedGraph& graph, const std::vector<OperationIndex>& operations) {
  std::vector<bool> is_read(graph.inputs.size(), false);
  for (const OperationIndex live : operations) {
    for (const ValueIndex operand : graph.operations[live.value].operands) {
      if (operand.value < is_read.size()) is_read[operand.value] = true;
    }
  }
  return is_read;
}

}  // namespace

Selection select(const ResolvedGraph& graph, const Outputs& outputs) {
  Selection selection;
  selection.outputs = outputs.is_terminal() ? terminal_results(graph) : named_results(graph, outputs.names());
  const std::vector<bool> is_needed = needed_operations(graph, selection.outputs);
  for (std::uint32_t index = 0; index < graph.operations.size(); ++index) {
    const ResolvedOperation& operation = graph.operations[index];
    if (is_needed[index]) {
      selection.live.push_back({index});
      continue;
    }
    selection.dropped.push_back(
        {.operation = operation.formula,
         .reason = fmt::format("No selected output needs \"{}\".", graph.value(operation.output).name)});
  }
  selection.is_input_read = find_read_inputs(graph, selection.live);
  return selection;
}

}  // namespace millrace::graph
