// Out of memory and device loss, made to happen: every call says so, nothing leaks, and destructors work.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <millrace/device.hpp>

#include "src/webgpu/faults.hpp"
#include "tests/webgpu/expect_error.hpp"
#include "tests/webgpu/raw_provider.hpp"
#include "tests/webgpu/words.hpp"

namespace millrace::webgpu {
namespace {

// The whole way of one kernel, in one function, so that each of its creations can fail.
void run_once(DeviceCore& core) {
  const auto buffer = upload_words(core, {1, 2, 3});
  run_kernel(core, core.create_pipeline(adding_kernel(1)), *buffer, 1);
}

// Whichever creation fails, the caller gets out_of_memory, and objects and bytes are as before.
TEST(OutOfMemory, OfAnyCreationLeavesNothingBehind) {
  const Device device = Device::open();
  const auto& core = DeviceAccess::core(device);
  std::uint64_t failures = 0;
  for (std::uint64_t n = 1; n < 100; ++n) {
    fail_nth_creation(*core, n);
    try {
      run_once(*core);
      break;
    } catch (const DeviceError& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_memory) << "creation " << n;
      ++failures;
    }
    EXPECT_EQ(device.stats().live_objects, 0u) << "creation " << n;
    EXPECT_EQ(device.stats().live_bytes, 0u) << "creation " << n;
  }
  // Buffer, shader module, bind group layout, pipeline layout, pipeline, bind group, encoder, command buffer.
  EXPECT_EQ(failures, 8u);
  fail_nth_creation(*core, 0);
  run_once(*core);
  EXPECT_EQ(device.stats().live_objects, 0u);
}

// The messages tell what there was no memory for.
TEST(OutOfMemory, TellsForWhat) {
  const Device device = Device::open();
  const auto& core = DeviceAccess::core(device);
  const std::string begin = fmt::format("The device \"{}\" has no memory left to ", device.adapter().name);
  const auto fails = [&](const std::function<void()>& action, const std::string& what) {
    fail_nth_creation(*core, 1);
    expect_error<DeviceError>(action, ErrorCode::out_of_memory, begin + what);
  };
  fails([&] { (void)core->create_buffer("positions", 64, kVectorUsage); },
        "create a buffer of 64 bytes for \"positions\".");
  fails([&] { (void)core->create_pipeline(adding_kernel(1)); }, "create kernel \"add 1\".");
  fails([&] { (void)core->create_recorder("r"); }, "begin the recording \"r\".");
  fails([&] { (void)core->create_staging_buffer(64); }, "create a buffer of 64 bytes for \"staging\".");
  Recorder recorder = core->create_recorder("r");
  fails([&] { (void)recorder.finish(); }, "finish the recording \"r\".");
  const ComputePipeline pipeline = core->create_pipeline(adding_kernel(1));
  const auto buffer = upload_words(*core, {1});
  const BoundRange range = {0, buffer.get(), 0, 16};
  fails([&] { (void)core->create_bind_group(pipeline, 0, {&range, 1}); }, "bind the buffers of kernel \"add 1\".");
}

// Once the device is lost, every call says so, and everything can still be destroyed.
TEST(DeviceLost, IsToldByEveryCall) {
  Device device = Device::open();
  const std::shared_ptr<DeviceCore> core = DeviceAccess::core(device);
  const auto buffer = upload_words(*core, {1, 2, 3});
  const ComputePipeline pipeline = core->create_pipeline(adding_kernel(1));
  const BoundRange range = {0, buffer.get(), 0, 16};
  const BindGroup group = core->create_bind_group(pipeline, 0, {&range, 1});
  Recorder recorder = core->create_recorder("r");
  Recorder in_pass = core->create_recorder("in pass");
  in_pass.begin_compute_pass();
  Recorder done = core->create_recorder("done");
  const WGPUCommandBuffer commands = done.finish();
  CommandEncoder encoder = device.create_command_encoder();
  CommandBuffer finished = device.create_command_encoder().finish();
  const WGPUBuffer staging = core->create_staging_buffer(16);
  const auto request = core->map_for_reading(staging, 0, 16);
  core->wait_until([&] { return request->status == MapRequest::Status::mapped; }, std::chrono::seconds(10), "a map");

  lose_device(*core);
  EXPECT_TRUE(device.is_lost());
  const std::string message = fmt::format("The device \"{}\" is lost; open a new one. {} says: lost by the fault seam",
                                          device.adapter().name, device.adapter().provider);
  const auto lost = [&](const std::function<void()>& action) {
    expect_error<DeviceError>(action, ErrorCode::device_lost, message);
  };
  const std::vector<std::byte> bytes(4);
  lost([&] { (void)core->create_buffer("b", 16, kVectorUsage); });
  lost([&] { core->write_buffer(*buffer, 0, bytes); });
  lost([&] { (void)core->create_pipeline(adding_kernel(1)); });
  lost([&] { (void)core->create_pipeline(adding_kernel(2)); });
  lost([&] { (void)core->create_bind_group(pipeline, 0, {&range, 1}); });
  lost([&] { (void)core->create_recorder("new"); });
  lost([&] { (void)core->create_staging_buffer(16); });
  lost([&] { (void)core->map_for_reading(staging, 0, 16); });
  lost([&] { (void)core->mapped_bytes(staging, 0, 16); });
  lost([&] { core->submit(commands); });
  lost([&] { core->wait_for_queue(std::chrono::seconds(1)); });
  lost([&] { core->wait_until([] { return false; }, std::chrono::seconds(1), "nothing"); });
  lost([&] { recorder.copy(*buffer, 0, *buffer, 0, 4); });
  lost([&] { recorder.clear(*buffer, 0, 4); });
  lost([&] { recorder.begin_compute_pass(); });
  lost([&] { (void)recorder.finish(); });
  lost([&] { in_pass.set_pipeline(pipeline); });
  lost([&] { in_pass.set_bind_group(0, group, {}); });
  lost([&] { in_pass.dispatch(1, 1, 1); });
  lost([&] { in_pass.dispatch_indirect(*buffer, 0); });
  lost([&] { in_pass.end_compute_pass(); });
  lost([&] { (void)encoder.finish(); });
  lost([&] { device.submit(std::move(finished)); });
  lost([&] { (void)device.create_command_encoder(); });
  lost([&] { device.wait(); });
  device.poll();
  device.trim();
  EXPECT_EQ(device.stats().live_bytes, 16u);
  core->unmap(staging);
  core->release_staging_buffer(staging);
}

// A device that is really gone, as a driver's reset makes it, is told as lost by whichever call comes first, and by
// submit too, where wgpu-native would end the process.
TEST(DeviceLost, IsFoundByAnyCall) {
  const auto lost_by = [](const std::function<void(DeviceCore&, WGPUCommandBuffer)>& call) {
    const RawProvider raw{};
    Recorder recorder = raw.core->create_recorder("r");
    const WGPUCommandBuffer commands = recorder.finish();
    raw.find<WGPUProcDeviceDestroy>("wgpuDeviceDestroy")(raw.handle);
    expect_error<DeviceError>(
        [&] { call(*raw.core, commands); }, ErrorCode::device_lost,
        fmt::format("The device \"{}\" is lost; open a new one. {}", raw.device.adapter().name,
                    raw.is_native() ? "wgpu-native says: Parent device is lost" : "Dawn says: Device was destroyed."));
    EXPECT_TRUE(raw.device.is_lost());
  };
  lost_by([](DeviceCore& core, WGPUCommandBuffer commands) { core.submit(commands); });
  lost_by([](DeviceCore& core, WGPUCommandBuffer commands) {
    core.release_commands(commands);
    (void)core.create_buffer("b", 16, kVectorUsage);
  });
  lost_by([](DeviceCore& core, WGPUCommandBuffer commands) {
    core.release_commands(commands);
    (void)core.create_pipeline(adding_kernel(1));
  });
}

// A lost device leaves others alone.
TEST(DeviceLost, IsOneDevicesMatter) {
  const Device lost = Device::open();
  lose_device(*DeviceAccess::core(lost));
  const Device device = Device::open();
  EXPECT_FALSE(device.is_lost());
  run_once(*DeviceAccess::core(device));
}

}  // namespace
}  // namespace millrace::webgpu
