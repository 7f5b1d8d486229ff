// The pool of staging buffers: where rows pass on their way from the device into host memory. It lives at the core.
//
// A buffer is free here, or belongs to one read; one that is mapped, or whose map is pending, is never handed out. Sizes
// are powers of two, so that reads of about the same size share buffers. Thread-safe, by the device's mutex.
#pragma once

#include <cstdint>
#include <vector>

#include "src/webgpu/device_core.hpp"

namespace millrace::webgpu {

struct StagingBuffer {
  WGPUBuffer handle = nullptr;
  std::uint64_t byte_size = 0;
};

// The most bytes that one staging buffer holds; longer reads take several.
inline constexpr std::uint64_t kStagingByteSize = std::uint64_t{32} << 20;

// The size of the staging buffer for so many bytes: a power of two, at least 256. byte_size: at most kStagingByteSize.
[[nodiscard]] std::uint64_t staging_size_class(std::uint64_t byte_size);

class StagingPool {
 public:
  explicit StagingPool(DeviceCore& core) : core_(core) {}
  StagingPool(const StagingPool&) = delete;
  StagingPool& operator=(const StagingPool&) = delete;
  ~StagingPool() { trim(); }

  // A free one, or a new one. DeviceError `out_of_memory`, `device_lost`.
  [[nodiscard]] StagingBuffer acquire(std::uint64_t byte_size);
  // Of an unmapped buffer whose commands are done. Kept for the next read, or released where enough are kept.
  void give_back(StagingBuffer buffer) noexcept;

  [[nodiscard]] std::uint64_t cached_bytes() const { return cached_bytes_; }
  void trim() noexcept;

 private:
  DeviceCore& core_;
  std::vector<StagingBuffer> free_;
  std::uint64_t cached_bytes_ = 0;
};

}  // namespace millrace::webgpu
