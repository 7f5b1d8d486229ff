// millrace's own mathematics beside the provider's (Mathematics::own and native), in two kinds of kernel: "y = sin(x)",
// which moves 8 bytes a row and little else, and a chain of 16 calls, each of the result before, which is nearly all
// arithmetic. Only own results are checked: what native is off by is no figure of these.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batches.hpp"

namespace millrace::bench {
namespace {

constexpr int kChainedCalls = 16;
// The second operand of pow and atan2: a scalar, so that no compiler knows it.
constexpr float kSecond = 1.7f;
constexpr std::uint64_t kCheckedRows = 1000;
// Of a chain: the steps in between make errors larger or smaller.
constexpr double kChainTolerance = 1e-4;
constexpr double kCallTolerance = 1e-6;

// Arguments from -0.9 to 0.9, or from 1.1 to 4.
enum class Domain : std::uint8_t { around_zero, above_one };

struct Function {
  const char* name;
  Domain domain;
  // result * scale + offset lies in the domain again.
  double scale;
  double offset;
  double (*exact)(double);
};

constexpr Function kFunctions[] = {
    {"sin", Domain::around_zero, 1.1, 0, [](double x) { return std::sin(x); }},
    {"cos", Domain::around_zero, 1, -0.5, [](double x) { return std::cos(x); }},
    {"tan", Domain::around_zero, 0.7, 0, [](double x) { return std::tan(x); }},
    {"asin", Domain::around_zero, 0.8, 0, [](double x) { return std::asin(x); }},
    {"acos", Domain::around_zero, 0.6, -0.9, [](double x) { return std::acos(x); }},
    {"atan", Domain::around_zero, 1.2, 0, [](double x) { return std::atan(x); }},
    {"atan2", Domain::around_zero, 1.8, 0, [](double x) { return std::atan2(x, double{kSecond}); }},
    {"sinh", Domain::around_zero, 0.85, 0, [](double x) { return std::sinh(x); }},
    {"cosh", Domain::around_zero, 1, -1.2, [](double x) { return std::cosh(x); }},
    {"tanh", Domain::around_zero, 1.2, 0, [](double x) { return std::tanh(x); }},
    {"asinh", Domain::around_zero, 1.1, 0, [](double x) { return std::asinh(x); }},
    {"acosh", Domain::above_one, 1.5, 0.6, [](double x) { return std::acosh(x); }},
    {"atanh", Domain::around_zero, 0.6, 0, [](double x) { return std::atanh(x); }},
    {"exp", Domain::around_zero, 0.5, -0.7, [](double x) { return std::exp(x); }},
    {"exp2", Domain::around_zero, 0.6, -0.7, [](double x) { return std::exp2(x); }},
    {"log", Domain::above_one, 2, 1.1, [](double x) { return std::log(x); }},
    {"log2", Domain::above_one, 1.2, 1.1, [](double x) { return std::log2(x); }},
    {"pow", Domain::above_one, 0.25, 0.9, [](double x) { return std::pow(x, double{kSecond}); }},
};

bool takes_second(const Function& function) {
  return function.name == std::string_view("pow") || function.name == std::string_view("atan2");
}

// "sin(sin(x) * 1.1 + 0)" for two calls.
std::string formula_text(const Function& function, int calls) {
  const std::string next = " * " + std::to_string(function.scale) + " + " + std::to_string(function.offset);
  std::string text = "x";
  for (int call = 0; call < calls; ++call) {
    std::string outer = function.name;
    outer += '(';
    outer += text;
    if (call > 0) outer += next;
    outer += takes_second(function) ? ", s)" : ")";
    text = std::move(outer);
  }
  return "y = " + text;
}

double exact_value(const Function& function, int calls, double x) {
  for (int call = 0; call < calls; ++call) x = function.exact(call > 0 ? x * function.scale + function.offset : x);
  return x;
}

CompiledGraph compile(Device& device, const Function& function, int calls, Mathematics math) {
  Graph graph;
  graph.add_input("x", vector_of(Format::float32));
  if (takes_second(function)) graph.add_input("s", scalar_of(Format::float32));
  graph.add(Expression{formula_text(function, calls)});
  return graph.compile(device, {.math = math});
}

std::vector<float> random_arguments(Domain domain, std::uint64_t row_count) {
  std::minstd_rand random(12345);
  const bool is_around_zero = domain == Domain::around_zero;
  std::uniform_real_distribution<float> argument(is_around_zero ? -0.9f : 1.1f, is_around_zero ? 0.9f : 4.0f);
  std::vector<float> arguments(row_count);
  for (float& value : arguments) value = argument(random);
  return arguments;
}

// The arguments of one domain, on the host and on the device.
struct Arguments {
  Arguments(Device& device, Domain domain, std::uint64_t row_count)
      : host(random_arguments(domain, row_count)), vector(device.upload(Format::float32, host)) {}

