// What ends the process in wgpu-native and is an ordinary error in Dawn: the reason why we check first, and why the
// function table leaves functions out. Each call is made in a child process.
#include <csignal>
#include <cstdlib>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>

#include "src/webgpu/adapters.hpp"
#include "tests/webgpu/raw_provider.hpp"

namespace millrace::webgpu {
namespace {

struct AbortingCall {
  std::string name;
  std::function<void(RawProvider&)> make;
};
void PrintTo(const AbortingCall& call, std::ostream* stream) { *stream << call.name; }

template <class Object, class SetLabel>
void set_label(const RawProvider& raw, const char* function, Object object) {
  raw.find<SetLabel>(function)(object, view_of("label"));
}

std::vector<AbortingCall> aborting_functions() {
  return {
      {"CreateComputePipelineAsync",
       [](RawProvider& raw) {
         WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
         descriptor.compute.module = raw.create_module("@compute @workgroup_size(1) fn main() {}");
         raw.find<WGPUProcDeviceCreateComputePipelineAsync>("wgpuDeviceCreateComputePipelineAsync")(
             raw.handle, &descriptor,
             {nullptr, WGPUCallbackMode_AllowProcessEvents,
              [](WGPUCreatePipelineAsyncStatus, WGPUComputePipeline, WGPUStringView, void*, void*) {}, nullptr,
              nullptr});
         raw.process_events();
       }},
      {"InstanceWaitAny",
       [](RawProvider& raw) {
         (void)raw.find<WGPUProcInstanceWaitAny>("wgpuInstanceWaitAny")(raw.internals.instance, 0, nullptr, 0);
       }},
      {"ShaderModuleGetCompilationInfo",
       [](RawProvider& raw) {
         raw.find<WGPUProcShaderModuleGetCompilationInfo>("wgpuShaderModuleGetCompilationInfo")(
             raw.create_module("fn f() {}"),
             {nullptr, WGPUCallbackMode_AllowProcessEvents,
              [](WGPUCompilationInfoRequestStatus, const WGPUCompilationInfo*, void*, void*) {}, nullptr, nullptr});
         raw.process_events();
       }},
      {"BufferGetMapState",
       [](RawProvider& raw) {
         (void)raw.find<WGPUProcBufferGetMapState>("wgpuBufferGetMapState")(
             raw.create_buffer(16, WGPUBufferUsage_CopyDst));
       }},
      {"BufferReadMappedRange",
       [](RawProvider& raw) {
         std::uint32_t word = 0;
         (void)raw.find<WGPUProcBufferReadMappedRange>("wgpuBufferReadMappedRange")(
             raw.create_buffer(16, WGPUBufferUsage_MapRead), 0, &word, 4);
       }},
      {"BufferWriteMappedRange",
       [](RawProvider& raw) {
         const std::uint32_t word = 0;
         (void)raw.find<WGPUProcBufferWriteMappedRange>("wgpuBufferWriteMappedRange")(
             raw.create_buffer(16, WGPUBufferUsage_MapWrite), 0, &word, 4);
       }},
      {"DeviceGetLostFuture",
       [](RawProvider& raw) { (void)raw.find<WGPUProcDeviceGetLostFuture>("wgpuDeviceGetLostFuture")(raw.handle); }},
      {"DeviceGetAdapterInfo",
       [](RawProvider& raw) {
         WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
         (void)raw.find<WGPUProcDeviceGetAdapterInfo>("wgpuDeviceGetAdapterInfo")(raw.handle, &info);
       }},
      {"GetProcAddress",
       [](RawProvider& raw) {
         (void)raw.find<WGPUProcGetProcAddress>("wgpuGetProcAddress")(view_of("wgpuCreateInstance"));
       }},
      {"InstanceHasWGSLLanguageFeature",
       [](RawProvider& raw) {
         (void)raw.find<WGPUProcInstanceHasWGSLLanguageFeature>("wgpuInstanceHasWGSLLanguageFeature")(
             raw.internals.instance, WGPUWGSLLanguageFeatureName_Packed4x8IntegerDotProduct);
       }},
      {"DeviceSetLabel",
       [](RawProvider& raw) { set_label<WGPUDevice, WGPUProcDeviceSetLabel>(raw, "wgpuDeviceSetLabel", raw.handle); }},
      {"QueueSetLabel",
       [](RawProvider& raw) { set_label<WGPUQueue, WGPUProcQueueSetLabel>(raw, "wgpuQueueSetLabel", raw.queue); }},
      {"BufferSetLabel",
       [](RawProvider& raw) {
         set_label<WGPUBuffer, WGPUProcBufferSetLabel>(raw, "wgpuBufferSetLabel",
                                                       raw.create_buffer(16, WGPUBufferUsage_CopyDst));
       }},
      {"CommandEncoderSetLabel",
       [](RawProvider& raw) {
         set_label<WGPUCommandEncoder, WGPUProcCommandEncoderSetLabel>(raw, "wgpuCommandEncoderSetLabel",
                                                                       raw.create_encoder());
       }},
      {"ShaderModuleSetLabel",
       [](RawProvider& raw) {
         set_label<WGPUShaderModule, WGPUProcShaderModuleSetLabel>(raw, "wgpuShaderModuleSetLabel",
                                                                   raw.create_module("fn f() {}"));
       }},
  };
}

void submit_with_buffer(RawProvider& raw, WGPUBuffer source, const std::function<void(WGPUBuffer)>& before_submit) {
  const WGPUBuffer target = raw.create_buffer(16, WGPUBufferUsage_CopyDst);
  const WGPUCommandEncoder encoder = raw.create_encoder();
  raw.functions.CommandEncoderCopyBufferToBuffer(encoder, source, 0, target, 0, 16);
  const WGPUCommandBuffer commands = raw.finish(encoder);
  before_submit(source);
  (void)raw.error_of([&] { raw.functions.QueueSubmit(raw.queue, 1, &commands); });
}

void destroy_device(const RawProvider& raw) { raw.find<WGPUProcDeviceDestroy>("wgpuDeviceDestroy")(raw.handle); }

std::vector<AbortingCall> aborting_submissions() {
  return {
      {"SubmitInvalidCommands",
       [](RawProvider& raw) {
         const WGPUCommandEncoder encoder = raw.create_encoder();
         const WGPUComputePassEncoder pass = raw.functions.CommandEncoderBeginComputePass(encoder, nullptr);
         raw.functions.ComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
         raw.functions.ComputePassEncoderEnd(pass);
         WGPUCommandBuffer commands = nullptr;
         (void)raw.error_of([&] { commands = raw.finish(encoder); });
         (void)raw.error_of([&] { raw.functions.QueueSubmit(raw.queue, 1, &commands); });
       }},
      {"SubmitTwice",
       [](RawProvider& raw) {
         const WGPUCommandBuffer commands = raw.finish(raw.create_encoder());
         raw.functions.QueueSubmit(raw.queue, 1, &commands);
         (void)raw.error_of([&] { raw.functions.QueueSubmit(raw.queue, 1, &commands); });
       }},
      {"SubmitWithDestroyedBuffer",
       [](RawProvider& raw) {
         submit_with_buffer(raw, raw.create_buffer(16, WGPUBufferUsage_CopySrc),
                            raw.find<WGPUProcBufferDestroy>("wgpuBufferDestroy"));
       }},
      {"SubmitWithMappedBuffer",
       [](RawProvider& raw) {
         WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
         descriptor.size = 16;
         descriptor.usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_MapWrite;
         descriptor.mappedAtCreation = WGPU_TRUE;
         submit_with_buffer(raw, raw.functions.DeviceCreateBuffer(raw.handle, &descriptor), [](WGPUBuffer) {});
       }},
      {"SubmitAfterDeviceDestroy",
       [](RawProvider& raw) {
         const WGPUCommandBuffer commands = raw.finish(raw.create_encoder());
         destroy_device(raw);
         (void)raw.error_of([&] { raw.functions.QueueSubmit(raw.queue, 1, &commands); });
       }},
  };
}

std::vector<AbortingCall> other_aborting_calls() {
  return {
      {"BindSizeZero",
       [](RawProvider& raw) {
         const ComputePipeline pipeline = raw.core->create_pipeline(adding_kernel(1));
         WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
         entry.buffer = raw.create_buffer(16, WGPUBufferUsage_Storage);
         entry.size = 0;
         const WGPUBindGroupDescriptor descriptor = {nullptr, {nullptr, 0}, pipeline.layout(0), 1, &entry};
         (void)raw.error_of([&] { (void)raw.functions.DeviceCreateBindGroup(raw.handle, &descriptor); });
       }},
      {"MappedRangeAfterFailedMap",
       [](RawProvider& raw) {
         const WGPUBuffer buffer = raw.create_buffer(16, WGPUBufferUsage_MapRead);
         (void)raw.error_of([&] {
           raw.functions.BufferMapAsync(buffer, WGPUMapMode_Read, 3, 16,
                                        {nullptr, WGPUCallbackMode_AllowProcessEvents,
                                         [](WGPUMapAsyncStatus, WGPUStringView, void*, void*) {}, nullptr, nullptr});
         });
         (void)raw.functions.BufferGetConstMappedRange(buffer, 0, 16);
       }},
      {"PopOfAnEmptyStack",
       [](RawProvider& raw) {
         raw.functions.DevicePopErrorScope(
             raw.handle,
             {nullptr, WGPUCallbackMode_AllowSpontaneous,
              [](WGPUPopErrorScopeStatus, WGPUErrorType, WGPUStringView, void*, void*) {}, nullptr, nullptr});
       }},
      {"PushOfAnInternalScope",
       [](RawProvider& raw) { raw.functions.DevicePushErrorScope(raw.handle, WGPUErrorFilter_Internal); }},
      {"ErrorOutsideAScopeOnADeviceWithoutACallback",
       [](RawProvider& raw) {
         const FoundAdapters found = find_adapters(*raw.internals.provider, {});
         WGPUDevice device = nullptr;
         const auto take = [](WGPURequestDeviceStatus, WGPUDevice made, WGPUStringView, void* userdata1, void*) {
           *static_cast<WGPUDevice*>(userdata1) = made;
         };
         raw.functions.AdapterRequestDevice(found.adapters.front().handle.get(), nullptr,
                                            {nullptr, WGPUCallbackMode_AllowProcessEvents, take, &device, nullptr});
         for (int i = 0; i < 1000 && device == nullptr; ++i) {
           raw.functions.InstanceProcessEvents(found.instance.get());
         }
         WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
         descriptor.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_Storage;
         (void)raw.functions.DeviceCreateBuffer(device, &descriptor);
       }},
      {"DeepWgsl",
       [](RawProvider& raw) {
         const std::string wgsl = "const x = " + std::string(200000, '(') + "1" + std::string(200000, ')') + ";";
         (void)raw.error_of([&] { (void)raw.create_module(wgsl); });
       }},
  };
}

class ProviderAbortsDeathTest : public ::testing::TestWithParam<AbortingCall> {};

// One row: fatal in wgpu-native, not in Dawn.
TEST_P(ProviderAbortsDeathTest, EndsTheProcessInNativeAlone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const bool native = RawProvider().is_native();
  // A stack overflow ends otherwise than a panic, and AddressSanitizer makes an exit code of it.
  const bool is_overflow = GetParam().name == "DeepWgsl";
  const auto died_as_expected = [native, is_overflow](int status) {
    const bool survived = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!native) return survived;
    return is_overflow ? !survived : WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  };
  EXPECT_EXIT(
      {
        RawProvider raw;
        GetParam().make(raw);
        _exit(0);
      },
      died_as_expected, "");
}

std::string name_of(const ::testing::TestParamInfo<AbortingCall>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Functions, ProviderAbortsDeathTest, ::testing::ValuesIn(aborting_functions()), name_of);
INSTANTIATE_TEST_SUITE_P(Submissions, ProviderAbortsDeathTest, ::testing::ValuesIn(aborting_submissions()), name_of);
INSTANTIATE_TEST_SUITE_P(Calls, ProviderAbortsDeathTest, ::testing::ValuesIn(other_aborting_calls()), name_of);

}  // namespace
}  // namespace millrace::webgpu
