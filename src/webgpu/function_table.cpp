// dlsym by name; see function_table.hpp.
#include "src/webgpu/function_table.hpp"

#include <dlfcn.h>

#include <fmt/format.h>

#include <millrace/error.hpp>

namespace millrace::webgpu {
namespace {

template <class Function>
void find_optional(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

template <class Function>
void find_required(void* library, const std::string& library_name, const char* name, Function& function) {
  find_optional(library, name, function);
  if (function != nullptr) return;
  throw DeviceError(ErrorCode::no_provider, library_name,
                    fmt::format("The WebGPU library \"{library}\" lacks the function {function}, which millrace needs; "
                                "give one that implements webgpu.h.",
                                fmt::arg("library", library_name), fmt::arg("function", name)));
}

}  // namespace

FunctionTable find_functions(void* library, const std::string& library_name) {
  FunctionTable table;
#define MILLRACE_FIND(name) find_required(library, library_name, "wgpu" #name, table.name);
  MILLRACE_REQUIRED_FUNCTIONS(MILLRACE_FIND)
#undef MILLRACE_FIND
  find_optional(library, "wgpuGetInstanceFeatures", table.GetInstanceFeatures);
  find_optional(library, "wgpuDeviceGetAdapterInfo", table.DeviceGetAdapterInfo);
  find_optional(library, "wgpuDeviceCreateComputePipelineAsync", table.DeviceCreateComputePipelineAsync);
  find_optional(library, "wgpuInstanceEnumerateAdapters", table.InstanceEnumerateAdapters);
  find_optional(library, "wgpuSetLogLevel", table.SetLogLevel);
  find_optional(library, "wgpuDeviceSetLoggingCallback", table.DeviceSetLoggingCallback);
  return table;
}

}  // namespace millrace::webgpu
