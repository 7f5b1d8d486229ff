// The three batches: of a graph, of kernels by hand, of copies.
#include "batches.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace millrace::bench {
namespace {

constexpr WGPUBufferUsage kOutputUsage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;

class GraphBatch : public Batch {
 public:
  GraphBatch(Context& context, const CompiledGraph& compiled, const Bindings& bindings, std::string_view output,
             std::uint64_t count)
      : device_(context.device), output_(output) {
    for (std::uint64_t index = 0; index < count; ++index) executions_.push_back(compiled.prepare(bindings));
  }

  std::vector<webgpu::NativeRange> outputs() override {
    std::vector<webgpu::NativeRange> ranges;
    for (PreparedExecution& execution : executions_) {
      for (const webgpu::NativeRange& chunk : webgpu::native_chunks(execution.outputs()[output_])) {
        ranges.push_back(chunk);
      }
    }
    return ranges;
  }

  void record() override {
    CommandEncoder encoder = device_.create_command_encoder();
    for (PreparedExecution& execution : executions_) execution.encode(encoder);
    commands_ = encoder.finish();
  }

  void submit() override { device_.submit(std::move(*commands_)); }

 private:
  Device& device_;
  std::string output_;
  std::vector<PreparedExecution> executions_;
  std::optional<CommandBuffer> commands_;
};

// What batches by hand share: output buffers of word_count words and the recording.
class RawBatch : public Batch {
 public:
  RawBatch(const RawDevice& raw, std::uint64_t word_count, std::uint64_t count) : raw_(raw), word_count_(word_count) {
    for (std::uint64_t index = 0; index < count; ++index) {
      outputs_.push_back(raw_.create_buffer(word_count * 4, kOutputUsage));
    }
  }

  std::vector<webgpu::NativeRange> outputs() override {
    std::vector<webgpu::NativeRange> ranges;
    for (const Owned<WGPUBuffer>& output : outputs_) {
      ranges.push_back({.buffer = output.get(), .byte_offset = 0, .byte_size = word_count_ * 4});
    }
    return ranges;
  }

  void record() override {
    const Owned<WGPUCommandEncoder> encoder = raw_.create_encoder();
    encode(encoder.get());
    commands_ = raw_.finish(encoder.get());
  }

  void submit() override { raw_.submit(commands_->get()); }

 protected:
  virtual void encode(WGPUCommandEncoder encoder) = 0;

  const RawDevice& raw_;
  std::uint64_t word_count_;
  std::vector<Owned<WGPUBuffer>> outputs_;

 private:
  std::optional<Owned<WGPUCommandBuffer>> commands_;
};

class HandBatch : public RawBatch {
 public:
  HandBatch(const RawDevice& raw, const LengthByHand& kernel, WGPUBuffer points, std::uint64_t word_count,
            std::uint64_t count)
      : RawBatch(raw, word_count, count), kernel_(kernel), scalars_(kernel.create_scalars()) {
    kernel_.write_scalars(scalars_.get(), kThroughputScale, word_count);
    for (const Owned<WGPUBuffer>& output : outputs_) {
      bind_groups_.push_back(kernel_.bind(points, output.get(), scalars_.get()));
    }
  }

 private:
  void encode(WGPUCommandEncoder encoder) override {
    for (const Owned<WGPUBindGroup>& bind_group : bind_groups_) kernel_.encode(encoder, bind_group.get(), word_count_);
  }

  const LengthByHand& kernel_;
  Owned<WGPUBuffer> scalars_;
  std::vector<Owned<WGPUBindGroup>> bind_groups_;
};

class CopyBatch : public RawBatch {
 public:
  CopyBatch(const RawDevice& raw, WGPUBuffer source, std::uint64_t word_count, std::uint64_t count)
      : RawBatch(raw, word_count, count), source_(source) {}

 private:
  void encode(WGPUCommandEncoder encoder) override {
    for (const Owned<WGPUBuffer>& output : outputs_) {
      raw_.functions().CommandEncoderCopyBufferToBuffer(encoder, source_, 0, output.get(), 0, word_count_ * 4);
    }
  }

  WGPUBuffer source_;
};

void clear(const RawDevice& raw, const std::vector<webgpu::NativeRange>& ranges) {
  const Owned<WGPUCommandEncoder> encoder = raw.create_encoder();
  for (const webgpu::NativeRange& range : ranges) {
    raw.functions().CommandEncoderClearBuffer(encoder.get(), range.buffer, range.byte_offset, range.byte_size);
  }
  raw.submit(raw.finish(encoder.get()).get());
}

}  // namespace

double time_batch(const RawDevice& raw, Batch& batch, OutputMemory memory, std::uint64_t count) {
  if (memory == OutputMemory::cleared) clear(raw, batch.outputs());
  batch.record();
  raw.wait();
  const Stopwatch watch;
  batch.submit();
  raw.wait();
  return watch.seconds() / static_cast<double>(count);
}

std::uint64_t batch_size(const RawDevice& raw, std::uint64_t row_count) {
  constexpr std::uint64_t kBytesOfOutputs = 1ull << 30;
  return raw.is_software() ? 4 : std::clamp<std::uint64_t>(kBytesOfOutputs / (row_count * 4), 4, 64);
}

std::unique_ptr<Batch> graph_batch(Context& context, const CompiledGraph& compiled, const Bindings& bindings,
                                   std::string_view output, std::uint64_t count) {
  return std::make_unique<GraphBatch>(context, compiled, bindings, output, count);
}

std::unique_ptr<Batch> hand_batch(const RawDevice& raw, const LengthByHand& kernel, WGPUBuffer points,
                                  std::uint64_t word_count, std::uint64_t count) {
  return std::make_unique<HandBatch>(raw, kernel, points, word_count, count);
}

std::unique_ptr<Batch> copy_batch(const RawDevice& raw, WGPUBuffer source, std::uint64_t word_count,
                                  std::uint64_t count) {
  return std::make_unique<CopyBatch>(raw, source, word_count, count);
}

}  // namespace millrace::bench
