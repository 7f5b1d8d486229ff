// What differs between providers: numbers of features, WGSL preludes, which functions may be called.
//
// This is the only place that names such a difference. A dialect is chosen by the presence of wgpuGetInstanceFeatures:
// libraries that have it number FeatureName as webgpu.h does, older ones (Dawn of bun-webgpu 0.1.7) do not.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "src/webgpu/function_table.hpp"

namespace millrace::webgpu {

struct Dialect {
  std::string_view provider_name;
  WGPUFeatureName timestamp_query;
  WGPUFeatureName shader_f16;
  WGPUFeatureName subgroups;
  // A feature to ask for where the adapter has it, so that several threads may use one device.
  std::optional<WGPUFeatureName> thread_synchronisation;
  // Goes before a shader that uses subgroups.
  std::string_view subgroups_prelude;
  // wgpuDeviceGetAdapterInfo works; in wgpu-native it aborts.
  bool device_tells_adapter_info;
  // wgpuDeviceCreateComputePipelineAsync works; in wgpu-native it aborts.
  bool asynchronous_pipelines;
  // What an error says where the device is lost; the loss callback comes late or, on an application's device, to others.
  std::string_view loss_words;
  // A submission to a lost device aborts the process, so a device is tried just before.
  bool submit_aborts_when_lost;
  // WGPUErrorFilter_Internal may be pushed; in wgpu-native it aborts, and internal errors come uncaptured.
  bool internal_error_scope;
  // WGPUInstanceDescriptor takes NativeInstanceExtras.
  bool native_instance_extras;
};

[[nodiscard]] const Dialect& dialect_of(const FunctionTable& functions);

// wgpu-native's chained struct of WGPUInstanceDescriptor: which graphics APIs an instance loads. Without it an instance
// loads OpenGL too, whose loader may print.
struct NativeInstanceExtras {
  static constexpr std::uint32_t kType = 0x00030004;
  static constexpr WGPUFlags kPrimaryBackends = (1 << 0) | (1 << 2) | (1 << 3);  // Vulkan, Metal, D3D12
  static constexpr WGPUFlags kOpenGLBackend = 1 << 1;
  static constexpr WGPUFlags kDefaultFlags = 1 << 24;

  WGPUChainedStruct chain = {nullptr, static_cast<WGPUSType>(kType)};
  WGPUFlags backends = kPrimaryBackends;
  WGPUFlags flags = kDefaultFlags;
  std::uint32_t dx12_shader_compiler = 0;
  std::uint32_t gles3_minor_version = 0;
  std::uint32_t gl_fence_behaviour = 0;
  WGPUStringView dxc_path = {nullptr, WGPU_STRLEN};
  std::uint32_t dxc_max_shader_model = 0;
  std::uint32_t dx12_presentation_system = 0;
  const std::uint8_t* budget_for_device_creation = nullptr;
  const std::uint8_t* budget_for_device_loss = nullptr;
  std::uint64_t display_handle[4] = {0, 0, 0, 0};
};

}  // namespace millrace::webgpu
