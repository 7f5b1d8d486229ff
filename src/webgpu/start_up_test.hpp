// The start-up test: one small kernel on a device, so that a provider whose structures or numbers are not those of our
// webgpu.h is found at open, and not as a wrong result.
#pragma once

#include <memory>

#include "src/webgpu/device_core.hpp"

namespace millrace::webgpu {

// Once for each provider and adapter in a process. DeviceError `unsupported_device` where the kernel does not run or
// gives another result.
void run_start_up_test(const std::shared_ptr<DeviceCore>& core);

}  // namespace millrace::webgpu
