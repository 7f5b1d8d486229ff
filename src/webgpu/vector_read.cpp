// The reading half of VectorView, and reads under way in the hands of the caller.
#include <string>
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>
#include <millrace/vector.hpp>

#include "src/format/format_table.hpp"
#include "src/webgpu/borrowed_buffer.hpp"
#include "src/webgpu/read_back.hpp"
#include "src/webgpu/row_storage.hpp"

namespace millrace {
namespace {

// The chunks to read, each in a buffer that can be copied from.
std::vector<Chunk> readable_chunks(const VectorView& view) {
  std::vector<Chunk> chunks = VectorAccess::chunks(view, "The view");
  for (const Chunk& chunk : chunks) {
    if (chunk.buffer != nullptr) webgpu::check_copyable(*chunk.buffer, webgpu::Usage::copy_source);
  }
  return chunks;
}

std::unique_ptr<detail::RowsInFlight::Copies> start_copies(const VectorView& view) {
  const detail::ViewRows& rows = VectorAccess::living(view);
  const std::uint64_t row_byte_size = bytes_per_row(rows.format);
  const std::vector<Chunk> chunks = readable_chunks(view);
  const std::vector<PlannedStaging> plan = plan_read(chunks, row_byte_size, webgpu::kStagingByteSize);
  auto copies = std::make_unique<detail::RowsInFlight::Copies>();
  copies->core = rows.core;
  copies->read = webgpu::StagedRead(*rows.core, chunks, row_byte_size, plan);
  copies->byte_size = rows.row_count * row_byte_size;
  return copies;
}

}  // namespace

namespace detail {

RowsInFlight::RowsInFlight(std::unique_ptr<Copies> copies) : copies_(std::move(copies)) {}
RowsInFlight::RowsInFlight(RowsInFlight&&) noexcept = default;
RowsInFlight& RowsInFlight::operator=(RowsInFlight&&) noexcept = default;
RowsInFlight::~RowsInFlight() = default;

bool RowsInFlight::poll() {
  if (copies_ == nullptr) return true;
  if (!copies_->read.is_over()) copies_->core->process_events();
  return copies_->read.is_over();
}

void RowsInFlight::wait(std::chrono::milliseconds deadline) {
  if (copies_ == nullptr || copies_->read.is_over()) return;
  copies_->core->wait_until([this] { return copies_->read.is_over(); }, deadline, "reading rows");
}

std::size_t RowsInFlight::byte_size() const { return copies_ != nullptr ? copies_->byte_size : 0; }

void RowsInFlight::check_takeable() const {
  if (copies_ == nullptr || copies_->taken)
    throw BindingError(ErrorCode::rows_taken, "",
                       "The rows of this read were taken before, or moved with it; a read gives them once.");
  if (!copies_->read.is_over())
    throw BindingError(ErrorCode::rows_not_ready, "",
                       "The rows of this read are not here yet; call take() after poll() was true, or wait().");
  copies_->read.check();
}

void RowsInFlight::take(void* bytes) {
  check_takeable();
  copies_->read.gather(static_cast<std::byte*>(bytes));
  copies_->taken = true;
}

}  // namespace detail

std::size_t VectorView::element_count(std::size_t row_byte_size, LaneType lane_type) const {
  const detail::ViewRows& rows = VectorAccess::living(*this);
  return rows.row_count * elements_per_row(rows.format, {.byte_size = row_byte_size, .lane_type = lane_type});
}

void VectorView::check_one_row(std::size_t row_byte_size, LaneType lane_type) const {
  const detail::ViewRows& rows = VectorAccess::living(*this);
  if (rows.row_count != 1)
    throw BindingError(
        ErrorCode::not_one_row, "",
        fmt::format("read_scalar reads the only row of a view, but this one has {count} rows; use read().",
                    fmt::arg("count", rows.row_count)));
  const std::size_t elements = element_count(row_byte_size, lane_type);
  if (elements == 1) return;
  throw BindingError(
      ErrorCode::row_type_mismatch, std::string(format_name(rows.format)),
      fmt::format("read_scalar gives one element, but a row of format {format} is {count} lanes of that type; use an "
                  "array of them.",
                  fmt::arg("format", format_name(rows.format)), fmt::arg("count", elements)));
}

void VectorView::read_into(WritableHostRows rows, const ReadOptions& options) const {
  const detail::ViewRows& view = VectorAccess::living(*this);
  const std::uint64_t room = host_row_count(view.format, element_of(rows), rows.count());
  if (room != view.row_count)
    throw BindingError(ErrorCode::row_count_mismatch, "",
                       fmt::format("The rows to read into are {room}, but the view has {count}; they must be as many.",
                                   fmt::arg("room", room), fmt::arg("count", view.row_count)));
  webgpu::read_rows(*view.core, readable_chunks(*this), bytes_per_row(view.format),
                    static_cast<std::byte*>(rows.data()), options.deadline);
}

detail::RowsInFlight VectorView::start_read(std::size_t row_byte_size, LaneType lane_type) const {
  (void)element_count(row_byte_size, lane_type);
  return detail::RowsInFlight(start_copies(*this));
}

void VectorView::start_read(std::size_t row_byte_size, LaneType lane_type,
                            std::function<void(detail::RowsInFlight)> callback) const {
  (void)element_count(row_byte_size, lane_type);
  const std::shared_ptr<webgpu::DeviceCore> core = VectorAccess::core(*this);
  webgpu::PendingReads::of(*core).call_back(start_copies(*this), std::move(callback));
}

void Vector::read_into(WritableHostRows rows, const ReadOptions& options) const {
  VectorView(*this).read_into(rows, options);
}

}  // namespace millrace
