// The report out of what the stages found, and as text.
#include "src/graph/report.hpp"

#include <fmt/format.h>

#include "src/base/counted.hpp"

namespace millrace {

std::string CompileReport::text() const {
  std::string text;
  for (std::size_t index = 0; index < kernels.size(); ++index) {
    text += fmt::format("kernel {} of {}, {}:\n", index + 1, kernels.size(),
                        counted(kernels[index].storage_bindings, "storage binding"));
    for (const std::string& operation : kernels[index].operations) text += fmt::format("  {}\n", operation);
  }
  for (const DroppedOperation& operation : dropped) {
    text += fmt::format("dropped: {}: {}\n", operation.operation, operation.reason);
  }
  for (const HiddenBuiltin& hidden : hidden_builtins) {
    text += fmt::format("\"{}\" in {} is the declared value, not the builtin of that name.\n", hidden.name,
                        hidden.operation);
  }
  return text;
}

namespace graph {

CompileReport report_of(const ResolvedGraph& graph, const Selection& selection, const KernelPlan& plan) {
  CompileReport report;
  for (const PlannedKernel& kernel : plan.kernels) {
    FusedKernel& fused = report.kernels.emplace_back();
    for (const OperationIndex operation : kernel.operations) {
      fused.operations.push_back(graph.operations[operation.value].formula);
    }
    fused.storage_bindings = static_cast<std::uint32_t>(kernel.bindings.size());
  }
  report.dropped = selection.dropped;
  report.hidden_builtins = graph.hidden_builtins;
  return report;
}

}  // namespace graph
}  // namespace millrace
