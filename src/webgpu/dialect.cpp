// The two dialects. Numbers not in webgpu.h come from wgpu-native's wgpu.h and from Dawn's header of that version.
#include "src/webgpu/dialect.hpp"

namespace millrace::webgpu {
namespace {

constexpr Dialect kNative = {
    .provider_name = "wgpu-native",
    .timestamp_query = WGPUFeatureName_TimestampQuery,
    .shader_f16 = WGPUFeatureName_ShaderF16,
    .subgroups = static_cast<WGPUFeatureName>(0x00030021),
    .thread_synchronisation = std::nullopt,
    .subgroups_prelude = "",
    .device_tells_adapter_info = false,
    .asynchronous_pipelines = false,
    .loss_words = "Parent device is lost",
    .submit_aborts_when_lost = true,
    .internal_error_scope = false,
    .native_instance_extras = true,
};

constexpr Dialect kDawn = {
    .provider_name = "Dawn",
    .timestamp_query = static_cast<WGPUFeatureName>(0x00000003),
    .shader_f16 = static_cast<WGPUFeatureName>(0x0000000A),
    .subgroups = static_cast<WGPUFeatureName>(0x00000011),
    .thread_synchronisation = static_cast<WGPUFeatureName>(0x00050004),
    .subgroups_prelude = "enable subgroups;\n",
    .device_tells_adapter_info = true,
    .asynchronous_pipelines = true,
    .loss_words = "[Device] is lost",
    .submit_aborts_when_lost = false,
    .internal_error_scope = true,
    .native_instance_extras = false,
};

}  // namespace

const Dialect& dialect_of(const FunctionTable& functions) {
  return functions.GetInstanceFeatures != nullptr ? kNative : kDawn;
}

}  // namespace millrace::webgpu
