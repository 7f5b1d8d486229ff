// A kernel of random nodes with random rows, and what it gives on a device compared with what the oracle allows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "src/webgpu/device_core.hpp"
#include "tests/expression/build_dag.hpp"
#include "tests/expression/run_kernel.hpp"

namespace millrace::mutants {

struct RandomKernel {
  expression::DagBuilder build;
  expression::KernelCut cut;
  expression::KernelRun run;
  // The words of each operand of the DAG, row after row; a scalar's once.
  std::vector<std::vector<std::uint32_t>> operand_words;
};

// The same for the same seed.
[[nodiscard]] RandomKernel random_kernel(std::uint32_t seed);

// The kernel's text as it is emitted now.
[[nodiscard]] std::string text_of(const RandomKernel& kernel);

// The first row of the device's that the oracle does not allow, in words.
[[nodiscard]] std::optional<std::string> find_mismatch(webgpu::DeviceCore& core, const RandomKernel& kernel);

}  // namespace millrace::mutants
