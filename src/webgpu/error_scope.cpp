// Scopes, and the errors that they turn into.
#include "src/webgpu/error_scope.hpp"

#include <chrono>
#include <span>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/webgpu/callback_share.hpp"
#include "src/webgpu/provider_words.hpp"

namespace millrace::webgpu {
namespace {

// Outermost first.
constexpr std::array kFilters = {WGPUErrorFilter_Validation, WGPUErrorFilter_OutOfMemory, WGPUErrorFilter_Internal};
constexpr std::chrono::seconds kPopDeadline = std::chrono::seconds(10);

struct PoppedScope {
  std::atomic<bool> done = false;
  WGPUErrorType type = WGPUErrorType_NoError;
  std::string words;
};

void take_popped(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message, void* userdata1, void*) {
  const std::shared_ptr<PoppedScope> result = take_share<PoppedScope>(userdata1);
  if (status == WGPUPopErrorScopeStatus_Success) {
    result->type = type;
    result->words = text_of(message);
  }
  result->done = true;
}

std::optional<CaughtError> pop_one(CoreInternals& core) {
  auto result = std::make_shared<PoppedScope>();
  const WGPUPopErrorScopeCallbackInfo callback = {nullptr, WGPUCallbackMode_AllowSpontaneous, take_popped,
                                                  share_of(result), nullptr};
  core.functions().DevicePopErrorScope(core.device, callback);
  const auto deadline = std::chrono::steady_clock::now() + kPopDeadline;
  while (!result->done) {
    core.functions().InstanceProcessEvents(core.instance);
    if (core.news->lost || std::chrono::steady_clock::now() > deadline) return std::nullopt;
    if (!result->done) std::this_thread::yield();
  }
  if (result->type == WGPUErrorType_NoError) return std::nullopt;
  return CaughtError{result->type, result->words};
}

std::span<const WGPUErrorFilter> filters_of(const CoreInternals& core) {
  return std::span(kFilters).first(core.provider->dialect->internal_error_scope ? 3 : 2);
}

// The words of an error that no scope caught, once.
std::optional<CaughtError> take_uncaptured(DeviceNews& news) {
  const std::lock_guard lock(news.mutex);
  if (news.uncaptured_words.empty()) return std::nullopt;
  return CaughtError{WGPUErrorType_Internal, std::exchange(news.uncaptured_words, {})};
}

}  // namespace

ErrorScope::ErrorScope(CoreInternals& core) : core_(core), lock_(core.mutex) {
  check_thread(core_);
  for (const WGPUErrorFilter filter : filters_of(core)) core_.functions().DevicePushErrorScope(core_.device, filter);
}

ErrorScope::~ErrorScope() {
  if (open_) (void)end();
}

std::optional<CaughtError> ErrorScope::end() {
  open_ = false;
  std::optional<CaughtError> first = take_uncaptured(*core_.news);
  for (std::size_t i = 0; i < filters_of(core_).size(); ++i) {
    std::optional<CaughtError> popped = pop_one(core_);
    // The innermost scope is popped first; a validation error explains the others.
    if (popped) first = std::move(popped);
  }
  if (first) note_loss(*core_.provider->dialect, *core_.news, first->words);
  return first;
}

void check_thread(const CoreInternals& core) {
  if (core.only_thread == std::thread::id() || core.only_thread == std::this_thread::get_id()) return;
  throw BindingError(
      ErrorCode::wrong_thread, {},
      fmt::format("The borrowed device \"{device}\" is used from another thread than the one that borrowed "
                  "it; say .thread_safe = true where the application allows that.",
                  fmt::arg("device", core.adapter.name)));
}

void check_alive(const CoreInternals& core, std::string_view subject) {
  check_thread(core);
  if (!core.news->lost) return;
  std::string words;
  {
    const std::lock_guard lock(core.news->mutex);
    words = core.news->loss_words;
  }
  throw DeviceError(ErrorCode::device_lost, std::string(subject),
                    fmt::format("The device \"{device}\" is lost; open a new one. {provider} says: {words}",
                                fmt::arg("device", core.adapter.name), fmt::arg("provider", core.adapter.provider),
                                fmt::arg("words", words.empty() ? "nothing" : words)));
}

void note_loss(const Dialect& dialect, DeviceNews& news, std::string_view words) {
  if (words.find(dialect.loss_words) == std::string_view::npos || news.lost) return;
  const std::lock_guard lock(news.mutex);
  news.loss_words = reason_in(words);
  news.lost = true;
}

void throw_caught(const CoreInternals& core, std::string_view subject, std::string_view action,
                  const CaughtError& error) {
  check_alive(core, subject);
  if (error.type == WGPUErrorType_OutOfMemory) {
    throw DeviceError(ErrorCode::out_of_memory, std::string(subject),
                      fmt::format("The device \"{device}\" has no memory left to {action}.",
                                  fmt::arg("device", core.adapter.name), fmt::arg("action", action)));
  }
  throw DeviceError(
      ErrorCode::provider_error, std::string(subject),
      fmt::format("The device \"{device}\" cannot {action}. {provider} says: {words}",
                  fmt::arg("device", core.adapter.name), fmt::arg("action", action),
                  fmt::arg("provider", core.adapter.provider), fmt::arg("words", reason_in(error.words))));
}

bool take_injected_failure(CoreInternals& core) {
  if (core.faults.creations_until_failure == 0) return false;
  return --core.faults.creations_until_failure == 0;
}

}  // namespace millrace::webgpu
