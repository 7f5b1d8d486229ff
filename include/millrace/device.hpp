// The device: where vectors live and graphs are compiled.
//
// Everything made from a device holds on to what it needs of it: the order of destruction does not matter. A device may
// be used from several threads, a borrowed one only where its application says so (webgpu_interop.hpp). One that was
// moved from is refused wherever it is used (BindingError `destroyed`).
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <millrace/vector.hpp>

namespace [[gnu::visibility("default")]] millrace {

namespace webgpu {
class DeviceCore;
struct DeviceAccess;
}

enum class Power : std::uint8_t { low, high };
enum class AdapterType : std::uint8_t { discrete_gpu, integrated_gpu, cpu, unknown };
enum class GraphicsApi : std::uint8_t { vulkan, metal, d3d12, d3d11, opengl, opengles, unknown };

[[nodiscard]] std::string_view to_string(AdapterType type);
[[nodiscard]] std::string_view to_string(GraphicsApi api);

// Caps inside millrace, lower than the adapter's own limits; never sent to the provider. For tests and watchdogs.
struct DeviceLimits {
  std::optional<std::uint64_t> storage_binding_byte_size = {};
  std::optional<std::uint32_t> storage_buffers_per_stage = {};
  std::optional<std::uint32_t> workgroups_per_dimension = {};
  std::optional<std::uint32_t> storage_offset_alignment = {};  // raised, never lowered; a power of two
  std::optional<std::uint64_t> rows_per_dispatch = {};
};

struct DeviceOptions {
  std::string adapter_name_contains = {};  // case-insensitive
  std::optional<GraphicsApi> api = {};     // any where unset
  Power power = Power::high;
  bool allow_software = true;
  DeviceLimits limits = {};
  // Path of a library that implements webgpu.h. Where empty: the environment variable MILLRACE_WEBGPU, then
  // millrace/libwgpu_native.so beside this library, then the process itself.
  std::string provider_path = {};
};

// An adapter, as its driver describes it.
struct AdapterInfo {
  std::string name;  // "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string vendor;
  std::string driver;
  AdapterType type;
  GraphicsApi api;
  std::string provider;  // "wgpu-native" or "Dawn"
};

// What a device can do beyond the least that millrace needs, and the limits in force: the adapter's, lowered by
// DeviceOptions::limits.
struct DeviceCapabilities {
  bool timestamps;
  bool subgroups;
  bool f16;
  std::uint64_t buffer_byte_size;
  std::uint64_t storage_binding_byte_size;
  std::uint64_t uniform_binding_byte_size;
  std::uint32_t storage_buffers_per_stage;
  std::uint32_t storage_offset_alignment;
  std::uint32_t uniform_offset_alignment;
  std::uint32_t workgroups_per_dimension;
  std::uint32_t invocations_per_workgroup;
  std::uint64_t rows_per_dispatch;  // 2^32-1 where no cap is set
};

struct DeviceStats {
  std::uint64_t live_bytes;    // of buffers in objects of the caller and of prepared executions
  std::uint64_t peak_bytes;    // the highest that live_bytes was
  std::uint64_t cached_bytes;  // of staging buffers, free, kept for reuse until trim()
  std::uint64_t live_objects;  // WebGPU objects made and not released: buffers, pipelines, layouts, bind groups, ...
};

// A finished recording, for Device::submit. Move-only.
class CommandBuffer {
 public:
  CommandBuffer(CommandBuffer&&) noexcept;
  CommandBuffer& operator=(CommandBuffer&&) noexcept;
  ~CommandBuffer();

 private:
  friend class Device;
  friend class CommandEncoder;
  struct Recording;
  explicit CommandBuffer(std::unique_ptr<Recording> recording);
  std::unique_ptr<Recording> recording_;
};

// An encoder of the library's, for applications that have none. Destroying an unfinished one abandons it. Move-only.
class CommandEncoder {
 public:
  CommandEncoder(CommandEncoder&&) noexcept;
  CommandEncoder& operator=(CommandEncoder&&) noexcept;
  ~CommandEncoder();
  // Ends the recording. Throws DeviceError where it is not valid; such a recording never reaches submit. A second call
  // throws BindingError `destroyed`.
  [[nodiscard]] CommandBuffer finish();

 private:
  friend class Device;
  friend struct EncoderAccess;
  struct Recording;
  explicit CommandEncoder(std::unique_ptr<Recording> recording);
  std::unique_ptr<Recording> recording_;
};

class Device {
 public:
  // The first open or list that loads a library sets NODEVICE_SELECT=1 in the environment where XDG_RUNTIME_DIR is not
  // set: without a desktop session a layer of Mesa's prints an error for each device otherwise.
  //
  // The best adapter that the options allow. DeviceError `no_provider`, `no_adapter`, `unsupported_device`,
  // `invalid_limit`.
  [[nodiscard]] static Device open(const DeviceOptions& options = {});
  // The adapters that open would choose from under these options, best first. Empty where none fits; DeviceError
  // `no_provider`.
  [[nodiscard]] static std::vector<AdapterInfo> list(const DeviceOptions& options = {});

  Device(Device&&) noexcept;
  Device& operator=(Device&&) noexcept;
  ~Device();

  [[nodiscard]] const AdapterInfo& adapter() const;
  [[nodiscard]] const DeviceCapabilities& capabilities() const;
  // A lost device stays lost: every call that needs it throws DeviceError `device_lost`.
  [[nodiscard]] bool is_lost() const;

  // One chunk; and one chunk for each part, empty ones too. Rows are copied before the call returns. BindingError
  // `row_type_mismatch`, `partial_row`, `row_count_limit`; DeviceError `over_device_limit`, `out_of_memory`,
  // `device_lost`.
  [[nodiscard]] Vector upload(Format format, HostRows rows);
  [[nodiscard]] Vector upload_chunks(Format format, std::initializer_list<HostRows> chunks);
  [[nodiscard]] Vector upload_chunks(Format format, std::span<const HostRows> chunks);
  // Rows of zeros. The shape says the length, the chunk lengths, or both: GraphError `invalid_shape` where it says neither
  // or they differ; else as upload.
  [[nodiscard]] Vector create_vector(Format format, const VectorShape& shape);

  // DeviceError `device_lost`.
  [[nodiscard]] CommandEncoder create_command_encoder();
  // Hands the commands to the device, in order, and returns. BindingError `destroyed` for commands that were moved from,
  // `foreign_device`; DeviceError `device_lost`. wgpu-native ends the process where the device is lost in the moment after
  // that check.
  void submit(CommandBuffer commands);
  // Runs callbacks that are due, and throws what they throw. Never waits.
  void poll();
  // Waits until all submitted work is done. DeviceError `deadline_exceeded`, `device_lost`.
  void wait(std::chrono::milliseconds deadline = std::chrono::seconds(10));

  [[nodiscard]] DeviceStats stats() const;
  // Releases what is cached.
  void trim();

 private:
  friend struct webgpu::DeviceAccess;
  explicit Device(std::shared_ptr<webgpu::DeviceCore> core);
  std::shared_ptr<webgpu::DeviceCore> core_;
};

}  // namespace millrace
