// Cores over a device that an application made.
#include <string>
#include <vector>

#include <dlfcn.h>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <millrace/device.hpp>

#include "src/webgpu/adapters.hpp"
#include "src/webgpu/open.hpp"
#include "tests/webgpu/expect_error.hpp"
#include "tests/webgpu/raw_provider.hpp"

namespace millrace::webgpu {
namespace {

// An application's device with WebGPU's default limits and no callbacks, from its own copy of the library.
class Application {
 public:
  Application()
      : provider_(load_provider({})), found_(find_adapters(provider_, {})), library_(dlopen(library(), RTLD_NOW)) {
    const auto take = [](WGPURequestDeviceStatus, WGPUDevice made, WGPUStringView, void* userdata1, void*) {
      *static_cast<WGPUDevice*>(userdata1) = made;
    };
    functions().AdapterRequestDevice(found_.adapters.front().handle.get(), nullptr,
                                     {nullptr, WGPUCallbackMode_AllowProcessEvents, take, &device_, nullptr});
    while (device_ == nullptr) functions().InstanceProcessEvents(found_.instance.get());
    queue_ = functions().DeviceGetQueue(device_);
  }
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;
  ~Application() {
    functions().QueueRelease(queue_);
    functions().DeviceRelease(device_);
  }
  [[nodiscard]] BorrowedHandles handles() const { return {found_.instance.get(), device_, queue_, library_}; }
  [[nodiscard]] const FunctionTable& functions() const { return provider_.functions; }
  void destroy_device() const {
    reinterpret_cast<WGPUProcDeviceDestroy>(dlsym(library_, "wgpuDeviceDestroy"))(device_);
  }

 private:
  [[nodiscard]] const char* library() const { return provider_.library.c_str(); }
  const Provider& provider_;
  FoundAdapters found_;
  void* library_;
  WGPUDevice device_ = nullptr;
  WGPUQueue queue_ = nullptr;
};

// An application computes on its own device, and keeps it when ours is gone.
TEST(BorrowedCore, ComputesOnTheApplicationsDevice) {
  const Application application;
  for (int i = 0; i < 2; ++i) {
    const auto core = open_borrowed_core(application.handles(), {});
    const auto buffer = upload_words(*core, {1, 2});
    run_kernel(*core, core->create_pipeline(adding_kernel(3)), *buffer, 1);
    EXPECT_EQ(read_words(*core, *buffer, 2), (std::vector<std::uint32_t>{4, 5}));
    EXPECT_FALSE(core->is_lost());
  }
}

// The limits are those of the application's device, not its adapter's, and caps lower them. (D-02)
TEST(BorrowedCore, HasTheDevicesLimits) {
  const Application application;
  const auto core = open_borrowed_core(application.handles(), {.rows_per_dispatch = 100});
  EXPECT_EQ(core->capabilities().storage_binding_byte_size, 134217728u);
  EXPECT_EQ(core->capabilities().buffer_byte_size, 268435456u);
  EXPECT_EQ(core->capabilities().rows_per_dispatch, 100u);
  EXPECT_FALSE(core->capabilities().timestamps);
}

// An error on a device without a callback would end the process in wgpu-native; ours are caught by scopes.
TEST(BorrowedCore, ErrorsDoNotNeedACallback) {
  const Application application;
  const auto core = open_borrowed_core(application.handles(), {});
  PipelineDescription broken = adding_kernel(1);
  broken.wgsl = "fn main( {}";
  EXPECT_THROW((void)core->create_pipeline(broken), KernelError);
  Recorder recorder = core->create_recorder("r");
  recorder.begin_compute_pass();
  recorder.dispatch(1, 1, 1);
  recorder.end_compute_pass();
  EXPECT_THROW((void)recorder.finish(), DeviceError);
}

// The application destroys its device under us: calls on wgpu-native say so, where a submission would end the process;
// Dawn tells of it in maps and waits alone.
TEST(BorrowedCore, SurvivesTheDevicesDestruction) {
  const Application application;
  const auto core = open_borrowed_core(application.handles(), {});
  const auto buffer = upload_words(*core, {1});
  Recorder recorder = core->create_recorder("r");
  const WGPUCommandBuffer commands = recorder.finish();
  const WGPUBuffer staging = core->create_staging_buffer(16);
  application.destroy_device();
  const auto use = [&] {
    core->submit(commands);
    const auto request = core->map_for_reading(staging, 0, 16);
    core->wait_until([&] { return request->status != MapRequest::Status::pending; }, std::chrono::seconds(10), "a map");
    (void)core->create_buffer("b", 16, kVectorUsage);
  };
  const bool native = core->adapter().provider == "wgpu-native";
  expect_error<DeviceError>(
      use, ErrorCode::device_lost,
      fmt::format("The device \"{}\" is lost; open a new one. {}", core->adapter().name,
                  native ? "wgpu-native says: Parent device is lost" : "Dawn says: [Device] is lost."));
  EXPECT_TRUE(core->is_lost());
  core->release_staging_buffer(staging);
}

// A device that is not enough is refused as one of ours would be. (D-03)
TEST(BorrowedCore, IsRefusedWhereItIsNotEnough) {
  const Application application;
  try {
    (void)open_borrowed_core(application.handles(), {.storage_buffers_per_stage = 3});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const DeviceError& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported_device);
    EXPECT_EQ(std::string(error.what()),
              fmt::format("The device \"{}\" is not supported: it allows 3 storage buffers in a kernel, and millrace "
                          "needs at least 4.",
                          error.subject()));
  }
}

}  // namespace
}  // namespace millrace::webgpu
