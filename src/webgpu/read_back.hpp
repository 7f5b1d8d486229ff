// Rows on their way from the device into host memory.
//
//   StagedRead      copies submitted, maps asked for; the rows come when its maps are done
//   PendingReads    at each core: the staging pool, and the reads that call back
//   RowsInFlight    a StagedRead in the hands of the caller, who thereby holds the core
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include <millrace/vector.hpp>

#include "src/webgpu/device_core.hpp"
#include "src/webgpu/read_plan.hpp"
#include "src/webgpu/row_storage.hpp"
#include "src/webgpu/staging.hpp"

namespace millrace::webgpu {

// Holds no share of the core: whoever holds it sees to that. Move-only; destroying it cancels the read.
class StagedRead {
 public:
  StagedRead() = default;
  // Submits the copies. DeviceError `device_lost`, `out_of_memory`.
  StagedRead(DeviceCore& core, std::span<const Chunk> chunks, std::uint64_t row_byte_size,
             std::span<const PlannedStaging> plan);
  StagedRead(StagedRead&& other) noexcept;
  StagedRead& operator=(StagedRead&& other) noexcept;
  ~StagedRead() { cancel(); }

  // True when the rows are here, or will never be.
  [[nodiscard]] bool is_over() const;
  // Throws what ended the read without rows. DeviceError `device_lost`, `provider_error`.
  void check() const;
  // The rows, packed; afterwards the read holds nothing. Returns the end of what it wrote. Throws as check.
  std::byte* gather(std::byte* to);

 private:
  struct Staged {
    StagingBuffer buffer;
    std::shared_ptr<const MapRequest> request;  // null until the map was asked for
    std::uint64_t byte_size = 0;
    std::vector<StagedRows> rows;
  };
  void submit(std::span<const Chunk> chunks, std::span<const PlannedStaging> plan);
  void cancel() noexcept;

  DeviceCore* core_ = nullptr;  // both null where nothing was read
  StagingPool* pool_ = nullptr;
  std::uint64_t row_byte_size_ = 0;
  std::vector<Staged> staged_;
};

class PendingReads final : public CoreAttachment {
 public:
  using Callback = std::function<void(detail::RowsInFlight)>;
  explicit PendingReads(DeviceCore& core) : core_(core), pool_(core) {}

  // Those of the core.
  [[nodiscard]] static PendingReads& of(DeviceCore& core);

  [[nodiscard]] StagingPool& pool() { return pool_; }
  // Calls back once the read is over, inside after_events.
  void call_back(std::unique_ptr<detail::RowsInFlight::Copies> copies, Callback callback);

  [[nodiscard]] std::uint64_t cached_bytes() const override { return pool_.cached_bytes(); }
  void trim() override { pool_.trim(); }
  void after_events() override;

 private:
  struct Waiting {
    std::uint64_t ticket;
    std::unique_ptr<detail::RowsInFlight::Copies> copies;  // without a share of the core
    Callback callback;
  };
  // Takes out the first read below the ticket that is over.
  [[nodiscard]] std::list<Waiting> take_due(std::uint64_t ticket_end);

  DeviceCore& core_;
  StagingPool pool_;
  std::uint64_t next_ticket_ = 0;
  std::list<Waiting> waiting_;
};

// Reads the rows into `to`, with at most two staging buffers in flight. DeviceError `deadline_exceeded`, `device_lost`,
// `out_of_memory`.
void read_rows(DeviceCore& core, std::span<const Chunk> chunks, std::uint64_t row_byte_size, std::byte* to,
               std::chrono::milliseconds deadline);

}  // namespace millrace::webgpu

namespace millrace::detail {

struct RowsInFlight::Copies {
  std::shared_ptr<webgpu::DeviceCore> core;  // first: the read below needs it to the end
  webgpu::StagedRead read;
  std::size_t byte_size = 0;
  bool taken = false;
};

}  // namespace millrace::detail
