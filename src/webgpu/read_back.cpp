// The copies of a read, its waits, and the callbacks.
#include "src/webgpu/read_back.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/webgpu/core_internals.hpp"
#include "src/webgpu/error_scope.hpp"

namespace millrace::webgpu {

StagedRead::StagedRead(DeviceCore& core, std::span<const Chunk> chunks, std::uint64_t row_byte_size,
                       std::span<const PlannedStaging> plan)
    : core_(&core), pool_(&PendingReads::of(core).pool()), row_byte_size_(row_byte_size) {
  try {
    submit(chunks, plan);
  } catch (...) {
    cancel();
    throw;
  }
}

StagedRead::StagedRead(StagedRead&& other) noexcept
    : core_(other.core_),
      pool_(other.pool_),
      row_byte_size_(other.row_byte_size_),
      staged_(std::exchange(other.staged_, {})) {}

StagedRead& StagedRead::operator=(StagedRead&& other) noexcept {
  if (this == &other) return *this;
  cancel();
  core_ = other.core_;
  pool_ = other.pool_;
  row_byte_size_ = other.row_byte_size_;
  staged_ = std::exchange(other.staged_, {});
  return *this;
}

void StagedRead::submit(std::span<const Chunk> chunks, std::span<const PlannedStaging> plan) {
  if (plan.empty()) return;
  staged_.reserve(plan.size());
  for (const PlannedStaging& planned : plan)
    staged_.push_back(
        {.buffer = pool_->acquire(planned.byte_size), .request = nullptr, .byte_size = planned.byte_size, .rows = {}});
  Recorder recorder = core_->create_recorder("read");
  for (std::size_t index = 0; index < plan.size(); ++index) {
    for (const PlannedCopy& copy : plan[index].copies) {
      const Chunk& chunk = chunks[copy.chunk];
      recorder.copy_to_staging(*chunk.buffer, chunk.byte_offset + copy.first_row * chunk.byte_stride,
                               staged_[index].buffer.handle, copy.staged.byte_offset,
                               rows_span(copy.staged.row_count, chunk.byte_stride, row_byte_size_));
      staged_[index].rows.push_back(copy.staged);
    }
  }
  core_->submit(recorder.finish());
  for (Staged& staged : staged_) staged.request = core_->map_for_reading(staged.buffer.handle, 0, staged.byte_size);
}

bool StagedRead::is_over() const {
  if (staged_.empty() || core_->is_lost()) return true;
  return std::all_of(staged_.begin(), staged_.end(),
                     [](const Staged& staged) { return staged.request->status != MapRequest::Status::pending; });
}

void StagedRead::check() const {
  if (staged_.empty()) return;
  check_alive(core_->internals(), {});
  for (const Staged& staged : staged_)
    if (staged.request->status == MapRequest::Status::failed)
      throw_caught(core_->internals(), {}, "read rows",
                   CaughtError{.type = WGPUErrorType_Internal, .words = staged.request->words});
}

std::byte* StagedRead::gather(std::byte* to) {
  check();
  for (const Staged& staged : staged_)
    to = gather_rows(core_->mapped_bytes(staged.buffer.handle, 0, staged.byte_size), staged.rows, row_byte_size_, to);
  cancel();
  return to;
}

// Buffers whose copy is known to be done go back to the pool; the others, whose map may be under way, are released.
void StagedRead::cancel() noexcept {
  for (const Staged& staged : std::exchange(staged_, {})) {
    if (staged.request != nullptr) core_->unmap(staged.buffer.handle);
    if (staged.request != nullptr && staged.request->status == MapRequest::Status::mapped)
      pool_->give_back(staged.buffer);
    else
      core_->release_staging_buffer(staged.buffer.handle);
  }
}

PendingReads& PendingReads::of(DeviceCore& core) {
  return static_cast<PendingReads&>(core.attachment([&core] { return std::make_unique<PendingReads>(core); }));
}

void PendingReads::call_back(std::unique_ptr<detail::RowsInFlight::Copies> copies, Callback callback) {
  copies->core = nullptr;  // what waits at the core must not keep it alive
  const std::lock_guard lock(core_.internals().mutex);
  waiting_.push_back({next_ticket_++, std::move(copies), std::move(callback)});
}

std::list<PendingReads::Waiting> PendingReads::take_due(std::uint64_t ticket_end) {
  const std::lock_guard lock(core_.internals().mutex);
  std::list<Waiting> due;
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& waiting) {
    return waiting.ticket < ticket_end && waiting.copies->read.is_over();
  });
  if (found != waiting_.end()) due.splice(due.begin(), waiting_, found);
  return due;
}

// One at a time, each out of the list before it runs: a callback may read, poll and wait, and may throw. Reads that
// callbacks begin wait for the next turn, so that this ends.
void PendingReads::after_events() {
  std::uint64_t ticket_end = 0;
  {
    const std::lock_guard lock(core_.internals().mutex);
    if (waiting_.empty()) return;
    ticket_end = next_ticket_;
  }
  const std::shared_ptr<DeviceCore> core = core_.shared_from_this();  // a callback may drop the device
  while (true) {
    std::list<Waiting> due = take_due(ticket_end);
    if (due.empty()) return;
    due.front().copies->core = core;
    due.front().callback(detail::RowsInFlight(std::move(due.front().copies)));
  }
}

void read_rows(DeviceCore& core, std::span<const Chunk> chunks, std::uint64_t row_byte_size, std::byte* to,
               std::chrono::milliseconds deadline) {
  constexpr std::size_t kMostInFlight = 2;
  const std::vector<PlannedStaging> plan = plan_read(chunks, row_byte_size, kStagingByteSize);
  if (plan.empty()) return;
  std::size_t next = 0;
  std::deque<StagedRead> in_flight;
  const auto start_more = [&] {
    for (; next < plan.size() && in_flight.size() < kMostInFlight; ++next)
      in_flight.emplace_back(core, chunks, row_byte_size, std::span(plan).subspan(next, 1));
  };
  start_more();
  const auto turn = [&] {
    while (!in_flight.empty() && in_flight.front().is_over()) {
      to = in_flight.front().gather(to);
      in_flight.pop_front();
      start_more();
    }
    return in_flight.empty();
  };
  core.wait_until(turn, deadline, "reading rows");
}

}  // namespace millrace::webgpu
