// The families of our mathematics put together.
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
