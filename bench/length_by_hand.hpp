// `length(p * s)` as an application writes it by hand: the kernels that millrace is measured against.
#pragma once

#include <cstdint>

#include "raw_device.hpp"

namespace millrace::bench {

enum class HandKernel : std::uint8_t {
  plain,  // an invocation for each row: three loads, one store
  wide,   // an invocation for four rows: three loads and one store of vec4f; rows must be a multiple of 4
  copy,   // vec4f to vec4f, no arithmetic: what the machine can move
};

class LengthByHand {
 public:
  LengthByHand(const RawDevice& raw, HandKernel kernel);

  // A uniform buffer with the scale and the row count.
  [[nodiscard]] Owned<WGPUBuffer> create_scalars() const;
  void write_scalars(WGPUBuffer scalars, float scale, std::uint64_t row_count) const;
  [[nodiscard]] Owned<WGPUBindGroup> bind(WGPUBuffer points, WGPUBuffer lengths, WGPUBuffer scalars) const;
  // A compute pass over all rows; for `copy`, over a destination of row_count words.
  void encode(WGPUCommandEncoder encoder, WGPUBindGroup bind_group, std::uint64_t row_count) const;

 private:
  const RawDevice& raw_;
  std::uint64_t rows_per_invocation_;
  RawPipeline pipeline_;
};

}  // namespace millrace::bench
