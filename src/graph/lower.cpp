// Kernel by kernel: pieces, their segments, their dispatches. What a record holds stands in kernel_text.hpp.
#include "src/graph/lower.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/arithmetic.hpp"
#include "src/expression/kernel_text.hpp"
#include "src/graph/fold_dispatch.hpp"
#include "src/graph/pieces.hpp"

namespace millrace::graph {
namespace {

using expression::RecordLayout;

// One storage binding of the kernel at hand, over a piece.
struct PieceOperand {
  command::BufferIndex buffer;
  command::UseKind kind;
  RowBytes rows;
  StoredIndex stored;
};

command::ParameterLayout parameter_layout(const DeviceCapabilities& device, const KernelPlan& plan) {
  const std::uint64_t alignment = device.uniform_offset_alignment;
  const std::uint64_t scalar_byte_size = 4ull * plan.scalar_block_words;
  std::uint32_t most_words = RecordLayout::word_count(0);
  for (const PlannedKernel& kernel : plan.kernels) {
    most_words = std::max(most_words, RecordLayout::word_count(static_cast<std::uint32_t>(kernel.bindings.size())));
  }
  return {.scalar_byte_size = scalar_byte_size,
          .records_byte_offset = align_up(scalar_byte_size, alignment),
          .record_byte_stride = align_up(4ull * most_words, alignment)};
}

class Lowering {
 public:
  Lowering(const DeviceCapabilities& device, const KernelPlan& plan, const Shapes& shapes, const InputChunks& inputs)
      : device_(device),
        plan_(plan),
        shapes_(shapes),
        inputs_(inputs),
        binding_limits_{.byte_size = align_down(device.storage_binding_byte_size, 4),
                        .alignment = device.storage_offset_alignment},
        dispatch_limits_{.workgroup_size = kWorkgroupSize,
                         .workgroups_per_dimension = device.workgroups_per_dimension,
                         .rows_per_dispatch = device.rows_per_dispatch},
        recipe_{.commands = command::CommandGraph({.storage_binding_byte_size = device.storage_binding_byte_size,
                                                   .storage_offset_alignment = device.storage_offset_alignment,
                                                   .workgroups_per_dimension = device.workgroups_per_dimension}),
                .chunks = {},
                .parameters = parameter_layout(device, plan),
                .parameter_byte_size = 0,
                .records = {}} {}

  Recipe lower() && {
    for (std::uint32_t index = 0; index < plan_.stored.size(); ++index) place_stored({index});
    for (std::uint32_t index = 0; index < plan_.kernels.size(); ++index) lower_kernel({index});
    finish_parameters();
    return std::move(recipe_);
  }

 private:
  void place_stored(StoredIndex index) {
    const Stored& stored = plan_.stored[index.value];
    std::vector<RecipeChunk>& chunks = recipe_.chunks.emplace_back();
    const std::vector<std::uint64_t>& lengths = shapes_.chunk_lengths[index.value];
    for (std::size_t chunk = 0; chunk < lengths.size(); ++chunk) {
      const std::uint64_t byte_size = chunk_byte_size(index, chunk);
      RecipeChunk placed{.buffer = {}, .row_count = lengths[chunk], .byte_size = byte_size};
      if (lengths[chunk] != 0) {
        const bool is_transient = stored.role == StoredRole::intermediate;
        placed.buffer = recipe_.commands.add_buffer(
            {.name = stored.name,
             .byte_size = byte_size,
             .residence = is_transient ? command::Residence::transient : command::Residence::imported});
      }
      chunks.push_back(placed);
    }
  }

  // From the aligned byte at or below the first row to the end of the last.
  [[nodiscard]] std::uint64_t chunk_byte_size(StoredIndex index, std::size_t chunk) const {
    const std::uint64_t row_count = shapes_.chunk_lengths[index.value][chunk];
    if (row_count == 0) return 0;
    const RowBytes rows = chunk_rows(index, chunk);
    return rows.byte_offset + (row_count - 1) * rows.byte_stride + rows.row_byte_size;
  }

