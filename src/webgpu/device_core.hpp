// The device inside: one WebGPU device with its function table, dialect, limits, error scopes, waits, loss and counts.
//
// Every call into the provider happens under the device's mutex: wgpu-native has one error-scope stack for each device,
// so another thread's errors would land in ours, and Dawn crashes without synchronisation. Every call that can fail runs
// inside an error scope, in release builds too. Objects hold the core by shared_ptr, so that the order of destruction
// does not matter. This header names WebGPU handles but does not include webgpu.h: nothing outside of src/webgpu does.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <millrace/device.hpp>

using WGPUBindGroup = struct WGPUBindGroupImpl*;
using WGPUBindGroupLayout = struct WGPUBindGroupLayoutImpl*;
using WGPUBuffer = struct WGPUBufferImpl*;
using WGPUCommandBuffer = struct WGPUCommandBufferImpl*;
using WGPUCommandEncoder = struct WGPUCommandEncoderImpl*;
using WGPUComputePassEncoder = struct WGPUComputePassEncoderImpl*;
using WGPUComputePipeline = struct WGPUComputePipelineImpl*;
using WGPUDevice = struct WGPUDeviceImpl*;
using WGPUInstance = struct WGPUInstanceImpl*;
using WGPUQueue = struct WGPUQueueImpl*;

