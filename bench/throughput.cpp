// What the GPU needs for `length(p * s)` on millions of rows (float32x3 to float32), beside kernels written by hand and
// beside a copy of as many bytes.
//
// The clock runs from the submission of a batch until all of it is done; a figure is that time over the executions.
// Outputs are cleared beforehand, since providers zero a fresh buffer at its first use: so the kernels alone are
// compared. "fresh" leaves the zeroing in.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "batches.hpp"

namespace millrace::bench {
namespace {

constexpr std::uint64_t kInputRowBytes = 12;
constexpr std::uint64_t kOutputRowBytes = 4;
// What a copy moves for each row to move as much as the formula does: half of it read, half of it written.
constexpr std::uint64_t kCopiedRowWords = (kInputRowBytes + kOutputRowBytes) / 2 / 4;
constexpr std::uint64_t kRowsOfWide = 4;
constexpr std::uint64_t kCheckedRows = 1000;  // the first and the last ones

using Point = std::array<float, 3>;

std::vector<Point> random_points(std::uint64_t row_count) {
  std::minstd_rand random(12345);
  std::uniform_real_distribution<float> lane(-1, 1);
  std::vector<Point> points(row_count);
  for (Point& point : points) point = {lane(random), lane(random), lane(random)};
  return points;
}

CompiledGraph compile(Device& device, bool fusion) {
  Graph graph;
  graph.add_input("p", vector_of(Format::float32x3));
  graph.add_input("s", scalar_of(Format::float32));
  graph.add(Expression{"scaled = p * s"});
  graph.add(Expression{"lengths = length(scaled)"});
  return graph.compile(device, {.outputs = {"lengths"}, .fusion = fusion});
}

// The rows that every contender works on, and the contenders.
struct Contest {
  Contest(Context& shared, std::uint64_t count);
  [[nodiscard]] WGPUBuffer buffer() const { return webgpu::native_chunks(points)[0].buffer; }
  // std::runtime_error where the first output of a batch that has run does not hold the lengths.
  void check(Batch& batch) const;

