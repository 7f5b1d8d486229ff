// Compute pipelines that a provider makes in the background. For the sources of this folder only.
#pragma once

#include <memory>

#include "src/webgpu/core_internals.hpp"
#include "src/webgpu/error_scope.hpp"

namespace millrace::webgpu {

// A pipeline under way. Destroying the request gives the pipeline up, also one that comes later.
class PipelineRequest {
 public:
  // Only where the dialect says that it works. The core's mutex is held; the descriptor is used in this call alone.
  PipelineRequest(CoreInternals& core, const WGPUComputePipelineDescriptor& descriptor);
  PipelineRequest(PipelineRequest&&) noexcept = default;
  PipelineRequest& operator=(PipelineRequest&&) noexcept = default;
  ~PipelineRequest();

  struct Outcome {
    WGPUComputePipeline handle = nullptr;
    std::optional<CaughtError> error;
  };
  // Waits, with the core's mutex held.
  [[nodiscard]] Outcome take(CoreInternals& core);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace millrace::webgpu