namespace millrace::webgpu {

class DeviceCore;
struct CoreInternals;

enum class Usage : std::uint32_t {
  none = 0,
  map_read = 0x1,
  map_write = 0x2,
  copy_source = 0x4,
  copy_destination = 0x8,
  index = 0x10,
  vertex = 0x20,
  uniform = 0x40,
  storage = 0x80,
  indirect = 0x100,
};
[[nodiscard]] constexpr Usage operator|(Usage a, Usage b) {
  return static_cast<Usage>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
[[nodiscard]] constexpr bool contains(Usage all, Usage some) {
  return (static_cast<std::uint32_t>(all) & static_cast<std::uint32_t>(some)) == static_cast<std::uint32_t>(some);
}
// What every vector of ours can be used as.
inline constexpr Usage kVectorUsage =
    Usage::storage | Usage::copy_source | Usage::copy_destination | Usage::vertex | Usage::index | Usage::indirect;

// Of offsets and sizes of copies, clears and queue writes.
inline constexpr std::uint64_t kCopyAlignment = 4;

// What kernels count on: no device with less is opened.
inline constexpr std::uint32_t kLeastInvocations = 256;   // in a workgroup
inline constexpr std::uint32_t kLeastStorageBuffers = 4;  // in a kernel

// A buffer of the device, owned (released at destruction, never destroyed: commands in flight keep the memory) or
// borrowed (a reference of our own on the application's). Counted in the device's stats when owned.
class Buffer {
 public:
  Buffer(std::shared_ptr<DeviceCore> core, WGPUBuffer handle, std::uint64_t byte_size, Usage usage, bool owned);
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  [[nodiscard]] const std::shared_ptr<DeviceCore>& core() const { return core_; }
  [[nodiscard]] WGPUBuffer handle() const { return handle_; }
  [[nodiscard]] std::uint64_t byte_size() const { return byte_size_; }
  [[nodiscard]] Usage usage() const { return usage_; }
  [[nodiscard]] bool is_owned() const { return owned_; }

 private:
  std::shared_ptr<DeviceCore> core_;
  WGPUBuffer handle_;
  std::uint64_t byte_size_;
  Usage usage_;
  bool owned_;
};

enum class BindingKind : std::uint8_t { storage_read, storage_read_write, uniform, uniform_dynamic };

struct LayoutEntry {
  std::uint32_t binding;
  BindingKind kind;
  std::uint64_t least_byte_size;  // 0 for runtime-sized arrays: checked at dispatch
};

// A compute pipeline with its explicit layouts, one bind group layout for each group. Pipelines of equal text, entry
// point and layouts share one WebGPU object for as long as any of them lives. Move-only.
class ComputePipeline {
 public:
  struct Object;
  ComputePipeline(ComputePipeline&&) noexcept;
  ComputePipeline& operator=(ComputePipeline&&) noexcept;
  ~ComputePipeline();
  [[nodiscard]] WGPUComputePipeline handle() const;
  [[nodiscard]] WGPUBindGroupLayout layout(std::size_t group) const;

 private:
  friend class DeviceCore;
  friend class Recorder;
  explicit ComputePipeline(std::shared_ptr<const Object> object);
  std::shared_ptr<const Object> object_;
};

struct PipelineDescription {
  std::string label;  // in errors: `Kernel "label" ...`
  std::string wgsl;
  std::string entry_point = "main";
  std::vector<std::vector<LayoutEntry>> groups;
};

struct BoundRange {
  std::uint32_t binding;
  const Buffer* buffer;
  std::uint64_t byte_offset;
  std::uint64_t byte_size;  // never 0: wgpu-native aborts on it
};

// Holds references on its buffers, as WebGPU's does. Move-only.
class BindGroup {
 public:
  BindGroup(BindGroup&&) noexcept;
  BindGroup& operator=(BindGroup&&) noexcept;
  ~BindGroup();
  [[nodiscard]] WGPUBindGroup handle() const { return handle_; }

 private:
  friend class DeviceCore;
  friend class Recorder;
  BindGroup(std::shared_ptr<DeviceCore> core, WGPUBindGroup handle);
  std::shared_ptr<DeviceCore> core_;
  WGPUBindGroup handle_ = nullptr;
};

// A recording of commands. Not thread-safe; each call takes the device's mutex. Errors of single commands surface at
// finish(), as in WebGPU; what we can see ourselves is thrown by the call: BindingError `foreign_device` and
// `missing_usage`, DeviceError `over_device_limit` and `device_lost`, InternalError for ranges and alignments that the
// caller should have known. Destroying it unfinished abandons it. Move-only.
class Recorder {
 public:
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;
  ~Recorder();

  [[nodiscard]] const std::shared_ptr<DeviceCore>& core() const { return core_; }
  void begin_compute_pass();
  void end_compute_pass();
  void set_pipeline(const ComputePipeline& pipeline);
  void set_bind_group(std::uint32_t group, const BindGroup& bind_group, std::span<const std::uint32_t> dynamic_offsets);
  void dispatch(std::uint32_t x, std::uint32_t y, std::uint32_t z);
  void dispatch_indirect(const Buffer& buffer, std::uint64_t byte_offset);
  void copy(const Buffer& from, std::uint64_t from_byte_offset, const Buffer& to, std::uint64_t to_byte_offset,
            std::uint64_t byte_size);
  // The same into a staging buffer of DeviceCore::create_staging_buffer, which has room for it.
  void copy_to_staging(const Buffer& from, std::uint64_t from_byte_offset, WGPUBuffer to, std::uint64_t to_byte_offset,
                       std::uint64_t byte_size);
  void clear(const Buffer& buffer, std::uint64_t byte_offset, std::uint64_t byte_size);
  // The finished command buffer, owned by the caller (submit takes it). DeviceError `provider_error`, `device_lost`.
  [[nodiscard]] WGPUCommandBuffer finish();

 private:
  friend class DeviceCore;
  Recorder(std::shared_ptr<DeviceCore> core, WGPUCommandEncoder encoder, std::string label);
  void abandon() noexcept;
  void check_open(bool in_pass, std::string_view call) const;
  void check_range(const Buffer& buffer, std::uint64_t byte_offset, std::uint64_t byte_size, Usage usage,
                   std::string_view call) const;
  std::shared_ptr<DeviceCore> core_;
  std::string label_;
  WGPUCommandEncoder encoder_ = nullptr;
  WGPUComputePassEncoder pass_ = nullptr;
};

// A staging buffer's way into host memory. `status` changes inside process_events().
struct MapRequest {
  enum class Status : std::uint8_t { pending, mapped, failed };
  std::atomic<Status> status = Status::pending;
  std::string words;  // the provider's, where it failed
};

// What lives at a core without being part of it: the pool of staging buffers and the reads under way. It must not hold a
// share of the core. Its destructor runs while the core's handles still live.
class CoreAttachment {
 public:
  virtual ~CoreAttachment() = default;
  [[nodiscard]] virtual std::uint64_t cached_bytes() const = 0;
  virtual void trim() = 0;
  // After each process_events(), without the device's mutex, on the thread of that call: the place to run the callbacks
  // of users, which may throw.
  virtual void after_events() = 0;
};

// The part of the core that the rest of the library calls. The implementation (function table, dialect, scopes, waits,
// faults) stands in the other headers of this folder.
class DeviceCore : public std::enable_shared_from_this<DeviceCore> {
 public:
  explicit DeviceCore(std::unique_ptr<CoreInternals> internals);
  DeviceCore(const DeviceCore&) = delete;
  DeviceCore& operator=(const DeviceCore&) = delete;
  ~DeviceCore();

  [[nodiscard]] const AdapterInfo& adapter() const;
  [[nodiscard]] const DeviceCapabilities& capabilities() const;
  [[nodiscard]] bool is_lost() const;
  [[nodiscard]] DeviceStats stats() const;

  // subject: the name in errors. byte_size is rounded up to 16 and must not be 0. over_device_limit, out_of_memory,
  // device_lost. New buffers hold zeros.
  [[nodiscard]] std::shared_ptr<Buffer> create_buffer(std::string_view subject, std::uint64_t byte_size, Usage usage);
  // byte_offset a multiple of 4; bytes whose size is not are padded with zeros by the callee, so the buffer must have
  // room up to the next multiple of 4.
  void write_buffer(const Buffer& buffer, std::uint64_t byte_offset, std::span<const std::byte> bytes);
  // KernelError `wgsl_error` with the provider's words, the line and its text; device errors.
  [[nodiscard]] ComputePipeline create_pipeline(const PipelineDescription& description);
  // One for each description, in their order. Where the provider makes pipelines in the background, all are requested
  // before the first is awaited, so that they are compiled side by side.
  [[nodiscard]] std::vector<ComputePipeline> create_pipelines(std::span<const PipelineDescription> descriptions);
  [[nodiscard]] BindGroup create_bind_group(const ComputePipeline& pipeline, std::uint32_t group,
                                            std::span<const BoundRange> ranges);
  [[nodiscard]] Recorder create_recorder(std::string_view label);
  // Takes the command buffer's reference, also when it throws.
  void submit(WGPUCommandBuffer commands);
  // Drops a command buffer that is not to be submitted.
  void release_commands(WGPUCommandBuffer commands) noexcept;

  // Runs callbacks that are due.
  void process_events();
  // process_events until done() is true. deadline_exceeded, device_lost. `what` stands in the message: "reading rows".
  void wait_until(const std::function<bool()>& done, std::chrono::milliseconds deadline, std::string_view what);
  // Waits for all submitted work.
  void wait_for_queue(std::chrono::milliseconds deadline);
  void trim();

  // Staging buffers: map_read | copy_destination. Raw handles, since their pool lives inside the core; not in live_bytes.
  // byte_size a multiple of 8.
  [[nodiscard]] WGPUBuffer create_staging_buffer(std::uint64_t byte_size);
  void release_staging_buffer(WGPUBuffer buffer) noexcept;
  // byte_offset a multiple of 8, byte_size of 4, not 0.
  [[nodiscard]] std::shared_ptr<const MapRequest> map_for_reading(WGPUBuffer buffer, std::uint64_t byte_offset,
                                                                  std::uint64_t byte_size);
  // Of a buffer whose request is `mapped`, within its range. The bytes stay until unmap().
  [[nodiscard]] std::span<const std::byte> mapped_bytes(WGPUBuffer buffer, std::uint64_t byte_offset,
                                                        std::uint64_t byte_size);
  // Ends a map, or cancels a pending one.
  void unmap(WGPUBuffer buffer);

  // The attachment, made by `make` at the first call.
  [[nodiscard]] CoreAttachment& attachment(const std::function<std::unique_ptr<CoreAttachment>()>& make);

  // For the sources of this folder.
  [[nodiscard]] CoreInternals& internals() { return *internals_; }
  [[nodiscard]] const CoreInternals& internals() const { return *internals_; }

 private:
  std::unique_ptr<CoreInternals> internals_;
};

// The core inside a Device, and a Device over a core.
struct DeviceAccess {
  // BindingError `destroyed` where the device was moved from.
  [[nodiscard]] static const std::shared_ptr<DeviceCore>& core(const Device& device);
  [[nodiscard]] static Device wrap(std::shared_ptr<DeviceCore> core);
};

}  // namespace millrace::webgpu
