// Parameters of an execution: scalars and dispatch records in one uniform buffer, with its bind groups.
//
// Records are the same for every execution of a recipe and scalars mostly are, so buffers of executions that were
// submitted serve later ones of the same recipe: only what differs is written again. A queue write comes after what was
// submitted before it and before what is submitted later, so a buffer is free as soon as its commands were submitted.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "src/command/encode.hpp"
#include "src/webgpu/device_core.hpp"

namespace millrace::graph {

struct Parameters {
  std::shared_ptr<webgpu::Buffer> buffer;
  std::vector<webgpu::BindGroup> groups;    // group 1, for each kernel
  std::vector<std::uint32_t> scalar_block;  // as written
};

// Free parameters of one recipe, a bounded number. Thread-safe.
class ParameterPool {
 public:
  // Null where there are none.
  [[nodiscard]] std::unique_ptr<Parameters> take();
  // Once the commands that read them are submitted.
  void give_back(std::unique_ptr<Parameters> parameters);

 private:
  static constexpr std::size_t kMostFree = 4;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Parameters>> free_;
};

struct Recipe;

// Parameters with these scalars, out of the recipe's pool where it has some. DeviceError.
[[nodiscard]] std::unique_ptr<Parameters> make_parameters(webgpu::DeviceCore& core, const Recipe& recipe,
                                                          std::span<const command::Kernel> kernels,
                                                          const std::vector<std::uint32_t>& scalar_block);

}  // namespace millrace::graph
