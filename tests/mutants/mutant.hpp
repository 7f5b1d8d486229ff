// The fault that is switched on in the mutated sources, if any. One thread.
#pragma once

#include <string_view>

namespace millrace::mutants {

struct Mutant {
  std::string_view name;
  // Of a mutant of WGSL: the row of the function table, or the entry of the WGSL library, whose text has `to` in place of
  // `from`. Empty for mutants of C++.
  std::string_view row;
  std::string_view from;
  std::string_view to;
};

// Activates one mutant while it lives.
class Activation {
 public:
  explicit Activation(const Mutant& mutant);
  Activation(const Activation&) = delete;
  Activation& operator=(const Activation&) = delete;
  ~Activation();
};

[[nodiscard]] bool is_active(std::string_view name);

// The row's text, with the active mutant's change where it is about that row. Good until the next activation.
[[nodiscard]] std::string_view row_text(std::string_view row, std::string_view text);

}  // namespace millrace::mutants
