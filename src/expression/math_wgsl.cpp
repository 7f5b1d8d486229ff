// The families of our mathematics put together.
//
// Transliterated to C++, the same texts stay within 2.3 ULP under clang's -ffast-math, the model of a compiler that
// reassociates, and within 3 where divisions are off by 2.5 ULP and square roots by 4.
#include "src/expression/math_wgsl.hpp"

#include <vector>

namespace millrace::expression {

std::span<const LibraryFunction> math_library() {
  static const std::vector<LibraryFunction> kAll = [] {
    std::vector<LibraryFunction> all;
    for (const auto part : {math_parts(), math_exponential(), math_hyperbolic(), math_trigonometric()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return kAll;
}

}  // namespace millrace::expression
