// What one run costs the application's thread until its commands are submitted: `length(p * s)` on 64 rows, so that the
// work itself is nothing. The peer calls webgpu.h by hand: an output buffer, its bind group, the scalar, a pass, a
// submission.
#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "context.hpp"
#include "length_by_hand.hpp"

namespace millrace::bench {
namespace {

constexpr std::uint64_t kRows = 64;
constexpr float kScale = 2.0f;
// Submissions until the device may catch up, outside of the time measured.
constexpr std::uint64_t kRunsInFlight = 64;
constexpr WGPUBufferUsage kOutputUsage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst |
                                         WGPUBufferUsage_Vertex | WGPUBufferUsage_Index | WGPUBufferUsage_Indirect;

struct SmallRun {
  explicit SmallRun(Context& context);

  Context& context;
  Vector points;
  CompiledGraph compiled;
  LengthByHand by_hand;
  Owned<WGPUBuffer> scalars;
};

Graph length_graph() {
  Graph graph;
  graph.add_input("p", vector_of(Format::float32x3));
  graph.add_input("s", scalar_of(Format::float32));
  graph.add(Expression{"lengths = length(p * s)"});
  return graph;
}

SmallRun::SmallRun(Context& shared)
    : context(shared),
      points(shared.device.upload(Format::float32x3, std::vector<std::array<float, 3>>(kRows, {1, 2, 2}))),
      compiled(length_graph().compile(shared.device)),
      by_hand(shared.raw, HandKernel::plain),
      scalars(by_hand.create_scalars()) {
  const Results results = compiled.run({.inputs = {{"p", points}, {"s", kScale}}});
  if (results["lengths"].read<float>() != std::vector<float>(kRows, 6.0f)) {
    throw std::runtime_error("length(p * s) on 64 rows gives a wrong result.");
  }
  // The peer's kernel runs once too: a driver may compile it only then.
  const Owned<WGPUBuffer> output = shared.raw.create_buffer(kRows * sizeof(float), kOutputUsage);
  by_hand.write_scalars(scalars.get(), kScale, kRows);
  const Owned<WGPUBindGroup> bound = by_hand.bind(webgpu::native_chunks(points)[0].buffer, output.get(), scalars.get());
  const Owned<WGPUCommandEncoder> encoder = shared.raw.create_encoder();
  by_hand.encode(encoder.get(), bound.get(), kRows);
  shared.raw.submit(shared.raw.finish(encoder.get()).get());
}

// Calls step once an iteration, timed by itself, and lets the device catch up between.
template <class Step>
void time_each(benchmark::State& state, Context& context, Step step) {
  context.raw.wait();
  std::vector<double> seconds;
  for ([[maybe_unused]] auto _ : state) {
    const Stopwatch watch;
    step();
    seconds.push_back(watch.seconds());
    state.SetIterationTime(seconds.back());
    if (seconds.size() % kRunsInFlight == 0) context.raw.wait();
  }
  context.raw.wait();
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::ranges::nth_element(seconds, middle);
  state.counters[kMedianMicroseconds] = *middle * 1e6;
}

// Prepare (for the peer: output buffer, scalar and bind group), encode, finish, submit, release.
using StageSeconds = std::array<double, 5>;

void report_stages(benchmark::State& state, const StageSeconds& seconds) {
  constexpr std::array kNames = {"prepare_us", "encode_us", "finish_us", "submit_us", "release_us"};
  for (std::size_t stage = 0; stage < kNames.size(); ++stage) {
    state.counters[kNames[stage]] = benchmark::Counter(seconds[stage] * 1e6, benchmark::Counter::kAvgIterations);
  }
}

void run(benchmark::State& state, SmallRun& small) {
  time_each(state, small.context, [&] { (void)small.compiled.run({.inputs = {{"p", small.points}, {"s", kScale}}}); });
}

void run_with_kept_bindings(benchmark::State& state, SmallRun& small) {
  const Bindings bindings = {.inputs = {{"p", small.points}, {"s", kScale}}};
  time_each(state, small.context, [&] { (void)small.compiled.run(bindings); });
}

// The same as `run`, stage by stage.
void run_in_stages(benchmark::State& state, SmallRun& small) {
  StageSeconds seconds = {};
  time_each(state, small.context, [&] {
    Stopwatch watch;
    {
      PreparedExecution execution = small.compiled.prepare({.inputs = {{"p", small.points}, {"s", kScale}}});
      seconds[0] += watch.lap();
      CommandEncoder encoder = small.context.device.create_command_encoder();
      execution.encode(encoder);
      seconds[1] += watch.lap();
      CommandBuffer commands = encoder.finish();
      seconds[2] += watch.lap();
      small.context.device.submit(std::move(commands));
      seconds[3] += watch.lap();
    }
    seconds[4] += watch.lap();
  });
  report_stages(state, seconds);
}

WGPUBuffer points_of(const SmallRun& small) { return webgpu::native_chunks(small.points)[0].buffer; }

void call_by_hand(benchmark::State& state, SmallRun& small) {
  const RawDevice& raw = small.context.raw;
  const WGPUBuffer points = points_of(small);
  StageSeconds seconds = {};
  time_each(state, small.context, [&] {
    Stopwatch watch;
    {
      const Owned<WGPUBuffer> output = raw.create_buffer(kRows * sizeof(float), kOutputUsage);
      small.by_hand.write_scalars(small.scalars.get(), kScale, kRows);
      const Owned<WGPUBindGroup> bound = small.by_hand.bind(points, output.get(), small.scalars.get());
      seconds[0] += watch.lap();
      const Owned<WGPUCommandEncoder> encoder = raw.create_encoder();
      small.by_hand.encode(encoder.get(), bound.get(), kRows);
      seconds[1] += watch.lap();
      const Owned<WGPUCommandBuffer> commands = raw.finish(encoder.get());
      seconds[2] += watch.lap();
      raw.submit(commands.get());
      seconds[3] += watch.lap();
    }
    seconds[4] += watch.lap();
  });
  report_stages(state, seconds);
}

// Output, bind group and scalar made once: what is left cannot be avoided.
void submit_by_hand(benchmark::State& state, SmallRun& small) {
  const RawDevice& raw = small.context.raw;
  const Owned<WGPUBuffer> output = raw.create_buffer(kRows * sizeof(float), kOutputUsage);
  small.by_hand.write_scalars(small.scalars.get(), kScale, kRows);
  const Owned<WGPUBindGroup> bound = small.by_hand.bind(points_of(small), output.get(), small.scalars.get());
  time_each(state, small.context, [&] {
    const Owned<WGPUCommandEncoder> encoder = raw.create_encoder();
    small.by_hand.encode(encoder.get(), bound.get(), kRows);
    raw.submit(raw.finish(encoder.get()).get());
  });
}

}  // namespace

void add_run_benchmarks(Context& context) {
  auto small = std::make_shared<SmallRun>(context);
  const auto add = [&](const char* name, void (*measure)(benchmark::State&, SmallRun&)) {
    benchmark::RegisterBenchmark(name, [small, measure](benchmark::State& state) { measure(state, *small); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  };
  add("run_64_rows", run);
  add("run_64_rows:bindings_kept", run_with_kept_bindings);
  add("run_64_rows:in_stages", run_in_stages);
  add("run_64_rows:by_hand", call_by_hand);
  add("run_64_rows:by_hand_all_kept", submit_by_hand);
  for (const char* peer : {"run_64_rows:by_hand", "run_64_rows:by_hand_all_kept"}) {
    context.ratios.push_back({"run_64_rows", peer});
  }
}

}  // namespace millrace::bench
