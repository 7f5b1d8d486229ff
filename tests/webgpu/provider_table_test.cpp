// What the two providers do by themselves, measured through the raw functions: the reason for each check of ours. A row
// that fails here means that a provider has changed, and that a check may go or another one is needed.
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/webgpu/raw_provider.hpp"

namespace millrace::webgpu {
namespace {

constexpr std::uint64_t kRange = 256;

class ProviderTable : public ::testing::Test {
 protected:
  const RawProvider raw_{};
  DeviceCore& core_ = *raw_.core;

  // The error of recording one dispatch of a kernel over these ranges.
  [[nodiscard]] std::string error_of_dispatch(const std::vector<BindingKind>& kinds,
                                              const std::vector<BoundRange>& ranges) const {
    const ComputePipeline pipeline = raw_.core->create_pipeline(kernel_over(kinds));
    const BindGroup group = raw_.core->create_bind_group(pipeline, 0, ranges);
    return raw_.error_of([&] {
      const WGPUCommandEncoder encoder = raw_.create_encoder();
      const WGPUComputePassEncoder pass = raw_.functions.CommandEncoderBeginComputePass(encoder, nullptr);
      raw_.functions.ComputePassEncoderSetPipeline(pass, pipeline.handle());
      raw_.functions.ComputePassEncoderSetBindGroup(pass, 0, group.handle(), 0, nullptr);
      raw_.functions.ComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
      raw_.functions.ComputePassEncoderEnd(pass);
      raw_.functions.ComputePassEncoderRelease(pass);
      raw_.functions.CommandBufferRelease(raw_.finish(encoder));
      raw_.functions.CommandEncoderRelease(encoder);
    });
  }
};

// The dialect is told by this function, which Dawn lacks.
TEST_F(ProviderTable, GetInstanceFeaturesTellsTheDialect) {
  EXPECT_EQ(raw_.functions.GetInstanceFeatures != nullptr, raw_.is_native());
  EXPECT_EQ(raw_.internals.provider->dialect->provider_name, raw_.device.adapter().provider);
}

// The dialect's number of TimestampQuery is the one that makes query sets work.
TEST_F(ProviderTable, TimestampQueryHasTheDialectsNumber) {
  ASSERT_TRUE(raw_.device.capabilities().timestamps);
  WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
  descriptor.type = WGPUQueryType_Timestamp;
  descriptor.count = 2;
  const auto create = raw_.find<WGPUProcDeviceCreateQuerySet>("wgpuDeviceCreateQuerySet");
  const auto release = raw_.find<WGPUProcQuerySetRelease>("wgpuQuerySetRelease");
  EXPECT_EQ(raw_.error_of([&] { release(create(raw_.handle, &descriptor)); }), "");
  EXPECT_EQ(raw_.find<WGPUProcDeviceHasFeature>("wgpuDeviceHasFeature")(
                raw_.handle, static_cast<WGPUFeatureName>(raw_.is_native() ? 0x9 : 0x3)),
            WGPU_TRUE);
}

// f16 works in WGSL exactly where the dialect's number says that the device has it.
TEST_F(ProviderTable, ShaderF16HasTheDialectsNumber) {
  const std::string error = raw_.error_of([&] {
    raw_.functions.ShaderModuleRelease(
        raw_.create_module("enable f16;\n@compute @workgroup_size(1) fn main() { _ = 1h; }"));
  });
  EXPECT_EQ(error.empty(), raw_.device.capabilities().f16) << error;
}

// Timestamps are raw ticks where the provider has a function for their period.
TEST_F(ProviderTable, OnlyNativeTellsATimestampPeriod) {
  EXPECT_EQ(raw_.find<void*>("wgpuQueueGetTimestampPeriod") != nullptr, raw_.is_native());
}

// Texture formats from R16Uint on are numbered otherwise by Dawn, which silently makes another format of them.
TEST_F(ProviderTable, TextureFormatsAreShiftedInDawn) {
  const auto create_texture = raw_.find<WGPUProcDeviceCreateTexture>("wgpuDeviceCreateTexture");
  const auto create_view = raw_.find<WGPUProcTextureCreateView>("wgpuTextureCreateView");
  WGPUTextureDescriptor texture = WGPU_TEXTURE_DESCRIPTOR_INIT;
  texture.usage = WGPUTextureUsage_TextureBinding;
  texture.dimension = WGPUTextureDimension_2D;
  texture.size = {1, 1, 1};
  texture.format = WGPUTextureFormat_R16Uint;
  WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
  entry.visibility = WGPUShaderStage_Compute;
  entry.texture.sampleType = WGPUTextureSampleType_Uint;
  entry.texture.viewDimension = WGPUTextureViewDimension_2D;
  const WGPUBindGroupLayoutDescriptor layout = {nullptr, {nullptr, 0}, 1, &entry};
  std::string created;
  const std::string bound = raw_.error_of([&] {
    WGPUTexture made = nullptr;
    WGPUTextureView view = nullptr;
    created = raw_.error_of([&] {
      made = create_texture(raw_.handle, &texture);
      view = create_view(made, nullptr);
    });
    WGPUBindGroupEntry binding = WGPU_BIND_GROUP_ENTRY_INIT;
    binding.textureView = view;
    const WGPUBindGroupLayout group_layout = raw_.functions.DeviceCreateBindGroupLayout(raw_.handle, &layout);
    const WGPUBindGroupDescriptor group = {nullptr, {nullptr, 0}, group_layout, 1, &binding};
    raw_.functions.BindGroupRelease(raw_.functions.DeviceCreateBindGroup(raw_.handle, &group));
    raw_.functions.BindGroupLayoutRelease(group_layout);
    raw_.find<WGPUProcTextureViewRelease>("wgpuTextureViewRelease")(view);
    raw_.find<WGPUProcTextureRelease>("wgpuTextureRelease")(made);
  });
  EXPECT_EQ(created, "");
  EXPECT_EQ(bound.empty(), raw_.is_native()) << bound;
}

// wgpu-native keeps one stack of error scopes for each device: another thread's errors land in ours. Dawn keeps one for
// each thread.
TEST_F(ProviderTable, ErrorScopesAreOfADeviceOrOfAThread) {
  const std::string caught = raw_.error_of([&] {
    std::thread([&] {
      raw_.functions.BufferRelease(raw_.create_buffer(16, WGPUBufferUsage_MapRead | WGPUBufferUsage_Storage));
    }).join();
    // What no scope catches comes to the device's callback, which our scopes report too: it is taken away first.
    const std::lock_guard lock(raw_.internals.news->mutex);
    raw_.internals.news->uncaptured_words.clear();
  });
  EXPECT_EQ(caught.empty(), !raw_.is_native()) << caught;
}

// Two writable ranges that overlap, be it by one word, are accepted silently by wgpu-native and rejected by Dawn.
TEST_F(ProviderTable, OverlappingWritableBindings) {
  const auto buffer = core_.create_buffer("b", 4 * kRange, kVectorUsage);
  for (const std::uint64_t byte_size : {2 * kRange, kRange + 4}) {
    const std::string error =
        error_of_dispatch({BindingKind::storage_read_write, BindingKind::storage_read_write},
                          {{0, buffer.get(), 0, byte_size}, {1, buffer.get(), kRange, 2 * kRange}});
    EXPECT_EQ(error.empty(), raw_.is_native()) << error;
  }
}

// Ranges are taken by the byte and not rounded: two writable ones that lie side by side, as near as the device's
// alignment lets them (16 bytes on Mesa 25.0.7, 256 on SwiftShader), are accepted by both, and so is a gap that only
// rounding to 256 would close.
TEST_F(ProviderTable, NearWritableBindings) {
  const std::uint64_t nearest = core_.capabilities().storage_offset_alignment;
  const auto buffer = core_.create_buffer("b", 4 * kRange, kVectorUsage);
  for (const BoundRange& second :
       {BoundRange{1, buffer.get(), nearest, nearest}, BoundRange{1, buffer.get(), 2 * nearest, 4}}) {
    EXPECT_EQ(error_of_dispatch({BindingKind::storage_read_write, BindingKind::storage_read_write},
                                {{0, buffer.get(), 0, nearest}, second}),
              "");
  }
}

// One buffer writable twice on ranges that do not overlap is accepted by both.
TEST_F(ProviderTable, DisjointWritableBindings) {
  const auto buffer = core_.create_buffer("b", 4 * kRange, kVectorUsage);
  EXPECT_EQ(error_of_dispatch({BindingKind::storage_read_write, BindingKind::storage_read_write},
                              {{0, buffer.get(), 0, kRange}, {1, buffer.get(), kRange, kRange}}),
            "");
}

// One buffer read-only and writable in a dispatch is rejected by both, on disjoint ranges too.
TEST_F(ProviderTable, ReadOnlyAndWritableBindings) {
  const auto buffer = core_.create_buffer("b", 4 * kRange, kVectorUsage);
  EXPECT_NE(error_of_dispatch({BindingKind::storage_read, BindingKind::storage_read_write},
                              {{0, buffer.get(), 0, kRange}, {1, buffer.get(), kRange, kRange}}),
            "");
}

// One buffer as read-only storage and as the size of the same dispatch is accepted by both; a size over the limit does
// no work, and is no error.
TEST_F(ProviderTable, IndirectDispatches) {
  const auto sizes = upload_words(core_, {1, 1, 1, 65536, 1, 1});
  const auto sum = upload_words(core_, {0});
  const ComputePipeline pipeline =
      core_.create_pipeline(kernel_over({BindingKind::storage_read, BindingKind::storage_read_write}));
  const std::vector<BoundRange> ranges = {{0, sizes.get(), 0, 32}, {1, sum.get(), 0, 16}};
  const BindGroup group = core_.create_bind_group(pipeline, 0, ranges);
  for (const std::uint64_t offset : {0u, 12u}) {
    Recorder recorder = core_.create_recorder("indirect");
    recorder.begin_compute_pass();
    recorder.set_pipeline(pipeline);
    recorder.set_bind_group(0, group, {});
    recorder.dispatch_indirect(*sizes, offset);
    recorder.end_compute_pass();
    core_.submit(recorder.finish());
  }
  EXPECT_EQ(read_words(core_, *sum, 1), std::vector<std::uint32_t>{2});
}

// wgpu-native refuses `enable subgroups;`, Dawn demands it.
TEST_F(ProviderTable, SubgroupsNeedAPreludeInDawn) {
  ASSERT_TRUE(raw_.device.capabilities().subgroups);
  const std::string body = "@compute @workgroup_size(32) fn main() { _ = subgroupAdd(1u); }";
  const auto error_with = [&](const std::string& prelude) {
    return raw_.error_of([&] { raw_.functions.ShaderModuleRelease(raw_.create_module(prelude + body)); });
  };
  EXPECT_EQ(error_with(std::string(raw_.internals.provider->dialect->subgroups_prelude)), "");
  EXPECT_NE(error_with(raw_.is_native() ? "enable subgroups;\n" : ""), "");
}

// Errors of single commands surface at finish, so that recording needs no scopes.
TEST_F(ProviderTable, ErrorsOfCommandsSurfaceAtFinish) {
  const auto buffer = core_.create_buffer("b", 64, kVectorUsage);
  const WGPUCommandEncoder encoder = raw_.create_encoder();
  const std::string recorded = raw_.error_of([&] {
    raw_.functions.CommandEncoderClearBuffer(encoder, buffer->handle(), 1, 5555);
    const WGPUComputePassEncoder pass = raw_.functions.CommandEncoderBeginComputePass(encoder, nullptr);
    raw_.functions.ComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    raw_.functions.ComputePassEncoderDispatchWorkgroupsIndirect(pass, buffer->handle(), 3);
    raw_.functions.ComputePassEncoderEnd(pass);
    raw_.functions.ComputePassEncoderRelease(pass);
  });
  EXPECT_EQ(recorded, "");
  EXPECT_NE(raw_.error_of([&] { raw_.functions.CommandBufferRelease(raw_.finish(encoder)); }), "");
  raw_.functions.CommandEncoderRelease(encoder);
}

// The limits of the two software drivers, on which tests of splitting rely.
TEST_F(ProviderTable, LimitsOfSoftwareDrivers) {
  const DeviceCapabilities& capabilities = raw_.device.capabilities();
  if (raw_.device.adapter().name.starts_with("llvmpipe")) {
    EXPECT_EQ(capabilities.storage_buffers_per_stage, 32u);
    EXPECT_EQ(capabilities.storage_binding_byte_size, 134217728u);
  }
  if (!raw_.is_native()) {
    EXPECT_EQ(capabilities.storage_buffers_per_stage, 10u);
    EXPECT_EQ(capabilities.invocations_per_workgroup, 256u);
  }
}

// A map is refused at offsets that are no multiple of 8, and sizes of 4, by both.
TEST_F(ProviderTable, MapsAreAligned) {
  const WGPUBuffer staging = core_.create_staging_buffer(64);
  const auto map = [&](std::uint64_t offset, std::uint64_t size) {
    return raw_.error_of([&] {
      raw_.functions.BufferMapAsync(staging, WGPUMapMode_Read, offset, size,
                                    {nullptr, WGPUCallbackMode_AllowProcessEvents,
                                     [](WGPUMapAsyncStatus, WGPUStringView, void*, void*) {}, nullptr, nullptr});
    });
  };
  EXPECT_NE(map(4, 16), "");
  EXPECT_NE(map(0, 6), "");
  EXPECT_EQ(map(8, 4), "");
  core_.unmap(staging);
  core_.release_staging_buffer(staging);
}

}  // namespace
}  // namespace millrace::webgpu
