// Faults are decided where creations are counted (error_scope.hpp); loss is the state that the provider's callback sets.
#include "src/webgpu/faults.hpp"

#include "src/webgpu/core_internals.hpp"

namespace millrace::webgpu {

void fail_nth_creation(DeviceCore& core, std::uint64_t n) {
  core.internals().faults.creations_until_failure = static_cast<std::int64_t>(n);
}

void lose_device(DeviceCore& core) {
  DeviceNews& news = *core.internals().news;
  const std::lock_guard lock(news.mutex);
  news.loss_words = "lost by the fault seam";
  news.lost = true;
}

}  // namespace millrace::webgpu
