// How deep a shader's text nests. Tint refuses 125 nested parentheses and chains of 512 operators; naga's stack overflows
// at a few thousand, which ends the process. So text is measured before a provider sees it.
#pragma once

#include <cstddef>
#include <string_view>

namespace millrace::webgpu {

inline constexpr std::size_t kMostNesting = 120;
inline constexpr std::size_t kMostOperators = 500;

struct WgslDepth {
  std::size_t nesting = 0;         // the deepest of ( [ {
  std::size_t nesting_line = 0;    // 1-based, where it is first over kMostNesting
  std::size_t operators = 0;       // the most operators in one expression
  std::size_t operators_line = 0;  // 1-based, where it is first over kMostOperators
};

[[nodiscard]] WgslDepth measure_wgsl_depth(std::string_view wgsl);

}  // namespace millrace::webgpu