  // Where the chunk's rows lie in its virtual buffer, which begins at an aligned byte of the physical one.
  [[nodiscard]] RowBytes chunk_rows(StoredIndex index, std::size_t chunk) const {
    const Stored& stored = plan_.stored[index.value];
    const std::uint64_t packed = bytes_per_row(stored.format);
    if (stored.role != StoredRole::input) return {.byte_offset = 0, .byte_stride = packed, .row_byte_size = packed};
    const Chunk& borrowed = inputs_[stored.input->value]->at(chunk);
    return {.byte_offset = borrowed.byte_offset % binding_limits_.alignment,
            .byte_stride = borrowed.byte_stride,
            .row_byte_size = packed};
  }

  void lower_kernel(command::KernelIndex index) {
    const PlannedKernel& kernel = plan_.kernels[index.value];
    const std::vector<std::uint64_t>& output_lengths = shapes_.chunk_lengths[kernel.bindings.back().value];
    const std::uint64_t rows = std::accumulate(output_lengths.begin(), output_lengths.end(), std::uint64_t{0});
    std::vector<std::vector<std::uint64_t>> lengths;
    for (const StoredIndex stored : kernel.bindings) {
      if (cuts_pieces(kernel, stored)) lengths.push_back(shapes_.chunk_lengths[stored.value]);
    }
    for (const Piece& piece : find_pieces(lengths)) lower_piece(index, piece, rows);
  }

  // Scalars that a kernel over rows reads are the same one row in every piece, so they do not cut pieces.
  [[nodiscard]] bool cuts_pieces(const PlannedKernel& kernel, StoredIndex stored) const {
    const StoredIndex output = kernel.bindings.back();
    return plan_.stored[stored.value].leader.has_value() == plan_.stored[output.value].leader.has_value();
  }

  [[nodiscard]] std::vector<PieceOperand> piece_operands(const PlannedKernel& kernel, const Piece& piece) const {
    const std::size_t first_output = kernel.bindings.size() - kernel.output_count;
    std::vector<PieceOperand> operands;
    std::size_t cut = 0;  // operands that cut pieces, so far
    for (std::size_t binding = 0; binding < kernel.bindings.size(); ++binding) {
      const StoredIndex stored = kernel.bindings[binding];
      const bool is_cut = cuts_pieces(kernel, stored);
      const OperandChunk at = is_cut ? piece.operands[cut++] : OperandChunk{0, 0};
      RowBytes rows = chunk_rows(stored, at.chunk);
      rows.byte_offset += at.first_row * rows.byte_stride;
      if (!is_cut) rows.byte_stride = 0;
      operands.push_back(
          {.buffer = *recipe_.chunks[stored.value][at.chunk].buffer,
           .kind = binding >= first_output ? command::UseKind::storage_write : command::UseKind::storage_read,
           .rows = rows,
           .stored = stored});
    }
    return operands;
  }

  void lower_piece(command::KernelIndex index, const Piece& piece, std::uint64_t rows) {
    const PlannedKernel& kernel = plan_.kernels[index.value];
    const std::vector<PieceOperand> operands = piece_operands(kernel, piece);
    std::vector<RowBytes> cutting;
    for (const PieceOperand& operand : operands) {
      if (operand.rows.byte_stride != 0) cutting.push_back(operand.rows);
    }
    const auto segments = cut_segments(piece.row_count, cutting, binding_limits_);
    if (!segments) refuse_binding(operands);
    for (const Segment& segment : *segments) lower_segment(index, piece, segment, operands, rows);
  }

  [[noreturn]] void refuse_binding(const std::vector<PieceOperand>& operands) const {
    const auto widest = std::max_element(operands.begin(), operands.end(), [](const auto& a, const auto& b) {
      return a.rows.row_byte_size < b.rows.row_byte_size;
    });
    const std::string& name = plan_.stored[widest->stored.value].name;
    throw DeviceError(
        ErrorCode::over_device_limit, name,
        fmt::format("A row of \"{name}\" takes {size} bytes and does not fit a storage binding of {limit} bytes "
                    "that begins on {alignment}.",
                    fmt::arg("name", name), fmt::arg("size", widest->rows.row_byte_size),
                    fmt::arg("limit", binding_limits_.byte_size), fmt::arg("alignment", binding_limits_.alignment)));
  }

