// Batches for the throughput benchmarks: many executions, each into an output of its own, recorded into one submission.
#pragma once

#include <cstdint>
#include <memory>
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

// Executions of a graph with the inputs p and s and the output lengths.
[[nodiscard]] std::unique_ptr<Batch> graph_batch(Context& context, const CompiledGraph& compiled, const Vector& points,
                                                 std::uint64_t count);
// Compute passes by hand; word_count words to each output.
[[nodiscard]] std::unique_ptr<Batch> hand_batch(const RawDevice& raw, const LengthByHand& kernel, WGPUBuffer points,
                                                std::uint64_t word_count, std::uint64_t count);
// copyBufferToBuffer of word_count words.
[[nodiscard]] std::unique_ptr<Batch> copy_batch(const RawDevice& raw, WGPUBuffer source, std::uint64_t word_count,
                                                std::uint64_t count);

}  // namespace millrace::bench
