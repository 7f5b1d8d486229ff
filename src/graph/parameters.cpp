// Free parameters are taken last in, first out: those written last are the likeliest to hold the same scalars.
#include "src/graph/parameters.hpp"

#include <cstring>

#include "src/graph/recipe.hpp"

namespace millrace::graph {

std::unique_ptr<Parameters> ParameterPool::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return nullptr;
  std::unique_ptr<Parameters> taken = std::move(free_.back());
  free_.pop_back();
  return taken;
}

void ParameterPool::give_back(std::unique_ptr<Parameters> parameters) {
  const std::lock_guard lock(mutex_);
  if (free_.size() < kMostFree) free_.push_back(std::move(parameters));
}

std::unique_ptr<Parameters> make_parameters(webgpu::DeviceCore& core, const Recipe& recipe,
                                            std::span<const command::Kernel> kernels,
                                            const std::vector<std::uint32_t>& scalar_block) {
  std::unique_ptr<Parameters> parameters = recipe.free_parameters->take();
  if (parameters != nullptr) {
    if (parameters->scalar_block != scalar_block) {
      core.write_buffer(*parameters->buffer, 0, std::as_bytes(std::span(scalar_block)));
      parameters->scalar_block = scalar_block;
    }
    return parameters;
  }
  parameters = std::make_unique<Parameters>();
  parameters->buffer = core.create_buffer("parameters", recipe.parameter_byte_size,
                                          webgpu::Usage::uniform | webgpu::Usage::copy_destination);
  std::vector<std::byte> bytes(recipe.parameter_byte_size);
  std::memcpy(bytes.data(), scalar_block.data(), 4 * scalar_block.size());
  std::memcpy(bytes.data() + recipe.parameters.records_byte_offset, recipe.records.data(), 4 * recipe.records.size());
  core.write_buffer(*parameters->buffer, 0, bytes);
  parameters->groups = command::bind_parameters(core, kernels, *parameters->buffer, recipe.parameters);
  parameters->scalar_block = scalar_block;
  return parameters;
}

}  // namespace millrace::graph
