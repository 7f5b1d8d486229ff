// A WebGPU device as an application opens it, by hand: the device that the peers run on, and that millrace borrows, so
// that both sides of every ratio use one device of one process.
//
// Errors that the provider reports end the program: a figure of a faulty peer is worth nothing. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "webgpu_functions.hpp"

namespace millrace::bench {

// Owns one reference to a WebGPU object.
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, void (*)(Handle)>;

// A pipeline with the layout of its only bind group.
struct RawPipeline {
  Owned<WGPUBindGroupLayout> layout;
  Owned<WGPUComputePipeline> pipeline;
};

class RawDevice {
 public:
  // The adapter that the provider prefers for high performance, with all of its limits. std::runtime_error where there
  // is none.
  RawDevice();
  RawDevice(const RawDevice&) = delete;
  RawDevice& operator=(const RawDevice&) = delete;
  ~RawDevice();

  [[nodiscard]] const Functions& functions() const { return functions_; }
  [[nodiscard]] void* library() const { return library_; }
  [[nodiscard]] WGPUInstance instance() const { return instance_; }
  [[nodiscard]] WGPUDevice device() const { return device_; }
  [[nodiscard]] WGPUQueue queue() const { return queue_; }
  [[nodiscard]] const WGPULimits& limits() const { return limits_; }
  [[nodiscard]] const std::string& adapter_name() const { return adapter_name_; }
  [[nodiscard]] bool is_software() const { return is_software_; }

  [[nodiscard]] Owned<WGPUBuffer> create_buffer(std::uint64_t byte_size, WGPUBufferUsage usage) const;
  // The types of the bindings 0, 1, ... of group 0, whose entry point is "main".
  [[nodiscard]] RawPipeline create_pipeline(std::string_view wgsl,
                                            std::span<const WGPUBufferBindingType> bindings) const;
  // Whole buffers, bound in order; a size of 0 is the whole.
  [[nodiscard]] Owned<WGPUBindGroup> create_bind_group(WGPUBindGroupLayout layout,
                                                       std::span<const WGPUBuffer> buffers) const;
  [[nodiscard]] Owned<WGPUCommandEncoder> create_encoder() const;
  // A compute pass of one dispatch.
  void encode_dispatch(WGPUCommandEncoder encoder, WGPUComputePipeline pipeline, WGPUBindGroup bind_group,
                       std::uint32_t x, std::uint32_t y) const;
  [[nodiscard]] Owned<WGPUCommandBuffer> finish(WGPUCommandEncoder encoder) const;
  void submit(WGPUCommandBuffer commands) const;
  // Spins until all submitted work is done.
  void wait() const;

 private:
  void request_adapter();
  void request_device();

  void* library_ = nullptr;
  Functions functions_;
  WGPUInstance instance_ = nullptr;
  WGPUAdapter adapter_ = nullptr;
  WGPUDevice device_ = nullptr;
  WGPUQueue queue_ = nullptr;
  WGPULimits limits_ = {};
  std::string adapter_name_;
  bool is_software_ = false;
};

}  // namespace millrace::bench
