// Devices through the public API: open, list, limits, encoders, waits, and the errors of each.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <millrace/device.hpp>

#include "src/webgpu/core_internals.hpp"
#include "tests/expect_error.hpp"
#include "tests/webgpu/words.hpp"

namespace millrace {
namespace {

// A user opens a device, asks what it is, and finds nothing of it counted as the user's.
TEST(Device, OpensAndTellsItsAdapter) {
  const Device device = Device::open();
  EXPECT_NE(device.adapter().name, "");
  EXPECT_NE(device.adapter().api, GraphicsApi::unknown);
  EXPECT_FALSE(device.is_lost());
  EXPECT_EQ(device.stats().live_objects, 0u);
  EXPECT_EQ(device.stats().live_bytes, 0u);
  EXPECT_EQ(device.stats().peak_bytes, 0u);
  EXPECT_EQ(device.stats().cached_bytes, 0u);
}

// A device that was moved from, a slip in any container code, would end the user's process with a null pointer.
TEST(Device, MovedFromIsRefused) {
  Device moved = Device::open();
  const Device device = std::move(moved);
  const std::vector<std::function<void()>> calls = {
      [&] { (void)moved.adapter(); },
      [&] { (void)moved.capabilities(); },
      [&] { (void)moved.is_lost(); },
      [&] { (void)moved.upload(Format::float32, {1.0f}); },
      [&] { (void)moved.create_vector(Format::float32, {.length = 1}); },
      [&] { (void)moved.create_command_encoder(); },
      [&] { moved.poll(); },
      [&] { moved.wait(); },
      [&] { (void)moved.stats(); },
      [&] { moved.trim(); },
  };
  for (const auto& call : calls) {
    expect_error<BindingError>(call, ErrorCode::destroyed,
                               "The device was moved from; use the object that it was moved to.");
  }
  EXPECT_FALSE(device.is_lost());
}

// The adapter that open takes is the first of the list, so `millrace devices` tells the truth.
TEST(Device, OpensTheFirstOfItsList) {
  const std::vector<AdapterInfo> list = Device::list();
  ASSERT_FALSE(list.empty());
  const Device device = Device::open();
  EXPECT_EQ(device.adapter().name, list.front().name);
  EXPECT_EQ(device.adapter().driver, list.front().driver);
  EXPECT_EQ(device.adapter().provider, list.front().provider);
}

// A part of the adapter's name in any case finds it.
TEST(Device, IsFoundByAPartOfItsName) {
  std::string name = Device::list().front().name.substr(1, 6);
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const Device device = Device::open({.adapter_name_contains = name});
  EXPECT_EQ(device.adapter().name, Device::list().front().name);
}

// A user with big data gets what the adapter offers, not WebGPU's defaults. (D-02)
TEST(Device, HasTheAdaptersLimits) {
  const Device device = Device::open();
  const auto& core = webgpu::DeviceAccess::core(device);
  const DeviceCapabilities& capabilities = device.capabilities();
  const WGPULimits& limits = core->internals().limits;
  EXPECT_EQ(capabilities.buffer_byte_size, limits.maxBufferSize);
  EXPECT_EQ(capabilities.storage_binding_byte_size, limits.maxStorageBufferBindingSize);
  EXPECT_EQ(capabilities.storage_buffers_per_stage, limits.maxStorageBuffersPerShaderStage);
  // WebGPU's default is 8 storage buffers; both software drivers have more.
  EXPECT_GT(capabilities.storage_buffers_per_stage, 8u);
  EXPECT_GT(capabilities.buffer_byte_size, 268435456u);
  EXPECT_EQ(capabilities.rows_per_dispatch, 4294967295u);
}

// A test or a watchdog lowers limits; none is raised, and the alignment is not lowered.
TEST(Device, LimitsAreLoweredByTheOptions) {
  const DeviceCapabilities own = Device::open().capabilities();
  const Device capped = Device::open({.limits = {.storage_binding_byte_size = 1000,
                                                 .storage_buffers_per_stage = 4,
                                                 .workgroups_per_dimension = 2,
                                                 .storage_offset_alignment = 512,
                                                 .rows_per_dispatch = 1000}});
  EXPECT_EQ(capped.capabilities().storage_binding_byte_size, 1000u);
  EXPECT_EQ(capped.capabilities().storage_buffers_per_stage, 4u);
  EXPECT_EQ(capped.capabilities().workgroups_per_dimension, 2u);
  EXPECT_EQ(capped.capabilities().storage_offset_alignment, 512u);
  EXPECT_EQ(capped.capabilities().rows_per_dispatch, 1000u);
  const Device unchanged = Device::open({.limits = {.storage_binding_byte_size = ~std::uint64_t{0},
                                                    .storage_buffers_per_stage = 1000000,
                                                    .workgroups_per_dimension = 4000000,
                                                    .storage_offset_alignment = 1}});
  EXPECT_EQ(unchanged.capabilities().storage_binding_byte_size, own.storage_binding_byte_size);
  EXPECT_EQ(unchanged.capabilities().storage_buffers_per_stage, own.storage_buffers_per_stage);
  EXPECT_EQ(unchanged.capabilities().workgroups_per_dimension, own.workgroups_per_dimension);
  EXPECT_EQ(unchanged.capabilities().storage_offset_alignment, own.storage_offset_alignment);
}

// A device that no graph can run on is refused at once, not by what fails later. (D-03)
TEST(Device, WithoutStorageBuffersIsRefused) {
  const std::string name = Device::list().front().name;
  expect_error<DeviceError>([] { (void)Device::open({.limits = {.storage_buffers_per_stage = 0}}); },
                            ErrorCode::unsupported_device,
                            fmt::format("The device \"{}\" is not supported: it allows 0 storage buffers in a kernel, "
                                        "and millrace needs at least 4.",
                                        name));
  expect_error<DeviceError>(
      [] { (void)Device::open({.limits = {.workgroups_per_dimension = 0}}); }, ErrorCode::unsupported_device,
      fmt::format("The device \"{}\" is not supported: it allows 0 workgroups in a dimension, and "
                  "millrace needs at least 1.",
                  name));
  expect_error<DeviceError>([] { (void)Device::open({.limits = {.rows_per_dispatch = 0}}); },
                            ErrorCode::unsupported_device,
                            fmt::format("The device \"{}\" is not supported: it allows 0 rows in a dispatch, and "
                                        "millrace needs at least 1.",
                                        name));
}

// A cap that no device can have is refused by its name.
TEST(Device, AnAlignmentThatIsNoPowerOfTwoIsRefused) {
  expect_error<DeviceError>([] { (void)Device::open({.limits = {.storage_offset_alignment = 48}}); },
                            ErrorCode::invalid_limit,
                            "DeviceLimits::storage_offset_alignment is 48; it must be a power of two.");
}

// A user whose name filter fits nothing reads the filter back, and list gives nothing.
TEST(Device, NoAdapterNamesTheOptions) {
  const std::string provider = Device::list().front().provider;
  const DeviceOptions options = {.adapter_name_contains = "no such adapter", .api = GraphicsApi::vulkan};
  EXPECT_TRUE(Device::list(options).empty());
  expect_error<DeviceError>([&] { (void)Device::open(options); }, ErrorCode::no_adapter,
                            provider +
                                " finds no adapter named \"no such adapter\", on Vulkan; a graphics driver may be "
                                "missing, such as Mesa's software driver for Vulkan.");
}

// A user who wants a real GPU never gets a software driver.
TEST(Device, SoftwareIsLeftOutOnRequest) {
  for (const AdapterInfo& adapter : Device::list({.allow_software = false})) EXPECT_NE(adapter.type, AdapterType::cpu);
}

// A path that is no library, and a library that is no provider, are named.
TEST(Device, NoProviderNamesTheLibrary) {
  expect_error<DeviceError>([] { (void)Device::open({.provider_path = "/nowhere/libwebgpu.so"}); },
                            ErrorCode::no_provider,
                            "The WebGPU library \"/nowhere/libwebgpu.so\" cannot be loaded: /nowhere/libwebgpu.so: "
                            "cannot open shared object file: No such file or directory.");
  expect_error<DeviceError>([] { (void)Device::open({.provider_path = "libm.so.6"}); }, ErrorCode::no_provider,
                            "The WebGPU library \"libm.so.6\" lacks the function wgpuCreateInstance, which millrace "
                            "needs; give one that implements webgpu.h.");
}

// Runs in a child process, whose environment may change.
[[noreturn]] void open_and_exit() {
  try {
    (void)Device::open();
  } catch (const DeviceError& error) {
    std::fputs(error.what(), stderr);
    std::exit(error.code() == ErrorCode::no_provider ? 0 : 1);
  }
  std::exit(2);
}

// The environment variable is used before any other place, and a wrong one is an error, not passed over.
TEST(DeviceDeathTest, ProviderOfTheEnvironmentIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("MILLRACE_WEBGPU", "/nowhere/else.so", 1);
        open_and_exit();
      },
      ::testing::ExitedWithCode(0), "The WebGPU library \"/nowhere/else.so\" cannot be loaded: ");
}

