// Computes a function of f32 for many operands on a device, through the public interface.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include <millrace/millrace.hpp>

#include "tests/math/accuracy.hpp"

namespace millrace::accuracy {

class Evaluator {
 public:
  // format: float32, or one of several such lanes.
  Evaluator(Device& device, const Function& function, Mathematics math = Mathematics::own,
            Format format = Format::float32)
      : device_(device),
        format_(format),
        names_(function.takes_two() ? Names{"a", "b"} : Names{"x"}),
        compiled_(declare(names_, format, function).compile(device, {.math = math})) {}

  // Starts to compute the function's values, which the read gives in the operands' order. b is empty for functions of one
  // operand.
  [[nodiscard]] PendingRead<float> start(std::span<const float> a, std::span<const float> b) {
    const Vector first = device_.upload(format_, a);
    if (names_.size() == 1) return start({.inputs = {{names_[0], first}}});
    const Vector second = device_.upload(format_, b);
    return start({.inputs = {{names_[0], first}, {names_[1], second}}});
  }

  [[nodiscard]] std::vector<float> evaluate(std::span<const float> a, std::span<const float> b = {}) {
    return start(a, b).wait(kDeadline);
  }

  static constexpr std::chrono::minutes kDeadline{2};

 private:
  using Names = std::vector<std::string>;

  PendingRead<float> start(const Bindings& bindings) {
    const Vector results = compiled_.run(bindings).take("y");
    return VectorView(results).read_async<float>();
  }

  static Graph declare(const Names& names, Format format, const Function& function) {
    Graph graph;
    for (const std::string& name : names) graph.add_input(name, vector_of(format));
    graph.add(Expression{std::string(function.formula)});
    return graph;
  }

  Device& device_;
  Format format_;
  Names names_;
  CompiledGraph compiled_;
};

}  // namespace millrace::accuracy
