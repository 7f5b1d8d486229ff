// WebGPU by hand: request, create, encode, submit, wait.
#include "raw_device.hpp"

#include <dlfcn.h>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace millrace::bench {
namespace {

std::string text_of(WGPUStringView view) {
  if (view.data == nullptr) return {};
  return view.length == WGPU_STRLEN ? std::string(view.data) : std::string(view.data, view.length);
}

WGPUStringView view_of(std::string_view text) { return {text.data(), text.size()}; }

template <class Handle>
struct Requested {
  bool done = false;
  Handle handle = nullptr;
  std::string words;
};

template <class Handle, class Status>
void take(Status, Handle handle, WGPUStringView message, void* userdata1, void*) {
  auto& requested = *static_cast<Requested<Handle>*>(userdata1);
  requested = {true, handle, text_of(message)};
}

void end_program(const WGPUDevice*, WGPUErrorType, WGPUStringView message, void*, void*) {
  std::fprintf(stderr, "The WebGPU provider reports an error: %s\n", text_of(message).c_str());
  std::_Exit(1);
}

void ignore_loss(const WGPUDevice*, WGPUDeviceLostReason, WGPUStringView, void*, void*) {}

}  // namespace

RawDevice::RawDevice() {
  const std::string path = provider_path();
  library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) throw std::runtime_error("The WebGPU provider \"" + path + "\" does not load: " + dlerror());
  functions_ = find_functions(library_);
  const WGPUInstanceDescriptor descriptor = {};
  instance_ = functions_.CreateInstance(&descriptor);
  request_adapter();
  request_device();
  queue_ = functions_.DeviceGetQueue(device_);
  functions_.DeviceGetLimits(device_, &limits_);
}

RawDevice::~RawDevice() {
  functions_.QueueRelease(queue_);
  functions_.DeviceRelease(device_);
  functions_.AdapterRelease(adapter_);
  functions_.InstanceRelease(instance_);
  // The library stays loaded: drivers do not survive being unloaded.
}

void RawDevice::request_adapter() {
  WGPURequestAdapterOptions options = {};
  options.featureLevel = WGPUFeatureLevel_Core;
  options.powerPreference = WGPUPowerPreference_HighPerformance;
  Requested<WGPUAdapter> requested;
  functions_.InstanceRequestAdapter(
      instance_, &options,
      {nullptr, WGPUCallbackMode_AllowProcessEvents, take<WGPUAdapter, WGPURequestAdapterStatus>, &requested, nullptr});
  while (!requested.done) functions_.InstanceProcessEvents(instance_);
  if (requested.handle == nullptr) throw std::runtime_error("There is no WebGPU adapter: " + requested.words);
  adapter_ = requested.handle;
  WGPUAdapterInfo info = {};
  functions_.AdapterGetInfo(adapter_, &info);
  adapter_name_ = text_of(info.device);
  is_software_ = info.adapterType == WGPUAdapterType_CPU;
  functions_.AdapterInfoFreeMembers(info);
}

void RawDevice::request_device() {
  WGPULimits wanted = WGPU_LIMITS_INIT;
  functions_.AdapterGetLimits(adapter_, &wanted);
  wanted.nextInChain = nullptr;
  wanted.maxImmediateSize = WGPU_LIMIT_U32_UNDEFINED;  // needs a feature that nothing here uses
  WGPUDeviceDescriptor descriptor = {};
  descriptor.requiredLimits = &wanted;
  descriptor.deviceLostCallbackInfo = {nullptr, WGPUCallbackMode_AllowSpontaneous, ignore_loss, nullptr, nullptr};
  descriptor.uncapturedErrorCallbackInfo = {nullptr, end_program, nullptr, nullptr};
  Requested<WGPUDevice> requested;
  functions_.AdapterRequestDevice(
      adapter_, &descriptor,
      {nullptr, WGPUCallbackMode_AllowProcessEvents, take<WGPUDevice, WGPURequestDeviceStatus>, &requested, nullptr});
  while (!requested.done) functions_.InstanceProcessEvents(instance_);
  if (requested.handle == nullptr) throw std::runtime_error("The adapter gives no device: " + requested.words);
  device_ = requested.handle;
}

Owned<WGPUBuffer> RawDevice::create_buffer(std::uint64_t byte_size, WGPUBufferUsage usage) const {
  WGPUBufferDescriptor descriptor = {};
  descriptor.usage = usage;
  descriptor.size = byte_size;
  return {functions_.DeviceCreateBuffer(device_, &descriptor), functions_.BufferRelease};
}

