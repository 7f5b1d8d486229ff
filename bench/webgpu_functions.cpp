// Functions by dlsym; the provider by the rule that the library documents.
#include "webgpu_functions.hpp"

#include <dlfcn.h>
#include <cstdlib>
#include <stdexcept>

#include <millrace/format.hpp>

namespace millrace::bench {

Functions find_functions(void* library) {
  Functions functions;
#define MILLRACE_BENCH_FIND(name)                                                  \
  functions.name = reinterpret_cast<WGPUProc##name>(dlsym(library, "wgpu" #name)); \
  if (functions.name == nullptr) throw std::runtime_error("The WebGPU provider lacks wgpu" #name ".");
  MILLRACE_BENCH_FUNCTIONS(MILLRACE_BENCH_FIND)
#undef MILLRACE_BENCH_FIND
  return functions;
}

std::string provider_path() {
  if (const char* path = std::getenv("MILLRACE_WEBGPU"); path != nullptr && *path != '\0') return path;
  Dl_info info = {};
  // Any function of the library tells which file it came from.
  if (dladdr(reinterpret_cast<void*>(&format_name), &info) == 0 || info.dli_fname == nullptr) {
    throw std::runtime_error("The file of libmillrace.so cannot be found; set MILLRACE_WEBGPU to a WebGPU provider.");
  }
  const std::string library = info.dli_fname;
  return library.substr(0, library.rfind('/') + 1) + "millrace/libwgpu_native.so";
}

}  // namespace millrace::bench
