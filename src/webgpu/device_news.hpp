// Loss and stray errors of a device, as the provider's callbacks tell them.
//
// A callback may come late, or never: wgpu-native keeps that of loss to itself where a device ends in order. So callbacks
// own nothing; they find the news by a ticket, and find none once the device is gone.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace millrace::webgpu {

struct DeviceNews {
  std::atomic<bool> lost = false;
  std::mutex mutex;
  std::string loss_words;        // the provider's words when the device was lost
  std::string uncaptured_words;  // of the last error that no scope caught
  void* ticket = nullptr;        // for the userdata of callbacks

  DeviceNews() = default;
  DeviceNews(const DeviceNews&) = delete;
  DeviceNews& operator=(const DeviceNews&) = delete;
  ~DeviceNews();
};

[[nodiscard]] std::shared_ptr<DeviceNews> create_device_news();
// Null where the news are gone. Thread-safe.
[[nodiscard]] std::shared_ptr<DeviceNews> find_device_news(void* ticket);

}  // namespace millrace::webgpu
