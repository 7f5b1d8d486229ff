// Reads: as any row type, waiting and not, cancelled, late, called back; and the staging buffers behind them.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <millrace/device.hpp>
#include <millrace/error.hpp>

#include "src/webgpu/device_core.hpp"
#include "src/webgpu/faults.hpp"
#include "tests/expect_error.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kTaken = "The rows of this read were taken before, or moved with it; a read gives them once.";

Vector numbers() { return shared_device().upload(Format::float32, {5.0f, 0.0f, 3.0f}); }

std::vector<std::uint32_t> counting(std::uint32_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

// 84 MB: three staging buffers, and milliseconds of copying on any device, so that a read of it is not done at once.
struct LongRows {
  std::vector<std::uint32_t> rows = counting(21'000'000);
  Vector vector = shared_device().upload(Format::uint32x3, rows);

  LongRows() { shared_device().wait(60s); }
};

// K-35: a row whose bytes begin at no multiple of 8 is read exactly.
TEST(Read, RowsAtAnyOffset) {
  const std::vector<std::uint8_t> lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Vector vector = shared_device().upload(Format::uint8x4, lanes);
  EXPECT_THAT(vector.rows({.first = 1, .count = 1}).read<std::uint8_t>(), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(vector.rows({.first = 1, .count = 2}).read<std::uint8_t>(), ElementsAre(4, 5, 6, 7, 8, 9, 10, 11));
}

struct Vertex {
  float x, y, z;
};

// The same rows as lanes, arrays, structs, and into memory of the caller's.
TEST(Read, AsAnyRowType) {
  const Vector vector = shared_device().upload(Format::float32x3, {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
  EXPECT_THAT(vector.read<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
  const auto arrays = vector.read<std::array<float, 3>>();
  EXPECT_THAT(arrays, ElementsAre(std::array<float, 3>{1, 2, 3}, std::array<float, 3>{4, 5, 6}));
  const std::vector<Vertex> vertices = vector.read<Vertex>();
  ASSERT_EQ(vertices.size(), 2u);
  EXPECT_EQ(vertices[1].z, 6);
  std::array<float, 6> lanes{};
  vector.read_into(lanes);
  EXPECT_THAT(lanes, ElementsAre(1, 2, 3, 4, 5, 6));
  std::array<Vertex, 2> in_place{};
  vector.read_into(std::span(in_place));
  EXPECT_EQ(in_place[0].y, 2);
}

// Reading as another type than the format's is refused, in every way to read.
TEST(Read, RowTypeErrors) {
  const Vector vector = numbers();
  const char* const message =
      "Host rows are elements of 4 bytes of std::uint32_t, but a row of format float32 is 4 bytes, 1 x float; give "
      "structs or arrays of that size, or float lanes one after the other.";
  const auto expect_refused = [&](auto action) {
    expect_error<BindingError>(action, ErrorCode::row_type_mismatch, message);
  };
  expect_refused([&] { (void)vector.read<std::uint32_t>(); });
  expect_refused([&] { (void)vector.read_async<std::uint32_t>(); });
  expect_refused([&] { vector.read_async<std::uint32_t>([](ReadResult<std::uint32_t>) {}); });
  std::array<std::uint32_t, 3> rows{};
  expect_refused([&] { vector.read_into(rows); });
}

// read_into takes exactly the rows; a longer span is not filled in part.
TEST(Read, IntoSpansOfTheRowsExactly) {
  const Vector vector = numbers();
  std::array<float, 4> longer{};
  expect_error<BindingError>([&] { vector.read_into(longer); }, ErrorCode::row_count_mismatch,
                             "The rows to read into are 4, but the view has 3; they must be as many.");
  const Vector pairs = shared_device().upload(Format::float32x2, {1.0f, 2.0f});
  std::array<float, 3> odd{};
  expect_error<BindingError>(
      [&] { pairs.read_into(odd); }, ErrorCode::partial_row,
      "3 lanes do not fill whole rows of format float32x2, which have 2 lanes; 1 lane is left over.");
}

// A scalar result is one row; more or fewer rows, or more lanes, are refused instead of cut.
TEST(Read, Scalars) {
  EXPECT_EQ(shared_device().upload(Format::sint32, {-7}).read_scalar<std::int32_t>(), -7);
  expect_error<BindingError>([] { (void)numbers().read_scalar<float>(); }, ErrorCode::not_one_row,
                             "read_scalar reads the only row of a view, but this one has 3 rows; use read().");
  const Vector vector = numbers();
  expect_error<BindingError>([&] { (void)vector.rows({.first = 1, .count = 0}).read_scalar<float>(); },
                             ErrorCode::not_one_row,
                             "read_scalar reads the only row of a view, but this one has 0 rows; use read().");
  const Vector pair = shared_device().upload(Format::float32x2, {1.0f, 2.0f});
  expect_error<BindingError>(
      [&] { (void)pair.read_scalar<float>(); }, ErrorCode::row_type_mismatch,
      "read_scalar gives one element, but a row of format float32x2 is 2 lanes of that type; use "
      "an array of them.");
}

// A read sees the writes before it and none after it, however long it takes.
TEST(Read, FollowsSubmissionOrder) {
  Vector vector = numbers();
  vector.write({1.0f, 2.0f, 3.0f});
  PendingRead<float> read = vector.read_async<float>();
  vector.write({4.0f, 5.0f, 6.0f});
  EXPECT_THAT(vector.read<float>(), ElementsAre(4, 5, 6));
  EXPECT_THAT(read.wait(10s), ElementsAre(1, 2, 3));
}

// Reads longer than a staging buffer come in several, in order, both ways.
TEST(Read, LongerThanAStagingBuffer) {
  const LongRows longer;
  EXPECT_EQ(longer.vector.read<std::uint32_t>(), longer.rows);
  PendingRead<std::uint32_t> read = longer.vector.read_async<std::uint32_t>();
  EXPECT_EQ(read.wait(60s), longer.rows);
}

// A frame loop polls, and takes the rows once they are here.
TEST(Read, Polled) {
  const Vector vector = numbers();
  PendingRead<float> read = vector.read_async<float>();
  while (!read.poll()) {
  }
  EXPECT_TRUE(read.poll());
  EXPECT_THAT(read.take(), ElementsAre(5, 0, 3));
  expect_error<BindingError>([&] { (void)read.take(); }, ErrorCode::rows_taken, kTaken);
  expect_error<BindingError>([&] { (void)read.wait(1s); }, ErrorCode::rows_taken, kTaken);
  EXPECT_TRUE(read.poll());
}

// A read can be kept in a container and finished elsewhere.
TEST(Read, Moved) {
  const Vector vector = numbers();
  PendingRead<float> read = vector.read_async<float>();
  PendingRead<float> kept = std::move(read);
  EXPECT_THAT(kept.wait(10s), ElementsAre(5, 0, 3));
  expect_error<BindingError>([&] { (void)read.take(); }, ErrorCode::rows_taken, kTaken);
  kept = vector.read_async<float>();
  EXPECT_THAT(kept.wait(10s), ElementsAre(5, 0, 3));
}

// Rows taken before they are here are an error, not garbage; the read goes on.
TEST(Read, NotReady) {
  const LongRows longer;
  PendingRead<std::uint32_t> read = longer.vector.read_async<std::uint32_t>();
  expect_error<BindingError>([&] { (void)read.take(); }, ErrorCode::rows_not_ready,
                             "The rows of this read are not here yet; call take() after poll() was true, or wait().");
  EXPECT_EQ(read.wait(60s), longer.rows);
}

// A deadline that passes leaves the read under way, to be waited for again.
TEST(Read, Deadline) {
  const LongRows longer;
  PendingRead<std::uint32_t> read = longer.vector.read_async<std::uint32_t>();
  expect_error<DeviceError>([&] { (void)read.wait(0ms); }, ErrorCode::deadline_exceeded,
                            "The device \"" + shared_device().adapter().name +
                                "\" has not finished reading rows within 0 ms; give a later deadline, or wait again.");
  EXPECT_EQ(read.wait(60s), longer.rows);
}

// D-04: a read given up at its deadline leaves no staging buffer mapped under the next read.
TEST(Read, AfterAGivenUpRead) {
  const LongRows longer;
  for (int i = 0; i < 3; ++i) {
    expect_error<DeviceError>(
        [&] { (void)longer.vector.read<std::uint32_t>({.deadline = 0ms}); }, ErrorCode::deadline_exceeded,
        "The device \"" + shared_device().adapter().name +
            "\" has not finished reading rows within 0 ms; give a later deadline, or wait again.");
    EXPECT_EQ(longer.vector.read<std::uint32_t>({.deadline = 60s}), longer.rows);
  }
}

// The longest deadline that a type holds is a wait without end, not an overflow.
TEST(Read, LongestDeadline) {
  EXPECT_THAT(numbers().read<float>({.deadline = std::chrono::milliseconds::max()}), ElementsAre(5, 0, 3));
}

// D-04: two reads of unequal size, back to back, then both awaited, in either order.
TEST(Read, BackToBack) {
  const Vector small = shared_device().upload(Format::uint32, {42u});
  const std::vector<std::uint32_t> rows = counting(1024);
  const Vector large = shared_device().upload(Format::uint32, rows);
  for (const bool small_first : {true, false}) {
    PendingRead<std::uint32_t> one = small.read_async<std::uint32_t>();
    PendingRead<std::uint32_t> two = large.read_async<std::uint32_t>();
    const std::vector<std::uint32_t> first = small_first ? one.wait(10s) : two.wait(10s);
    const std::vector<std::uint32_t> second = small_first ? two.wait(10s) : one.wait(10s);
    EXPECT_THAT(small_first ? first : second, ElementsAre(42));
    EXPECT_EQ(small_first ? second : first, rows);
  }
}

// D-07: read() returns by itself, without anyone polling, on every provider.
TEST(Read, NeedsNoPolling) { EXPECT_THAT(numbers().read<float>({.deadline = 10s}), ElementsAre(5, 0, 3)); }

// A read goes on when its vector, and the device object, are gone: the copy was submitted.
TEST(Read, OutlivesItsVector) {
  std::optional<Device> device = Device::open();
  std::optional<Vector> vector = device->upload(Format::float32, {1.0f, 2.0f});
  PendingRead<float> read = vector->read_async<float>();
  vector.reset();
  device.reset();
  EXPECT_THAT(read.wait(10s), ElementsAre(1, 2));
}

// Nothing to read is here at once, and calls back all the same.
TEST(Read, NoRows) {
  const Vector vector = shared_device().create_vector(Format::float32, {.chunk_lengths = {{0, 0}}});
  PendingRead<float> read = vector.read_async<float>();
  EXPECT_TRUE(read.poll());
  EXPECT_THAT(read.take(), IsEmpty());
  int calls = 0;
  vector.read_async<float>([&](ReadResult<float> result) {
    EXPECT_THAT(result.take(), IsEmpty());
    ++calls;
  });
  EXPECT_EQ(calls, 0);
  shared_device().poll();
  EXPECT_EQ(calls, 1);
}

// A callback runs once, inside poll(), on the thread of that call, with rows that are given once.
TEST(ReadCallback, RunsOnceInsidePoll) {
  const Vector vector = numbers();
  int calls = 0;
  vector.read_async<float>([&](ReadResult<float> result) {
    EXPECT_THAT(result.take(), ElementsAre(5, 0, 3));
    expect_error<BindingError>([&] { (void)result.take(); }, ErrorCode::rows_taken, kTaken);
    ++calls;
  });
  EXPECT_EQ(calls, 0);
  while (calls == 0) shared_device().poll();
  for (int i = 0; i < 10; ++i) shared_device().poll();
  EXPECT_EQ(calls, 1);
}

// A call that waits runs the callbacks that came due.
TEST(ReadCallback, RunsInsideWaits) {
  const Vector vector = numbers();
  bool called = false;
  vector.read_async<float>([&](ReadResult<float>) { called = true; });
  for (int i = 0; i < 1000 && !called; ++i) shared_device().wait();
  EXPECT_TRUE(called);
}

// The rows may leave the callback and be taken later.
TEST(ReadCallback, ResultOutlivesTheCall) {
  const Vector vector = numbers();
  std::optional<ReadResult<float>> kept;
  vector.read_async<float>([&](ReadResult<float> result) { kept.emplace(std::move(result)); });
  while (!kept) shared_device().poll();
  shared_device().trim();
  EXPECT_THAT(kept->take(), ElementsAre(5, 0, 3));
}

// What a callback throws reaches the caller of poll(); other callbacks still run, each once.
TEST(ReadCallback, ThrowsOutOfPoll) {
  const Vector vector = numbers();
  int others = 0;
  bool thrown = false;
  vector.read_async<float>([&](ReadResult<float>) { ++others; });
  vector.read_async<float>([&](ReadResult<float>) {
    thrown = true;
    throw std::runtime_error("out of the callback");
  });
  vector.read_async<float>([&](ReadResult<float>) { ++others; });
  int caught = 0;
  while (!thrown || others < 2) {
    try {
      shared_device().poll();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "out of the callback");
      ++caught;
    }
  }
  EXPECT_EQ(caught, 1);
  EXPECT_EQ(others, 2);
}

// Inside of a callback everything is allowed: reads that wait, further callbacks, polling.
TEST(ReadCallback, MayUseTheDevice) {
  const Vector vector = numbers();
  std::vector<float> second;
  vector.read_async<float>([&](ReadResult<float>) {
    EXPECT_THAT(vector.read<float>(), ElementsAre(5, 0, 3));
    vector.read_async<float>([&](ReadResult<float> result) { second = result.take(); });
    shared_device().poll();
  });
  while (second.empty()) shared_device().poll();
  EXPECT_THAT(second, ElementsAre(5, 0, 3));
}

// A device that goes with callbacks outstanding drops them, and leaks nothing.
TEST(ReadCallback, DroppedWithTheDevice) {
  auto alive = std::make_shared<int>(0);
  {
    Device device = Device::open();
    const Vector vector = device.upload(Format::float32, {1.0f});
    vector.read_async<float>([alive](ReadResult<float>) { FAIL(); });
    EXPECT_EQ(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

// A callback that drops the last owner of its device ends in good order.
TEST(ReadCallback, MayDropTheDevice) {
  std::optional<Device> device = Device::open();
  std::optional<Vector> vector = device->upload(Format::float32, {1.0f});
  bool called = false;
  vector->read_async<float>([&](ReadResult<float> result) {
    EXPECT_THAT(result.take(), ElementsAre(1));
    vector.reset();
    called = true;
  });
  while (!called) device->poll();
  device.reset();
}

// Staging buffers are kept for the next read and counted, until trim().
TEST(Staging, IsKeptUntilTrim) {
  Device device = Device::open();
  const Vector vector = device.upload(Format::uint32, counting(1000));
  const DeviceStats before = device.stats();
  EXPECT_EQ(before.cached_bytes, 0u);
  (void)vector.read<std::uint32_t>();
  const DeviceStats once = device.stats();
  EXPECT_EQ(once.cached_bytes, 4096u);
  EXPECT_EQ(once.live_objects, before.live_objects + 1);
  EXPECT_EQ(once.live_bytes, before.live_bytes);
  for (int i = 0; i < 100; ++i) (void)vector.read<std::uint32_t>();
  EXPECT_EQ(device.stats().cached_bytes, once.cached_bytes);
  EXPECT_EQ(device.stats().live_objects, once.live_objects);
  device.trim();
  EXPECT_EQ(device.stats().cached_bytes, 0u);
  EXPECT_EQ(device.stats().live_objects, before.live_objects);
  EXPECT_EQ(vector.rows({.first = 999, .count = 1}).read_scalar<std::uint32_t>(), 999u);
}

// Reads that are cancelled, given up or never taken leave nothing behind.
TEST(Staging, CancelledReadsLeaveNothing) {
  Device device = Device::open();
  const Vector vector = device.upload(Format::uint32, counting(1000));
  const DeviceStats before = device.stats();
  for (int i = 0; i < 200; ++i) {
    PendingRead<std::uint32_t> cancelled = vector.read_async<std::uint32_t>();
    PendingRead<std::uint32_t> not_taken = vector.read_async<std::uint32_t>();
    while (!not_taken.poll()) {
    }
  }
  device.wait();
  device.trim();
  EXPECT_EQ(device.stats().live_objects, before.live_objects);
  EXPECT_EQ(device.stats().live_bytes, before.live_bytes);
  EXPECT_EQ(device.stats().cached_bytes, 0u);
}

// Pending rows hold their own buffer: other reads, and trim(), do not touch it.
TEST(Staging, BelongsToOneRead) {
  const Vector one = shared_device().upload(Format::uint32, {1u});
  const Vector two = shared_device().upload(Format::uint32, {2u});
  PendingRead<std::uint32_t> pending = one.read_async<std::uint32_t>();
  while (!pending.poll()) {
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(two.read_scalar<std::uint32_t>(), 2u);
  shared_device().trim();
  EXPECT_THAT(pending.take(), ElementsAre(1));
}

// A device lost in the middle of a read ends it with an error, for those who wait, poll, and are called back.
TEST(Read, DeviceLost) {
  Device device = Device::open();
  const Vector vector = device.upload(Format::float32, {1.0f});
  PendingRead<float> waited = vector.read_async<float>();
  PendingRead<float> polled = vector.read_async<float>();
  bool called = false;
  vector.read_async<float>([&](ReadResult<float> result) {
    EXPECT_THROW((void)result.take(), DeviceError);
    called = true;
  });
  webgpu::lose_device(*webgpu::DeviceAccess::core(device));
  const auto expect_lost = [](auto action) {
    try {
      action();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const DeviceError& error) {
      EXPECT_EQ(error.code(), ErrorCode::device_lost);
    }
  };
  expect_lost([&] { (void)waited.wait(10s); });
  EXPECT_TRUE(polled.poll());
  expect_lost([&] { (void)polled.take(); });
  expect_lost([&] { (void)vector.read<float>(); });
  expect_lost([&] { (void)vector.read_async<float>(); });
  expect_lost([&] { (void)device.upload(Format::float32, {1.0f}); });
  device.poll();
  EXPECT_TRUE(called);
}

// A device without memory for a staging buffer says so, and the next read is right. D-06.
TEST(Read, OutOfMemory) {
  Device device = Device::open();
  const Vector vector = device.upload(Format::float32, {1.0f});
  const DeviceStats before = device.stats();
  for (std::uint64_t n = 1; n <= 3; ++n) {
    device.trim();
    webgpu::fail_nth_creation(*webgpu::DeviceAccess::core(device), n);
    try {
      (void)vector.read<float>();
    } catch (const DeviceError& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    }
    webgpu::fail_nth_creation(*webgpu::DeviceAccess::core(device), 0);
    EXPECT_THAT(vector.read<float>(), ElementsAre(1));
    device.trim();
    EXPECT_EQ(device.stats().live_objects, before.live_objects);
  }
}

// An upload without memory leaves nothing behind, also when its first chunks fit.
TEST(Upload, OutOfMemory) {
  Device device = Device::open();
  const DeviceStats before = device.stats();
  webgpu::fail_nth_creation(*webgpu::DeviceAccess::core(device), 2);
  expect_error<DeviceError>(
      [&] {
        (void)device.upload_chunks(Format::float32, {{1.0f}, {2.0f}});
      },
      ErrorCode::out_of_memory,
      "The device \"" + device.adapter().name +
          "\" has no memory left to create a buffer of 16 bytes for \"float32 vector\".");
  EXPECT_EQ(device.stats().live_objects, before.live_objects);
  EXPECT_EQ(device.stats().live_bytes, before.live_bytes);
  EXPECT_THAT(device.upload(Format::float32, {1.0f}).read<float>(), ElementsAre(1));
}

}  // namespace
}  // namespace millrace
