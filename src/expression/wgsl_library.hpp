// WGSL functions of our own that kernels call, by name. Where providers differ in a builtin, or lack it, the emitter
// calls one of these instead.
//
// Each takes and gives single lanes, unless its text says otherwise. Its WGSL identifiers begin with "m_", so they never
// meet those that the emitter makes.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::expression {

struct LibraryFunction {
  std::string_view name;   // "sin": what rows of the function table and other entries call it by; m_sin in WGSL
  std::string_view needs;  // the names of the entries that it calls, separated by single spaces
  std::string_view wgsl;   // its definition
};

// All entries; what one needs stands before it.
[[nodiscard]] std::span<const LibraryFunction> wgsl_library();

// The names in such a list, which is split at spaces.
[[nodiscard]] std::vector<std::string_view> names_in(std::string_view list);

// The definitions of the named entries and of all that they need, each once, in the library's order.
[[nodiscard]] std::string library_text(const std::set<std::string_view>& names);

}  // namespace millrace::expression
