// The application's objects as ours, and ours as the application's.
#include <string>
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>
#include <millrace/webgpu_interop.hpp>

#include "src/base/arithmetic.hpp"
#include "src/base/counted.hpp"
#include "src/format/format_table.hpp"
#include "src/webgpu/adapters.hpp"
#include "src/webgpu/borrowed_buffer.hpp"
#include "src/webgpu/core_internals.hpp"
#include "src/webgpu/error_scope.hpp"
#include "src/webgpu/open.hpp"
#include "src/webgpu/read_plan.hpp"
#include "src/webgpu/row_storage.hpp"

namespace millrace::webgpu {
namespace {

template <class Handle>
void check_handle(Handle handle, std::string_view what) {
  if (handle != nullptr) return;
  throw BindingError(
      ErrorCode::null_handle, "",
      fmt::format("The {what} to borrow is null; give the application's {what}.", fmt::arg("what", what)));
}

[[noreturn]] void refuse_layout(const std::string& message) {
  throw BindingError(ErrorCode::misaligned_layout, "", message);
}

void check_alignment(const RowLayout& layout, std::uint64_t byte_stride) {
  if (layout.byte_offset % 4 != 0)
    refuse_layout(fmt::format("The rows begin at byte {offset}, which is no multiple of 4.",
                              fmt::arg("offset", layout.byte_offset)));
  if (byte_stride % 4 != 0)
    refuse_layout(fmt::format("The stride of {stride} bytes from row to row is no multiple of 4.",
                              fmt::arg("stride", byte_stride)));
  if (byte_stride < bytes_per_row(layout.format))
    refuse_layout(
        fmt::format("The stride of {stride} bytes is less than a row of format {format}, which is {size} bytes.",
                    fmt::arg("stride", byte_stride), fmt::arg("format", format_name(layout.format)),
                    fmt::arg("size", bytes_per_row(layout.format))));
}

// The byte after the last row, where that is a number.
std::optional<std::uint64_t> end_of(const RowLayout& layout, std::uint64_t byte_stride) {
  if (layout.row_count == 0) return layout.byte_offset;
  const auto last = checked_multiply(layout.row_count - 1, byte_stride);
  const auto begin = last ? checked_add(*last, layout.byte_offset) : std::nullopt;
  return begin ? checked_add(*begin, bytes_per_row(layout.format)) : std::nullopt;
}

}  // namespace

Device borrow_device(const NativeDevice& native) {
  check_handle(native.instance, "instance");
  check_handle(native.device, "device");
  const FunctionTable& functions = provider_of_handle(native.library).functions;
  // The queue that wgpuDeviceGetQueue gives carries a reference for its caller.
  const Owned<WGPUQueue> own_queue(native.queue == nullptr ? functions.DeviceGetQueue(native.device) : nullptr,
                                   functions.QueueRelease);
  return DeviceAccess::wrap(open_borrowed_core({.instance = native.instance,
                                                .device = native.device,
                                                .queue = native.queue != nullptr ? native.queue : own_queue.get(),
                                                .library = native.library,
                                                .thread_safe = native.thread_safe},
                                               {}));
}

BorrowedBuffer::BorrowedBuffer(std::shared_ptr<Buffer> buffer) : buffer_(std::move(buffer)) {}

BorrowedBuffer borrow_buffer(Device& device, WGPUBuffer buffer) {
  check_handle(buffer, "buffer");
  const std::shared_ptr<DeviceCore>& core = DeviceAccess::core(device);
  CoreInternals& internals = core->internals();
  std::uint64_t byte_size = 0;
  Usage usage = Usage::none;
  {
    const std::lock_guard lock(internals.mutex);
    check_alive(internals, {});
    byte_size = internals.functions().BufferGetSize(buffer);
    usage = static_cast<Usage>(internals.functions().BufferGetUsage(buffer));
  }
  if (!is_buffer_of(*core, buffer))
    throw BindingError(
        ErrorCode::foreign_device, "",
        fmt::format("The buffer to borrow is not one of the device \"{device}\"; borrow it from the device "
                    "that made it.",
                    fmt::arg("device", core->adapter().name)));
  if (is_destroyed(*core, buffer, byte_size, usage))
    throw BindingError(ErrorCode::destroyed, "", "The buffer to borrow was destroyed by its owner.");
  const std::lock_guard lock(internals.mutex);
  internals.functions().BufferAddRef(buffer);
  ++internals.counts.live_objects;
  return BorrowedBuffer(std::make_shared<Buffer>(core, buffer, byte_size, usage, false));
}

MutableVectorView BorrowedBuffer::rows(const RowLayout& layout) const {
  const std::uint64_t byte_stride = layout.byte_stride.value_or(bytes_per_row(layout.format));
  check_alignment(layout, byte_stride);
  check_row_count(layout.row_count);
  const std::optional<std::uint64_t> end = end_of(layout, byte_stride);
  if (!end || *end > buffer_->byte_size())
    throw BindingError(
        ErrorCode::buffer_range, "",
        fmt::format("{count} of {format} at byte {offset}, {stride} bytes from row to row, {verb} past "
                    "the end of the buffer, which has {size} bytes.",
                    fmt::arg("count", counted(layout.row_count, "row")),
                    fmt::arg("verb", layout.row_count == 1 ? "reaches" : "reach"),
                    fmt::arg("format", format_name(layout.format)), fmt::arg("offset", layout.byte_offset),
                    fmt::arg("stride", byte_stride), fmt::arg("size", buffer_->byte_size())));
  std::vector<Chunk> chunks(1);
  chunks.front() = {.buffer = layout.row_count > 0 ? buffer_ : nullptr,
                    .byte_offset = layout.byte_offset,
                    .byte_stride = byte_stride,
                    .row_count = layout.row_count};
  return VectorAccess::borrow(buffer_->core(), layout.format, std::move(chunks));
}

WGPUDevice native(const Device& device) { return DeviceAccess::core(device)->internals().device; }

std::vector<NativeRange> native_chunks(const VectorView& vector) {
  const std::uint64_t row_byte_size = bytes_per_row(vector.format());
  std::vector<NativeRange> ranges;
  for (const Chunk& chunk : VectorAccess::chunks(vector, "The view")) {
    if (chunk.row_count == 0)
      ranges.push_back({.buffer = nullptr, .byte_offset = 0, .byte_size = 0});
    else
      ranges.push_back({.buffer = chunk.buffer->handle(),
                        .byte_offset = chunk.byte_offset,
                        .byte_size = rows_span(chunk.row_count, chunk.byte_stride, row_byte_size)});
  }
  return ranges;
}

}  // namespace millrace::webgpu
