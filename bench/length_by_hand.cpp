// The WGSL that an application would write, and the calls around it.
#include "length_by_hand.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace millrace::bench {
namespace {

constexpr std::uint64_t kWorkgroupSize = 256;

struct Scalars {
  float scale;
  std::uint32_t row_count;
};
static_assert(sizeof(Scalars) == 8);

// The index of an invocation in a grid folded to two dimensions: one holds at most 65,535 workgroups.
constexpr std::string_view kPrelude = R"(
struct Scalars { scale: f32, row_count: u32 }
@group(0) @binding(2) var<uniform> scalars: Scalars;
fn index_of(id: vec3u, groups: vec3u) -> u32 { return id.x + id.y * groups.x * 256u; }
)";

constexpr std::string_view kPlain = R"(
@group(0) @binding(0) var<storage, read> points: array<f32>;
@group(0) @binding(1) var<storage, read_write> lengths: array<f32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let row = index_of(id, groups);
  if (row >= scalars.row_count) { return; }
  let point = vec3f(points[3u * row], points[3u * row + 1u], points[3u * row + 2u]);
  lengths[row] = length(point * scalars.scale);
}
)";

constexpr std::string_view kWide = R"(
@group(0) @binding(0) var<storage, read> points: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> lengths: array<vec4f>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let four = index_of(id, groups);
  if (four >= scalars.row_count / 4u) { return; }
  let a = points[3u * four];
  let b = points[3u * four + 1u];
  let c = points[3u * four + 2u];
  let s = scalars.scale;
  lengths[four] = vec4f(length(a.xyz * s), length(vec3f(a.w, b.xy) * s), length(vec3f(b.zw, c.x) * s), length(c.yzw * s));
}
)";

constexpr std::string_view kCopy = R"(
@group(0) @binding(0) var<storage, read> source: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> destination: array<vec4f>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let four = index_of(id, groups);
  if (four >= scalars.row_count / 4u) { return; }
  destination[four] = source[four];
}
)";

std::string text(HandKernel kernel) {
  const std::string_view body = kernel == HandKernel::plain ? kPlain : kernel == HandKernel::wide ? kWide : kCopy;
  return std::string(kPrelude) + std::string(body);
}

}  // namespace

LengthByHand::LengthByHand(const RawDevice& raw, HandKernel kernel)
    : raw_(raw),
      rows_per_invocation_(kernel == HandKernel::plain ? 1 : 4),
      pipeline_(raw.create_pipeline(text(kernel),
                                    std::array{WGPUBufferBindingType_ReadOnlyStorage, WGPUBufferBindingType_Storage,
                                               WGPUBufferBindingType_Uniform})) {}

Owned<WGPUBuffer> LengthByHand::create_scalars() const {
  return raw_.create_buffer(sizeof(Scalars), WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst);
}

void LengthByHand::write_scalars(WGPUBuffer scalars, float scale, std::uint64_t row_count) const {
  const Scalars values = {scale, static_cast<std::uint32_t>(row_count)};
  raw_.functions().QueueWriteBuffer(raw_.queue(), scalars, 0, &values, sizeof(values));
}

Owned<WGPUBindGroup> LengthByHand::bind(WGPUBuffer points, WGPUBuffer lengths, WGPUBuffer scalars) const {
  return raw_.create_bind_group(pipeline_.layout.get(), std::array{points, lengths, scalars});
}

void LengthByHand::encode(WGPUCommandEncoder encoder, WGPUBindGroup bind_group, std::uint64_t row_count) const {
  const std::uint64_t rows_per_group = kWorkgroupSize * rows_per_invocation_;
  const std::uint64_t groups = (row_count + rows_per_group - 1) / rows_per_group;
  const std::uint64_t x = std::min<std::uint64_t>(groups, raw_.limits().maxComputeWorkgroupsPerDimension);
  const std::uint64_t y = (groups + x - 1) / x;
  raw_.encode_dispatch(encoder, pipeline_.pipeline.get(), bind_group, static_cast<std::uint32_t>(x),
                       static_cast<std::uint32_t>(y));
}

}  // namespace millrace::bench
