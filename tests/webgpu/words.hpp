// Words on a device: uploaded, changed by a kernel, read back, through the core alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "src/base/arithmetic.hpp"
#include "src/webgpu/device_core.hpp"

namespace millrace::webgpu {

inline std::shared_ptr<Buffer> upload_words(DeviceCore& core, const std::vector<std::uint32_t>& words) {
  auto buffer = core.create_buffer("words", words.size() * 4, kVectorUsage);
  core.write_buffer(*buffer, 0, std::as_bytes(std::span(words)));
  return buffer;
}

inline std::vector<std::uint32_t> read_words(DeviceCore& core, const Buffer& buffer, std::size_t count) {
  const std::uint64_t byte_size = count * 4;
  const std::uint64_t staging_size = align_up(byte_size, 8);
  const WGPUBuffer staging = core.create_staging_buffer(staging_size);
  Recorder recorder = core.create_recorder("read");
  recorder.copy_to_staging(buffer, 0, staging, 0, byte_size);
  core.submit(recorder.finish());
  const auto request = core.map_for_reading(staging, 0, byte_size);
  core.wait_until([&] { return request->status != MapRequest::Status::pending; }, std::chrono::seconds(10),
                  "reading words");
  std::vector<std::uint32_t> words(count);
  std::memcpy(words.data(), core.mapped_bytes(staging, 0, byte_size).data(), byte_size);
  core.unmap(staging);
  core.release_staging_buffer(staging);
  return words;
}

// Adds `term` to each word of one storage buffer at binding 0 of group 0; one workgroup for 64 words.
inline PipelineDescription adding_kernel(std::uint32_t term) {
  return {.label = "add " + std::to_string(term),
          .wgsl =
              "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n"
              "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
              "  if (id.x < arrayLength(&words)) { words[id.x] += " +
              std::to_string(term) + "u; }\n}\n",
          .entry_point = "main",
          .groups = {{{.binding = 0, .kind = BindingKind::storage_read_write, .least_byte_size = 0}}}};
}

inline void run_kernel(DeviceCore& core, const ComputePipeline& pipeline, const Buffer& buffer, std::uint32_t groups) {
  const BoundRange range = {0, &buffer, 0, buffer.byte_size()};
  const BindGroup bound = core.create_bind_group(pipeline, 0, {&range, 1});
  Recorder recorder = core.create_recorder("run");
  recorder.begin_compute_pass();
  recorder.set_pipeline(pipeline);
  recorder.set_bind_group(0, bound, {});
  recorder.dispatch(groups, 1, 1);
  recorder.end_compute_pass();
  core.submit(recorder.finish());
}

}  // namespace millrace::webgpu
