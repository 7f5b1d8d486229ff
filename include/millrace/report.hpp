// What the compiler inferred and did, as data and as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <millrace/format.hpp>

namespace [[gnu::visibility("default")]] millrace {

// What becomes of a value.
enum class ValueRole : std::uint8_t {
  input,         // a run is given it
  output,        // selected: it is stored, and a run hands it out
  intermediate,  // stored between the kernel that computes it and those that read it
  part,          // as intermediate, of a part of a formula that was cut into several kernels; nothing declares it
  fused,         // never stored: in registers of each kernel that needs it
  dropped,       // no selected output needs it: a result is not computed, an input may stay unbound
};
// The enumerator's name.
[[nodiscard]] std::string_view to_string(ValueRole role);

// A value of the graph, as it was inferred.
struct ReportedValue {
  std::string name;  // of a part: made up, and not always unique
  Format format;     // as it is stored, or would be
  bool is_vector;    // else a scalar: one row
  bool is_boolean;   // computed as bool, and stored as uint32 0 or 1
  ValueRole role;
  std::string operation;  // the formula that defines it; empty for an input and for a part
  // Indices into CompileReport::kernels, ascending, of those that compute it. None compute an input, what is dropped, or
  // a fused value that is another value by another name or a number that its readers hold as a literal.
  std::vector<std::size_t> kernels;
};
// One kernel that a compiled graph dispatches.
struct FusedKernel {
  std::vector<std::string> operations;  // the formulas it computes, in order
  std::uint32_t storage_bindings;       // storage buffers it binds
  // Indices into CompileReport::values. All lie in memory: reads are stored values, in the order of their bindings, then
  // scalar inputs; writes are in the order of their bindings.
  std::vector<std::size_t> reads;
  std::vector<std::size_t> writes;
};
struct DroppedOperation {
  std::string operation;  // its formula
  std::string reason;     // a sentence
};
// A declared name that hides a constant or builtin of the language.
struct HiddenBuiltin {
  std::string name;
  std::string operation;  // the formula that reads it
};
struct CompileReport {
  std::vector<FusedKernel> kernels;  // in the order of their dispatches
  std::vector<DroppedOperation> dropped;
  std::vector<HiddenBuiltin> hidden_builtins;
  std::vector<ReportedValue> values;  // inputs and results in the order of their declaration, then parts
  // The same for people, one line a fact.
  [[nodiscard]] std::string text() const;
};

}  // namespace millrace
