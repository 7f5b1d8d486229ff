// Error scopes around calls into the provider. A scope is three of WebGPU's, one for each kind of error.
//
// The device's mutex is held from the beginning of a scope to its end: wgpu-native keeps one stack of scopes for each
// device, so another thread's errors would land in ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <millrace/error.hpp>

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
  // The first error since the beginning. One that tells of the device's loss is noted. Call it once.
  [[nodiscard]] std::optional<CaughtError> end();

 private:
  CoreInternals& core_;
  std::unique_lock<std::recursive_mutex> lock_;
  bool open_ = true;
};

// BindingError `wrong_thread` where the device is bound to another thread than this one.
void check_thread(const CoreInternals& core);

// Throws as check_thread, and `device_lost` where the device is lost. `subject` is the error's subject.
void check_alive(const CoreInternals& core, std::string_view subject);

// Learns of the device's loss from an error's words.
void note_loss(const Dialect& dialect, DeviceNews& news, std::string_view words);

// Throws what was caught as DeviceError: `device_lost` where the device is lost by now, `out_of_memory`, or
// `provider_error`. action completes "The device cannot ...".
[[noreturn]] void throw_caught(const CoreInternals& core, std::string_view subject, std::string_view action,
                               const CaughtError& error);

// The error of a creation that the fault seam makes fail.
inline const CaughtError kInjectedFailure = {WGPUErrorType_OutOfMemory, "injected failure"};

// True once for a creation that the fault seam wants to fail.
[[nodiscard]] bool take_injected_failure(CoreInternals& core);

// Creates an object inside a scope and counts it. release gives back what the provider returned along with an error;
// refuse throws for an error other than loss, which is DeviceError `device_lost`.
template <class Handle, class Create, class Release, class Refuse>
[[nodiscard]] Handle create_or_refuse(CoreInternals& core, std::string_view subject, Create create, Release release,
                                      Refuse refuse) {
  ErrorScope scope(core);
  check_alive(core, subject);
  const bool injected = take_injected_failure(core);
  const Handle handle = injected ? nullptr : create();
  std::optional<CaughtError> error = scope.end();
  if (injected) error = kInjectedFailure;
  if (!error && handle == nullptr) error = CaughtError{WGPUErrorType_Unknown, "the provider returned no object"};
  if (!error) {
    ++core.counts.live_objects;
    return handle;
  }
  if (handle != nullptr) release(handle);
  check_alive(core, subject);
  refuse(*error);
  throw InternalError("An error of the provider was passed over.");
}

// The same, refusing as throw_caught does.
template <class Handle, class Create, class Release>
[[nodiscard]] Handle create_counted(CoreInternals& core, std::string_view subject, std::string_view action,
                                    Create create, Release release) {
  return create_or_refuse<Handle>(core, subject, create, release,
                                  [&](const CaughtError& error) { throw_caught(core, subject, action, error); });
}

}  // namespace millrace::webgpu
