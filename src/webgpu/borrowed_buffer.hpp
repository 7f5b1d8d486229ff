// What can be known of a buffer that is not ours, before it is used: wgpu-native ends the process where a destroyed
// buffer is submitted, and takes a buffer of another instance for one of ours.
#pragma once

#include <optional>
#include <string>

#include "src/webgpu/device_core.hpp"

namespace millrace::webgpu {

// Whether the buffer is one of the core's device. Where it is not, its own device gets a validation error.
[[nodiscard]] bool is_buffer_of(DeviceCore& core, WGPUBuffer buffer);

// Whether its owner destroyed the buffer, as far as its usages let the provider tell: storage and uniform buffers with
// every provider, copy destinations with Dawn. buffer: one of the core's device.
[[nodiscard]] bool is_destroyed(DeviceCore& core, WGPUBuffer buffer, std::uint64_t byte_size, Usage usage);

// Before rows are copied out of a view's buffer (copy_source) or into it (copy_destination): BindingError `missing_usage`;
// `destroyed` where the buffer is borrowed and its owner destroyed it, as far as is_destroyed tells.
void check_copyable(const Buffer& buffer, Usage needed);

}  // namespace millrace::webgpu
