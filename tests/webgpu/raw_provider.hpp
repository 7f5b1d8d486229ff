// A device's raw handles and functions, to pin what providers do by themselves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>

#include <millrace/device.hpp>

#include "src/webgpu/core_internals.hpp"
#include "src/webgpu/device_core.hpp"
#include "src/webgpu/error_scope.hpp"
#include "tests/webgpu/words.hpp"

namespace millrace::webgpu {

struct RawProvider {
  Device device = Device::open();
  std::shared_ptr<DeviceCore> core = DeviceAccess::core(device);
  CoreInternals& internals = core->internals();
  const FunctionTable& functions = internals.functions();
  WGPUDevice handle = internals.device;
  WGPUQueue queue = internals.queue;

  [[nodiscard]] bool is_native() const { return device.adapter().provider == "wgpu-native"; }

  // A function that the table leaves out.
  template <class Function>
  [[nodiscard]] Function find(const char* name) const {
    return reinterpret_cast<Function>(dlsym(dlopen(internals.provider->library.c_str(), RTLD_NOW), name));
  }
  // The words of the error of a call, empty where there was none.
  template <class Call>
  [[nodiscard]] std::string error_of(Call call) const {
    ErrorScope scope(internals);
    call();
    const std::optional<CaughtError> error = scope.end();
    return error ? error->words : std::string();
  }
  [[nodiscard]] WGPUBuffer create_buffer(std::uint64_t byte_size, WGPUBufferUsage usage) const {
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.size = byte_size;
    descriptor.usage = usage;
    return functions.DeviceCreateBuffer(handle, &descriptor);
  }
  [[nodiscard]] WGPUShaderModule create_module(std::string_view wgsl) const {
    WGPUShaderSourceWGSL source = {{nullptr, WGPUSType_ShaderSourceWGSL}, view_of(wgsl)};
    const WGPUShaderModuleDescriptor descriptor = {&source.chain, {nullptr, 0}};
    return functions.DeviceCreateShaderModule(handle, &descriptor);
  }
  [[nodiscard]] WGPUCommandEncoder create_encoder() const {
    return functions.DeviceCreateCommandEncoder(handle, nullptr);
  }
  [[nodiscard]] WGPUCommandBuffer finish(WGPUCommandEncoder encoder) const {
    return functions.CommandEncoderFinish(encoder, nullptr);
  }
  void process_events() const {
    for (int i = 0; i < 100; ++i) functions.InstanceProcessEvents(internals.instance);
  }
};

// A kernel over several storage buffers of group 0, which adds words of those that it reads to those that it writes.
inline PipelineDescription kernel_over(const std::vector<BindingKind>& kinds) {
  PipelineDescription description = {.label = "over", .wgsl = {}, .entry_point = "main", .groups = {{}}};
  std::string sum = "1u";
  std::string stores;
  for (std::uint32_t binding = 0; binding < kinds.size(); ++binding) {
    const bool writes = kinds[binding] == BindingKind::storage_read_write;
    const std::string name = "b" + std::to_string(binding);
    description.wgsl += "@group(0) @binding(" + std::to_string(binding) + ") var<storage, " +
                        (writes ? "read_write" : "read") + "> " + name + ": array<u32>;\n";
    if (writes) {
      stores += "  " + name + "[0] += sum;\n";
    } else {
      sum += " + " + name + "[0]";
    }
    description.groups[0].push_back({.binding = binding, .kind = kinds[binding], .least_byte_size = 0});
  }
  description.wgsl += "@compute @workgroup_size(1) fn main() {\n  let sum = " + sum + ";\n" + stores + "}\n";
  return description;
}

}  // namespace millrace::webgpu
