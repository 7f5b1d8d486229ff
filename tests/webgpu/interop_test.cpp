// Borrowed devices and buffers, and handles given out: the application's objects stay the application's.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <millrace/device.hpp>
#include <millrace/error.hpp>
#include <millrace/webgpu_interop.hpp>

#include "tests/expect_error.hpp"
#include "tests/webgpu/application.hpp"

namespace millrace {
namespace {

using testing::ElementsAre;

constexpr WGPUBufferUsage kReadable = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc;

struct Interop : testing::Test {
  Application application;
  Device device = webgpu::borrow_device({.instance = application.instance(),
                                         .device = application.device(),
                                         .queue = application.queue(),
                                         .library = application.library()});
};

// The application's device works like one of ours, and stays alive and unlost when ours goes.
TEST_F(Interop, BorrowedDevice) {
  EXPECT_EQ(webgpu::native(device), application.device());
  {
    Device again = webgpu::borrow_device(
        {.instance = application.instance(), .device = application.device(), .library = application.library()});
    EXPECT_THAT(again.upload(Format::float32, {1.0f, 2.0f}).read<float>(), ElementsAre(1, 2));
  }
  EXPECT_THAT(device.upload(Format::float32, {3.0f}).read<float>(), ElementsAre(3));
  EXPECT_FALSE(device.is_lost());
  EXPECT_EQ(application.uncaptured_errors(), 0);
}

// Null handles are refused by name before any of them reaches the provider, which would crash.
TEST_F(Interop, NullHandles) {
  expect_error<BindingError>(
      [&] { (void)webgpu::borrow_device({.instance = nullptr, .device = application.device()}); },
      ErrorCode::null_handle, "The instance to borrow is null; give the application's instance.");
  expect_error<BindingError>(
      [&] { (void)webgpu::borrow_device({.instance = application.instance(), .device = nullptr}); },
      ErrorCode::null_handle, "The device to borrow is null; give the application's device.");
  expect_error<BindingError>([&] { (void)webgpu::borrow_buffer(device, nullptr); }, ErrorCode::null_handle,
                             "The buffer to borrow is null; give the application's buffer.");
}

// A borrowed buffer that was moved from still gives views, as a copy does; it must not be a null pointer.
TEST_F(Interop, MovedFromBuffer) {
  const std::vector<float> numbers = {1, 2};
  const WGPUBuffer buffer = application.create_buffer(numbers, kReadable);
  {
    webgpu::BorrowedBuffer moved = webgpu::borrow_buffer(device, buffer);
    const webgpu::BorrowedBuffer borrowed = std::move(moved);
    EXPECT_THAT(moved.rows({.format = Format::float32, .row_count = 2}).read<float>(), ElementsAre(1, 2));
    EXPECT_THAT(borrowed.rows({.format = Format::float32, .row_count = 1}).read<float>(), ElementsAre(1));
  }
  application.release(buffer);
}

// Positions in a vertex buffer of positions and normals are read in place, and written in place.
TEST_F(Interop, StridedRows) {
  const std::vector<float> mesh = {3, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 2, 2, 0, 0, 1};
  const WGPUBuffer vertices = application.create_buffer(mesh, kReadable);
  const MutableVectorView positions =
      webgpu::borrow_buffer(device, vertices)
          .rows({.format = Format::float32x3, .byte_offset = 0, .byte_stride = 24, .row_count = 3});
  EXPECT_THAT(positions.read<float>(), ElementsAre(3, 4, 0, 0, 0, 0, 1, 2, 2));
  const VectorView normals =
      webgpu::borrow_buffer(device, vertices)
          .rows({.format = Format::float32x3, .byte_offset = 12, .byte_stride = 24, .row_count = 3});
  EXPECT_THAT(normals.rows({.first = 1, .count = 2}).read<float>(), ElementsAre(0, 0, 1, 0, 0, 1));
  positions.rows({.first = 1, .count = 2}).write({7.0f, 7.0f, 7.0f, 8.0f, 8.0f, 8.0f});
  EXPECT_THAT(positions.read<float>(), ElementsAre(3, 4, 0, 7, 7, 7, 8, 8, 8));
  EXPECT_THAT(normals.read<float>(), ElementsAre(0, 0, 1, 0, 0, 1, 0, 0, 1));
  application.release(vertices);
}

// The view keeps its own reference: the application may release its own, and the device object may go.
TEST_F(Interop, ViewsHoldTheirBuffer) {
  const WGPUBuffer buffer = application.create_buffer(std::vector<float>{1, 2}, kReadable);
  std::optional<VectorView> view =
      webgpu::borrow_buffer(device, buffer).rows({.format = Format::float32, .row_count = 2});
  application.release(buffer);
  EXPECT_THAT(view->read<float>(), ElementsAre(1, 2));
  EXPECT_THAT(VectorView::join({*view, view->rows({.first = 1, .count = 1})}).read<float>(), ElementsAre(1, 2, 2));
}

// Borrowing counts no bytes, and gives its reference back.
TEST_F(Interop, BorrowingLeavesNothing) {
  const WGPUBuffer buffer = application.create_buffer(std::vector<float>{1, 2}, kReadable);
  const DeviceStats before = device.stats();
  for (int i = 0; i < 100; ++i) {
    const VectorView view = webgpu::borrow_buffer(device, buffer).rows({.format = Format::float32, .row_count = 2});
    EXPECT_EQ(device.stats().live_bytes, before.live_bytes);
  }
  EXPECT_EQ(device.stats().live_objects, before.live_objects);
  EXPECT_EQ(device.stats().live_bytes, before.live_bytes);
  application.release(buffer);
}

// Layouts that a kernel could not address are refused with the number at fault.
TEST_F(Interop, MisalignedLayouts) {
  const WGPUBuffer buffer = application.create_buffer(64, kReadable);
  const webgpu::BorrowedBuffer borrowed = webgpu::borrow_buffer(device, buffer);
  const auto expect_refused = [&](const webgpu::RowLayout& layout, const char* message) {
    expect_error<BindingError>([&] { (void)borrowed.rows(layout); }, ErrorCode::misaligned_layout, message);
  };
  expect_refused({.format = Format::float32, .byte_offset = 2, .row_count = 1},
                 "The rows begin at byte 2, which is no multiple of 4.");
  expect_refused({.format = Format::float32, .byte_stride = 6, .row_count = 1},
                 "The stride of 6 bytes from row to row is no multiple of 4.");
  expect_refused({.format = Format::float32x3, .byte_stride = 8, .row_count = 1},
                 "The stride of 8 bytes is less than a row of format float32x3, which is 12 bytes.");
  application.release(buffer);
}

// Rows past the end of the buffer are refused, also where the sum overflows; the last row needs no full stride.
TEST_F(Interop, RowsPastTheEnd) {
  const WGPUBuffer buffer = application.create_buffer(64, kReadable);
  const webgpu::BorrowedBuffer borrowed = webgpu::borrow_buffer(device, buffer);
  EXPECT_EQ(
      borrowed.rows({.format = Format::float32x3, .byte_offset = 4, .byte_stride = 24, .row_count = 3}).row_count(),
      3u);
  EXPECT_EQ(borrowed.rows({.format = Format::float32, .byte_offset = 64, .row_count = 0}).row_count(), 0u);
  const auto expect_refused = [&](const webgpu::RowLayout& layout, const char* message) {
    expect_error<BindingError>([&] { (void)borrowed.rows(layout); }, ErrorCode::buffer_range, message);
  };
  expect_refused(
      {.format = Format::float32x3, .byte_offset = 8, .byte_stride = 24, .row_count = 3},
      "3 rows of float32x3 at byte 8, 24 bytes from row to row, reach past the end of the buffer, which has 64 "
      "bytes.");
  expect_refused(
      {.format = Format::float32, .byte_offset = 68, .row_count = 0},
      "0 rows of float32 at byte 68, 4 bytes from row to row, reach past the end of the buffer, which has 64 "
      "bytes.");
  expect_refused({.format = Format::float32, .byte_stride = 0xffff'ffff'ffff'fffc, .row_count = 3},
                 "3 rows of float32 at byte 0, 18446744073709551612 bytes from row to row, reach past the end of the "
                 "buffer, which has 64 bytes.");
  expect_error<BindingError>(
      [&] { (void)borrowed.rows({.format = Format::float32, .row_count = 0x1'0000'0000}); }, ErrorCode::row_count_limit,
      "A vector of 4294967296 rows is over the limit of 4294967295 rows; split it into several.");
  application.release(buffer);
}

// A usage that the application left out is named where it is needed, not before.
TEST_F(Interop, MissingUsage) {
  const WGPUBuffer not_readable = application.create_buffer(16, WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst);
  const MutableVectorView unread =
      webgpu::borrow_buffer(device, not_readable).rows({.format = Format::float32, .row_count = 4});
  unread.write({1.0f, 2.0f, 3.0f, 4.0f});
  const char* const reading =
      "The view lies in a borrowed buffer without the usage CopySrc, which reading needs; create the buffer with it.";
  expect_error<BindingError>([&] { (void)unread.read<float>(); }, ErrorCode::missing_usage, reading);
  expect_error<BindingError>([&] { (void)unread.read_async<float>(); }, ErrorCode::missing_usage, reading);

  const WGPUBuffer not_writable = application.create_buffer(16, kReadable);
  const MutableVectorView unwritten =
      webgpu::borrow_buffer(device, not_writable).rows({.format = Format::float32, .row_count = 4});
  EXPECT_THAT(unwritten.read<float>(), ElementsAre(0, 0, 0, 0));
  expect_error<BindingError>(
      [&] {
        unwritten.write({1.0f, 2.0f, 3.0f, 4.0f});
      },
      ErrorCode::missing_usage,
      "The view lies in a borrowed buffer without the usage CopyDst, which writing needs; create "
      "the buffer with it.");
  const WGPUBuffer vertex_only = application.create_buffer(16, WGPUBufferUsage_Vertex);
  EXPECT_EQ(webgpu::borrow_buffer(device, vertex_only).rows({.format = Format::float32, .row_count = 4}).row_count(),
            4u);
  for (const WGPUBuffer buffer : {not_readable, not_writable, vertex_only}) application.release(buffer);
}

// D-06: another device's buffer is an error with a name; the process lives, and the next read is right.
TEST_F(Interop, ForeignBuffers) {
  Application stranger;
  const std::string message = "The buffer to borrow is not one of the device \"" + device.adapter().name +
                              "\"; borrow it from the device that made it.";
  for (const WGPUBufferUsage usage :
       {kReadable, WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst, WGPUBufferUsage(WGPUBufferUsage_Vertex),
        WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst}) {
    const WGPUBuffer buffer = stranger.create_buffer(16, usage);
    expect_error<BindingError>([&] { (void)webgpu::borrow_buffer(device, buffer); }, ErrorCode::foreign_device,
                               message);
    stranger.release(buffer);
  }
  EXPECT_EQ(application.uncaptured_errors(), 0);
  Device own = Device::open();
  const Vector vector = own.upload(Format::float32, {1.0f});
  const WGPUBuffer of_vector = webgpu::native_chunks(vector).front().buffer;
  expect_error<BindingError>([&] { (void)webgpu::borrow_buffer(device, of_vector); }, ErrorCode::foreign_device,
                             message);
  EXPECT_THAT(vector.read<float>(), ElementsAre(1));
  EXPECT_THAT(device.upload(Format::float32, {3.0f}).read<float>(), ElementsAre(3));
}

// Buffers for mapping can be borrowed, too: finding out whose they are does not map them.
TEST_F(Interop, MappableBuffers) {
  const WGPUBuffer buffer = application.create_buffer(16, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
  webgpu::borrow_buffer(device, buffer)
      .rows({.format = Format::float32, .row_count = 4})
      .write({1.0f, 2.0f, 3.0f, 4.0f});
  EXPECT_EQ(application.uncaptured_errors(), 0);
  application.release(buffer);
}

// D-06: a buffer that its owner destroyed never ends the process: not when borrowed, not when read or written.
TEST_F(Interop, DestroyedBuffers) {
  const WGPUBuffer buffer = application.create_buffer(std::vector<float>{1, 2}, kReadable);
  const MutableVectorView view =
      webgpu::borrow_buffer(device, buffer).rows({.format = Format::float32, .row_count = 2});
  application.destroy(buffer);
  const auto expect_refused = [](auto action) {
    expect_error<BindingError>(
        action, ErrorCode::destroyed,
        "The view lies in a borrowed buffer that its owner destroyed; destroy a buffer after its views.");
  };
  expect_refused([&] { (void)view.read<float>(); });
  expect_refused([&] { (void)view.read_async<float>(); });
  expect_refused([&] { view.write({3.0f, 4.0f}); });
  expect_error<BindingError>([&] { (void)webgpu::borrow_buffer(device, buffer); }, ErrorCode::destroyed,
                             "The buffer to borrow was destroyed by its owner.");
  EXPECT_EQ(application.uncaptured_errors(), 0);
  application.release(buffer);
  EXPECT_THAT(device.upload(Format::float32, {3.0f}).read<float>(), ElementsAre(3));
}

// What the application copies out of a vector through its handles is what the vector holds.
TEST_F(Interop, NativeChunks) {
  const std::vector<float> none;
  Vector vector = device.upload_chunks(Format::float32x2, {{1.0f, 2.0f}, none, {3.0f, 4.0f, 5.0f, 6.0f}});
  const std::vector<webgpu::NativeRange> chunks = webgpu::native_chunks(vector.rows({.first = 0, .count = 2}));
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[0].byte_offset, 0u);
  EXPECT_EQ(chunks[0].byte_size, 8u);
  EXPECT_EQ(chunks[1].buffer, nullptr);
  EXPECT_EQ(chunks[1].byte_size, 0u);
  EXPECT_EQ(chunks[2].byte_size, 8u);
  const webgpu::NativeRange last = webgpu::native_chunks(vector.rows({.first = 2, .count = 1})).front();
  EXPECT_EQ(last.buffer, chunks[2].buffer);
  EXPECT_EQ(last.byte_offset, 8u);
  const VectorView borrowed = webgpu::borrow_buffer(device, last.buffer)
                                  .rows({.format = Format::float32, .byte_offset = last.byte_offset, .row_count = 2});
  EXPECT_THAT(borrowed.read<float>(), ElementsAre(5, 6));
  const VectorView strided = webgpu::borrow_buffer(device, last.buffer)
                                 .rows({.format = Format::float32, .byte_offset = 4, .byte_stride = 8, .row_count = 2});
  EXPECT_EQ(webgpu::native_chunks(strided).front().byte_size, 12u);
  vector.destroy();
  EXPECT_THAT(borrowed.read<float>(), ElementsAre(5, 6));
}

// A device that is not thread-safe is refused on another thread, instead of racing with the application.
TEST_F(Interop, OtherThreads) {
  const Vector vector = device.upload(Format::float32, {1.0f});
  const std::string message = "The borrowed device \"" + device.adapter().name +
                              "\" is used from another thread than the one that borrowed it; say .thread_safe = true "
                              "where the application allows that.";
  std::thread([&] {
    const auto expect_refused = [&](auto action) {
      expect_error<BindingError>(action, ErrorCode::wrong_thread, message);
    };
    expect_refused([&] { (void)vector.read<float>(); });
    expect_refused([&] { (void)device.upload(Format::float32, {1.0f}); });
    expect_refused([&] { device.poll(); });
    expect_refused([&] { device.wait(); });
  }).join();
  EXPECT_THAT(vector.read<float>(), ElementsAre(1));
  Device shared = webgpu::borrow_device({.instance = application.instance(),
                                         .device = application.device(),
                                         .library = application.library(),
                                         .thread_safe = true});
  std::thread([&] { EXPECT_THAT(shared.upload(Format::float32, {2.0f}).read<float>(), ElementsAre(2)); }).join();
}

}  // namespace
}  // namespace millrace
