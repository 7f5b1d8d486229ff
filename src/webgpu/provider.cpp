// Where a WebGPU library is looked for, and the list of those that are loaded.
#include "src/webgpu/provider.hpp"

#include <dlfcn.h>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include <millrace/error.hpp>

namespace millrace::webgpu {
namespace {

constexpr std::uint32_t kLogLevelOff = 0;
constexpr const char* kProcessName = "this process";

struct LoadedProviders {
  std::mutex mutex;
  std::map<void*, std::unique_ptr<const Provider>> by_handle;
};

// Never destroyed: devices in static storage may outlive any other static object.
LoadedProviders& loaded_providers() {
  static auto& providers = *new LoadedProviders;
  return providers;
}

const Provider& provider_for(void* handle, const std::string& library_name) {
  LoadedProviders& loaded = loaded_providers();
  const std::lock_guard lock(loaded.mutex);
  if (const auto found = loaded.by_handle.find(handle); found != loaded.by_handle.end()) return *found->second;
  auto provider = std::make_unique<Provider>();
  provider->library = library_name;
  provider->functions = find_functions(handle, library_name);
  provider->dialect = &dialect_of(provider->functions);
  if (provider->functions.SetLogLevel != nullptr && handle != RTLD_DEFAULT) {
    provider->functions.SetLogLevel(kLogLevelOff);
  }
  return *loaded.by_handle.emplace(handle, std::move(provider)).first->second;
}

// Mesa's layer that chooses among devices asks the desktop's compositor, and prints an error on standard error at every
// instance where there is no desktop session. Only the environment turns it off.
void quieten_device_layer() {
  static std::once_flag once;
  std::call_once(once, [] {
    constexpr int kKeepWhatIsSet = 0;
    if (std::getenv("XDG_RUNTIME_DIR") == nullptr) setenv("NODEVICE_SELECT", "1", kKeepWhatIsSet);
  });
}

const Provider& load_library(const std::string& path) {
  quieten_device_layer();
  // dlopen gives the same handle for a library that is loaded already.
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = dlerror();
    throw DeviceError(ErrorCode::no_provider, path,
                      fmt::format("The WebGPU library \"{path}\" cannot be loaded: {reason}.", fmt::arg("path", path),
                                  fmt::arg("reason", reason != nullptr ? reason : "no reason given")));
  }
  return provider_for(handle, path);
}

std::filesystem::path library_beside_this_one() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&load_provider), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::canonical(info.dli_fname, ignored);
  return self.empty() ? std::filesystem::path() : self.parent_path() / "millrace" / "libwgpu_native.so";
}

}  // namespace

const Provider& load_provider(const std::string& path) {
  if (!path.empty()) return load_library(path);
  if (const char* const named = std::getenv("MILLRACE_WEBGPU"); named != nullptr && *named != '\0') {
    return load_library(named);
  }
  const std::filesystem::path installed = library_beside_this_one();
  std::error_code ignored;
  if (!installed.empty() && std::filesystem::exists(installed, ignored)) return load_library(installed.string());
  if (dlsym(RTLD_DEFAULT, "wgpuCreateInstance") != nullptr) return provider_for(RTLD_DEFAULT, kProcessName);
  throw DeviceError(ErrorCode::no_provider, {},
                    fmt::format("No WebGPU library was found: \"{installed}\" does not exist and this process brings "
                                "none; name one in DeviceOptions::provider_path or the environment variable "
                                "MILLRACE_WEBGPU.",
                                fmt::arg("installed", installed.string())));
}

const Provider& provider_of_handle(void* library) {
  return provider_for(library != nullptr ? library : RTLD_DEFAULT, library != nullptr ? "of the caller" : kProcessName);
}

}  // namespace millrace::webgpu
