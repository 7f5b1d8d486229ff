// Taking from and giving back to the pool.
#include "src/webgpu/staging.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

#include "src/webgpu/core_internals.hpp"

namespace millrace::webgpu {
namespace {

constexpr std::uint64_t kLeastStagingByteSize = 256;
// Two full buffers in flight are what a long read uses; twice that is kept.
constexpr std::uint64_t kMostCachedBytes = 4 * kStagingByteSize;

}  // namespace

std::uint64_t staging_size_class(std::uint64_t byte_size) {
  return std::bit_ceil(std::max(byte_size, kLeastStagingByteSize));
}

StagingBuffer StagingPool::acquire(std::uint64_t byte_size) {
  const std::uint64_t wanted = staging_size_class(byte_size);
  const std::lock_guard lock(core_.internals().mutex);
  const auto found =
      std::find_if(free_.begin(), free_.end(), [&](const StagingBuffer& buffer) { return buffer.byte_size == wanted; });
  if (found == free_.end()) return {.handle = core_.create_staging_buffer(wanted), .byte_size = wanted};
  const StagingBuffer buffer = *found;
  free_.erase(found);
  cached_bytes_ -= buffer.byte_size;
  return buffer;
}

void StagingPool::give_back(StagingBuffer buffer) noexcept {
  const std::lock_guard lock(core_.internals().mutex);
  if (core_.is_lost() || cached_bytes_ + buffer.byte_size > kMostCachedBytes) {
    core_.release_staging_buffer(buffer.handle);
    return;
  }
  try {
    free_.push_back(buffer);
    cached_bytes_ += buffer.byte_size;
  } catch (const std::bad_alloc&) {
    core_.release_staging_buffer(buffer.handle);
  }
}

void StagingPool::trim() noexcept {
  const std::lock_guard lock(core_.internals().mutex);
  for (const StagingBuffer& buffer : free_) core_.release_staging_buffer(buffer.handle);
  free_.clear();
  cached_bytes_ = 0;
}

}  // namespace millrace::webgpu
