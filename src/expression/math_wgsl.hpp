// Elementary mathematics of our own as WGSL: the same on every driver, at most 4 ULP from the true value for every finite
// argument, with the special values and signs of zero of C's Annex F. docs/numerics.md is the contract, tests/math
// measures it over all arguments.
//
// The texts are written for compilers that rewrite what they may: literals are merged, (a + b) - a becomes b, a * b is
// fused or not, division and square root are off by 2.5 ULP or flush subnormals, x != x is false, arithmetic with NaN or
// infinity is anything. So no step leans on what one of these would break:
// - What must be split is split by a mask on the bits (m_high), and sums whose order matters are kept by a select
//   (m_held). Compilers do not see through these.
// - Special values are chosen at the end, as words, by the arguments' bits.
// - Quotients and roots whose last bits matter are corrected by their remainders.
// scripts/fit_math.py makes every coefficient and every split constant.
#pragma once

#include <span>

#include "src/expression/wgsl_library.hpp"

namespace millrace::expression {

// All entries; what one needs stands before it. To be called by the emitter: sin cos tan asin acos atan atan2 sinh cosh
// tanh asinh acosh atanh exp exp2 log log2 pow ldexp frexp_fract frexp_exp.
[[nodiscard]] std::span<const LibraryFunction> math_library();

// Its parts, in this order.
[[nodiscard]] std::span<const LibraryFunction> math_parts();  // what the others share, ldexp and frexp
[[nodiscard]] std::span<const LibraryFunction> math_exponential();
[[nodiscard]] std::span<const LibraryFunction> math_hyperbolic();
[[nodiscard]] std::span<const LibraryFunction> math_trigonometric();

}  // namespace millrace::expression
