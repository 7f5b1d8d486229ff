// From views to the chunks they look at, while those live.
#include "src/webgpu/row_storage.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/format/format_table.hpp"

namespace millrace {
namespace {

// The name inside of `Input "x"`, or nothing.
std::string quoted_name(std::string_view subject) {
  const std::size_t first = subject.find('"');
  const std::size_t last = subject.rfind('"');
  if (first == std::string_view::npos || first == last) return {};
  return std::string(subject.substr(first + 1, last - first - 1));
}

std::shared_ptr<const RowStorage> lock_storage(const RowsPart& part, std::string_view subject) {
  if (std::shared_ptr<const RowStorage> storage = part.storage.lock()) return storage;
  throw BindingError(ErrorCode::destroyed, quoted_name(subject),
                     fmt::format("{subject} looks at a vector that was destroyed; keep a vector for as long as its "
                                 "views are used.",
                                 fmt::arg("subject", subject)));
}

Chunk chunk_of(const RowStorage& storage, const ChunkRows& rows) {
  const Chunk& chunk = storage.chunks[rows.chunk];
  if (rows.row_count == 0)
    return {.buffer = nullptr, .byte_offset = 0, .byte_stride = chunk.byte_stride, .row_count = 0};
  return {.buffer = chunk.buffer,
          .byte_offset = chunk.byte_offset + rows.first_row * chunk.byte_stride,
          .byte_stride = chunk.byte_stride,
          .row_count = rows.row_count};
}

std::uint64_t total_rows(const std::vector<Chunk>& chunks) {
  std::uint64_t total = 0;
  for (const Chunk& chunk : chunks) {
    total += chunk.row_count;
    check_row_count(total);
  }
  return total;
}

}  // namespace

RowsPart part_of(const std::shared_ptr<const RowStorage>& storage) {
  RowsPart part{.storage = storage, .borrowed = nullptr, .chunks = {}};
  part.chunks.reserve(storage->chunks.size());
  for (std::size_t index = 0; index < storage->chunks.size(); ++index)
    part.chunks.push_back({.chunk = index, .first_row = 0, .row_count = storage->chunks[index].row_count});
  return part;
}

std::shared_ptr<webgpu::DeviceCore> VectorAccess::core(const VectorView& view) { return view.rows_->core; }

std::vector<Chunk> VectorAccess::chunks(const VectorView& view, std::string_view subject) {
  std::vector<Chunk> chunks;
  for (const RowsPart& part : view.rows_->parts) {
    const std::shared_ptr<const RowStorage> storage = lock_storage(part, subject);
    for (const ChunkRows& rows : part.chunks) chunks.push_back(chunk_of(*storage, rows));
  }
  return chunks;
}

void VectorAccess::check_alive(const VectorView& view, std::string_view subject) {
  for (const RowsPart& part : view.rows_->parts)
    if (part.storage.expired()) (void)lock_storage(part, subject);
}

const detail::ViewRows& VectorAccess::living(const VectorView& view) {
  check_alive(view, "The view");
  return *view.rows_;
}

VectorView VectorAccess::view(detail::ViewRows rows) {
  return VectorView(std::make_shared<const detail::ViewRows>(std::move(rows)));
}

MutableVectorView VectorAccess::mutable_view(const VectorView& view) { return MutableVectorView(view); }

Vector VectorAccess::adopt(std::shared_ptr<webgpu::DeviceCore> core, Format format, std::vector<Chunk> chunks) {
  auto owned = std::make_unique<detail::VectorChunks>();
  owned->core = std::move(core);
  owned->format = format;
  owned->row_count = total_rows(chunks);
  owned->storages.push_back(std::make_shared<const RowStorage>(RowStorage{std::move(chunks)}));
  return Vector(std::move(owned));
}

MutableVectorView VectorAccess::borrow(std::shared_ptr<webgpu::DeviceCore> core, Format format,
                                       std::vector<Chunk> chunks) {
  detail::ViewRows rows{.core = std::move(core), .format = format, .row_count = total_rows(chunks), .parts = {}};
  const auto storage = std::make_shared<const RowStorage>(RowStorage{std::move(chunks)});
  rows.parts.push_back(part_of(storage));
  rows.parts.back().borrowed = storage;
  return mutable_view(view(std::move(rows)));
}

const detail::VectorChunks& VectorAccess::living(const Vector& vector) {
  if (vector.chunks_ != nullptr) return *vector.chunks_;
  throw BindingError(ErrorCode::destroyed, "", "The vector was destroyed or moved from; it has no rows to use.");
}

}  // namespace millrace
