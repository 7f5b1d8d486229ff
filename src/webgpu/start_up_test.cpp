// Doubles one word, by a dynamic uniform offset: buffers, layouts, pipeline, binding, dispatch, copy and map in one.
#include "src/webgpu/start_up_test.hpp"

#include <array>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/webgpu/core_internals.hpp"

namespace millrace::webgpu {
namespace {

constexpr std::uint32_t kWord = 21;
constexpr std::chrono::seconds kDeadline = std::chrono::seconds(10);
constexpr std::string_view kKernel = R"(
@group(0) @binding(0) var<storage, read_write> word: array<u32>;
@group(1) @binding(0) var<uniform> factor: vec4u;
@compute @workgroup_size(1) fn main() { word[0] = word[0] * factor.y; }
)";

PipelineDescription doubling_kernel() {
  return {.label = "start-up test",
          .wgsl = std::string(kKernel),
          .entry_point = "main",
          .groups = {{{.binding = 0, .kind = BindingKind::storage_read_write, .least_byte_size = 0}},
                     {{.binding = 0, .kind = BindingKind::uniform_dynamic, .least_byte_size = 16}}}};
}

std::uint32_t read_word(DeviceCore& core, WGPUBuffer staging) {
  const std::shared_ptr<const MapRequest> request = core.map_for_reading(staging, 0, sizeof(std::uint32_t));
  core.wait_until([&] { return request->status != MapRequest::Status::pending; }, kDeadline, "the start-up test");
  if (request->status != MapRequest::Status::mapped) return 0;
  std::uint32_t word = 0;
  std::memcpy(&word, core.mapped_bytes(staging, 0, sizeof word).data(), sizeof word);
  core.unmap(staging);
  return word;
}

std::uint32_t doubled_word(DeviceCore& core) {
  const std::uint64_t offset = core.capabilities().uniform_offset_alignment;
  const auto word = core.create_buffer("start-up test", 16, kVectorUsage);
  const auto factors = core.create_buffer("start-up test", offset + 16, Usage::uniform | Usage::copy_destination);
  const std::array<std::uint32_t, 4> factor = {0, 2, 0, 0};
  core.write_buffer(*word, 0, std::as_bytes(std::span(&kWord, 1)));
  core.write_buffer(*factors, offset, std::as_bytes(std::span(factor)));
  const ComputePipeline pipeline = core.create_pipeline(doubling_kernel());
  const BoundRange word_range = {0, word.get(), 0, 16};
  const BoundRange factor_range = {0, factors.get(), 0, 16};
  const BindGroup words = core.create_bind_group(pipeline, 0, {&word_range, 1});
  const BindGroup uniforms = core.create_bind_group(pipeline, 1, {&factor_range, 1});
  const std::uint32_t dynamic_offset = static_cast<std::uint32_t>(offset);

  const std::shared_ptr<void> staging(core.create_staging_buffer(16), [&](void* buffer) {
    core.release_staging_buffer(static_cast<WGPUBuffer>(buffer));
  });
  const WGPUBuffer staging_handle = static_cast<WGPUBuffer>(staging.get());
  Recorder recorder = core.create_recorder("start-up test");
  recorder.begin_compute_pass();
  recorder.set_pipeline(pipeline);
  recorder.set_bind_group(0, words, {});
  recorder.set_bind_group(1, uniforms, {&dynamic_offset, 1});
  recorder.dispatch(1, 1, 1);
  recorder.end_compute_pass();
  recorder.copy_to_staging(*word, 0, staging_handle, 0, 16);
  core.submit(recorder.finish());
  return read_word(core, staging_handle);
}

[[noreturn]] void refuse(const DeviceCore& core, std::string_view what) {
  throw DeviceError(ErrorCode::unsupported_device, core.adapter().name,
                    fmt::format("The device \"{name}\" is not supported: the start-up test {what}.",
                                fmt::arg("name", core.adapter().name), fmt::arg("what", what)));
}

}  // namespace

void run_start_up_test(const std::shared_ptr<DeviceCore>& core) {
  static std::mutex mutex;
  static std::set<std::string> passed;
  const AdapterInfo& adapter = core->adapter();
  const std::string key = fmt::format("{}\n{}\n{}\n{}", core->internals().provider->library, adapter.name,
                                      adapter.driver, static_cast<int>(adapter.api));
  const std::lock_guard lock(mutex);
  if (passed.contains(key)) return;
  std::uint32_t word = 0;
  try {
    word = doubled_word(*core);
  } catch (const Error& error) {
    refuse(*core, fmt::format("fails. {}", error.what()));
  }
  if (word != 2 * kWord) refuse(*core, fmt::format("gives {} for 2 * {}", word, kWord));
  core->internals().counts.peak_bytes = 0;
  passed.insert(key);
}

}  // namespace millrace::webgpu