  void lower_segment(command::KernelIndex index, const Piece& piece, const Segment& segment,
                     const std::vector<PieceOperand>& operands, std::uint64_t rows) {
    command::BindSet bind_set{.kernel = index, .uses = {}};
    for (const PieceOperand& operand : operands) {
      const std::uint64_t start = binding_start(operand.rows, segment.first_row, binding_limits_.alignment);
      const std::uint64_t last_row = segment.first_row + segment.row_count - 1;
      const std::uint64_t end =
          operand.rows.byte_offset + last_row * operand.rows.byte_stride + operand.rows.row_byte_size;
      bind_set.uses.push_back(
          {.buffer = operand.buffer, .kind = operand.kind, .byte_offset = start, .byte_size = end - start});
    }
    const command::BindSetIndex set = recipe_.commands.add_bind_set(std::move(bind_set));
    const std::uint64_t most = most_rows(dispatch_limits_);
    for (std::uint64_t first = 0; first < segment.row_count; first += most) {
      const std::uint64_t count = std::min(most, segment.row_count - first);
      add_dispatch(set, piece.first_row, {segment.first_row + first, count}, segment.first_row, operands, rows);
    }
  }

  // dispatch: rows from the piece's first on; binding_row: the row at which the bindings begin.
  void add_dispatch(command::BindSetIndex set, std::uint64_t piece_row, const Segment& dispatch,
                    std::uint64_t binding_row, const std::vector<PieceOperand>& operands, std::uint64_t rows) {
    const command::Workgroups groups = fold_dispatch(dispatch.row_count, dispatch_limits_);
    const std::size_t stride_words = recipe_.parameters.record_byte_stride / 4;
    const std::size_t base = recipe_.records.size();
    recipe_.records.resize(base + stride_words, 0);
    const auto put = [&](std::size_t word, std::uint64_t value) {
      recipe_.records[base + word] = static_cast<std::uint32_t>(value);
    };
    put(RecordLayout::kRowBase, piece_row + dispatch.first_row);
    put(RecordLayout::kRowCount, dispatch.row_count);
    put(RecordLayout::kRows, rows);
    put(RecordLayout::kFoldX, std::uint64_t{groups.x} * kWorkgroupSize);
    put(RecordLayout::kFoldY, groups.y);
    for (std::size_t operand = 0; operand < operands.size(); ++operand) {
      const RowBytes& at = operands[operand].rows;
      const std::uint64_t first_byte = at.byte_offset + dispatch.first_row * at.byte_stride;
      const std::uint64_t start = binding_start(at, binding_row, binding_limits_.alignment);
      put(RecordLayout::kOperands + 2 * operand, (first_byte - start) / 4);
      put(RecordLayout::kOperands + 2 * operand + 1, at.byte_stride / 4);
    }
    recipe_.commands.add_compute(
        {.bind_set = set, .record = static_cast<std::uint32_t>(base / stride_words), .size = groups});
  }

  void finish_parameters() {
    recipe_.parameter_byte_size = recipe_.parameters.records_byte_offset + 4 * recipe_.records.size();
    constexpr std::uint64_t kMostDynamicOffset = 0xffffffff;
    const std::uint64_t limit = std::min(device_.buffer_byte_size, kMostDynamicOffset);
    if (recipe_.parameter_byte_size <= limit) return;
    throw DeviceError(
        ErrorCode::over_device_limit, "",
        fmt::format("The chunks of this run need {dispatches} dispatches, whose parameters take {size} bytes; this "
                    "device allows {limit}. Fewer, larger chunks need fewer dispatches.",
                    fmt::arg("dispatches", recipe_.commands.nodes().size()),
                    fmt::arg("size", recipe_.parameter_byte_size), fmt::arg("limit", limit)));
  }

  const DeviceCapabilities& device_;
  const KernelPlan& plan_;
  const Shapes& shapes_;
  const InputChunks& inputs_;
  const BindingLimits binding_limits_;
  const DispatchLimits dispatch_limits_;
  Recipe recipe_;
};

}  // namespace

Recipe lower(const DeviceCapabilities& device, const KernelPlan& plan, const Shapes& shapes,
             const InputChunks& inputs) {
  return Lowering(device, plan, shapes, inputs).lower();
}

}  // namespace millrace::graph
