// wgpu-native lists its adapters; the standard knows only requests, so other providers are asked for one adapter with
// each combination of what can be requested, and doubles are dropped.
#include "src/webgpu/adapters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/webgpu/callback_share.hpp"
#include "src/webgpu/core_internals.hpp"

namespace millrace::webgpu {
namespace {

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

AdapterType adapter_type(WGPUAdapterType type) {
  switch (type) {
    case WGPUAdapterType_DiscreteGPU:
      return AdapterType::discrete_gpu;
    case WGPUAdapterType_IntegratedGPU:
      return AdapterType::integrated_gpu;
    case WGPUAdapterType_CPU:
      return AdapterType::cpu;
    default:
      return AdapterType::unknown;
  }
}

GraphicsApi graphics_api(WGPUBackendType backend) {
  switch (backend) {
    case WGPUBackendType_Vulkan:
      return GraphicsApi::vulkan;
    case WGPUBackendType_Metal:
      return GraphicsApi::metal;
    case WGPUBackendType_D3D12:
      return GraphicsApi::d3d12;
    case WGPUBackendType_D3D11:
      return GraphicsApi::d3d11;
    case WGPUBackendType_OpenGL:
      return GraphicsApi::opengl;
    case WGPUBackendType_OpenGLES:
      return GraphicsApi::opengles;
    default:
      return GraphicsApi::unknown;
  }
}

bool fits(const AdapterInfo& info, const DeviceOptions& options) {
  if (options.api && info.api != *options.api) return false;
  if (!options.allow_software && info.type == AdapterType::cpu) return false;
  return lower_case(info.name).find(lower_case(options.adapter_name_contains)) != std::string::npos;
}

// Smaller is better.
int rank(const AdapterInfo& info, Power power) {
  const bool high = power == Power::high;
  const bool is_gl = info.api == GraphicsApi::opengl || info.api == GraphicsApi::opengles;
  const int api_rank = is_gl ? 1 : 0;
  switch (info.type) {
    case AdapterType::discrete_gpu:
      return (high ? 0 : 2) + api_rank;
    case AdapterType::integrated_gpu:
      return (high ? 2 : 0) + api_rank;
    case AdapterType::unknown:
      return 4 + api_rank;
    case AdapterType::cpu:
      return 6 + api_rank;
  }
  return 8;
}

WGPUInstance create_instance(const Provider& provider, WGPUFlags native_backends) {
  NativeInstanceExtras extras;
  extras.backends = native_backends;
  WGPUInstanceDescriptor descriptor = {};
  if (provider.dialect->native_instance_extras) descriptor.nextInChain = &extras.chain;
  const WGPUInstance instance = provider.functions.CreateInstance(&descriptor);
  if (instance == nullptr) {
    throw DeviceError(ErrorCode::no_provider, provider.library,
                      fmt::format("The WebGPU library \"{}\" creates no instance.", provider.library));
  }
  return instance;
}

FoundAdapter describe(const Provider& provider, WGPUAdapter adapter) {
  WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
  provider.functions.AdapterGetInfo(adapter, &info);
  AdapterInfo described = describe_adapter(provider, info);
  // Dawn offers a backend that does nothing where it finds no driver.
  const bool computes = info.backendType != WGPUBackendType_Null;
  provider.functions.AdapterInfoFreeMembers(info);
  return {std::move(described), Owned<WGPUAdapter>(adapter, provider.functions.AdapterRelease), computes};
}

std::vector<FoundAdapter> enumerate(const Provider& provider, WGPUInstance instance, WGPUFlags native_backends) {
  const NativeEnumerateOptions options = {nullptr, native_backends};
  const std::size_t count = provider.functions.InstanceEnumerateAdapters(instance, &options, nullptr);
  std::vector<WGPUAdapter> handles(count);
  if (count > 0) provider.functions.InstanceEnumerateAdapters(instance, &options, handles.data());
  std::vector<FoundAdapter> found;
  found.reserve(count);
  for (const WGPUAdapter handle : handles) found.push_back(describe(provider, handle));
  return found;
}

struct RequestedAdapter {
  std::atomic<bool> done = false;
  WGPUAdapter adapter = nullptr;
};

void take_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView, void* userdata1, void*) {
  const std::shared_ptr<RequestedAdapter> requested = take_share<RequestedAdapter>(userdata1);
  if (status == WGPURequestAdapterStatus_Success) requested->adapter = adapter;
  requested->done = true;
}

WGPUAdapter request_adapter(const Provider& provider, WGPUInstance instance, const WGPURequestAdapterOptions& options) {
  auto requested = std::make_shared<RequestedAdapter>();
  provider.functions.InstanceRequestAdapter(
      instance, &options, {nullptr, WGPUCallbackMode_AllowProcessEvents, take_adapter, share_of(requested), nullptr});
  return process_until(provider.functions, instance, requested->done) ? requested->adapter : nullptr;
}

bool same_adapter(const AdapterInfo& a, const AdapterInfo& b) {
  return a.name == b.name && a.vendor == b.vendor && a.driver == b.driver && a.api == b.api && a.type == b.type;
}

std::vector<FoundAdapter> request_all(const Provider& provider, WGPUInstance instance, const DeviceOptions& wanted) {
  const WGPUPowerPreference preferred =
      wanted.power == Power::high ? WGPUPowerPreference_HighPerformance : WGPUPowerPreference_LowPower;
  const WGPUPowerPreference other =
      wanted.power == Power::high ? WGPUPowerPreference_LowPower : WGPUPowerPreference_HighPerformance;
  std::vector<FoundAdapter> found;
  for (const WGPUBool software : {WGPU_FALSE, WGPU_TRUE}) {
    for (const WGPUPowerPreference power : {preferred, other}) {
      WGPURequestAdapterOptions options = {};
      options.featureLevel = WGPUFeatureLevel_Core;
      options.powerPreference = power;
      options.forceFallbackAdapter = software;
      const WGPUAdapter handle = request_adapter(provider, instance, options);
      if (handle == nullptr) continue;
      FoundAdapter adapter = describe(provider, handle);
      const bool known =
          std::ranges::any_of(found, [&](const FoundAdapter& each) { return same_adapter(each.info, adapter.info); });
      if (!known) found.push_back(std::move(adapter));
    }
  }
  return found;
}

// Holds on to the first instance that found adapters, for as long as the process lives, so that its drivers stay loaded.
// NVIDIA's (580.159) takes static thread-local storage each time it is loaded and gives none back: after some 30 devices
// opened and closed one by one, the loader finds no driver, or the process ends in it.
void keep_drivers_loaded(const Provider& provider, WGPUInstance instance) {
  static std::mutex mutex;
  // Never destroyed, as the libraries behind the instances are never unloaded.
  static auto* const kKept = new std::map<const Provider*, WGPUInstance>;
  const std::lock_guard lock(mutex);
  if (kKept->emplace(&provider, instance).second) provider.functions.InstanceAddRef(instance);
}

FoundAdapters find_on(const Provider& provider, const DeviceOptions& options, WGPUFlags native_backends) {
  FoundAdapters result = {
      Owned<WGPUInstance>(create_instance(provider, native_backends), provider.functions.InstanceRelease), {}};
  std::vector<FoundAdapter> all = provider.functions.InstanceEnumerateAdapters != nullptr
                                      ? enumerate(provider, result.instance.get(), native_backends)
                                      : request_all(provider, result.instance.get(), options);
  if (!all.empty()) keep_drivers_loaded(provider, result.instance.get());
  for (FoundAdapter& adapter : all) {
    if (adapter.computes && fits(adapter.info, options)) result.adapters.push_back(std::move(adapter));
  }
  std::ranges::stable_sort(result.adapters, {},
                           [&](const FoundAdapter& adapter) { return rank(adapter.info, options.power); });
  return result;
}

}  // namespace