// Without any provider the error tells where it was looked for, and the cure. A copy of this program, in a folder that
// has no provider beside it, runs the first test of this file and prints what that threw.
TEST(Device, NoProviderAnywhereTellsTheCure) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::canonical(fs::temp_directory_path()) / fmt::format("millrace_alone_{}", getpid());
  fs::create_directory(folder);
  fs::copy_file("/proc/self/exe", folder / "alone");
  const std::string command = fmt::format(
      "env -u MILLRACE_WEBGPU '{0}/alone' --gtest_filter=Device.OpensAndTellsItsAdapter > '{0}/printed' 2>&1",
      folder.string());
  EXPECT_NE(std::system(command.c_str()), 0);
  std::ifstream file(folder / "printed");
  const std::string printed(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(printed, ::testing::HasSubstr(fmt::format(
                           "\"No WebGPU library was found: \"{}/millrace/libwgpu_native.so\" does not exist and this "
                           "process brings none; name one in DeviceOptions::provider_path or the environment variable "
                           "MILLRACE_WEBGPU.\"",
                           folder.string())));
  fs::remove_all(folder);
}

// An encoder gives its commands once; used up or moved from, it says so.
TEST(CommandEncoder, FinishesOnce) {
  Device device = Device::open();
  CommandEncoder encoder = device.create_command_encoder();
  CommandBuffer commands = encoder.finish();
  expect_error<BindingError>([&] { (void)encoder.finish(); }, ErrorCode::destroyed,
                             "The command encoder was finished or moved from; create a new one.");
  device.submit(std::move(commands));
  device.wait();
  CommandEncoder moved = std::move(encoder);
  EXPECT_EQ(device.stats().live_objects, 0u);
}

