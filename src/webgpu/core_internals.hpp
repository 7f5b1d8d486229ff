// What a DeviceCore keeps: the provider's handles, its mutex, what is known of loss, and its counts. For the sources of
// this folder only.
//
// Handles are used with `mutex` held. It is recursive: an application's own callbacks run inside
// wgpuInstanceProcessEvents of a borrowed device, and may call us. Counts and loss are atomic, so that destructors and
// is_lost() need no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

#include <millrace/device.hpp>

#include "src/webgpu/device_core.hpp"
#include "src/webgpu/device_news.hpp"
#include "src/webgpu/provider.hpp"

namespace millrace::webgpu {

// The fault seam: what tests make go wrong. See faults.hpp.
struct FaultPlan {
  std::atomic<std::int64_t> creations_until_failure = 0;  // 0: none fails
};

struct CoreCounts {
  std::atomic<std::uint64_t> live_bytes = 0;
  std::atomic<std::uint64_t> peak_bytes = 0;
  std::atomic<std::uint64_t> live_objects = 0;

  void add_bytes(std::uint64_t byte_size);
  void subtract_bytes(std::uint64_t byte_size) { live_bytes -= byte_size; }
};

struct CoreInternals {
  const Provider* provider = nullptr;
  WGPUInstance instance = nullptr;
  WGPUDevice device = nullptr;
  WGPUQueue queue = nullptr;
  AdapterInfo adapter = {};
  DeviceCapabilities capabilities = {};
  WGPULimits limits = {};  // the device's, before any cap
  std::recursive_mutex mutex;
  std::shared_ptr<DeviceNews> news = create_device_news();
  FaultPlan faults;
  CoreCounts counts;
  std::unordered_map<std::string, std::weak_ptr<ComputePipeline::Object>> pipelines;
  std::unique_ptr<CoreAttachment> attachment;
  std::thread::id only_thread = {};  // the only one that may call, where a borrowed device is not thread-safe

  [[nodiscard]] const FunctionTable& functions() const { return provider->functions; }
};

[[nodiscard]] inline WGPUStringView view_of(std::string_view text) { return {text.data(), text.size()}; }
[[nodiscard]] inline std::string text_of(WGPUStringView view) {
  if (view.data == nullptr) return {};
  return view.length == WGPU_STRLEN ? std::string(view.data) : std::string(view.data, view.length);
}

}  // namespace millrace::webgpu
