// What a device must have to be opened at all.
#include <gtest/gtest.h>

#include "src/webgpu/requirements.hpp"

namespace millrace::webgpu {
namespace {

// The least that every graph can run on: 256-wide workgroups, two bind groups, four storage buffers.
struct LeastDevice {
  DeviceCapabilities capabilities = {.timestamps = false,
                                     .subgroups = false,
                                     .f16 = false,
                                     .buffer_byte_size = 256,
                                     .storage_binding_byte_size = 256,
                                     .uniform_binding_byte_size = 256,
                                     .storage_buffers_per_stage = 4,
                                     .storage_offset_alignment = 256,
                                     .uniform_offset_alignment = 256,
                                     .workgroups_per_dimension = 1,
                                     .invocations_per_workgroup = 256,
                                     .rows_per_dispatch = 1};
  WGPULimits limits = WGPU_LIMITS_INIT;

  LeastDevice() {
    limits.maxBindGroups = 2;
    limits.maxDynamicUniformBuffersPerPipelineLayout = 1;
  }
  [[nodiscard]] auto find_unmet() const { return find_unmet_requirement(capabilities, limits); }
};

// A device would be refused that can run every graph.
TEST(Requirements, AreMetByTheLeastDevice) { EXPECT_FALSE(LeastDevice().find_unmet().has_value()); }

// A device whose workgroups are narrower than our kernels would be opened, and every compile on it would fail. (D-03)
TEST(Requirements, WantWorkgroupsAsWideAsOurKernels) {
  LeastDevice device;
  device.capabilities.invocations_per_workgroup = 128;
  const auto unmet = device.find_unmet();
  ASSERT_TRUE(unmet.has_value());
  EXPECT_EQ(unmet->what, "invocations in a workgroup");
  EXPECT_EQ(unmet->has, 128u);
  EXPECT_EQ(unmet->least, 256u);
}

// A device without room for the parameters' bind group would fail at the first kernel.
TEST(Requirements, WantTwoBindGroups) {
  LeastDevice device;
  device.limits.maxBindGroups = 1;
  const auto unmet = device.find_unmet();
  ASSERT_TRUE(unmet.has_value());
  EXPECT_EQ(unmet->what, "bind groups");
}

}  // namespace
}  // namespace millrace::webgpu
