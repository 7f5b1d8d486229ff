// What a graph of ten operations costs to parse and to compile. The peer makes the pipeline of the same ten formulas,
// written as one WGSL kernel by hand.
//
// "New" text holds a constant that no text before it had, so that neither millrace nor a driver knows it yet; "known"
// text is compiled while another compiled graph of the same text lives.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "context.hpp"

namespace millrace::bench {
namespace {

// Exact in f32, each another than the ones before; other processes, by the clock, begin elsewhere.
class NewConstants {
 public:
  [[nodiscard]] std::string next() { return std::to_string(1'000'000 + ++last_ % 4'000'000) + ".5"; }

 private:
  std::uint64_t last_ = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) / 1000;
};

std::vector<Operation> ten_formulas(const std::string& most) {
  return {
      Expression{"moved = position + velocity * step"},
      Expression{"offset = moved - origin"},
      Expression{"distance = length(offset)"},
      Expression{"direction = normalize(velocity)"},
      Expression{"along = dot(direction, offset)"},
      Expression{"energy = 0.5 * mass * dot(velocity, velocity)"},
      Expression{"capped = clamp(energy, 0.0, " + most + ")"},
      Expression{"share = along / (distance + 1.0)"},
      Expression{"chosen = share > capped ? share : capped"},
      Expression{"score = sqrt(abs(chosen)) + mass"},
  };
}

Graph declare(std::vector<Operation> operations) {
  Graph graph;
  graph.add_input("position", vector_of(Format::float32x3));
  graph.add_input("velocity", vector_of(Format::float32x3));
  graph.add_input("mass", vector_of(Format::float32));
  graph.add_input("origin", scalar_of(Format::float32x3));
  graph.add_input("step", scalar_of(Format::float32));
  for (Operation& operation : operations) graph.add(std::move(operation));
  return graph;
}

std::string ten_formulas_by_hand(const std::string& most) {
  return R"(
struct Scalars { origin: vec3f, step: f32, row_count: u32 }
@group(0) @binding(0) var<storage, read> positions: array<f32>;
@group(0) @binding(1) var<storage, read> velocities: array<f32>;
@group(0) @binding(2) var<storage, read> masses: array<f32>;
@group(0) @binding(3) var<storage, read_write> scores: array<f32>;
@group(0) @binding(4) var<uniform> scalars: Scalars;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let row = id.x + id.y * groups.x * 256u;
  if (row >= scalars.row_count) { return; }
  let position = vec3f(positions[3u * row], positions[3u * row + 1u], positions[3u * row + 2u]);
  let velocity = vec3f(velocities[3u * row], velocities[3u * row + 1u], velocities[3u * row + 2u]);
  let mass = masses[row];
  let moved = position + velocity * scalars.step;
  let offset = moved - scalars.origin;
  let distance = length(offset);
  let direction = normalize(velocity);
  let along = dot(direction, offset);
  let energy = 0.5 * mass * dot(velocity, velocity);
  let capped = clamp(energy, 0.0, )" +
         most + R"();
  let share = along / (distance + 1.0);
  let chosen = select(capped, share, share > capped);
  scores[row] = sqrt(abs(chosen)) + mass;
}
)";
}

void parse(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(ten_formulas("100.0"));
}

// Destroying what was made is not timed.
template <class Make>
void time_making(benchmark::State& state, Make make) {
  for ([[maybe_unused]] auto _ : state) {
    const Stopwatch watch;
    const auto made = make();
    state.SetIterationTime(watch.seconds());
  }
}

void parse_and_compile(benchmark::State& state, Context& context) {
  NewConstants constants;
  time_making(state, [&] { return declare(ten_formulas(constants.next())).compile(context.device); });
}

void compile_new(benchmark::State& state, Context& context) {
  NewConstants constants;
  for ([[maybe_unused]] auto _ : state) {
    const Graph graph = declare(ten_formulas(constants.next()));
    const Stopwatch watch;
    const CompiledGraph compiled = graph.compile(context.device);
    state.SetIterationTime(watch.seconds());
  }
}

void compile_known(benchmark::State& state, Context& context) {
  const Graph graph = declare(ten_formulas("100.0"));
  const CompiledGraph alive = graph.compile(context.device);
  time_making(state, [&] { return graph.compile(context.device); });
}

void create_pipeline_by_hand(benchmark::State& state, Context& context) {
  NewConstants constants;
  constexpr std::array kBindings = {WGPUBufferBindingType_ReadOnlyStorage, WGPUBufferBindingType_ReadOnlyStorage,
                                    WGPUBufferBindingType_ReadOnlyStorage, WGPUBufferBindingType_Storage,
                                    WGPUBufferBindingType_Uniform};
  for ([[maybe_unused]] auto _ : state) {
    const std::string text = ten_formulas_by_hand(constants.next());
    const Stopwatch watch;
    const RawPipeline pipeline = context.raw.create_pipeline(text, kBindings);
    state.SetIterationTime(watch.seconds());
  }
}

}  // namespace

void add_compile_benchmarks(Context& context) {
  benchmark::RegisterBenchmark("parse_10_formulas", parse)->Unit(benchmark::kMicrosecond);
  const auto add = [&](const char* name, void (*measure)(benchmark::State&, Context&)) {
    benchmark::RegisterBenchmark(name, [&context, measure](benchmark::State& state) { measure(state, context); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  };
  add("parse_and_compile_10_formulas:new", parse_and_compile);
  add("compile_10_formulas:new", compile_new);
  add("compile_10_formulas:known", compile_known);
  add("compile_10_formulas:by_hand", create_pipeline_by_hand);
  context.ratios.push_back({"parse_and_compile_10_formulas:new", "compile_10_formulas:by_hand"});
  context.ratios.push_back({"compile_10_formulas:new", "compile_10_formulas:by_hand"});
  context.ratios.push_back({"compile_10_formulas:known", "compile_10_formulas:new"});
}

}  // namespace millrace::bench
