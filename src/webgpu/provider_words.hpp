// What a provider says about an error, taken apart and put on one line. Knows how wgpu-native (with naga) and Dawn (with
// Tint) write; words of another shape come through whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::webgpu {

// The reason alone: without the names of WebGPU functions, source lines and frames around it.
[[nodiscard]] std::string reason_in(std::string_view words);

struct WgslFault {
  std::string reason;
  std::size_t line = 0;    // 1-based, 0 where there is none
  std::size_t column = 0;  // 1-based, in characters, 0 where there is none
  std::string line_text;   // that line of the shader
};

// Where a shader is at fault, and why.
[[nodiscard]] WgslFault find_wgsl_fault(std::string_view words, std::string_view wgsl);

}  // namespace millrace::webgpu
