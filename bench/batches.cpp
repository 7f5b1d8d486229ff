// The three batches: of a graph, of kernels by hand, of copies.
#include "batches.hpp"

#include <optional>

namespace millrace::bench {
namespace {

constexpr WGPUBufferUsage kOutputUsage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;

class GraphBatch : public Batch {
 public:
  GraphBatch(Context& context, const CompiledGraph& compiled, const Vector& points, std::uint64_t count)
      : device_(context.device) {
    for (std::uint64_t index = 0; index < count; ++index) {
      executions_.push_back(compiled.prepare({.inputs = {{"p", points}, {"s", kThroughputScale}}}));
    }
  }

  std::vector<webgpu::NativeRange> outputs() override {
    std::vector<webgpu::NativeRange> ranges;
    for (PreparedExecution& execution : executions_) {
      for (const webgpu::NativeRange& chunk : webgpu::native_chunks(execution.outputs()["lengths"])) {
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

}  // namespace

std::unique_ptr<Batch> graph_batch(Context& context, const CompiledGraph& compiled, const Vector& points,
                                   std::uint64_t count) {
  return std::make_unique<GraphBatch>(context, compiled, points, count);
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
