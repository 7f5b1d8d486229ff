// Resolved graphs without formulas: names, kinds and what reads what, for the stages that look at nothing else.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/graph/resolve.hpp"

namespace millrace::graph {

class ResolvedGraphBuilder {
 public:
  // Inputs come first.
  ResolvedGraphBuilder& input(const std::string& name, const ValueType& type) {
    graph_.inputs.push_back({.name = name, .type = type});
    return add_value(name, type.format(), !type.is_scalar(), {});
  }
  ResolvedGraphBuilder& vector_input(const std::string& name) { return input(name, vector_of(Format::float32)); }
  ResolvedGraphBuilder& scalar_input(const std::string& name) { return input(name, scalar_of(Format::float32)); }

  // An operation named by its result: "c" of {"a", "b"} has the formula "c of a b".
  ResolvedGraphBuilder& operation(const std::string& output, const std::vector<std::string>& operands) {
    const OperationIndex index{static_cast<std::uint32_t>(graph_.operations.size())};
    ResolvedOperation& operation = graph_.operations.emplace_back();
    operation.formula = output + " of";
    bool is_vector = false;
    for (const std::string& operand : operands) {
      operation.formula += " " + operand;
      operation.operands.push_back(value(operand));
      is_vector = is_vector || graph_.value(operation.operands.back()).is_vector;
    }
    operation.output = {static_cast<std::uint32_t>(graph_.values.size())};
    return add_value(output, Format::float32, is_vector, index);
  }

  [[nodiscard]] ValueIndex value(const std::string& name) const {
    std::uint32_t index = 0;
    while (graph_.values.at(index).name != name) ++index;
    return {index};
  }
  [[nodiscard]] const ResolvedGraph& graph() const { return graph_; }

 private:
  ResolvedGraphBuilder& add_value(const std::string& name, Format format, bool is_vector,
                                  std::optional<OperationIndex> producer) {
    graph_.values.push_back({.name = name, .node = {}, .format = format, .is_vector = is_vector, .producer = producer});
    return *this;
  }

  ResolvedGraph graph_;
};

}  // namespace millrace::graph
