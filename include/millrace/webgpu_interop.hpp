// Between millrace and the application's own WebGPU objects. The only public header that includes webgpu.h.
//
// borrow_* adds references of its own, which go with the last millrace object over the thing; the application's stay the
// application's. Nothing here waits for the device or submits to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <webgpu/webgpu.h>

#include <millrace/device.hpp>
#include <millrace/vector.hpp>

namespace [[gnu::visibility("default")]] millrace {
namespace webgpu {

class Buffer;

// The instance too: webgpu.h gives no way from a device to its instance, and to wait is to process the instance's events.
struct NativeDevice {
  WGPUInstance instance;
  WGPUDevice device;
  WGPUQueue queue = nullptr;  // the device's, where null
  void* library = nullptr;   // dlopen's handle of the library whose functions made them; where null, the process itself
  bool thread_safe = false;  // whether calls may come from several threads; else only from the one that borrows
};
// A device of the application's. BindingError `null_handle`; DeviceError `no_provider`, `unsupported_device`. Where
// thread_safe is false, a call from another thread throws BindingError `wrong_thread`.
[[nodiscard]] Device borrow_device(const NativeDevice& native);

// Rows in a buffer: row i lies at byte_offset + i * byte_stride.
struct RowLayout {
  Format format;
  std::uint64_t byte_offset = 0;                  // a multiple of 4
  std::optional<std::uint64_t> byte_stride = {};  // a multiple of 4, at least the row; packed where unset
  std::uint64_t row_count;
};

// A buffer of the application's. Copies share it; a move is a copy.
class BorrowedBuffer {
 public:
  BorrowedBuffer(const BorrowedBuffer&) = default;
  BorrowedBuffer& operator=(const BorrowedBuffer&) = default;

  // The view holds a reference to the buffer, not to this object. What the buffer's usages do not allow is refused where
  // it is needed first (BindingError `missing_usage`). BindingError `misaligned_layout`, `buffer_range`,
  // `row_count_limit`.
  [[nodiscard]] MutableVectorView rows(const RowLayout& layout) const;

 private:
  friend BorrowedBuffer borrow_buffer(Device& device, WGPUBuffer buffer);
  explicit BorrowedBuffer(std::shared_ptr<Buffer> buffer);
  std::shared_ptr<Buffer> buffer_;
};
// Checks once that the buffer is the device's (where it is not, its own device gets a validation error, which ends the
// process where wgpu-native has no callback for it) and not destroyed, as far as its usages let the provider tell. Views
// of a buffer that is destroyed later, or mapped, must not be used: providers may end the process. BindingError
// `null_handle`, `foreign_device`, `destroyed`.
[[nodiscard]] BorrowedBuffer borrow_buffer(Device& device, WGPUBuffer buffer);

// The other way: handles without a reference added, good as long as the millrace object.
[[nodiscard]] WGPUDevice native(const Device& device);

// From the first byte of a chunk's first row to the last byte of its last. A chunk without rows has no buffer and size 0.
struct NativeRange {
  WGPUBuffer buffer;
  std::uint64_t byte_offset;
  std::uint64_t byte_size;
};
// The chunks of a vector, in order. BindingError `destroyed`.
[[nodiscard]] std::vector<NativeRange> native_chunks(const VectorView& vector);

}  // namespace webgpu
}  // namespace millrace
