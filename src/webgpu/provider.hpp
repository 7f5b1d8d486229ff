// A loaded WebGPU library: its functions and its dialect.
//
// A library is loaded once for each path, with its symbols kept to itself (Dawn exports thousands), and never unloaded:
// its threads and thread-local storage may outlive every object of ours. All functions here are thread-safe.
#pragma once

#include <string>

#include "src/webgpu/dialect.hpp"
#include "src/webgpu/function_table.hpp"

namespace millrace::webgpu {

struct Provider {
  std::string library;  // the path, or "this process"; for messages
  FunctionTable functions;
  const Dialect* dialect;
};

// The library at path; where that is empty the one that MILLRACE_WEBGPU names, millrace/libwgpu_native.so beside the
// library this code is in, or the process itself, in this order. DeviceError `no_provider`.
[[nodiscard]] const Provider& load_provider(const std::string& path);

// The functions behind a handle of dlopen, or of the process where it is null. DeviceError `no_provider`.
[[nodiscard]] const Provider& provider_of_handle(void* library);

}  // namespace millrace::webgpu
