// WGSL of our own for packing builtins and for refract: what several rows of the function table, or one of them twice,
// call with whole vectors.
#pragma once

#include <span>

#include "src/expression/wgsl_library.hpp"

namespace millrace::expression {

// pack_8, pack_16: the lanes' low bits side by side in a word, the first lane lowest. unpack_u8, unpack_i8, unpack_u16,
// unpack_i16: a word's bytes or halves as lanes. refract_k: what refract takes the root of. quantize_to_f16: one lane
// rounded to the nearest 16-bit float.
[[nodiscard]] std::span<const LibraryFunction> pack_library();

}  // namespace millrace::expression
