// Batches for the throughput benchmarks: many executions, each into an output of its own, recorded into one submission.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "context.hpp"
#include "length_by_hand.hpp"

namespace millrace::bench {

inline constexpr float kThroughputScale = 1.5f;

class Batch {
 public:
  virtual ~Batch() = default;
  [[nodiscard]] virtual std::vector<webgpu::NativeRange> outputs() = 0;
  virtual void record() = 0;
  // After record, once.
  virtual void submit() = 0;
};

// Executions of a graph that has one output, of the name given.
[[nodiscard]] std::unique_ptr<Batch> graph_batch(Context& context, const CompiledGraph& compiled,
                                                 const Bindings& bindings, std::string_view output,
                                                 std::uint64_t count);
// Compute passes by hand; word_count words to each output.
[[nodiscard]] std::unique_ptr<Batch> hand_batch(const RawDevice& raw, const LengthByHand& kernel, WGPUBuffer points,
                                                std::uint64_t word_count, std::uint64_t count);
// Whether the outputs are cleared before the clock starts, or used for the first time.
enum class OutputMemory : std::uint8_t { cleared, fresh };

// Seconds from the submission of a batch of `count` executions until it is done, for each of them. Records it first.
[[nodiscard]] double time_batch(const RawDevice& raw, Batch& batch, OutputMemory memory, std::uint64_t count);

// How many executions of that many rows make a batch, with outputs of one word to a row.
[[nodiscard]] std::uint64_t batch_size(const RawDevice& raw, std::uint64_t row_count);

// copyBufferToBuffer of word_count words.
[[nodiscard]] std::unique_ptr<Batch> copy_batch(const RawDevice& raw, WGPUBuffer source, std::uint64_t word_count,
                                                std::uint64_t count);

}  // namespace millrace::bench
