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
  Evaluator(Device& device, const Function& function, Mathematics math = Mathematics::own)
      : device_(device),
        names_(function.takes_two() ? Names{"a", "b"} : Names{"x"}),
        compiled_(declare(names_, function).compile(device, {.math = math})) {}

  // Starts to compute the function's values, which the read gives in the operands' order. b is empty for functions of one
  // operand.
  [[nodiscard]] PendingRead<float> start(std::span<const float> a, std::span<const float> b) {
    const Vector first = device_.upload(Format::float32, a);
    if (names_.size() == 1) return start({.inputs = {{names_[0], first}}});
    const Vector second = device_.upload(Format::float32, b);
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

  static Graph declare(const Names& names, const Function& function) {
    Graph graph;
    for (const std::string& name : names) graph.add_input(name, vector_of(Format::float32));
    graph.add(Expression{std::string(function.formula)});
    return graph;
  }

  Device& device_;
  Names names_;
  CompiledGraph compiled_;
};

}  // namespace millrace::accuracy
