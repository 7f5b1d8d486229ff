// Runs one kernel on a device, through the core alone: words in, words out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/base/arithmetic.hpp"
#include "src/expression/kernel_text.hpp"
#include "src/webgpu/device_core.hpp"
#include "tests/webgpu/words.hpp"

namespace millrace::expression {

// Where an operand's rows lie in its buffer.
struct Placement {
  std::uint32_t word_offset = 0;
  std::uint32_t word_stride = 0;  // 0: packed
};

struct KernelRun {
  std::uint32_t row_count = 1;
  std::vector<std::vector<std::uint32_t>> stored = {};   // the buffer of each stored leaf, in order
  std::vector<std::vector<std::uint32_t>> outputs = {};  // what the outputs' buffers hold before; made where empty
  std::vector<Placement> placements = {};                // leaves, then outputs; packed from the start where empty
  std::vector<std::uint32_t> host_scalars = {};          // from word 2 of the scalar block on
  std::uint32_t row_base = 0;
  std::uint32_t groups_x = 0;  // 0: as many as the rows take
};

inline webgpu::PipelineDescription pipeline_of(const std::string& label, const Dag& dag, const KernelCut& cut,
                                               const WgslOptions& options) {
  std::vector<webgpu::LayoutEntry> storage;
  for (const Leaf& leaf : cut.leaves) {
    if (leaf.kind == LeafKind::host_scalar) continue;
    storage.push_back({static_cast<std::uint32_t>(storage.size()), webgpu::BindingKind::storage_read, 0});
  }
  for (std::size_t output = 0; output < cut.outputs.size(); ++output) {
    storage.push_back({static_cast<std::uint32_t>(storage.size()), webgpu::BindingKind::storage_read_write, 0});
  }
  const auto bindings = static_cast<std::uint32_t>(storage.size());
  return {.label = label,
          .wgsl = emit_wgsl(dag, cut, options),
          .entry_point = "main",
          .groups = {storage,
                     {{0, webgpu::BindingKind::uniform, 4 * options.scalar_block_words},
                      {1, webgpu::BindingKind::uniform_dynamic, 4 * RecordLayout::word_count(bindings)}}}};
}

// The kernel's record and scalar block in one buffer, as an execution has them.
inline std::vector<std::uint32_t> parameter_words(const KernelRun& run, const std::vector<Placement>& placements,
                                                  std::uint32_t block_words, std::uint32_t groups_x) {
  std::vector<std::uint32_t> words(block_words +
                                   RecordLayout::word_count(static_cast<std::uint32_t>(placements.size())));
  words[0] = 0x7f800000u;
  words[1] = 0x7fc00000u;
  std::copy(run.host_scalars.begin(), run.host_scalars.end(), words.begin() + 2);
  const std::span<std::uint32_t> record(words.begin() + block_words, words.end());
  record[RecordLayout::kRowBase] = run.row_base;
  record[RecordLayout::kRowCount] = run.row_count;
  record[RecordLayout::kRows] = run.row_base + run.row_count;
  record[RecordLayout::kFoldX] = groups_x * 256;
  record[RecordLayout::kFoldY] = 65535;
  for (std::size_t binding = 0; binding < placements.size(); ++binding) {
    record[RecordLayout::kOperands + 2 * binding] = placements[binding].word_offset;
    record[RecordLayout::kOperands + 2 * binding + 1] = placements[binding].word_stride;
  }
  return words;
}

// The outputs' buffers after the run.
inline std::vector<std::vector<std::uint32_t>> run_cut(webgpu::DeviceCore& core, const Dag& dag, const KernelCut& cut,
                                                       const KernelRun& run) {
  constexpr std::uint32_t kBlockWords = 64;  // so that the record starts at a dynamic offset that every device takes
  const webgpu::ComputePipeline pipeline =
      core.create_pipeline(pipeline_of("test", dag, cut, {.scalar_block_words = kBlockWords}));
  std::vector<std::shared_ptr<webgpu::Buffer>> buffers;
  std::vector<Placement> placements = run.placements;
  placements.resize(run.stored.size() + cut.outputs.size());
  for (const auto& words : run.stored) buffers.push_back(webgpu::upload_words(core, words));
  std::vector<Format> formats;
  for (const Leaf& leaf : cut.leaves) {
    if (leaf.kind != LeafKind::host_scalar) formats.push_back(leaf.format);
  }
  std::vector<std::size_t> output_sizes;
  for (std::size_t output = 0; output < cut.outputs.size(); ++output) {
    formats.push_back(cut.outputs[output].format);
    const std::size_t packed_size = std::size_t{run.row_count} * bytes_per_row(formats.back()) / 4;
    const bool is_given = output < run.outputs.size() && !run.outputs[output].empty();
    const std::vector<std::uint32_t> before =
        is_given ? run.outputs[output] : std::vector<std::uint32_t>(packed_size, 0xdeadbeefu);
    output_sizes.push_back(before.size());
    buffers.push_back(webgpu::upload_words(core, before));
  }
  for (std::size_t binding = 0; binding < placements.size(); ++binding) {
    if (placements[binding].word_stride == 0) placements[binding].word_stride = bytes_per_row(formats[binding]) / 4;
  }
  const std::uint32_t groups = static_cast<std::uint32_t>(divide_up(run.row_count, 256));
  const std::uint32_t groups_x = run.groups_x == 0 ? groups : run.groups_x;
  const std::vector<std::uint32_t> parameters = parameter_words(run, placements, kBlockWords, groups_x);
  const auto uniforms =
      core.create_buffer("parameters", parameters.size() * 4, webgpu::Usage::uniform | webgpu::Usage::copy_destination);
  core.write_buffer(*uniforms, 0, std::as_bytes(std::span(parameters)));

  std::vector<webgpu::BoundRange> ranges;
  for (const auto& buffer : buffers) {
    ranges.push_back({static_cast<std::uint32_t>(ranges.size()), buffer.get(), 0, buffer->byte_size()});
  }
  const auto bindings = static_cast<std::uint32_t>(buffers.size());
  const std::vector<webgpu::BoundRange> parameter_ranges = {
      {0, uniforms.get(), 0, kBlockWords * 4}, {1, uniforms.get(), 0, 4 * RecordLayout::word_count(bindings)}};
  const webgpu::BindGroup storage_group = core.create_bind_group(pipeline, 0, ranges);
  const webgpu::BindGroup parameter_group = core.create_bind_group(pipeline, 1, parameter_ranges);
  webgpu::Recorder recorder = core.create_recorder("test");
  recorder.begin_compute_pass();
  recorder.set_pipeline(pipeline);
  recorder.set_bind_group(0, storage_group, {});
  const std::uint32_t record_offset = kBlockWords * 4;
  recorder.set_bind_group(1, parameter_group, {&record_offset, 1});
  recorder.dispatch(groups_x, static_cast<std::uint32_t>(divide_up(groups, groups_x)), 1);
  recorder.end_compute_pass();
  core.submit(recorder.finish());
  std::vector<std::vector<std::uint32_t>> results;
  for (std::size_t output = 0; output < cut.outputs.size(); ++output) {
    results.push_back(webgpu::read_words(core, *buffers[run.stored.size() + output], output_sizes[output]));
  }
  return results;
}

}  // namespace millrace::expression
