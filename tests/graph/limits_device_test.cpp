// Devices that allow little: what does not fit is split, and the values stay right.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/webgpu_interop.hpp>

#include "tests/expect_error.hpp"
#include "tests/graph/on_device.hpp"
#include "tests/webgpu/application.hpp"

namespace millrace {
namespace {

using Floats = std::vector<float>;

Floats doubled(Device& device, std::size_t rows) {
  const Graph graph = graph_of({{"x", vector_of(Format::float32x3)}}, {"twice = x * 2"});
  const Vector x = device.upload(Format::float32x3, ramp(3 * rows));
  return graph.compile(device).run({.inputs = {{"x", x}}}).take("twice").read<float>();
}

// D-01: a sum of twelve vectors would need thirteen storage buffers where eight, or four, are allowed.
TEST(Limits, SplitsKernelsThatNeedMoreStorageBuffers) {
  for (const std::uint32_t limit : {8u, 4u}) {
    for (const bool fusion : {true, false}) {
      Device device = Device::open({.limits = {.storage_buffers_per_stage = limit}});
      Graph graph;
      Bindings bindings;
      std::string formula = "sum = ";
      std::vector<Vector> inputs;
      for (int index = 0; index < 12; ++index) {
        const std::string name(1, static_cast<char>('a' + index));
        graph.add_input(name, vector_of(Format::float32));
        formula += (index == 0 ? "" : " + ") + name;
        inputs.push_back(device.upload(Format::float32, {1.0f, 2.0f, 3.0f}));
        bindings.inputs.set(name, inputs.back());
      }
      graph.add(Expression{formula});
      const CompiledGraph compiled = graph.compile(device, {.fusion = fusion});
      EXPECT_EQ(compiled.run(bindings).take("sum").read<float>(), (Floats{12, 24, 36})) << limit << " storage buffers";
      for (const FusedKernel& kernel : compiled.report().kernels) EXPECT_LE(kernel.storage_bindings, limit);
      EXPECT_GT(compiled.report().kernels.size(), 1u);
    }
  }
}

// D-03: a device that allows no storage buffers would fail later, somewhere else.
TEST(Limits, RefusesADeviceWithoutStorageBuffers) {
  try {
    (void)Device::open({.limits = {.storage_buffers_per_stage = 0}});
    ADD_FAILURE() << "a device without storage buffers was opened";
  } catch (const DeviceError& error) {
    EXPECT_EQ(to_string(error.code()), "unsupported_device");
  }
}

// D-09: with a cap on the rows of a dispatch, rows past the first dispatch would be computed from the first rows.
TEST(Limits, KeepsToTheRowsOfADispatch) {
  Device device = Device::open({.limits = {.rows_per_dispatch = 1000}});
  EXPECT_EQ(doubled(device, 3500), ramp(3 * 3500, 0, 2));
}

// C-10: rows behind a cut at an unaligned byte would come from elsewhere.
TEST(Limits, CutsAtALimitThatIsNotAligned) {
  Device device = Device::open({.limits = {.storage_binding_byte_size = 1000, .storage_offset_alignment = 256}});
  EXPECT_EQ(doubled(device, 200), ramp(3 * 200, 0, 2));
}

// C-11: row 42 of twelve bytes lies across byte 512.
TEST(Limits, CutsThroughNoRow) {
  Device device = Device::open({.limits = {.storage_binding_byte_size = 512, .storage_offset_alignment = 256}});
  EXPECT_EQ(doubled(device, 50), ramp(3 * 50, 0, 2));
}

// D-02: a vector that no binding of an application's device holds, since it was requested without limits, would be
// refused, or its rows past the first binding computed from elsewhere.
TEST(Limits, CutsWhatADevicesDefaultLimitsDoNotHold) {
  const Application application;
  Device device = webgpu::borrow_device(
      {.instance = application.instance(), .device = application.device(), .library = application.library()});
  ASSERT_EQ(device.capabilities().storage_binding_byte_size, 134217728u);
  constexpr std::uint64_t kRowCount = 52428800, kCut = 33554432;  // 200 MiB and 128 MiB
  constexpr std::uint64_t kFold = 65535 * 256;  // rows of a dispatch's first dimension, in workgroups of 256
  // Rows around every place where something begins or ends; all others are 0.
  constexpr std::uint64_t kWindow = 600;
  constexpr std::array<std::uint64_t, 5> kWindows = {0, kFold - kWindow / 2, kCut - kWindow / 2,
                                                     kCut + kFold - kWindow / 2, kRowCount - kWindow};
  Floats rows(kRowCount);
  float next = 1;
  for (const std::uint64_t first : kWindows) {
    for (std::uint64_t row = first; row < first + kWindow; ++row) rows[row] = next++;
  }
  const Vector x = device.upload(Format::float32, rows);
  rows = {};
  Results results =
      graph_of({{"x", vector_of(Format::float32)}}, {"y = x * 2 + 1"}).compile(device).run({.inputs = {{"x", x}}});
  next = 1;
  for (const std::uint64_t first : kWindows) {
    EXPECT_EQ(results["y"].rows({first, kWindow}).read<float>(), ramp(kWindow, 2 * next + 1, 2))
        << "from row " << first;
    next += kWindow;
  }
  // Between the windows nothing was computed from a window's rows.
  EXPECT_EQ(results["y"].rows({kCut + kWindow, kWindow}).read<float>(), Floats(kWindow, 1));
  EXPECT_EQ(application.uncaptured_errors(), 0);
}

// Rows past the first fold of a dispatch would be left out.
TEST(Limits, FoldsDispatchesOverAllDimensions) {
  Device device = Device::open({.limits = {.workgroups_per_dimension = 2}});
  for (const std::size_t rows : {512u, 513u, 1024u, 1025u, 2048u, 2049u, 5000u}) {
    EXPECT_EQ(doubled(device, rows), ramp(3 * rows, 0, 2)) << rows << " rows";
  }
}

// A row wider than a binding would be bound in part.
TEST(Limits, RefusesRowsThatNoBindingHolds) {
  Device device = Device::open({.limits = {.storage_binding_byte_size = 256, .storage_offset_alignment = 256}});
  const Vector storage = device.upload(Format::float32, ramp(200));
  const CompiledGraph compiled = graph_of({{"x", vector_of(Format::float32x4)}}, {"y = x * 2"}).compile(device);
  const webgpu::BorrowedBuffer buffer = webgpu::borrow_buffer(device, webgpu::native_chunks(storage)[0].buffer);
  const auto rows_from = [&](std::uint64_t byte_offset) {
    return buffer.rows({.format = Format::float32x4, .byte_offset = byte_offset, .row_count = 1});
  };
  EXPECT_EQ(compiled.run({.inputs = {{"x", rows_from(240)}}}).take("y").read<float>(), (Floats{120, 122, 124, 126}));
  expect_error<DeviceError>(
      [&] {
        (void)compiled.run({.inputs = {{"x", rows_from(248)}}});
      },
      ErrorCode::over_device_limit, "x",
      "A row of \"x\" takes 16 bytes and does not fit a storage binding of 256 bytes that begins on 256.");
}

}  // namespace
}  // namespace millrace
