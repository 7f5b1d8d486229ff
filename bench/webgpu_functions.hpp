// The functions of webgpu.h that the hand-written peers call, found in the provider by name, as an application without
// a linked provider does.
#pragma once

#include <string>

#include <webgpu/webgpu.h>

namespace millrace::bench {

#define MILLRACE_BENCH_FUNCTIONS(X)       \
  X(CreateInstance)                       \
  X(AdapterGetInfo)                       \
  X(AdapterGetLimits)                     \
  X(AdapterInfoFreeMembers)               \
  X(AdapterRelease)                       \
  X(AdapterRequestDevice)                 \
  X(BindGroupLayoutRelease)               \
  X(BindGroupRelease)                     \
  X(BufferRelease)                        \
  X(CommandBufferRelease)                 \
  X(CommandEncoderBeginComputePass)       \
  X(CommandEncoderClearBuffer)            \
  X(CommandEncoderCopyBufferToBuffer)     \
  X(CommandEncoderFinish)                 \
  X(CommandEncoderRelease)                \
  X(ComputePassEncoderDispatchWorkgroups) \
  X(ComputePassEncoderEnd)                \
  X(ComputePassEncoderRelease)            \
  X(ComputePassEncoderSetBindGroup)       \
  X(ComputePassEncoderSetPipeline)        \
  X(ComputePipelineRelease)               \
  X(DeviceCreateBindGroup)                \
  X(DeviceCreateBindGroupLayout)          \
  X(DeviceCreateBuffer)                   \
  X(DeviceCreateCommandEncoder)           \
  X(DeviceCreateComputePipeline)          \
  X(DeviceCreatePipelineLayout)           \
  X(DeviceCreateShaderModule)             \
  X(DeviceGetLimits)                      \
  X(DeviceGetQueue)                       \
  X(DeviceRelease)                        \
  X(InstanceProcessEvents)                \
  X(InstanceRelease)                      \
  X(InstanceRequestAdapter)               \
  X(PipelineLayoutRelease)                \
  X(QueueOnSubmittedWorkDone)             \
  X(QueueRelease)                         \
  X(QueueSubmit)                          \
  X(QueueWriteBuffer)                     \
  X(ShaderModuleRelease)

struct Functions {
#define MILLRACE_BENCH_MEMBER(name) WGPUProc##name name = nullptr;
  MILLRACE_BENCH_FUNCTIONS(MILLRACE_BENCH_MEMBER)
#undef MILLRACE_BENCH_MEMBER
};

// Of a library that dlopen opened. std::runtime_error for one that lacks a function.
[[nodiscard]] Functions find_functions(void* library);

// The provider that millrace itself would take: MILLRACE_WEBGPU, else millrace/libwgpu_native.so beside libmillrace.so.
[[nodiscard]] std::string provider_path();

}  // namespace millrace::bench
