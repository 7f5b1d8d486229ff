// How a core comes to be: on an adapter of our choice, or on an application's device.
#pragma once

#include <memory>
#include <vector>

#include <millrace/device.hpp>

#include "src/webgpu/device_core.hpp"

namespace millrace::webgpu {

// DeviceError `no_provider`, `no_adapter`, `unsupported_device`.
[[nodiscard]] std::shared_ptr<DeviceCore> open_core(const DeviceOptions& options);

// The adapters that open_core would choose from, best first. DeviceError `no_provider`.
[[nodiscard]] std::vector<AdapterInfo> list_adapters(const DeviceOptions& options);

// An application's device. None of the handles may be null but library, a handle of dlopen: the functions are those of
// the process where it is. References are added, none is taken over. The core never learns of the device's loss by a
// callback, since a device has only one and that is the application's; it sees it in the errors of calls. DeviceError
// `no_provider`, `unsupported_device`.
struct BorrowedHandles {
  WGPUInstance instance;
  WGPUDevice device;
  WGPUQueue queue;
  void* library = nullptr;
  bool thread_safe = false;  // else calls come from the thread of open_borrowed_core alone
};
[[nodiscard]] std::shared_ptr<DeviceCore> open_borrowed_core(const BorrowedHandles& handles,
                                                             const DeviceLimits& limits);

}  // namespace millrace::webgpu