  std::vector<float> host;
  Vector vector;
};

// Those of a row count, each uploaded when it is first needed.
using ArgumentsOfRows = std::array<std::optional<Arguments>, 2>;

struct Contender {
  Function function;
  int calls;
  Mathematics math;
};

void check(Context& context, const Contender& contender, const Arguments& arguments, Batch& batch) {
  const webgpu::NativeRange output = batch.outputs().front();
  const std::uint64_t row_count = output.byte_size / sizeof(float);
  const VectorView results =
      webgpu::borrow_buffer(context.device, output.buffer)
          .rows({.format = Format::float32, .byte_offset = output.byte_offset, .row_count = row_count});
  const std::vector<float> values =
      results.rows({.first = 0, .count = std::min(kCheckedRows, row_count)}).read<float>();
  const double tolerance = contender.calls == 1 ? kCallTolerance : kChainTolerance;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const double expected = exact_value(contender.function, contender.calls, double{arguments.host[row]});
    if (std::abs(double{values[row]} - expected) <= tolerance * std::max(std::abs(expected), 0.01)) continue;
    throw std::runtime_error(formula_text(contender.function, contender.calls) + " is wrong in row " +
                             std::to_string(row) + ": " + std::to_string(values[row]) + " instead of " +
                             std::to_string(expected) + ".");
  }
}

void measure(benchmark::State& state, Context& context, const Contender& contender, const Arguments& arguments) {
  const std::uint64_t row_count = arguments.host.size();
  const std::uint64_t executions = batch_size(context.raw, row_count);
  const CompiledGraph compiled = compile(context.device, contender.function, contender.calls, contender.math);
  Bindings bindings = {.inputs = {{"x", arguments.vector}}};
  if (takes_second(contender.function)) bindings.inputs.set("s", kSecond);
  const auto next_batch = [&] { return graph_batch(context, compiled, bindings, "y", executions); };
  {
    const std::unique_ptr<Batch> warm_up = next_batch();
    (void)time_batch(context.raw, *warm_up, OutputMemory::cleared, executions);
    if (contender.math == Mathematics::own) check(context, contender, arguments, *warm_up);
  }
  double seconds = 0;
  for ([[maybe_unused]] auto _ : state) {
    const std::unique_ptr<Batch> batch = next_batch();
    const double measured = time_batch(context.raw, *batch, OutputMemory::cleared, executions);
    state.SetIterationTime(measured);
    seconds += measured;
  }
  state.counters["ns_per_row"] =
      seconds * 1e9 / static_cast<double>(row_count) / static_cast<double>(state.iterations());
}

void run_contender(benchmark::State& state, Context& context, const Contender& contender, std::uint64_t row_count,
                   ArgumentsOfRows& arguments_of_rows) {
  const WGPULimits& limits = context.raw.limits();
  if (row_count * sizeof(float) > std::min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)) {
    state.SkipWithError("The device does not take that many rows in one binding.");
    return;
  }
  try {
    const Domain domain = contender.function.domain;
    std::optional<Arguments>& arguments = arguments_of_rows[static_cast<std::size_t>(domain)];
    if (!arguments) arguments.emplace(context.device, domain, row_count);
    measure(state, context, contender, *arguments);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void add_mathematics_benchmarks(Context& context) {
  const std::int64_t iterations = context.raw.is_software() ? 2 : 8;
  for (const std::uint64_t row_count : context.throughput_rows) {
    const auto arguments = std::make_shared<ArgumentsOfRows>();
    const auto add = [&](const Contender& contender, const std::string& name) {
      benchmark::RegisterBenchmark(name.c_str(),
                                   [&context, contender, row_count, arguments](benchmark::State& state) {
                                     run_contender(state, context, contender, row_count, *arguments);
                                   })
          ->UseManualTime()
          ->Iterations(iterations)
          ->Unit(benchmark::kMicrosecond);
    };
    for (const int calls : {1, kChainedCalls}) {
      for (const Function& function : kFunctions) {
        const std::string name = function.name + (calls == 1 ? std::string() : "_x" + std::to_string(calls)) + '_' +
                                 std::to_string(row_count) + "_rows";
        add({function, calls, Mathematics::own}, name + ":own");
        add({function, calls, Mathematics::native}, name + ":native");
        context.ratios.push_back({name + ":own", name + ":native"});
      }
    }
  }
}

}  // namespace millrace::bench
