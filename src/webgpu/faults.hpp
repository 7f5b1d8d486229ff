// The fault seam: what tests make go wrong on a device, since software drivers never say no. Nothing of the library
// calls it.
#pragma once

#include <cstdint>

#include "src/webgpu/device_core.hpp"

namespace millrace::webgpu {

// The nth creation of a WebGPU object from now fails, as out of memory; 1 is the next one.
void fail_nth_creation(DeviceCore& core, std::uint64_t n);

// The device is lost from now on.
void lose_device(DeviceCore& core);

}  // namespace millrace::webgpu
