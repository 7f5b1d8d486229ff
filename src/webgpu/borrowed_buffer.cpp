// Questions to the provider whose answers are errors in a scope of ours, and which change nothing.
#include "src/webgpu/borrowed_buffer.hpp"

#include <mutex>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/webgpu/core_internals.hpp"
#include "src/webgpu/error_scope.hpp"

namespace millrace::webgpu {
namespace {

constexpr std::uint64_t kProbedByteSize = 4;

// A bind group over the buffer's first bytes, made and dropped.
std::optional<CaughtError> bind(CoreInternals& core, WGPUBuffer buffer, WGPUBufferBindingType type) {
  const FunctionTable& functions = core.functions();
  WGPUBindGroupLayoutEntry layout_entry = {};
  layout_entry.visibility = WGPUShaderStage_Compute;
  layout_entry.buffer.type = type;
  WGPUBindGroupLayoutDescriptor layout_descriptor = {};
  layout_descriptor.entryCount = 1;
  layout_descriptor.entries = &layout_entry;
  WGPUBindGroupEntry entry = {};
  entry.buffer = buffer;
  entry.size = kProbedByteSize;
  WGPUBindGroupDescriptor descriptor = {};
  descriptor.entryCount = 1;
  descriptor.entries = &entry;
  ErrorScope scope(core);
  descriptor.layout = functions.DeviceCreateBindGroupLayout(core.device, &layout_descriptor);
  const WGPUBindGroup bind_group = functions.DeviceCreateBindGroup(core.device, &descriptor);
  if (bind_group != nullptr) functions.BindGroupRelease(bind_group);
  functions.BindGroupLayoutRelease(descriptor.layout);
  return scope.end();
}

// A write of no bytes, of which Dawn says where the buffer is destroyed, and wgpu-native nothing.
std::optional<CaughtError> write_nothing(CoreInternals& core, WGPUBuffer buffer) {
  const std::uint32_t word = 0;
  ErrorScope scope(core);
  core.functions().QueueWriteBuffer(core.queue, buffer, 0, &word, 0);
  return scope.end();
}

}  // namespace

// A map at byte 1 is never valid, and its error goes to the device that the buffer itself knows. Copies and bind groups
// cannot tell: wgpu-native looks the buffer's number up in the instance of the encoder, where it may be any buffer.
bool is_buffer_of(DeviceCore& core, WGPUBuffer buffer) {
  CoreInternals& internals = core.internals();
  const auto ignore = [](WGPUMapAsyncStatus, WGPUStringView, void*, void*) {};
  ErrorScope scope(internals);
  check_alive(internals, {});
  internals.functions().BufferMapAsync(buffer, WGPUMapMode_Read, 1, kProbedByteSize,
                                       {nullptr, WGPUCallbackMode_AllowProcessEvents, ignore, nullptr, nullptr});
  return scope.end().has_value();
}

bool is_destroyed(DeviceCore& core, WGPUBuffer buffer, std::uint64_t byte_size, Usage usage) {
  CoreInternals& internals = core.internals();
  if (contains(usage, Usage::copy_destination) && write_nothing(internals, buffer)) return true;
  if (byte_size < kProbedByteSize) return false;
  if (contains(usage, Usage::storage))
    return bind(internals, buffer, WGPUBufferBindingType_ReadOnlyStorage).has_value();
  if (contains(usage, Usage::uniform)) return bind(internals, buffer, WGPUBufferBindingType_Uniform).has_value();
  return false;
}

void check_copyable(const Buffer& buffer, Usage needed) {
  if (!contains(buffer.usage(), needed)) {
    const bool is_read = needed == Usage::copy_source;
    throw BindingError(
        ErrorCode::missing_usage, "",
        fmt::format("The view lies in a borrowed buffer without the usage {usage}, which {action} needs; "
                    "create the buffer with it.",
                    fmt::arg("usage", is_read ? "CopySrc" : "CopyDst"),
                    fmt::arg("action", is_read ? "reading" : "writing")));
  }
  if (buffer.is_owned()) return;
  DeviceCore& core = *buffer.core();
  check_alive(core.internals(), {});
  if (!is_destroyed(core, buffer.handle(), buffer.byte_size(), buffer.usage())) return;
  throw BindingError(ErrorCode::destroyed, "",
                     "The view lies in a borrowed buffer that its owner destroyed; destroy a buffer after its views.");
}

}  // namespace millrace::webgpu
