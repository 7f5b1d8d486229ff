// Adapters of an instance: found, described, chosen among.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <millrace/device.hpp>

#include "src/webgpu/provider.hpp"

namespace millrace::webgpu {

// A reference on a handle of the provider.
template <class Handle>
class Owned {
 public:
  Owned(Handle handle, void (*release)(Handle)) : handle_(handle), release_(release) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)), release_(other.release_) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(release_, other.release_);
    return *this;
  }
  ~Owned() {
    if (handle_ != nullptr) release_(handle_);
  }
  [[nodiscard]] Handle get() const { return handle_; }
  [[nodiscard]] Handle take() { return std::exchange(handle_, nullptr); }

 private:
  Handle handle_;
  void (*release_)(Handle);
};

struct FoundAdapter {
  AdapterInfo info;
  Owned<WGPUAdapter> handle;
  bool computes;  // false for a backend that does nothing
};

struct FoundAdapters {
  Owned<WGPUInstance> instance;
  std::vector<FoundAdapter> adapters;  // those that fit the options, best first
};

// An instance of its own for each call: its events are those of one device.
[[nodiscard]] FoundAdapters find_adapters(const Provider& provider, const DeviceOptions& options);

[[nodiscard]] AdapterInfo describe_adapter(const Provider& provider, const WGPUAdapterInfo& info);

// The words of the options that narrow the choice, for errors: `named "nvidia", on vulkan`. Empty where none does.
[[nodiscard]] std::string describe_options(const DeviceOptions& options);

}  // namespace millrace::webgpu
