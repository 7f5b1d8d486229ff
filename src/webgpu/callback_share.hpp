// What a callback of the provider is given: a share of a result that outlives both the callback and who waits for it.
//
// A callback may come after its deadline, when nobody waits any more; then it finds the result still there, and its share
// is the last. For the sources of this folder only.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "src/webgpu/function_table.hpp"

namespace millrace::webgpu {

// For a callback's userdata; the callback gives it to take_share, once.
template <class Result>
[[nodiscard]] void* share_of(const std::shared_ptr<Result>& result) {
  return new std::shared_ptr<Result>(result);
}

template <class Result>
[[nodiscard]] std::shared_ptr<Result> take_share(void* userdata) {
  const std::unique_ptr<std::shared_ptr<Result>> share(static_cast<std::shared_ptr<Result>*>(userdata));
  return *share;
}

// Runs the instance's callbacks until `done`, which one of them sets, for as long as requests of adapters and devices may
// take. False where it is not done by then.
[[nodiscard]] inline bool process_until(const FunctionTable& functions, WGPUInstance instance,
                                        const std::atomic<bool>& done) {
  constexpr std::chrono::seconds kRequestDeadline = std::chrono::seconds(30);
  const auto deadline = std::chrono::steady_clock::now() + kRequestDeadline;
  while (!done && std::chrono::steady_clock::now() < deadline) {
    functions.InstanceProcessEvents(instance);
    if (!done) std::this_thread::yield();
  }
  return done;
}

}  // namespace millrace::webgpu
