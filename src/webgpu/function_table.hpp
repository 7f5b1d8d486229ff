// The provider's functions, found by name at run time: nothing of ours links a provider.
//
// Required functions are never null once a table is filled. Optional ones may be, and stand behind a capability. The
// table leaves out, on purpose, every function that aborts the process in wgpu-native: SetLabel of any object,
// InstanceWaitAny, GetCompilationInfo, BufferGetMapState, Read/WriteMappedRange, GetLostFuture, GetProcAddress.
// DeviceGetAdapterInfo and DeviceCreateComputePipelineAsync are there for Dawn alone (see dialect.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <webgpu/webgpu.h>

namespace millrace::webgpu {

#define MILLRACE_REQUIRED_FUNCTIONS(X)            \
  X(CreateInstance)                               \
  X(AdapterGetFeatures)                           \
  X(AdapterGetInfo)                               \
  X(AdapterGetLimits)                             \
  X(AdapterInfoFreeMembers)                       \
  X(AdapterRelease)                               \
  X(AdapterRequestDevice)                         \
  X(BindGroupLayoutRelease)                       \
  X(BindGroupRelease)                             \
  X(BufferAddRef)                                 \
  X(BufferGetConstMappedRange)                    \
  X(BufferGetSize)                                \
  X(BufferGetUsage)                               \
  X(BufferMapAsync)                               \
  X(BufferRelease)                                \
  X(BufferUnmap)                                  \
  X(CommandBufferRelease)                         \
  X(CommandEncoderBeginComputePass)               \
  X(CommandEncoderClearBuffer)                    \
  X(CommandEncoderCopyBufferToBuffer)             \
  X(CommandEncoderFinish)                         \
  X(CommandEncoderRelease)                        \
  X(ComputePassEncoderDispatchWorkgroups)         \
  X(ComputePassEncoderDispatchWorkgroupsIndirect) \
  X(ComputePassEncoderEnd)                        \
  X(ComputePassEncoderRelease)                    \
  X(ComputePassEncoderSetBindGroup)               \
  X(ComputePassEncoderSetPipeline)                \
  X(ComputePipelineRelease)                       \
  X(DeviceAddRef)                                 \
  X(DeviceCreateBindGroup)                        \
  X(DeviceCreateBindGroupLayout)                  \
  X(DeviceCreateBuffer)                           \
  X(DeviceCreateCommandEncoder)                   \
  X(DeviceCreateComputePipeline)                  \
  X(DeviceCreatePipelineLayout)                   \
  X(DeviceCreateShaderModule)                     \
  X(DeviceGetFeatures)                            \
  X(DeviceGetLimits)                              \
  X(DeviceGetQueue)                               \
  X(DevicePopErrorScope)                          \
  X(DevicePushErrorScope)                         \
  X(DeviceRelease)                                \
  X(InstanceAddRef)                               \
  X(InstanceProcessEvents)                        \
  X(InstanceRelease)                              \
  X(InstanceRequestAdapter)                       \
  X(PipelineLayoutRelease)                        \
  X(QueueAddRef)                                  \
  X(QueueOnSubmittedWorkDone)                     \
  X(QueueRelease)                                 \
  X(QueueSubmit)                                  \
  X(QueueWriteBuffer)                             \
  X(ShaderModuleRelease)                          \
  X(SupportedFeaturesFreeMembers)

// Options of wgpuInstanceEnumerateAdapters, which only wgpu-native has.
struct NativeEnumerateOptions {
  const WGPUChainedStruct* nextInChain;
  WGPUFlags backends;
};

// Callback of wgpuDeviceSetLoggingCallback, which only Dawn has.
struct DawnLoggingCallbackInfo {
  WGPUChainedStruct* nextInChain;
  void (*callback)(std::uint32_t type, WGPUStringView message, void* userdata1, void* userdata2);
  void* userdata1;
  void* userdata2;
};

struct FunctionTable {
#define MILLRACE_MEMBER(name) WGPUProc##name name = nullptr;
  MILLRACE_REQUIRED_FUNCTIONS(MILLRACE_MEMBER)
#undef MILLRACE_MEMBER

  // Optional. GetInstanceFeatures tells the dialects apart.
  WGPUProcGetInstanceFeatures GetInstanceFeatures = nullptr;
  WGPUProcDeviceGetAdapterInfo DeviceGetAdapterInfo = nullptr;
  WGPUProcDeviceCreateComputePipelineAsync DeviceCreateComputePipelineAsync = nullptr;
  std::size_t (*InstanceEnumerateAdapters)(WGPUInstance, const NativeEnumerateOptions*, WGPUAdapter*) = nullptr;
  void (*SetLogLevel)(std::uint32_t) = nullptr;
  void (*DeviceSetLoggingCallback)(WGPUDevice, DawnLoggingCallbackInfo) = nullptr;
};

// Fills the table from a dlopen handle; library names it in errors. DeviceError `no_provider` names the first required
// function that is missing.
[[nodiscard]] FunctionTable find_functions(void* library, const std::string& library_name);

}  // namespace millrace::webgpu
