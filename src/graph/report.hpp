// The report of a compilation.
#pragma once

#include <millrace/report.hpp>

#include "src/graph/plan_kernels.hpp"
#include "src/graph/resolve.hpp"
#include "src/graph/select.hpp"

namespace millrace::graph {

[[nodiscard]] CompileReport report_of(const ResolvedGraph& graph, const Selection& selection, const KernelPlan& plan);

}  // namespace millrace::graph
