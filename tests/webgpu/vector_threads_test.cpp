// Vectors of one device in the hands of several threads.
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/device.hpp>

#include "tests/webgpu/shared_device.hpp"

namespace millrace {
namespace {

// Threads that upload, read, cancel and trim at once each get their own rows: staging buffers are never shared.
TEST(VectorThreads, ReadTheirOwnRows) {
  Device& device = shared_device();
  const auto work = [&device](std::uint32_t seed) {
    for (std::uint32_t round = 0; round < 20; ++round) {
      std::vector<std::uint32_t> rows(100 + 37 * seed + round);
      std::iota(rows.begin(), rows.end(), seed * 1000 + round);
      const Vector vector = device.upload(Format::uint32, rows);
      PendingRead<std::uint32_t> read = vector.read_async<std::uint32_t>();
      const PendingRead<std::uint32_t> cancelled = vector.read_async<std::uint32_t>();
      EXPECT_EQ(vector.read<std::uint32_t>(), rows);
      EXPECT_EQ(read.wait(std::chrono::seconds(60)), rows);
      if (round % 7 == 0) device.trim();
    }
  };
  std::vector<std::thread> threads;
  for (std::uint32_t seed = 0; seed < 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
}

// A view copied to another thread reads there.
TEST(VectorThreads, ViewsTravel) {
  const Vector vector = shared_device().upload(Format::uint32, {1u, 2u, 3u});
  const VectorView view = vector;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([view] { EXPECT_EQ(view.read<std::uint32_t>(), (std::vector<std::uint32_t>{1, 2, 3})); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace millrace
