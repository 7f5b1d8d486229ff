// What the numeric contract (docs/numerics.md) allows a formula to give, computed on the CPU: for each node of the typed
// DAG and each lane the set of values that a driver may produce. Independent of the emitter: nothing here knows WGSL.
//
// f32 lanes are intervals in double, outwards; integers are ranges; bools are sets. A lane may be `any` where the
// contract leaves the value open.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <millrace/format.hpp>

#include "src/expression/dag.hpp"
#include "tests/oracle/allowed.hpp"
#include "tests/oracle/functions.hpp"

namespace millrace::oracle {

// What one row binds.
struct RowValues {
  // For each of the DAG's operands the words of its row in its format.
  std::vector<std::vector<std::uint32_t>> operands;
  std::uint32_t row = 0;
  std::uint32_t rows = 1;
};

// Evaluates nodes of one DAG for one row; each node once.
class RowEvaluator {
 public:
  RowEvaluator(const expression::Dag& dag, const RowValues& values);
  // A value for each lane of the node's type. Throws std::logic_error for a function that it does not know.
  [[nodiscard]] const Lanes& evaluate(expression::NodeIndex node);

 private:
  [[nodiscard]] Lanes computed(const expression::Node& node);
  [[nodiscard]] Lanes picked(const expression::Node& node);

  const expression::Dag& dag_;
  const RowValues& values_;
  std::vector<Lanes> known_;  // by node; empty: not yet evaluated
};

// Whether a row stored in the format holds an allowed value in each lane; a packed one by what it may read as.
[[nodiscard]] bool holds_row(const Lanes& allowed, Format format, const std::vector<std::uint32_t>& words);

}  // namespace millrace::oracle
