// What lies behind vectors and views: chunks of device buffers. The way in for the graph, which binds them.
//
//   Vector ----owns----> RowStorage, one or more (append adds the tail's)
//                            ^            chunk, chunk, ... each a range of a buffer
//                            | looks
//   VectorView --copies share--> ViewRows: parts, each naming a RowStorage and row ranges of its chunks
//
// A RowStorage is also the token of its own life: views hold it weakly, so one without rows or chunks is found dead too.
// Only views over the application's buffers hold theirs.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <millrace/device.hpp>
#include <millrace/vector.hpp>

#include "src/webgpu/device_core.hpp"

namespace millrace {

// One chunk: row i lies at byte_offset + i * byte_stride. A chunk without rows has no buffer.
struct Chunk {
  std::shared_ptr<webgpu::Buffer> buffer;
  std::uint64_t byte_offset = 0;  // a multiple of 4
  std::uint64_t byte_stride = 0;  // a multiple of 4, at least the packed size
  std::uint64_t row_count = 0;
};

struct RowStorage {
  std::vector<Chunk> chunks;
};

// Rows [first_row, first_row + row_count) of one chunk of a storage.
struct ChunkRows {
  std::size_t chunk = 0;
  std::uint64_t first_row = 0;
  std::uint64_t row_count = 0;
};

struct RowsPart {
  std::weak_ptr<const RowStorage> storage;
  std::shared_ptr<const RowStorage> borrowed;  // set where the buffers are the application's
  std::vector<ChunkRows> chunks;
};

// All rows of a storage, looked at.
[[nodiscard]] RowsPart part_of(const std::shared_ptr<const RowStorage>& storage);

namespace detail {

struct ViewRows {
  std::shared_ptr<webgpu::DeviceCore> core;
  Format format = {};
  std::uint64_t row_count = 0;
  std::vector<RowsPart> parts;
};

struct VectorChunks {
  std::shared_ptr<webgpu::DeviceCore> core;
  Format format = {};
  std::uint64_t row_count = 0;
  std::vector<std::shared_ptr<const RowStorage>> storages;
};

}  // namespace detail

struct VectorAccess {
  // The device of the view's rows; never null. A view holds on to it, not to storage.
  [[nodiscard]] static std::shared_ptr<webgpu::DeviceCore> core(const VectorView& view);
  // The chunks as they lie. BindingError `destroyed` where a vector under the view is gone; `subject` names it there:
  // `Input "x"`. Chunks hold their buffers for as long as the caller keeps the list.
  [[nodiscard]] static std::vector<Chunk> chunks(const VectorView& view, std::string_view subject);
  // Throws the same `destroyed` where it no longer lives. Cheap.
  static void check_alive(const VectorView& view, std::string_view subject);
  // A vector that owns these chunks.
  [[nodiscard]] static Vector adopt(std::shared_ptr<webgpu::DeviceCore> core, Format format, std::vector<Chunk> chunks);
  // A view that keeps these chunks of the application's buffers.
  [[nodiscard]] static MutableVectorView borrow(std::shared_ptr<webgpu::DeviceCore> core, Format format,
                                                std::vector<Chunk> chunks);
  // The view's rows. BindingError `destroyed` where it no longer lives, as "The view".
  [[nodiscard]] static const detail::ViewRows& living(const VectorView& view);
  // What the vector owns. BindingError `destroyed` where it was destroyed or moved from.
  [[nodiscard]] static const detail::VectorChunks& living(const Vector& vector);
  [[nodiscard]] static VectorView view(detail::ViewRows rows);
  [[nodiscard]] static MutableVectorView mutable_view(const VectorView& view);
};

}  // namespace millrace
