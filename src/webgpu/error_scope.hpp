// Error scopes around calls into the provider. A scope is three of WebGPU's, one for each kind of error.
//
// The device's mutex is held from the beginning of a scope to its end: wgpu-native keeps one stack of scopes for each
// device, so another thread's errors would land in ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/webgpu/core_internals.hpp"

namespace millrace::webgpu {

struct CaughtError {
  WGPUErrorType type;
  std::string words;  // the provider's
};

class ErrorScope {
 public:
  explicit ErrorScope(CoreInternals& core);
  ErrorScope(const ErrorScope&) = delete;
  ErrorScope& operator=(const ErrorScope&) = delete;
  ~ErrorScope();
  // The first error since the beginning. Call it once.
  [[nodiscard]] std::optional<CaughtError> end();

 private:
  CoreInternals& core_;
  std::unique_lock<std::recursive_mutex> lock_;
  bool open_ = true;
};

// Throws `device_lost` where the device is lost. `subject` is the error's subject.
void check_alive(const CoreInternals& core, std::string_view subject);

// Learns of the device's loss from an error's words.
void note_loss(const Dialect& dialect, DeviceNews& news, std::string_view words);

// Throws what was caught as DeviceError: `device_lost` where the device is lost by now, `out_of_memory`, or
// `provider_error`. action completes "The device cannot ...".
[[noreturn]] void throw_caught(const CoreInternals& core, std::string_view subject, std::string_view action,
                               const CaughtError& error);

// True once for a creation that the fault seam wants to fail.
[[nodiscard]] bool take_injected_failure(CoreInternals& core);

// Creates an object inside a scope and counts it. release gives back what the provider returned along with an error.
// DeviceError as throw_caught.
template <class Handle, class Create, class Release>
[[nodiscard]] Handle create_counted(CoreInternals& core, std::string_view subject, std::string_view action,
                                    Create create, Release release) {
  ErrorScope scope(core);
  check_alive(core, subject);
  const bool injected = take_injected_failure(core);
  Handle handle = injected ? nullptr : create();
  std::optional<CaughtError> error = scope.end();
  if (injected) error = CaughtError{WGPUErrorType_OutOfMemory, "injected failure"};
  if (!error && handle == nullptr) error = CaughtError{WGPUErrorType_Unknown, "the provider returned no object"};
  if (error) {
    if (handle != nullptr) release(handle);
    throw_caught(core, subject, action, *error);
  }
  ++core.counts.live_objects;
  return handle;
}

}  // namespace millrace::webgpu
