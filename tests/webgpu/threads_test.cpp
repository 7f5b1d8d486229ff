// One device, several threads.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/device.hpp>
#include <millrace/error.hpp>

#include "tests/webgpu/words.hpp"

namespace millrace::webgpu {
namespace {

// Four threads create, dispatch, make mistakes and read at once; each gets its own values and its own errors.
TEST(Threads, ShareADevice) {
  constexpr std::uint32_t kThreads = 4;
  constexpr std::uint32_t kRounds = 25;
  const Device device = Device::open();
  const auto& core = DeviceAccess::core(device);
  std::atomic<std::uint32_t> right = 0;
  std::atomic<std::uint32_t> own_errors = 0;
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint32_t round = 0; round < kRounds; ++round) {
        const auto buffer = upload_words(*core, {thread, round});
        run_kernel(*core, core->create_pipeline(adding_kernel(1000 * (thread + 1) + round % 3)), *buffer, 1);
        PipelineDescription broken = adding_kernel(1);
        broken.label = "of thread " + std::to_string(thread);
        broken.wgsl += "oh no";
        try {
          (void)core->create_pipeline(broken);
        } catch (const KernelError& error) {
          own_errors += error.subject() == broken.label && error.line() == 5 ? 1 : 0;
        }
        const std::uint32_t term = 1000 * (thread + 1) + round % 3;
        right += read_words(*core, *buffer, 2) == std::vector<std::uint32_t>{thread + term, round + term} ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, kThreads * kRounds);
  EXPECT_EQ(own_errors, kThreads * kRounds);
  EXPECT_EQ(device.stats().live_objects, 0u);
}

}  // namespace
}  // namespace millrace::webgpu