AdapterInfo describe_adapter(const Provider& provider, const WGPUAdapterInfo& info) {
  return {.name = text_of(info.device),
          .vendor = text_of(info.vendor),
          .driver = text_of(info.description),
          .type = adapter_type(info.adapterType),
          .api = graphics_api(info.backendType),
          .provider = std::string(provider.dialect->provider_name)};
}

std::string describe_options(const DeviceOptions& options) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (!options.adapter_name_contains.empty()) add(fmt::format("named \"{}\"", options.adapter_name_contains));
  if (options.api) add(fmt::format("on {}", to_string(*options.api)));
  if (!options.allow_software) add("that is no software");
  return text;
}

FoundAdapters find_adapters(const Provider& provider, const DeviceOptions& options) {
  const bool wants_gl = options.api == GraphicsApi::opengl || options.api == GraphicsApi::opengles;
  const WGPUFlags first = wants_gl ? NativeInstanceExtras::kOpenGLBackend : NativeInstanceExtras::kPrimaryBackends;
  FoundAdapters found = find_on(provider, options, first);
  // OpenGL only where nothing else is there: its loader is slow and may print.
  if (found.adapters.empty() && !options.api && provider.dialect->native_instance_extras) {
    return find_on(provider, options, NativeInstanceExtras::kOpenGLBackend);
  }
  return found;
}

}  // namespace millrace::webgpu
