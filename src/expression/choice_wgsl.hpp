// WGSL functions that choose among their operands or between constants: min, max, clamp, sign, smoothstep of f32 lanes.
// docs/numerics.md says what they give for NaN and zeros, which WGSL leaves open.
#pragma once

#include <span>

#include "src/expression/wgsl_library.hpp"

namespace millrace::expression {

// The library's entries min, max, clamp, sign and smoothstep.
[[nodiscard]] std::span<const LibraryFunction> choice_library();

}  // namespace millrace::expression