// Commands go to the device they were recorded for, and no second time.
TEST(CommandBuffer, IsSubmittedOnceToItsDevice) {
  Device device = Device::open();
  Device other = Device::open();
  expect_error<BindingError>([&] { other.submit(device.create_command_encoder().finish()); }, ErrorCode::foreign_device,
                             "The command buffer was recorded for another device.");
  CommandBuffer commands = device.create_command_encoder().finish();
  CommandBuffer moved = std::move(commands);
  device.submit(std::move(moved));
  expect_error<BindingError>([&] { device.submit(std::move(commands)); }, ErrorCode::destroyed,
                             "The command buffer was submitted or moved from; record a new one.");
  EXPECT_EQ(device.stats().live_objects, 0u);
}

// Abandoned encoders and commands leave nothing behind.
TEST(CommandEncoder, IsAbandonedByDestruction) {
  Device device = Device::open();
  {
    const CommandEncoder unused = device.create_command_encoder();
    const CommandBuffer unsubmitted = device.create_command_encoder().finish();
    EXPECT_EQ(device.stats().live_objects, 2u);
  }
  EXPECT_EQ(device.stats().live_objects, 0u);
}

// Objects of a device may outlive it.
TEST(Device, MayGoBeforeItsObjects) {
  std::optional<Device> device = Device::open();
  std::optional<CommandEncoder> encoder = device->create_command_encoder();
  device.reset();
  (void)encoder->finish();
  encoder.reset();
}

// The longest deadline that a type holds is a wait without end, and the least is none, not an overflow.
TEST(Device, WaitsUpToAnyDeadline) {
  Device device = Device::open();
  const Vector many = device.create_vector(Format::float32, {.length = 4'000'000});
  PendingRead<float> read = many.read_async<float>();
  device.wait(std::chrono::milliseconds::max());
  PendingRead<float> other = many.read_async<float>();
  try {
    device.wait(std::chrono::milliseconds::min());
  } catch (const DeviceError& error) {
    EXPECT_EQ(error.code(), ErrorCode::deadline_exceeded);
  }
  EXPECT_EQ(read.wait(std::chrono::milliseconds::max()).size(), 4'000'000u);
  EXPECT_EQ(other.wait(std::chrono::seconds(10)).size(), 4'000'000u);
}

// An application that only polls gets along without a blocking call, and a wait on an idle device returns.
TEST(Device, PollsAndWaits) {
  Device device = Device::open();
  device.poll();
  device.wait(std::chrono::milliseconds(1000));
  device.trim();
}

}  // namespace
}  // namespace millrace
