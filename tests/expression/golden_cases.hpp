// Kernels whose text is kept in tests/expression/golden, one file each. The provider test compiles them all.
#pragma once

#include <string>
#include <vector>

#include "tests/expression/build_dag.hpp"

namespace millrace::expression {

struct GoldenCase {
  std::string name;  // of its file, without ".wgsl"
  Dag dag;
  KernelCut cut;
  WgslOptions options = {};
};

[[nodiscard]] std::vector<GoldenCase> golden_cases();

// The formats whose lanes have not 32 bits.
[[nodiscard]] std::vector<Format> packed_formats();

// binding 0: rows of the packed format; 1: rows of its values, 32 bits a lane. Outputs, in order: the first as values; the
// second packed; the second packed and taken apart again, as values.
[[nodiscard]] GoldenCase packed_case(Format format);

}  // namespace millrace::expression
