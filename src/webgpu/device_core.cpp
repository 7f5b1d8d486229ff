// The core's life, its buffers, queue and waits. Pipelines are in pipeline.cpp, recordings in recorder.cpp.
#include "src/webgpu/device_core.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/arithmetic.hpp"
#include "src/webgpu/callback_share.hpp"
#include "src/webgpu/core_internals.hpp"
#include "src/webgpu/error_scope.hpp"

namespace millrace::webgpu {
namespace {

constexpr std::uint64_t kBufferAlignment = 16;
// Waits longer than this are the same to everyone, and do not overflow a clock.
constexpr std::chrono::milliseconds kLongestWait = std::chrono::hours(24 * 365);

// How a wait goes on between two looks at the device: first without sleeping, since most waits end within a few
// microseconds, then in short sleeps.
void rest(std::chrono::steady_clock::duration waited) {
  using namespace std::chrono_literals;
  if (waited < 100us) return;
  if (waited < 300us) {
    std::this_thread::yield();
    return;
  }
  std::this_thread::sleep_for(std::clamp<std::chrono::steady_clock::duration>(waited / 16, 20us, 500us));
}

WGPUBuffer create_raw_buffer(CoreInternals& core, std::string_view subject, std::uint64_t byte_size, Usage usage) {
  if (byte_size > core.capabilities.buffer_byte_size) {
    throw DeviceError(
        ErrorCode::over_device_limit, std::string(subject),
        fmt::format("The buffer of \"{subject}\" needs {bytes} bytes, but a buffer of the device "
                    "\"{device}\" holds at most {limit} bytes.",
                    fmt::arg("subject", subject), fmt::arg("bytes", byte_size), fmt::arg("device", core.adapter.name),
                    fmt::arg("limit", core.capabilities.buffer_byte_size)));
  }
  const FunctionTable& functions = core.functions();
  const WGPUBufferDescriptor descriptor = {nullptr, view_of(subject), static_cast<WGPUBufferUsage>(usage), byte_size,
                                           WGPU_FALSE};
  return create_counted<WGPUBuffer>(
      core, subject,
      fmt::format("create a buffer of {bytes} bytes for \"{subject}\"", fmt::arg("bytes", byte_size),
                  fmt::arg("subject", subject)),
      [&] { return functions.DeviceCreateBuffer(core.device, &descriptor); },
      [&](WGPUBuffer buffer) { functions.BufferRelease(buffer); });
}

// A loss that nobody told us of, such as of an application's device that it destroyed, shows in the error of a harmless
// call. An empty pipeline layout costs 0.3 us.
std::optional<CaughtError> try_device(CoreInternals& core) {
  if (!core.provider->dialect->submit_aborts_when_lost) return std::nullopt;
  ErrorScope scope(core);
  const WGPUPipelineLayoutDescriptor descriptor = {};
  const WGPUPipelineLayout layout = core.functions().DeviceCreatePipelineLayout(core.device, &descriptor);
  if (layout != nullptr) core.functions().PipelineLayoutRelease(layout);
  return scope.end();
}

// What a map's callback needs; it may come after the core is gone.
struct MapTicket {
  std::shared_ptr<MapRequest> request;
  std::shared_ptr<DeviceNews> news;
  const Dialect* dialect;
};

void take_mapped(WGPUMapAsyncStatus status, WGPUStringView message, void* userdata1, void*) {
  const std::unique_ptr<MapTicket> ticket(static_cast<MapTicket*>(userdata1));
  MapRequest& request = *ticket->request;
  if (status == WGPUMapAsyncStatus_Success) {
    request.status = MapRequest::Status::mapped;
    return;
  }
  request.words = text_of(message);
  note_loss(*ticket->dialect, *ticket->news, request.words);
  request.status = MapRequest::Status::failed;
}

}  // namespace

void CoreCounts::add_bytes(std::uint64_t byte_size) {
  const std::uint64_t live = live_bytes += byte_size;
  std::uint64_t peak = peak_bytes;
  while (peak < live && !peak_bytes.compare_exchange_weak(peak, live)) {
  }
}

Buffer::Buffer(std::shared_ptr<DeviceCore> core, WGPUBuffer handle, std::uint64_t byte_size, Usage usage, bool owned)
    : core_(std::move(core)), handle_(handle), byte_size_(byte_size), usage_(usage), owned_(owned) {
  if (owned_) core_->internals().counts.add_bytes(byte_size_);
}

Buffer::~Buffer() {
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  core.functions().BufferRelease(handle_);
  --core.counts.live_objects;
  if (owned_) core.counts.subtract_bytes(byte_size_);
}

DeviceCore::DeviceCore(std::unique_ptr<CoreInternals> internals) : internals_(std::move(internals)) {}

DeviceCore::~DeviceCore() {
  internals_->attachment.reset();
  const FunctionTable& functions = internals_->functions();
  functions.QueueRelease(internals_->queue);
  functions.DeviceRelease(internals_->device);
  functions.InstanceRelease(internals_->instance);
}

const AdapterInfo& DeviceCore::adapter() const { return internals_->adapter; }
const DeviceCapabilities& DeviceCore::capabilities() const { return internals_->capabilities; }
bool DeviceCore::is_lost() const { return internals_->news->lost; }

DeviceStats DeviceCore::stats() const {
  const CoreCounts& counts = internals_->counts;
  const std::lock_guard lock(internals_->mutex);
  return {.live_bytes = counts.live_bytes,
          .peak_bytes = counts.peak_bytes,
          .cached_bytes = internals_->attachment != nullptr ? internals_->attachment->cached_bytes() : 0,
          .live_objects = counts.live_objects};
}

std::shared_ptr<Buffer> DeviceCore::create_buffer(std::string_view subject, std::uint64_t byte_size, Usage usage) {
  if (byte_size == 0) throw InternalError(fmt::format("The buffer of \"{}\" has no bytes.", subject));
  const std::uint64_t most = ~std::uint64_t{0} - (kBufferAlignment - 1);
  const std::uint64_t padded = align_up(std::min(byte_size, most), kBufferAlignment);
  const WGPUBuffer handle = create_raw_buffer(*internals_, subject, padded, usage);
  return std::make_shared<Buffer>(shared_from_this(), handle, padded, usage, true);
}

void DeviceCore::write_buffer(const Buffer& buffer, std::uint64_t byte_offset, std::span<const std::byte> bytes) {
  if (buffer.core().get() != this) {
    throw BindingError(ErrorCode::foreign_device, {}, "A write goes to a buffer of another device.");
  }
  const std::uint64_t end = byte_offset + align_up(bytes.size(), kCopyAlignment);
  if (byte_offset % kCopyAlignment != 0 || end < byte_offset || end > buffer.byte_size()) {
    throw InternalError(fmt::format("A write of {bytes} bytes at byte {offset} does not fit a buffer of {size} bytes.",
                                    fmt::arg("bytes", bytes.size()), fmt::arg("offset", byte_offset),
                                    fmt::arg("size", buffer.byte_size())));
  }
  if (bytes.empty()) return;
  const std::size_t whole = bytes.size() - bytes.size() % kCopyAlignment;
  ErrorScope scope(*internals_);
  check_alive(*internals_, {});
  const FunctionTable& functions = internals_->functions();
  if (whole > 0) functions.QueueWriteBuffer(internals_->queue, buffer.handle(), byte_offset, bytes.data(), whole);
  if (whole < bytes.size()) {
    std::array<std::byte, kCopyAlignment> tail = {};
    std::memcpy(tail.data(), bytes.data() + whole, bytes.size() - whole);
    functions.QueueWriteBuffer(internals_->queue, buffer.handle(), byte_offset + whole, tail.data(), tail.size());
  }
  if (const auto error = scope.end()) {
    throw_caught(*internals_, {}, fmt::format("write {} bytes to a buffer", bytes.size()), *error);
  }
}

void DeviceCore::submit(WGPUCommandBuffer commands) {
  ErrorScope scope(*internals_);
  if (internals_->news->lost) {
    release_commands(commands);
    check_alive(*internals_, {});
  }
  std::optional<CaughtError> error = try_device(*internals_);
  if (!error) internals_->functions().QueueSubmit(internals_->queue, 1, &commands);
  release_commands(commands);
  if (!error) error = scope.end();
  if (error) throw_caught(*internals_, {}, "submit commands", *error);
}

void DeviceCore::release_commands(WGPUCommandBuffer commands) noexcept {
  const std::lock_guard lock(internals_->mutex);
  internals_->functions().CommandBufferRelease(commands);
  --internals_->counts.live_objects;
}

void DeviceCore::process_events() {
  check_thread(*internals_);
  CoreAttachment* attachment = nullptr;
  {
    const std::lock_guard lock(internals_->mutex);
    internals_->functions().InstanceProcessEvents(internals_->instance);
    attachment = internals_->attachment.get();
  }
  if (attachment != nullptr) attachment->after_events();
}

void DeviceCore::wait_until(const std::function<bool()>& done, std::chrono::milliseconds deadline,
                            std::string_view what) {
  const auto begin = std::chrono::steady_clock::now();
  const auto longest = std::clamp(deadline, std::chrono::milliseconds(0), kLongestWait);
  while (true) {
    process_events();
    if (done()) return;
    check_alive(*internals_, {});
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (waited >= longest) {
      throw DeviceError(
          ErrorCode::deadline_exceeded, {},
          fmt::format("The device \"{device}\" has not finished {what} within {deadline} ms; give a later "
                      "deadline, or wait again.",
                      fmt::arg("device", internals_->adapter.name), fmt::arg("what", what),
                      fmt::arg("deadline", deadline.count())));
    }
    rest(waited);
  }
}

void DeviceCore::wait_for_queue(std::chrono::milliseconds deadline) {
  auto done = std::make_shared<std::atomic<bool>>(false);
  const auto take_done = [](WGPUQueueWorkDoneStatus, WGPUStringView, void* userdata1, void*) {
    *take_share<std::atomic<bool>>(userdata1) = true;
  };
  {
    const std::lock_guard lock(internals_->mutex);
    check_alive(*internals_, {});
    internals_->functions().QueueOnSubmittedWorkDone(
        internals_->queue, {nullptr, WGPUCallbackMode_AllowProcessEvents, take_done, share_of(done), nullptr});
  }
  wait_until([&] { return done->load(); }, deadline, "its submitted work");
}

void DeviceCore::trim() {
  const std::lock_guard lock(internals_->mutex);
  if (internals_->attachment != nullptr) internals_->attachment->trim();
}

WGPUBuffer DeviceCore::create_staging_buffer(std::uint64_t byte_size) {
  return create_raw_buffer(*internals_, "staging", byte_size, Usage::map_read | Usage::copy_destination);
}

void DeviceCore::release_staging_buffer(WGPUBuffer buffer) noexcept {
  const std::lock_guard lock(internals_->mutex);
  internals_->functions().BufferRelease(buffer);
  --internals_->counts.live_objects;
}

std::shared_ptr<const MapRequest> DeviceCore::map_for_reading(WGPUBuffer buffer, std::uint64_t byte_offset,
                                                              std::uint64_t byte_size) {
  auto request = std::make_shared<MapRequest>();
  ErrorScope scope(*internals_);
  check_alive(*internals_, {});
  internals_->functions().BufferMapAsync(
      buffer, WGPUMapMode_Read, byte_offset, byte_size,
      {nullptr, WGPUCallbackMode_AllowProcessEvents, take_mapped,
       new MapTicket{request, internals_->news, internals_->provider->dialect}, nullptr});
  if (const auto error = scope.end()) throw_caught(*internals_, {}, "map a staging buffer", *error);
  return request;
}

std::span<const std::byte> DeviceCore::mapped_bytes(WGPUBuffer buffer, std::uint64_t byte_offset,
                                                    std::uint64_t byte_size) {
  const std::lock_guard lock(internals_->mutex);
  check_alive(*internals_, {});
  const void* const bytes = internals_->functions().BufferGetConstMappedRange(buffer, byte_offset, byte_size);
  if (bytes == nullptr) throw InternalError("A mapped staging buffer gives no bytes.");
  return {static_cast<const std::byte*>(bytes), byte_size};
}

void DeviceCore::unmap(WGPUBuffer buffer) {
  ErrorScope scope(*internals_);
  internals_->functions().BufferUnmap(buffer);
  // The only error left is that of a lost device, whose buffers are unmapped already.
  (void)scope.end();
}

CoreAttachment& DeviceCore::attachment(const std::function<std::unique_ptr<CoreAttachment>()>& make) {
  const std::lock_guard lock(internals_->mutex);
  if (internals_->attachment == nullptr) internals_->attachment = make();
  return *internals_->attachment;
}

}  // namespace millrace::webgpu
