// An application that uses WebGPU by itself: its own instance, device and buffers, made through the provider's functions
// as tests find them, never through millrace's objects.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <webgpu/webgpu.h>

#include "src/webgpu/provider.hpp"

namespace millrace {

class Application {
 public:
  Application() : provider_(webgpu::load_provider({})), f_(provider_.functions) {
    instance_ = f_.CreateInstance(nullptr);
    const WGPUCallbackMode mode = WGPUCallbackMode_AllowProcessEvents;
    Answer<WGPUAdapter> adapter;
    f_.InstanceRequestAdapter(instance_, nullptr,
                              {nullptr, mode, give<WGPURequestAdapterStatus, WGPUAdapter>, &adapter, nullptr});
    wait(adapter);
    Answer<WGPUDevice> device;
    WGPUDeviceDescriptor descriptor = {};
    descriptor.uncapturedErrorCallbackInfo = {nullptr, count_error, &uncaptured_errors_, nullptr};
    f_.AdapterRequestDevice(adapter.object, &descriptor,
                            {nullptr, mode, give<WGPURequestDeviceStatus, WGPUDevice>, &device, nullptr});
    wait(device);
    f_.AdapterRelease(adapter.object);
    device_ = device.object;
    queue_ = f_.DeviceGetQueue(device_);
  }
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;
  ~Application() {
    f_.QueueRelease(queue_);
    f_.DeviceRelease(device_);
    f_.InstanceRelease(instance_);
  }

  [[nodiscard]] WGPUInstance instance() const { return instance_; }
  [[nodiscard]] WGPUDevice device() const { return device_; }
  [[nodiscard]] WGPUQueue queue() const { return queue_; }
  // The handle of dlopen that an application has of its library; null where the functions are the process's own.
  [[nodiscard]] void* library() const {
    return provider_.library.find('/') == std::string::npos ? nullptr : dlopen(provider_.library.c_str(), RTLD_LAZY);
  }
  [[nodiscard]] int uncaptured_errors() const { return uncaptured_errors_; }

  [[nodiscard]] WGPUBuffer create_buffer(std::uint64_t byte_size, WGPUBufferUsage usage) const {
    WGPUBufferDescriptor descriptor = {};
    descriptor.usage = usage;
    descriptor.size = byte_size;
    return f_.DeviceCreateBuffer(device_, &descriptor);
  }
  template <class T>
  [[nodiscard]] WGPUBuffer create_buffer(const std::vector<T>& rows, WGPUBufferUsage usage) const {
    const WGPUBuffer buffer = create_buffer(rows.size() * sizeof(T), usage | WGPUBufferUsage_CopyDst);
    f_.QueueWriteBuffer(queue_, buffer, 0, rows.data(), rows.size() * sizeof(T));
    return buffer;
  }
  void release(WGPUBuffer buffer) const { f_.BufferRelease(buffer); }
  void destroy(WGPUBuffer buffer) const {
    reinterpret_cast<WGPUProcBufferDestroy>(dlsym(library(), "wgpuBufferDestroy"))(buffer);
  }

 private:
  template <class Object>
  struct Answer {
    Object object = nullptr;
    bool given = false;
  };
  template <class Status, class Object>
  static void give(Status, Object object, WGPUStringView, void* answer, void*) {
    *static_cast<Answer<Object>*>(answer) = {object, true};
  }
  static void count_error(const WGPUDevice*, WGPUErrorType, WGPUStringView, void* count, void*) {
    ++*static_cast<int*>(count);
  }
  template <class Object>
  void wait(const Answer<Object>& answer) const {
    while (!answer.given) f_.InstanceProcessEvents(instance_);
    if (answer.object == nullptr) throw std::runtime_error("There is no WebGPU device for the application.");
  }

  const webgpu::Provider& provider_;
  const webgpu::FunctionTable& f_;
  WGPUInstance instance_ = nullptr;
  WGPUDevice device_ = nullptr;
  WGPUQueue queue_ = nullptr;
  int uncaptured_errors_ = 0;
};

}  // namespace millrace
