// Device, CommandEncoder and CommandBuffer: the public side of a core and its recordings.
#include <memory>
#include <utility>

#include <millrace/device.hpp>
#include <millrace/error.hpp>

#include "src/webgpu/device_core.hpp"
#include "src/webgpu/encoder_access.hpp"
#include "src/webgpu/open.hpp"

namespace millrace {

std::string_view to_string(AdapterType type) {
  switch (type) {
    case AdapterType::discrete_gpu:
      return "discrete GPU";
    case AdapterType::integrated_gpu:
      return "integrated GPU";
    case AdapterType::cpu:
      return "CPU";
    case AdapterType::unknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(GraphicsApi api) {
  switch (api) {
    case GraphicsApi::vulkan:
      return "Vulkan";
    case GraphicsApi::metal:
      return "Metal";
    case GraphicsApi::d3d12:
      return "Direct3D 12";
    case GraphicsApi::d3d11:
      return "Direct3D 11";
    case GraphicsApi::opengl:
      return "OpenGL";
    case GraphicsApi::opengles:
      return "OpenGL ES";
    case GraphicsApi::unknown:
      break;
  }
  return "unknown";
}

struct CommandEncoder::Recording {
  webgpu::Recorder recorder;
  bool finished = false;
};

// Owns the finished commands until they are submitted.
struct CommandBuffer::Recording {
  std::shared_ptr<webgpu::DeviceCore> core;
  WGPUCommandBuffer handle = nullptr;

  Recording(std::shared_ptr<webgpu::DeviceCore> device_core, WGPUCommandBuffer commands)
      : core(std::move(device_core)), handle(commands) {}
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() {
    if (handle != nullptr) core->release_commands(handle);
  }
};

CommandBuffer::CommandBuffer(std::unique_ptr<Recording> recording) : recording_(std::move(recording)) {}
CommandBuffer::CommandBuffer(CommandBuffer&&) noexcept = default;
CommandBuffer& CommandBuffer::operator=(CommandBuffer&&) noexcept = default;
CommandBuffer::~CommandBuffer() = default;

CommandEncoder::CommandEncoder(std::unique_ptr<Recording> recording) : recording_(std::move(recording)) {}
CommandEncoder::CommandEncoder(CommandEncoder&&) noexcept = default;
CommandEncoder& CommandEncoder::operator=(CommandEncoder&&) noexcept = default;
CommandEncoder::~CommandEncoder() = default;

CommandBuffer CommandEncoder::finish() {
  webgpu::Recorder& recorder = EncoderAccess::recorder(*this);
  recording_->finished = true;
  return CommandBuffer(std::make_unique<CommandBuffer::Recording>(recorder.core(), recorder.finish()));
}

webgpu::Recorder& EncoderAccess::recorder(CommandEncoder& encoder) {
  if (encoder.recording_ == nullptr || encoder.recording_->finished) {
    throw BindingError(ErrorCode::destroyed, {}, "The command encoder was finished or moved from; create a new one.");
  }
  return encoder.recording_->recorder;
}

Device Device::open(const DeviceOptions& options) { return Device(webgpu::open_core(options)); }
std::vector<AdapterInfo> Device::list(const DeviceOptions& options) { return webgpu::list_adapters(options); }

Device::Device(std::shared_ptr<webgpu::DeviceCore> core) : core_(std::move(core)) {}
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;

const AdapterInfo& Device::adapter() const { return webgpu::DeviceAccess::core(*this)->adapter(); }
const DeviceCapabilities& Device::capabilities() const { return webgpu::DeviceAccess::core(*this)->capabilities(); }
bool Device::is_lost() const { return webgpu::DeviceAccess::core(*this)->is_lost(); }

CommandEncoder Device::create_command_encoder() {
  return CommandEncoder(std::make_unique<CommandEncoder::Recording>(CommandEncoder::Recording{
      .recorder = webgpu::DeviceAccess::core(*this)->create_recorder("millrace encoder"), .finished = false}));
}

void Device::submit(CommandBuffer commands) {
  if (commands.recording_ == nullptr || commands.recording_->handle == nullptr) {
    throw BindingError(ErrorCode::destroyed, {}, "The command buffer was submitted or moved from; record a new one.");
  }
  if (commands.recording_->core != webgpu::DeviceAccess::core(*this)) {
    throw BindingError(ErrorCode::foreign_device, {}, "The command buffer was recorded for another device.");
  }
  webgpu::DeviceAccess::core(*this)->submit(std::exchange(commands.recording_->handle, nullptr));
}

void Device::poll() { webgpu::DeviceAccess::core(*this)->process_events(); }
void Device::wait(std::chrono::milliseconds deadline) { webgpu::DeviceAccess::core(*this)->wait_for_queue(deadline); }
DeviceStats Device::stats() const { return webgpu::DeviceAccess::core(*this)->stats(); }
void Device::trim() { webgpu::DeviceAccess::core(*this)->trim(); }

namespace webgpu {

const std::shared_ptr<DeviceCore>& DeviceAccess::core(const Device& device) {
  if (device.core_ != nullptr) return device.core_;
  throw BindingError(ErrorCode::destroyed, {}, "The device was moved from; use the object that it was moved to.");
}
Device DeviceAccess::wrap(std::shared_ptr<DeviceCore> core) { return Device(std::move(core)); }

}  // namespace webgpu
}  // namespace millrace
