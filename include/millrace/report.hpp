// What the compiler did, as data and as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] millrace {

// One kernel that a compiled graph dispatches.
struct FusedKernel {
  std::vector<std::string> operations;  // the formulas it computes, in order
  std::uint32_t storage_bindings;       // storage buffers it binds
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
  std::vector<FusedKernel> kernels;
  std::vector<DroppedOperation> dropped;
  std::vector<HiddenBuiltin> hidden_builtins;
  // The same for people, one line a fact.
  [[nodiscard]] std::string text() const;
};

}  // namespace millrace