  Context& context;
  std::uint64_t row_count;
  std::vector<Point> host;
  Vector points;
  CompiledGraph fused = compile(context.device, true);
  CompiledGraph unfused = compile(context.device, false);
  LengthByHand plain{context.raw, HandKernel::plain};
  LengthByHand wide{context.raw, HandKernel::wide};
  LengthByHand copy{context.raw, HandKernel::copy};
  std::uint64_t executions;  // of a batch
};

Contest::Contest(Context& shared, std::uint64_t count)
    : context(shared),
      row_count(count),
      host(random_points(count)),
      points(shared.device.upload(Format::float32x3, host)),
      executions(batch_size(shared.raw, count)) {}

void Contest::check(Batch& batch) const {
  const webgpu::NativeRange output = batch.outputs().front();
  const VectorView lengths = webgpu::borrow_buffer(context.device, output.buffer)
                                 .rows({.format = Format::float32,
                                        .byte_offset = output.byte_offset,
                                        .row_count = output.byte_size / kOutputRowBytes});
  const std::uint64_t checked = std::min(kCheckedRows, row_count);
  for (const std::uint64_t first : {std::uint64_t{0}, row_count - checked}) {
    const std::vector<float> values = lengths.rows({.first = first, .count = checked}).read<float>();
    for (std::uint64_t row = 0; row < checked; ++row) {
      const Point& point = host[first + row];
      const double expected =
          std::hypot(double{point[0]}, double{point[1]}, double{point[2]}) * double{kThroughputScale};
      if (std::abs(double{values[row]} - expected) <= 1e-6 * expected) continue;
      throw std::runtime_error("length(p * s) is wrong in row " + std::to_string(first + row) + ": " +
                               std::to_string(values[row]) + " instead of " + std::to_string(expected) + ".");
    }
  }
}

struct Contender {
  std::string name;
  OutputMemory memory;
  bool computes_lengths;
  std::function<std::unique_ptr<Batch>(Contest&)> make;
};

void measure(benchmark::State& state, Contest& contest, const Contender& contender) {
  {
    const std::unique_ptr<Batch> warm_up = contender.make(contest);
    (void)time_batch(contest.context.raw, *warm_up, contender.memory, contest.executions);
    if (contender.computes_lengths) contest.check(*warm_up);
  }
  for ([[maybe_unused]] auto _ : state) {
    const std::unique_ptr<Batch> batch = contender.make(contest);
    state.SetIterationTime(time_batch(contest.context.raw, *batch, contender.memory, contest.executions));
  }
  const std::uint64_t byte_count = contest.row_count * (kInputRowBytes + kOutputRowBytes);
  state.counters["GB/s"] =
      benchmark::Counter(static_cast<double>(byte_count) / 1e9, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["rows"] = static_cast<double>(contest.row_count);
  state.counters["batch"] = static_cast<double>(contest.executions);
}

std::vector<Contender> contenders() {
  const auto graph = [](const CompiledGraph Contest::*compiled) {
    return [compiled](Contest& contest) {
      const Bindings bindings = {.inputs = {{"p", contest.points}, {"s", kThroughputScale}}};
      return graph_batch(contest.context, contest.*compiled, bindings, "lengths", contest.executions);
    };
  };
  const auto by_hand = [](const LengthByHand Contest::*kernel, std::uint64_t words_of_row) {
    return [kernel, words_of_row](Contest& contest) {
      return hand_batch(contest.context.raw, contest.*kernel, contest.buffer(), contest.row_count * words_of_row,
                        contest.executions);
    };
  };
  const auto copy = [](Contest& contest) {
    return copy_batch(contest.context.raw, contest.buffer(), contest.row_count * kCopiedRowWords, contest.executions);
  };
  return {{"millrace", OutputMemory::cleared, true, graph(&Contest::fused)},
          {"millrace_unfused", OutputMemory::cleared, true, graph(&Contest::unfused)},
          {"by_hand_plain", OutputMemory::cleared, true, by_hand(&Contest::plain, 1)},
          {"by_hand_wide", OutputMemory::cleared, true, by_hand(&Contest::wide, 1)},
          {"copy_kernel", OutputMemory::cleared, false, by_hand(&Contest::copy, kCopiedRowWords)},
          {"copy_command", OutputMemory::cleared, false, copy},
          {"millrace:fresh", OutputMemory::fresh, true, graph(&Contest::fused)},
          {"by_hand_plain:fresh", OutputMemory::fresh, true, by_hand(&Contest::plain, 1)}};
}

// Opens the contest of these rows at its first benchmark.
void run_contender(benchmark::State& state, Context& context, std::optional<Contest>& contest, std::uint64_t row_count,
                   const Contender& contender) {
  const WGPULimits& limits = context.raw.limits();
  const std::uint64_t byte_size = row_count * kInputRowBytes;
  if (row_count % kRowsOfWide != 0 || byte_size > limits.maxStorageBufferBindingSize ||
      byte_size > limits.maxBufferSize) {
    state.SkipWithError("The kernels by hand need a multiple of 4 rows that the device takes in one binding.");
    return;
  }
  try {
    if (!contest) contest.emplace(context, row_count);
    measure(state, *contest, contender);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void add_throughput_benchmarks(Context& context) {
  const std::int64_t iterations = context.raw.is_software() ? 2 : 8;
  for (const std::uint64_t row_count : context.throughput_rows) {
    const std::string prefix = "length_" + std::to_string(row_count) + "_rows:";
    const auto contest = std::make_shared<std::optional<Contest>>();
    for (const Contender& contender : contenders()) {
      benchmark::RegisterBenchmark((prefix + contender.name).c_str(),
                                   [&context, row_count, contender, contest](benchmark::State& state) {
                                     run_contender(state, context, *contest, row_count, contender);
                                   })
          ->UseManualTime()
          ->Iterations(iterations)
          ->Unit(benchmark::kMicrosecond);
    }
    const auto add_ratio = [&](const char* name, const char* peer) {
      context.ratios.push_back({prefix + name, prefix + peer});
    };
    add_ratio("millrace", "by_hand_plain");
    add_ratio("millrace", "by_hand_wide");
    add_ratio("millrace", "copy_kernel");
    add_ratio("millrace", "copy_command");
    add_ratio("millrace_unfused", "millrace");
    add_ratio("millrace:fresh", "by_hand_plain:fresh");
  }
}

}  // namespace millrace::bench
