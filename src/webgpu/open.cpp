// Opening: find an adapter, request its device with all that the adapter offers, check that it is enough, try it once.
#include "src/webgpu/open.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/format/format_table.hpp"
#include "src/webgpu/adapters.hpp"
#include "src/webgpu/callback_share.hpp"
#include "src/webgpu/core_internals.hpp"
#include "src/webgpu/requirements.hpp"
#include "src/webgpu/start_up_test.hpp"

namespace millrace::webgpu {
namespace {

struct RequestedDevice {
  std::atomic<bool> done = false;
  WGPUDevice device = nullptr;
  std::string words;
};

void take_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message, void* userdata1, void*) {
  const std::shared_ptr<RequestedDevice> requested = take_share<RequestedDevice>(userdata1);
  if (status == WGPURequestDeviceStatus_Success) requested->device = device;
  requested->words = text_of(message);
  requested->done = true;
}

void take_loss(const WGPUDevice*, WGPUDeviceLostReason, WGPUStringView message, void* ticket, void*) {
  const std::shared_ptr<DeviceNews> news = find_device_news(ticket);
  if (news == nullptr) return;
  const std::lock_guard lock(news->mutex);
  news->loss_words = text_of(message);
  news->lost = true;
}

// Everything fails inside a scope, so this is never expected; the words go with the next error. Validation errors that
// no scope of ours caught are another device's, which found out that a buffer is not its own (borrowed_buffer.cpp).
void take_uncaptured(const WGPUDevice*, WGPUErrorType type, WGPUStringView message, void* ticket, void*) {
  if (type == WGPUErrorType_Validation) return;
  const std::shared_ptr<DeviceNews> news = find_device_news(ticket);
  if (news == nullptr) return;
  const std::lock_guard lock(news->mutex);
  news->uncaptured_words = text_of(message);
}

std::vector<WGPUFeatureName> features_of(const FunctionTable& functions, WGPUAdapter adapter) {
  WGPUSupportedFeatures supported = {};
  functions.AdapterGetFeatures(adapter, &supported);
  std::vector<WGPUFeatureName> features(supported.features, supported.features + supported.featureCount);
  functions.SupportedFeaturesFreeMembers(supported);
  return features;
}

std::vector<WGPUFeatureName> wanted_features(const Provider& provider, WGPUAdapter adapter) {
  const Dialect& dialect = *provider.dialect;
  const std::vector<WGPUFeatureName> supported = features_of(provider.functions, adapter);
  std::vector<WGPUFeatureName> wanted = {dialect.timestamp_query, dialect.shader_f16, dialect.subgroups};
  if (dialect.thread_synchronisation) wanted.push_back(*dialect.thread_synchronisation);
  std::erase_if(wanted,
                [&](WGPUFeatureName feature) { return std::ranges::find(supported, feature) == supported.end(); });
  return wanted;
}

WGPUDevice request_device(CoreInternals& core, WGPUAdapter adapter) {
  const FunctionTable& functions = core.functions();
  WGPULimits limits = WGPU_LIMITS_INIT;
  functions.AdapterGetLimits(adapter, &limits);
  limits.nextInChain = nullptr;
  limits.maxImmediateSize = WGPU_LIMIT_U32_UNDEFINED;  // needs a feature that we do not use
  const std::vector<WGPUFeatureName> features = wanted_features(*core.provider, adapter);
  WGPUDeviceDescriptor descriptor = {};
  descriptor.requiredFeatureCount = features.size();
  descriptor.requiredFeatures = features.data();
  descriptor.requiredLimits = &limits;
  descriptor.deviceLostCallbackInfo = {nullptr, WGPUCallbackMode_AllowSpontaneous, take_loss, core.news->ticket,
                                       nullptr};
  descriptor.uncapturedErrorCallbackInfo = {nullptr, take_uncaptured, core.news->ticket, nullptr};
  auto requested = std::make_shared<RequestedDevice>();
  functions.AdapterRequestDevice(
      adapter, &descriptor, {nullptr, WGPUCallbackMode_AllowProcessEvents, take_device, share_of(requested), nullptr});
  const bool answered = process_until(functions, core.instance, requested->done);
  if (answered && requested->device != nullptr) return requested->device;
  throw DeviceError(ErrorCode::no_adapter, core.adapter.name,
                    fmt::format("The adapter \"{name}\" gives no device. {provider} says: {words}",
                                fmt::arg("name", core.adapter.name), fmt::arg("provider", core.adapter.provider),
                                fmt::arg("words", answered ? requested->words : "nothing, within 30 s")));
}

void silence(const FunctionTable& functions, WGPUDevice device) {
  if (functions.DeviceSetLoggingCallback == nullptr) return;
  functions.DeviceSetLoggingCallback(device,
                                     {nullptr, [](std::uint32_t, WGPUStringView, void*, void*) {}, nullptr, nullptr});
}

template <class T>
T lowered(T limit, const std::optional<T>& cap) {
  return cap ? std::min(limit, *cap) : limit;
}

DeviceCapabilities effective_capabilities(const WGPULimits& limits, const DeviceLimits& caps) {
  return {
      .timestamps = false,
      .subgroups = false,
      .f16 = false,
      .buffer_byte_size = limits.maxBufferSize,
      .storage_binding_byte_size = lowered(limits.maxStorageBufferBindingSize, caps.storage_binding_byte_size),
      .uniform_binding_byte_size = limits.maxUniformBufferBindingSize,
      .storage_buffers_per_stage = lowered(limits.maxStorageBuffersPerShaderStage, caps.storage_buffers_per_stage),
      .storage_offset_alignment =
          std::max(limits.minStorageBufferOffsetAlignment, caps.storage_offset_alignment.value_or(0)),
      .uniform_offset_alignment = limits.minUniformBufferOffsetAlignment,
      .workgroups_per_dimension = lowered(limits.maxComputeWorkgroupsPerDimension, caps.workgroups_per_dimension),
      .invocations_per_workgroup = std::min(limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX),
      .rows_per_dispatch = lowered(kMostRows, caps.rows_per_dispatch)};
}

void check_caps(const DeviceLimits& caps) {
  if (!caps.storage_offset_alignment || std::has_single_bit(*caps.storage_offset_alignment)) return;
  throw DeviceError(ErrorCode::invalid_limit, "storage_offset_alignment",
                    fmt::format("DeviceLimits::storage_offset_alignment is {}; it must be a power of two.",
                                *caps.storage_offset_alignment));
}

void check_enough(const CoreInternals& core) {
  const std::optional<Requirement> unmet = find_unmet_requirement(core.capabilities, core.limits);
  if (!unmet) return;
  throw DeviceError(ErrorCode::unsupported_device, core.adapter.name,
                    fmt::format("The device \"{name}\" is not supported: it allows {has} {what}, and millrace needs at "
                                "least {least}.",
                                fmt::arg("name", core.adapter.name), fmt::arg("has", unmet->has),
                                fmt::arg("what", unmet->what), fmt::arg("least", unmet->least)));
}

// What both ways share once the handles are there.
void take_capabilities(CoreInternals& core, const DeviceLimits& caps) {
  const FunctionTable& functions = core.functions();
  core.limits = WGPU_LIMITS_INIT;
  functions.DeviceGetLimits(core.device, &core.limits);
  core.capabilities = effective_capabilities(core.limits, caps);
  WGPUSupportedFeatures supported = {};
  functions.DeviceGetFeatures(core.device, &supported);
  for (std::size_t i = 0; i < supported.featureCount; ++i) {
    const WGPUFeatureName feature = supported.features[i];
    core.capabilities.timestamps |= feature == core.provider->dialect->timestamp_query;
    core.capabilities.f16 |= feature == core.provider->dialect->shader_f16;
    core.capabilities.subgroups |= feature == core.provider->dialect->subgroups;
  }
  functions.SupportedFeaturesFreeMembers(supported);
}

AdapterInfo borrowed_adapter(const Provider& provider, WGPUDevice device) {
  if (!provider.dialect->device_tells_adapter_info || provider.functions.DeviceGetAdapterInfo == nullptr) {
    return {.name = "borrowed device",
            .vendor = {},
            .driver = {},
            .type = AdapterType::unknown,
            .api = GraphicsApi::unknown,
            .provider = std::string(provider.dialect->provider_name)};
  }
  WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
  provider.functions.DeviceGetAdapterInfo(device, &info);
  AdapterInfo described = describe_adapter(provider, info);
  provider.functions.AdapterInfoFreeMembers(info);
  return described;
}

}  // namespace

