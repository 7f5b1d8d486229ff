// What the two providers make of adapters, measured through the raw functions: which drivers they accept, and which
// numbers of features a device may be requested with. A row that fails here means that a provider has changed.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <millrace/device.hpp>

#include "src/webgpu/adapters.hpp"
#include "src/webgpu/core_internals.hpp"
#include "src/webgpu/error_scope.hpp"
#include "src/webgpu/open.hpp"

namespace millrace::webgpu {
namespace {

// Debian's own package and that of backports name it differently.
constexpr std::array<const char*, 2> kLavapipeManifests = {"/usr/share/vulkan/icd.d/lvp_icd.x86_64.json",
                                                           "/usr/share/vulkan/icd.d/lvp_icd.json"};
constexpr const char* kLavapipe = "/usr/lib/x86_64-linux-gnu/libvulkan_lvp.so";

bool is_native(const Provider& provider) { return provider.dialect->provider_name == "wgpu-native"; }

bool exists(const char* path) { return std::filesystem::exists(path); }

bool lavapipe_is_of_mesa(const std::string& version) {
  std::ifstream file(kLavapipe, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return bytes.find("Mesa " + version) != std::string::npos;
}

// For a child process, before its first instance: tells on stderr what is found where this driver is the only one.
void print_adapters_of(const std::string& manifest) {
  setenv("VK_ICD_FILENAMES", manifest.c_str(), 1);
  setenv("VK_DRIVER_FILES", manifest.c_str(), 1);
  std::string names;
  for (const AdapterInfo& adapter : Device::list({.api = GraphicsApi::vulkan})) names += "<" + adapter.name + ">";
  std::fprintf(stderr, "adapters: [%s]\n", names.c_str());
  _exit(0);
}

class ProviderAdaptersDeathTest : public ::testing::Test {
 protected:
  // A child process is started afresh, so that it loads the drivers that it is told of.
  ProviderAdaptersDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

// The lavapipe of Debian 12 is an adapter for wgpu-native; Dawn refuses it and accepts that of backports. Where none is
// installed neither provider finds one.
TEST_F(ProviderAdaptersDeathTest, DebiansLavapipe) {
  const auto manifest = std::ranges::find_if(kLavapipeManifests, exists);
  const bool installed = manifest != kLavapipeManifests.end() && exists(kLavapipe);
  const auto none = testing::HasSubstr("adapters: []");
  const auto lavapipe = testing::HasSubstr("adapters: [<llvmpipe");
  // Of other versions it is known only that they bring no other adapter.
  testing::Matcher<const std::string&> expected = testing::AnyOf(none, lavapipe);
  if (!installed || (!is_native(load_provider({})) && lavapipe_is_of_mesa("22.3.6"))) {
    expected = none;
  } else if (is_native(load_provider({})) || lavapipe_is_of_mesa("25.0.7")) {
    expected = lavapipe;
  }
  EXPECT_EXIT(print_adapters_of(installed ? *manifest : kLavapipeManifests[0]), testing::ExitedWithCode(0), expected);
}

// Without a driver there are no adapters, and nothing breaks.
TEST_F(ProviderAdaptersDeathTest, NoDriver) {
  EXPECT_EXIT(print_adapters_of("/nowhere/icd.json"), testing::ExitedWithCode(0), testing::HasSubstr("adapters: []"));
}

// A device of the best adapter with these features; none where the adapter refuses them.
class RequestedDevice {
 public:
  explicit RequestedDevice(const std::vector<WGPUFeatureName>& features) {
    WGPUDeviceDescriptor descriptor = {};
    descriptor.requiredFeatureCount = features.size();
    descriptor.requiredFeatures = features.data();
    functions().AdapterRequestDevice(adapter(), &descriptor,
                                     {nullptr, WGPUCallbackMode_AllowProcessEvents, take, this, nullptr});
    while (!answered_) functions().InstanceProcessEvents(found_.instance.get());
  }
  RequestedDevice(const RequestedDevice&) = delete;
  RequestedDevice& operator=(const RequestedDevice&) = delete;
  ~RequestedDevice() {
    if (device_ != nullptr) functions().DeviceRelease(device_);
  }

  [[nodiscard]] const Provider& provider() const { return provider_; }
  [[nodiscard]] bool is_given() const { return device_ != nullptr; }
  [[nodiscard]] bool adapter_lists(WGPUFeatureName feature) const {
    WGPUSupportedFeatures supported = {};
    functions().AdapterGetFeatures(adapter(), &supported);
    const std::span features(supported.features, supported.featureCount);
    const bool lists = std::ranges::find(features, feature) != features.end();
    functions().SupportedFeaturesFreeMembers(supported);
    return lists;
  }
  // The error of a pass that writes a timestamp between its dispatches.
  [[nodiscard]] std::string error_of_timestamp_inside_pass() const {
    const WGPUQueue queue = functions().DeviceGetQueue(device_);
    const auto core = open_borrowed_core({found_.instance.get(), device_, queue, library()}, {});
    WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    descriptor.type = WGPUQueryType_Timestamp;
    descriptor.count = 1;
    ErrorScope scope(core->internals());
    const WGPUQuerySet queries = find<WGPUProcDeviceCreateQuerySet>("wgpuDeviceCreateQuerySet")(device_, &descriptor);
    const WGPUCommandEncoder encoder = functions().DeviceCreateCommandEncoder(device_, nullptr);
    const WGPUComputePassEncoder pass = functions().CommandEncoderBeginComputePass(encoder, nullptr);
    // Of wgpu-native's own wgpu.h.
    find<void (*)(WGPUComputePassEncoder, WGPUQuerySet, std::uint32_t)>("wgpuComputePassEncoderWriteTimestamp")(
        pass, queries, 0);
    functions().ComputePassEncoderEnd(pass);
    functions().ComputePassEncoderRelease(pass);
    functions().CommandBufferRelease(functions().CommandEncoderFinish(encoder, nullptr));
    functions().CommandEncoderRelease(encoder);
    find<WGPUProcQuerySetRelease>("wgpuQuerySetRelease")(queries);
    functions().QueueRelease(queue);
    const std::optional<CaughtError> error = scope.end();
    return error ? error->words : std::string();
  }

 private:
  static void take(WGPURequestDeviceStatus, WGPUDevice device, WGPUStringView, void* requested, void*) {
    static_cast<RequestedDevice*>(requested)->device_ = device;
    static_cast<RequestedDevice*>(requested)->answered_ = true;
  }
  [[nodiscard]] const FunctionTable& functions() const { return provider_.functions; }
  [[nodiscard]] WGPUAdapter adapter() const { return found_.adapters.front().handle.get(); }
  // A function that the table leaves out.
  template <class Function>
  [[nodiscard]] Function find(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library(), name));
  }
  [[nodiscard]] void* library() const { return dlopen(provider_.library.c_str(), RTLD_NOW); }

  const Provider& provider_ = load_provider({});
  const FoundAdapters found_ = find_adapters(provider_, {});
  WGPUDevice device_ = nullptr;
  bool answered_ = false;
};

constexpr auto kTimestampsInsidePasses = static_cast<WGPUFeatureName>(0x00030025);

// wgpu-native's number of the feature: a device is given with it exactly where the adapter lists it, and only such a
// device takes a timestamp inside of a pass. Dawn knows no such number.
TEST(ProviderFeatures, TimestampsInsidePassesHaveTheirNumber) {
  const WGPUFeatureName timestamps = load_provider({}).dialect->timestamp_query;
  const RequestedDevice without({timestamps});
  const RequestedDevice with({timestamps, kTimestampsInsidePasses});
  ASSERT_TRUE(without.is_given());
  EXPECT_EQ(with.is_given(), with.adapter_lists(kTimestampsInsidePasses));
  if (!is_native(with.provider())) {
    EXPECT_FALSE(with.is_given());
    return;
  }
  EXPECT_NE(without.error_of_timestamp_inside_pass(), "");
  if (with.is_given()) {
    EXPECT_EQ(with.error_of_timestamp_inside_pass(), "");
  }
}

}  // namespace
}  // namespace millrace::webgpu