RawPipeline RawDevice::create_pipeline(std::string_view wgsl, std::span<const WGPUBufferBindingType> bindings) const {
  std::vector<WGPUBindGroupLayoutEntry> entries(bindings.size());
  for (std::uint32_t binding = 0; binding < bindings.size(); ++binding) {
    entries[binding] = {};
    entries[binding].binding = binding;
    entries[binding].visibility = WGPUShaderStage_Compute;
    entries[binding].buffer.type = bindings[binding];
  }
  const WGPUBindGroupLayoutDescriptor group = {nullptr, {}, entries.size(), entries.data()};
  Owned<WGPUBindGroupLayout> layout = {functions_.DeviceCreateBindGroupLayout(device_, &group),
                                       functions_.BindGroupLayoutRelease};
  const WGPUBindGroupLayout groups[] = {layout.get()};
  WGPUPipelineLayoutDescriptor whole = {};
  whole.bindGroupLayoutCount = 1;
  whole.bindGroupLayouts = groups;
  const Owned<WGPUPipelineLayout> pipeline_layout = {functions_.DeviceCreatePipelineLayout(device_, &whole),
                                                     functions_.PipelineLayoutRelease};
  WGPUShaderSourceWGSL source = {{nullptr, WGPUSType_ShaderSourceWGSL}, view_of(wgsl)};
  const WGPUShaderModuleDescriptor text = {&source.chain, {}};
  const Owned<WGPUShaderModule> module = {functions_.DeviceCreateShaderModule(device_, &text),
                                          functions_.ShaderModuleRelease};
  WGPUComputePipelineDescriptor descriptor = {};
  descriptor.layout = pipeline_layout.get();
  descriptor.compute.module = module.get();
  descriptor.compute.entryPoint = view_of("main");
  return {std::move(layout),
          {functions_.DeviceCreateComputePipeline(device_, &descriptor), functions_.ComputePipelineRelease}};
}

Owned<WGPUBindGroup> RawDevice::create_bind_group(WGPUBindGroupLayout layout,
                                                  std::span<const WGPUBuffer> buffers) const {
  constexpr std::size_t kMostBuffers = 4;
  if (buffers.size() > kMostBuffers)
    throw std::runtime_error("A peer binds more buffers than create_bind_group takes.");
  WGPUBindGroupEntry entries[kMostBuffers] = {};
  for (std::uint32_t binding = 0; binding < buffers.size(); ++binding) {
    entries[binding].binding = binding;
    entries[binding].buffer = buffers[binding];
    entries[binding].size = WGPU_WHOLE_SIZE;
  }
  const WGPUBindGroupDescriptor descriptor = {nullptr, {}, layout, buffers.size(), entries};
  return {functions_.DeviceCreateBindGroup(device_, &descriptor), functions_.BindGroupRelease};
}

Owned<WGPUCommandEncoder> RawDevice::create_encoder() const {
  return {functions_.DeviceCreateCommandEncoder(device_, nullptr), functions_.CommandEncoderRelease};
}

void RawDevice::encode_dispatch(WGPUCommandEncoder encoder, WGPUComputePipeline pipeline, WGPUBindGroup bind_group,
                                std::uint32_t x, std::uint32_t y) const {
  const WGPUComputePassEncoder pass = functions_.CommandEncoderBeginComputePass(encoder, nullptr);
  functions_.ComputePassEncoderSetPipeline(pass, pipeline);
  functions_.ComputePassEncoderSetBindGroup(pass, 0, bind_group, 0, nullptr);
  functions_.ComputePassEncoderDispatchWorkgroups(pass, x, y, 1);
  functions_.ComputePassEncoderEnd(pass);
  functions_.ComputePassEncoderRelease(pass);
}

Owned<WGPUCommandBuffer> RawDevice::finish(WGPUCommandEncoder encoder) const {
  return {functions_.CommandEncoderFinish(encoder, nullptr), functions_.CommandBufferRelease};
}

void RawDevice::submit(WGPUCommandBuffer commands) const { functions_.QueueSubmit(queue_, 1, &commands); }

void RawDevice::wait() const {
  bool done = false;
  const auto take_done = [](WGPUQueueWorkDoneStatus, WGPUStringView, void* userdata1, void*) {
    *static_cast<bool*>(userdata1) = true;
  };
  functions_.QueueOnSubmittedWorkDone(queue_,
                                      {nullptr, WGPUCallbackMode_AllowProcessEvents, take_done, &done, nullptr});
  while (!done) functions_.InstanceProcessEvents(instance_);
}

}  // namespace millrace::bench
