// The graph: declare, compile, run.
//
//   Graph          what the application declares; no GPU object
//     | compile    snapshot, resolve, check, select, fuse, build: all WGSL is made and checked
//   CompiledGraph  for one device; serves batches of any size
//     | prepare    bind, shape, lower, plan, allocate
//   PreparedExecution   one invocation
//     | encode     its commands, into an encoder
//   Results
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include <millrace/bindings.hpp>
#include <millrace/device.hpp>
#include <millrace/operation.hpp>
#include <millrace/report.hpp>
#include <millrace/results.hpp>
#include <millrace/values.hpp>

namespace [[gnu::visibility("default")]] millrace {

// Which results a run hands out: {"a", "b"}, none(), terminal(). No default constructor, so that `.outputs = {}` is
// the empty list.
class Outputs {
 public:
  Outputs(std::initializer_list<Name> names) : names_(names) {}
  Outputs(std::vector<Name> names) : names_(std::move(names)) {}
  // Results that no operation reads: the default.
  [[nodiscard]] static Outputs terminal() { return Outputs(Terminal{}); }
  [[nodiscard]] static Outputs none() { return Outputs(std::vector<Name>()); }

  [[nodiscard]] bool is_terminal() const { return terminal_; }
  [[nodiscard]] const std::vector<Name>& names() const { return names_; }

 private:
  struct Terminal {};
  explicit Outputs(Terminal) : terminal_(true) {}
  std::vector<Name> names_;
  bool terminal_ = false;
};

struct CompileOptions {
  Outputs outputs = Outputs::terminal();
  bool fusion = true;  // off: each formula is a kernel of its own, and each value is stored
  IntegerDivision integer_division = IntegerDivision::truncate;
  Mathematics math = Mathematics::own;
};

// One invocation: bound, shaped, planned, allocated. Encoded once. Move-only; belongs to one thread.
class PreparedExecution {
 public:
  PreparedExecution(PreparedExecution&&) noexcept;
  PreparedExecution& operator=(PreparedExecution&&) noexcept;
  ~PreparedExecution();

  // There at once, so that they can be bound elsewhere; their rows come with the commands. Outlives destroy().
  [[nodiscard]] Results& outputs() &;
  [[nodiscard]] const Results& outputs() const&;
  [[nodiscard]] const Results& outputs() const&& = delete;

  // Adds this invocation's commands to an encoder of the graph's device. A second call, or one after a failed call,
  // throws GraphError `already_encoded`. BindingError `destroyed` after destroy() of this, of the graph or of an input's
  // vector, or for an encoder that was finished; `foreign_device`; DeviceError.
  void encode(CommandEncoder& encoder);

  // Releases scratch and commands; for after submission, or to give up an unsubmitted encoder. Idempotent; the
  // destructor calls it. Outputs stay.
  void destroy();

 private:
  friend class CompiledGraph;
  struct Invocation;
  explicit PreparedExecution(std::unique_ptr<Invocation> invocation);
  std::unique_ptr<Invocation> invocation_;
};

// A graph compiled for one device. Immutable: may be prepared and run from several threads. Move-only.
class CompiledGraph {
 public:
  CompiledGraph(CompiledGraph&&) noexcept;
  CompiledGraph& operator=(CompiledGraph&&) noexcept;
  ~CompiledGraph();

  // Binds one invocation and allocates its results and scratch. Nothing is encoded or submitted. BindingError
  // `missing_binding`, `unknown_binding`, `duplicate_binding`, `binding_kind_mismatch`, `binding_format_mismatch`,
  // `lane_count_mismatch`, `number_out_of_range`, `row_count_mismatch`, `shape_mismatch`, `missing_usage`, `destroyed`,
  // `foreign_device`; DeviceError `over_device_limit`, `out_of_memory`, `device_lost`.
  [[nodiscard]] PreparedExecution prepare(const Bindings& bindings = {}) const;
  // Prepares, encodes, submits, destroys. Returns once submitted; reading a result waits for it. As prepare.
  Results run(const Bindings& bindings = {}) const;

  // Also after destroy().
  [[nodiscard]] const CompileReport& report() const;
  // Prevents further preparation and encoding (BindingError `destroyed`). Idempotent; the destructor calls it. Results
  // stay.
  void destroy();

 private:
  friend class Graph;
  friend class PreparedExecution;
  struct Stages;
  explicit CompiledGraph(std::shared_ptr<Stages> stages);
  std::shared_ptr<Stages> stages_;  // prepared executions look at it to learn whether the graph was destroyed
};

// What the application declares. A value: copies are independent. One that was moved from is refused wherever it is used
// (BindingError `destroyed`), until another is assigned to it.
class Graph {
 public:
  Graph();
  Graph(const Graph&);
  Graph(Graph&&) noexcept;
  Graph& operator=(const Graph&);
  Graph& operator=(Graph&&) noexcept;
  ~Graph();

  // GraphError `name_in_use`, `name_empty`, `invalid_shape`, `scalar_type_unsupported`; `missing_producer` for a vector
  // like one that is not declared before it.
  void add_input(const Name& name, const ValueType& type);
  // Producers before consumers. What the operation reads and defines is checked by compile.
  void add(Operation operation);
  void add(std::initializer_list<Operation> operations);

  // Works on a snapshot; the graph stays as it is, also when this throws. GraphError `missing_producer`, `name_in_use`,
  // `unknown_output`, `input_as_output`, `duplicate_output`; ExpressionError for what a formula's types do not allow;
  // KernelError `wgsl_error`; DeviceError `too_many_scalars`, `out_of_memory`, `device_lost`.
  [[nodiscard]] CompiledGraph compile(Device& device, const CompileOptions& options = {}) const;

 private:
  struct Authored;
  [[nodiscard]] Authored& authored() const;
  std::unique_ptr<Authored> authored_;  // null once moved from
};

}  // namespace millrace
