// The callback owns a share of the state, so it may come after the request is gone; then it releases what it is given.
#include "src/webgpu/pipeline_request.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "src/webgpu/callback_share.hpp"

namespace millrace::webgpu {
namespace {

constexpr std::chrono::minutes kDeadline = std::chrono::minutes(5);

}  // namespace

struct PipelineRequest::State {
  const FunctionTable* functions;
  std::mutex mutex;
  bool done = false;
  bool given_up = false;
  Outcome outcome;
};

namespace {

WGPUErrorType error_type(WGPUCreatePipelineAsyncStatus status) {
  return status == WGPUCreatePipelineAsyncStatus_ValidationError ? WGPUErrorType_Validation : WGPUErrorType_Internal;
}

}  // namespace

PipelineRequest::PipelineRequest(CoreInternals& core, const WGPUComputePipelineDescriptor& descriptor)
    : state_(std::make_shared<State>()) {
  state_->functions = &core.functions();
  const auto take_pipeline = [](WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
                                WGPUStringView message, void* userdata1, void*) {
    const std::shared_ptr<State> owned = take_share<State>(userdata1);
    State& state = *owned;
    const std::lock_guard lock(state.mutex);
    state.done = true;
    if (state.given_up) {
      if (pipeline != nullptr) state.functions->ComputePipelineRelease(pipeline);
      return;
    }
    state.outcome.handle = pipeline;
    if (status != WGPUCreatePipelineAsyncStatus_Success) {
      state.outcome.error = CaughtError{error_type(status), text_of(message)};
    }
  };
  core.functions().DeviceCreateComputePipelineAsync(
      core.device, &descriptor,
      {nullptr, WGPUCallbackMode_AllowProcessEvents, take_pipeline, share_of(state_), nullptr});
}

PipelineRequest::~PipelineRequest() {
  if (state_ == nullptr) return;
  const std::lock_guard lock(state_->mutex);
  state_->given_up = true;
  if (state_->outcome.handle != nullptr) state_->functions->ComputePipelineRelease(state_->outcome.handle);
}

PipelineRequest::Outcome PipelineRequest::take(CoreInternals& core) {
  const auto deadline = std::chrono::steady_clock::now() + kDeadline;
  while (true) {
    core.functions().InstanceProcessEvents(core.instance);
    {
      const std::lock_guard lock(state_->mutex);
      if (state_->done) return std::exchange(state_->outcome, {});
    }
    if (core.news->lost || std::chrono::steady_clock::now() > deadline) {
      return {nullptr, CaughtError{WGPUErrorType_Unknown, "the pipeline did not come within 5 minutes"}};
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace millrace::webgpu
