// What lies behind vectors and views: chunks of device buffers. The way in for the graph, which binds them.
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

struct VectorAccess {
  // Null for a view over nothing but joined emptiness.
  [[nodiscard]] static std::shared_ptr<webgpu::DeviceCore> core(const VectorView& view);
  // The chunks as they lie. BindingError `destroyed` where a vector under the view is gone; `subject` names it there:
  // `Input "x"`. Chunks hold their buffers for as long as the caller keeps the list.
  [[nodiscard]] static std::vector<Chunk> chunks(const VectorView& view, std::string_view subject);
  // Throws the same `destroyed` where it no longer lives. Cheap.
  static void check_alive(const VectorView& view, std::string_view subject);
  // A vector that owns these chunks.
  [[nodiscard]] static Vector adopt(std::shared_ptr<webgpu::DeviceCore> core, Format format, std::vector<Chunk> chunks);
};

}  // namespace millrace
