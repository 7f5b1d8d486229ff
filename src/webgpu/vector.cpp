// Vectors and views as geometry: which rows of which chunks. No bytes move here; vector_upload.cpp writes them,
// read_back.cpp reads them.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>
#include <millrace/vector.hpp>

#include "src/base/counted.hpp"
#include "src/format/format_table.hpp"
#include "src/webgpu/row_storage.hpp"

namespace millrace {
namespace {

void check_range(RowRange range, std::uint64_t row_count) {
  if (range.first <= row_count && range.count <= row_count - range.first) return;
  throw BindingError(
      ErrorCode::row_range, "",
      fmt::format("{count} from row {first} on {verb} outside of the {rows} that there {are}.",
                  fmt::arg("count", counted(range.count, "row")), fmt::arg("first", range.first),
                  fmt::arg("verb", range.count == 1 ? "lies" : "reach"), fmt::arg("rows", counted(row_count, "row")),
                  fmt::arg("are", row_count == 1 ? "is" : "are")));
}

// The part's rows inside [first, end), of a part whose first row is row `begin` of its view. A chunk that the range only
// touches is left out, unless it has no rows of its own.
RowsPart rows_inside(const RowsPart& part, std::uint64_t begin, std::uint64_t first, std::uint64_t end) {
  RowsPart inside{.storage = part.storage, .borrowed = part.borrowed, .chunks = {}};
  for (const ChunkRows& chunk : part.chunks) {
    const std::uint64_t chunk_end = begin + chunk.row_count;
    const std::uint64_t from = std::max(begin, first);
    const std::uint64_t to = std::min(chunk_end, end);
    const bool empty_inside = chunk.row_count == 0 && first <= begin && begin <= end;
    if (empty_inside)
      inside.chunks.push_back(chunk);
    else if (from < to)
      inside.chunks.push_back({chunk.chunk, chunk.first_row + (from - begin), to - from});
    begin = chunk_end;
  }
  return inside;
}

std::uint64_t rows_of(const RowsPart& part) {
  std::uint64_t rows = 0;
  for (const ChunkRows& chunk : part.chunks) rows += chunk.row_count;
  return rows;
}

void check_same_format(Format one, Format other, std::string_view what) {
  if (one == other) return;
  throw BindingError(
      ErrorCode::binding_format_mismatch, "",
      fmt::format("{what} has format {other} but the rows before it have format {one}; one vector has one "
                  "format.",
                  fmt::arg("what", what), fmt::arg("other", format_name(other)), fmt::arg("one", format_name(one))));
}

void check_same_device(const std::shared_ptr<webgpu::DeviceCore>& one, const std::shared_ptr<webgpu::DeviceCore>& other,
                       std::string_view what) {
  if (one == other) return;
  throw BindingError(
      ErrorCode::foreign_device, "",
      fmt::format("{what} lies on another device than the rows before it; one vector lies on one device.",
                  fmt::arg("what", what)));
}

// Takes part number `index` of a join into `joined`.
void join_part(detail::ViewRows& joined, const VectorView& view, std::size_t index) {
  const std::string what = fmt::format("Part {index} of the join", fmt::arg("index", index));
  VectorAccess::check_alive(view, what);
  const detail::ViewRows& rows = VectorAccess::living(view);
  check_same_format(joined.format, rows.format, what);
  check_same_device(joined.core, rows.core, what);
  joined.row_count += rows.row_count;
  check_row_count(joined.row_count);
  joined.parts.insert(joined.parts.end(), rows.parts.begin(), rows.parts.end());
}

// Parts: a range of views, or of what derives from them.
template <class Parts>
VectorView join_parts(const Parts& parts) {
  if (parts.size() == 0)
    throw BindingError(ErrorCode::nothing_to_join, "",
                       "A join of no views has no format; give it one view at least, which may be one without rows.");
  VectorAccess::check_alive(*parts.begin(), "Part 0 of the join");
  const detail::ViewRows& first = VectorAccess::living(*parts.begin());
  detail::ViewRows joined{.core = first.core, .format = first.format, .row_count = 0, .parts = {}};
  std::size_t index = 0;
  for (const VectorView& part : parts) join_part(joined, part, index++);
  return VectorAccess::view(std::move(joined));
}

VectorShape shape_of(std::uint64_t row_count, std::vector<std::uint64_t> chunk_lengths) {
  return {.length = row_count, .chunk_lengths = std::move(chunk_lengths)};
}

}  // namespace

VectorView::VectorView(std::shared_ptr<const detail::ViewRows> rows) : rows_(std::move(rows)) {}

VectorView::VectorView(const Vector& vector) {
  const detail::VectorChunks& chunks = VectorAccess::living(vector);
  auto rows = std::make_shared<detail::ViewRows>();
  rows->core = chunks.core;
  rows->format = chunks.format;
  rows->row_count = chunks.row_count;
  for (const std::shared_ptr<const RowStorage>& storage : chunks.storages) rows->parts.push_back(part_of(storage));
  rows_ = std::move(rows);
}

VectorView VectorView::join(std::span<const VectorView> parts) { return join_parts(parts); }
VectorView VectorView::join(std::initializer_list<VectorView> parts) { return join_parts(parts); }

Format VectorView::format() const { return VectorAccess::living(*this).format; }
std::uint64_t VectorView::row_count() const { return VectorAccess::living(*this).row_count; }

std::vector<std::uint64_t> VectorView::chunk_lengths() const {
  std::vector<std::uint64_t> lengths;
  for (const RowsPart& part : VectorAccess::living(*this).parts)
    for (const ChunkRows& chunk : part.chunks) lengths.push_back(chunk.row_count);
  return lengths;
}

VectorShape VectorView::shape() const { return shape_of(row_count(), chunk_lengths()); }

VectorView VectorView::rows(RowRange range) const {
  const detail::ViewRows& all = VectorAccess::living(*this);
  check_range(range, all.row_count);
  detail::ViewRows inside{.core = all.core, .format = all.format, .row_count = range.count, .parts = {}};
  std::uint64_t begin = 0;
  for (const RowsPart& part : all.parts) {
    // A part without chunks inside of the range stays too: the view is good only while every vector under it lives.
    inside.parts.push_back(rows_inside(part, begin, range.first, range.first + range.count));
    begin += rows_of(part);
  }
  return VectorAccess::view(std::move(inside));
}

MutableVectorView::MutableVectorView(const VectorView& view) : VectorView(view) {}
MutableVectorView::MutableVectorView(Vector& vector) : VectorView(vector) {}

MutableVectorView MutableVectorView::join(std::span<const MutableVectorView> parts) {
  return MutableVectorView(join_parts(parts));
}
MutableVectorView MutableVectorView::join(std::initializer_list<MutableVectorView> parts) {
  return MutableVectorView(join_parts(parts));
}

MutableVectorView MutableVectorView::rows(RowRange range) const { return MutableVectorView(VectorView::rows(range)); }

Vector::Vector(std::unique_ptr<detail::VectorChunks> chunks) : chunks_(std::move(chunks)) {}
Vector::Vector(Vector&&) noexcept = default;
Vector& Vector::operator=(Vector&&) noexcept = default;
Vector::~Vector() = default;

Format Vector::format() const { return VectorAccess::living(*this).format; }
std::uint64_t Vector::row_count() const { return VectorAccess::living(*this).row_count; }

std::vector<std::uint64_t> Vector::chunk_lengths() const {
  std::vector<std::uint64_t> lengths;
  for (const std::shared_ptr<const RowStorage>& storage : VectorAccess::living(*this).storages)
    for (const Chunk& chunk : storage->chunks) lengths.push_back(chunk.row_count);
  return lengths;
}

VectorShape Vector::shape() const { return shape_of(row_count(), chunk_lengths()); }

MutableVectorView Vector::rows(RowRange range) & { return MutableVectorView(*this).rows(range); }
VectorView Vector::rows(RowRange range) const& { return VectorView(*this).rows(range); }

void Vector::append(Vector&& tail) {
  const detail::VectorChunks& before = VectorAccess::living(*this);
  const detail::VectorChunks& after = VectorAccess::living(tail);
  if (&tail == this)
    throw BindingError(ErrorCode::self_append, "", "A vector cannot be appended to itself; append a copy of its rows.");
  check_same_format(before.format, after.format, "The appended vector");
  check_same_device(before.core, after.core, "The appended vector");
  check_row_count(before.row_count + after.row_count);
  chunks_->storages.insert(chunks_->storages.end(), after.storages.begin(), after.storages.end());
  chunks_->row_count += after.row_count;
  tail.destroy();
}

void Vector::destroy() { chunks_.reset(); }

}  // namespace millrace
