// Recordings. Each call is checked here by what we know (devices, ranges, alignments, limits, usages), so that what is
// left to the provider at finish() is a fault of ours.
#include <utility>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/webgpu/error_scope.hpp"
#include "src/webgpu/pipeline_object.hpp"

namespace millrace::webgpu {
namespace {

constexpr std::uint64_t kCopyAlignment = 4;
constexpr std::uint64_t kIndirectRecordByteSize = 12;

std::string_view usage_name(Usage usage) {
  switch (usage) {
    case Usage::copy_source:
      return "copy source";
    case Usage::copy_destination:
      return "copy destination";
    default:
      return "indirect";
  }
}

}  // namespace

Recorder::Recorder(std::shared_ptr<DeviceCore> core, WGPUCommandEncoder encoder, std::string label)
    : core_(std::move(core)), label_(std::move(label)), encoder_(encoder) {}

Recorder::Recorder(Recorder&& other) noexcept
    : core_(std::move(other.core_)),
      label_(std::move(other.label_)),
      encoder_(std::exchange(other.encoder_, nullptr)),
      pass_(std::exchange(other.pass_, nullptr)) {}

Recorder& Recorder::operator=(Recorder&& other) noexcept {
  std::swap(core_, other.core_);
  std::swap(label_, other.label_);
  std::swap(encoder_, other.encoder_);
  std::swap(pass_, other.pass_);
  return *this;
}

Recorder::~Recorder() { abandon(); }

void Recorder::abandon() noexcept {
  if (encoder_ == nullptr) return;
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  if (pass_ != nullptr) {
    core.functions().ComputePassEncoderRelease(std::exchange(pass_, nullptr));
    --core.counts.live_objects;
  }
  core.functions().CommandEncoderRelease(std::exchange(encoder_, nullptr));
  --core.counts.live_objects;
}

void Recorder::check_open(bool in_pass, std::string_view call) const {
  if (encoder_ == nullptr || (pass_ != nullptr) != in_pass) {
    throw InternalError(fmt::format("{} is called on a recording that is finished, or {} a compute pass.", call,
                                    in_pass ? "outside" : "inside"));
  }
  check_alive(core_->internals(), label_);
}

void Recorder::check_range(const Buffer& buffer, std::uint64_t byte_offset, std::uint64_t byte_size, Usage usage,
                           std::string_view call) const {
  if (buffer.core() != core_) {
    throw BindingError(ErrorCode::foreign_device, label_,
                       fmt::format("{} in \"{}\" uses a buffer of another device.", call, label_));
  }
  if (!contains(buffer.usage(), usage)) {
    throw BindingError(
        ErrorCode::missing_usage, label_,
        fmt::format("{} in \"{}\" uses a buffer without the usage {}.", call, label_, usage_name(usage)));
  }
  const bool inside = byte_offset <= buffer.byte_size() && byte_size <= buffer.byte_size() - byte_offset;
  if (inside && byte_offset % kCopyAlignment == 0 && byte_size % kCopyAlignment == 0) return;
  throw InternalError(
      fmt::format("{call} uses {bytes} bytes at byte {offset} of a buffer of {size} bytes; both must be "
                  "multiples of 4, and inside.",
                  fmt::arg("call", call), fmt::arg("bytes", byte_size), fmt::arg("offset", byte_offset),
                  fmt::arg("size", buffer.byte_size())));
}

void Recorder::begin_compute_pass() {
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  check_open(false, "begin_compute_pass");
  const WGPUComputePassDescriptor descriptor = {nullptr, view_of(label_), nullptr};
  pass_ = core.functions().CommandEncoderBeginComputePass(encoder_, &descriptor);
  ++core.counts.live_objects;
}

void Recorder::end_compute_pass() {
  CoreInternals& core = core_->internals();
  ErrorScope scope(core);
  check_open(true, "end_compute_pass");
  core.functions().ComputePassEncoderEnd(pass_);
  core.functions().ComputePassEncoderRelease(std::exchange(pass_, nullptr));
  --core.counts.live_objects;
  if (const auto error = scope.end()) throw_caught(core, label_, fmt::format("record \"{}\"", label_), *error);
}

void Recorder::set_pipeline(const ComputePipeline& pipeline) {
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  check_open(true, "set_pipeline");
  if (pipeline.object_->core != core_) {
    throw BindingError(ErrorCode::foreign_device, pipeline.object_->label,
                       fmt::format("Kernel \"{}\" belongs to another device.", pipeline.object_->label));
  }
  core.functions().ComputePassEncoderSetPipeline(pass_, pipeline.handle());
}

void Recorder::set_bind_group(std::uint32_t group, const BindGroup& bind_group,
                              std::span<const std::uint32_t> dynamic_offsets) {
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  check_open(true, "set_bind_group");
  if (bind_group.core_ != core_) {
    throw BindingError(ErrorCode::foreign_device, label_,
                       fmt::format("A bind group in \"{}\" belongs to another device.", label_));
  }
  core.functions().ComputePassEncoderSetBindGroup(pass_, group, bind_group.handle(), dynamic_offsets.size(),
                                                  dynamic_offsets.data());
}

void Recorder::dispatch(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  check_open(true, "dispatch");
  const std::uint32_t limit = core.capabilities.workgroups_per_dimension;
  if (x > limit || y > limit || z > limit) {
    throw DeviceError(
        ErrorCode::over_device_limit, label_,
        fmt::format("A dispatch in \"{label}\" has {x} x {y} x {z} workgroups, but the device \"{device}\" "
                    "allows {limit} in each dimension.",
                    fmt::arg("label", label_), fmt::arg("x", x), fmt::arg("y", y), fmt::arg("z", z),
                    fmt::arg("device", core.adapter.name), fmt::arg("limit", limit)));
  }
  core.functions().ComputePassEncoderDispatchWorkgroups(pass_, x, y, z);
}

void Recorder::dispatch_indirect(const Buffer& buffer, std::uint64_t byte_offset) {
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  check_open(true, "dispatch_indirect");
  check_range(buffer, byte_offset, kIndirectRecordByteSize, Usage::indirect, "dispatch_indirect");
  core.functions().ComputePassEncoderDispatchWorkgroupsIndirect(pass_, buffer.handle(), byte_offset);
}

void Recorder::copy(const Buffer& from, std::uint64_t from_byte_offset, const Buffer& to, std::uint64_t to_byte_offset,
                    std::uint64_t byte_size) {
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  check_open(false, "copy");
  check_range(from, from_byte_offset, byte_size, Usage::copy_source, "copy");
  check_range(to, to_byte_offset, byte_size, Usage::copy_destination, "copy");
  if (from.handle() == to.handle()) throw InternalError("A copy goes from a buffer to itself.");
  if (byte_size == 0) return;
  core.functions().CommandEncoderCopyBufferToBuffer(encoder_, from.handle(), from_byte_offset, to.handle(),
                                                    to_byte_offset, byte_size);
}

void Recorder::copy_to_staging(const Buffer& from, std::uint64_t from_byte_offset, WGPUBuffer to,
                               std::uint64_t to_byte_offset, std::uint64_t byte_size) {
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  check_open(false, "copy_to_staging");
  check_range(from, from_byte_offset, byte_size, Usage::copy_source, "copy_to_staging");
  if (byte_size == 0) return;
  core.functions().CommandEncoderCopyBufferToBuffer(encoder_, from.handle(), from_byte_offset, to, to_byte_offset,
                                                    byte_size);
}

void Recorder::clear(const Buffer& buffer, std::uint64_t byte_offset, std::uint64_t byte_size) {
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  check_open(false, "clear");
  check_range(buffer, byte_offset, byte_size, Usage::copy_destination, "clear");
  if (byte_size == 0) return;
  core.functions().CommandEncoderClearBuffer(encoder_, buffer.handle(), byte_offset, byte_size);
}

WGPUCommandBuffer Recorder::finish() {
  CoreInternals& core = core_->internals();
  const std::lock_guard lock(core.mutex);
  check_open(false, "finish");
  const FunctionTable& functions = core.functions();
  const WGPUCommandBufferDescriptor descriptor = {nullptr, view_of(label_)};
  const WGPUCommandEncoder encoder = std::exchange(encoder_, nullptr);
  const auto release_encoder = [&] {
    functions.CommandEncoderRelease(encoder);
    --core.counts.live_objects;
  };
  try {
    const WGPUCommandBuffer commands = create_counted<WGPUCommandBuffer>(
        core, label_, fmt::format("finish the recording \"{}\"", label_),
        [&] { return functions.CommandEncoderFinish(encoder, &descriptor); },
        [&](WGPUCommandBuffer made) { functions.CommandBufferRelease(made); });
    release_encoder();
    return commands;
  } catch (...) {
    release_encoder();
    throw;
  }
}

Recorder DeviceCore::create_recorder(std::string_view label) {
  CoreInternals& core = *internals_;
  const FunctionTable& functions = core.functions();
  const WGPUCommandEncoderDescriptor descriptor = {nullptr, view_of(label)};
  const WGPUCommandEncoder encoder = create_counted<WGPUCommandEncoder>(
      core, label, fmt::format("begin the recording \"{}\"", label),
      [&] { return functions.DeviceCreateCommandEncoder(core.device, &descriptor); },
      [&](WGPUCommandEncoder made) { functions.CommandEncoderRelease(made); });
  return Recorder(shared_from_this(), encoder, std::string(label));
}

}  // namespace millrace::webgpu