std::shared_ptr<DeviceCore> open_core(const DeviceOptions& options) {
  check_caps(options.limits);
  const Provider& provider = load_provider(options.provider_path);
  FoundAdapters found = find_adapters(provider, options);
  if (found.adapters.empty()) {
    const std::string wanted = describe_options(options);
    throw DeviceError(ErrorCode::no_adapter, options.adapter_name_contains,
                      fmt::format("{provider} finds no adapter{wanted}; a graphics driver may be missing, such as "
                                  "Mesa's software driver for Vulkan.",
                                  fmt::arg("provider", provider.dialect->provider_name),
                                  fmt::arg("wanted", wanted.empty() ? wanted : " " + wanted)));
  }
  auto core = std::make_unique<CoreInternals>();
  core->provider = &provider;
  core->adapter = found.adapters.front().info;
  core->instance = found.instance.get();
  Owned<WGPUDevice> device(request_device(*core, found.adapters.front().handle.get()),
                           provider.functions.DeviceRelease);
  core->device = device.get();
  silence(provider.functions, core->device);
  take_capabilities(*core, options.limits);
  check_enough(*core);
  core->queue = provider.functions.DeviceGetQueue(core->device);
  auto opened = std::make_shared<DeviceCore>(std::move(core));
  (void)device.take();  // the core owns them from here on
  (void)found.instance.take();
  run_start_up_test(opened);
  return opened;
}

std::vector<AdapterInfo> list_adapters(const DeviceOptions& options) {
  std::vector<AdapterInfo> infos;
  for (const FoundAdapter& adapter : find_adapters(load_provider(options.provider_path), options).adapters) {
    infos.push_back(adapter.info);
  }
  return infos;
}

std::shared_ptr<DeviceCore> open_borrowed_core(const BorrowedHandles& handles, const DeviceLimits& limits) {
  check_caps(limits);
  const Provider& provider = provider_of_handle(handles.library);
  auto core = std::make_unique<CoreInternals>();
  core->provider = &provider;
  core->instance = handles.instance;
  core->device = handles.device;
  core->queue = handles.queue;
  if (!handles.thread_safe) core->only_thread = std::this_thread::get_id();
  core->adapter = borrowed_adapter(provider, handles.device);
  take_capabilities(*core, limits);
  check_enough(*core);
  provider.functions.InstanceAddRef(handles.instance);
  provider.functions.DeviceAddRef(handles.device);
  provider.functions.QueueAddRef(handles.queue);
  auto borrowed = std::make_shared<DeviceCore>(std::move(core));
  run_start_up_test(borrowed);
  return borrowed;
}

}  // namespace millrace::webgpu
