// From host memory to the device: new vectors, and rows written into those there are.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <millrace/device.hpp>
#include <millrace/error.hpp>

#include "src/base/counted.hpp"
#include "src/format/format_table.hpp"
#include "src/webgpu/borrowed_buffer.hpp"
#include "src/webgpu/row_storage.hpp"

namespace millrace {
namespace {

using webgpu::DeviceCore;

std::uint64_t checked_total(std::span<const std::uint64_t> row_counts) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : row_counts) {
    check_row_count(count);
    total += count;
    check_row_count(total);
  }
  return total;
}

// Chunks of these rows, each in a buffer of its own, of zeros. Buffers are padded to 16 bytes, so that kernels may read
// the last rows by whole vec4.
std::vector<Chunk> create_chunks(DeviceCore& core, Format format, std::span<const std::uint64_t> row_counts) {
  const std::uint64_t row_byte_size = bytes_per_row(format);
  const std::string subject = fmt::format("{} vector", format_name(format));
  std::vector<Chunk> chunks;
  chunks.reserve(row_counts.size());
  for (const std::uint64_t rows : row_counts) {
    Chunk chunk{.buffer = nullptr, .byte_offset = 0, .byte_stride = row_byte_size, .row_count = rows};
    if (rows > 0) chunk.buffer = core.create_buffer(subject, rows * row_byte_size, webgpu::kVectorUsage);
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

std::vector<std::uint64_t> chunk_lengths_of(const VectorShape& shape) {
  if (!shape.chunk_lengths.has_value()) {
    if (!shape.length.has_value())
      throw GraphError(ErrorCode::invalid_shape, "",
                       "A vector's shape says neither its length nor its chunk lengths; give one of them.");
    return {*shape.length};
  }
  const std::uint64_t total = checked_total(*shape.chunk_lengths);
  if (shape.length.has_value() && *shape.length != total)
    throw GraphError(ErrorCode::invalid_shape, "",
                     fmt::format("A vector's shape has the length {length}, but its chunks have {total} together; "
                                 "make them equal or give one of them.",
                                 fmt::arg("length", *shape.length), fmt::arg("total", counted(total, "row"))));
  return *shape.chunk_lengths;
}

std::span<const std::byte> bytes_of(const HostRows& rows) {
  return {static_cast<const std::byte*>(rows.data()), rows.count() * rows.row_byte_size()};
}

// Rows into a strided chunk: packed into a buffer of their own, from which each is copied to its place, so that the bytes
// between are not touched.
void write_strided(DeviceCore& core, const Chunk& chunk, std::span<const std::byte> bytes,
                   std::uint64_t row_byte_size) {
  constexpr std::uint64_t kRowsPerSubmission = 65536;
  for (std::uint64_t first = 0; first < chunk.row_count; first += kRowsPerSubmission) {
    const std::uint64_t count = std::min(kRowsPerSubmission, chunk.row_count - first);
    const auto source = core.create_buffer("rows to write", count * row_byte_size,
                                           webgpu::Usage::copy_source | webgpu::Usage::copy_destination);
    core.write_buffer(*source, 0, bytes.subspan(first * row_byte_size, count * row_byte_size));
    webgpu::Recorder recorder = core.create_recorder("write");
    for (std::uint64_t row = 0; row < count; ++row)
      recorder.copy(*source, row * row_byte_size, *chunk.buffer, chunk.byte_offset + (first + row) * chunk.byte_stride,
                    row_byte_size);
    core.submit(recorder.finish());
  }
}

void write_chunks(DeviceCore& core, std::span<const Chunk> chunks, std::uint64_t row_byte_size,
                  std::span<const std::byte> bytes) {
  for (const Chunk& chunk : chunks) {
    if (chunk.row_count == 0) continue;
    const std::span<const std::byte> own = bytes.subspan(0, chunk.row_count * row_byte_size);
    bytes = bytes.subspan(own.size());
    if (chunk.byte_stride == row_byte_size || chunk.row_count == 1)
      core.write_buffer(*chunk.buffer, chunk.byte_offset, own);
    else
      write_strided(core, chunk, own, row_byte_size);
  }
}

}  // namespace

Vector Device::upload(Format format, HostRows rows) { return upload_chunks(format, std::span(&rows, 1)); }

Vector Device::upload_chunks(Format format, std::initializer_list<HostRows> chunks) {
  return upload_chunks(format, std::span(chunks.begin(), chunks.size()));
}

Vector Device::upload_chunks(Format format, std::span<const HostRows> chunks) {
  const std::shared_ptr<DeviceCore>& core = webgpu::DeviceAccess::core(*this);
  std::vector<std::uint64_t> row_counts;
  row_counts.reserve(chunks.size());
  for (const HostRows& rows : chunks) row_counts.push_back(host_row_count(format, element_of(rows), rows.count()));
  (void)checked_total(row_counts);
  std::vector<Chunk> created = create_chunks(*core, format, row_counts);
  for (std::size_t index = 0; index < created.size(); ++index)
    if (created[index].buffer != nullptr) core->write_buffer(*created[index].buffer, 0, bytes_of(chunks[index]));
  return VectorAccess::adopt(core, format, std::move(created));
}

Vector Device::create_vector(Format format, const VectorShape& shape) {
  const std::shared_ptr<DeviceCore>& core = webgpu::DeviceAccess::core(*this);
  const std::vector<std::uint64_t> row_counts = chunk_lengths_of(shape);
  (void)checked_total(row_counts);
  return VectorAccess::adopt(core, format, create_chunks(*core, format, row_counts));
}

void MutableVectorView::write(HostRows rows) const {
  const detail::ViewRows& view = VectorAccess::living(*this);
  const std::uint64_t given = host_row_count(view.format, element_of(rows), rows.count());
  if (given != view.row_count)
    throw BindingError(ErrorCode::row_count_mismatch, "",
                       fmt::format("The rows to write are {given}, but the view has {count}; they must be as many.",
                                   fmt::arg("given", given), fmt::arg("count", view.row_count)));
  const std::vector<Chunk> chunks = VectorAccess::chunks(*this, "The view");
  for (const Chunk& chunk : chunks) {
    if (chunk.buffer != nullptr) webgpu::check_copyable(*chunk.buffer, webgpu::Usage::copy_destination);
  }
  write_chunks(*view.core, chunks, bytes_per_row(view.format), bytes_of(rows));
}

void Vector::write(HostRows rows) { MutableVectorView(*this).write(rows); }

}  // namespace millrace
