// libFuzzer's target for the expression language: from text to WGSL that the provider takes.
//
// An input is one character of options (see Options), then formulas separated by ";", later ones of which may use earlier
// results. What else they may read is declared by declare_inputs.
//
// Whatever the text, it must either be refused by an error that documents itself, or become WGSL. Anything else ends the
// process: another exception, a fault that the sanitizers see, a message that no terminal can show, WGSL that the provider
// refuses. Where MILLRACE_WEBGPU names a provider, kernels of a kind not seen before are given to it; without it, none is.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <millrace/device.hpp>
#include <millrace/error.hpp>
#include <millrace/format.hpp>
#include <millrace/graph.hpp>

#include "src/expression/kernel_text.hpp"
#include "src/expression/utf8.hpp"
#include "src/graph/build.hpp"
#include "src/graph/fold_dispatch.hpp"
#include "src/graph/plan_kernels.hpp"
#include "src/graph/resolve.hpp"
#include "src/graph/row_classes.hpp"
#include "src/graph/select.hpp"
#include "src/webgpu/device_core.hpp"

namespace millrace {
namespace {

constexpr char kSeparator = ';';
constexpr std::array kPackedFormats = {
    Format::float16x2, Format::float16x4, Format::uint8x4,         Format::sint8x4,
    Format::unorm8x4,  Format::snorm8x4,  Format::uint16x2,        Format::uint16x4,
    Format::sint16x2,  Format::sint16x4,  Format::unorm16x2,       Format::unorm16x4,
    Format::snorm16x2, Format::snorm16x4, Format::unorm10_10_10_2, Format::unorm8x4_bgra};

// The bits of an input's first character. "@" has none of them set.
struct Options {
  IntegerDivision integer_division;  // bit 0: refuse
  Mathematics math;                  // bit 1: native
  bool fusion;                       // bit 2: off
  std::uint32_t storage_buffers;     // bit 3: as few as any device has

  explicit Options(char bits)
      : integer_division((bits & 1) != 0 ? IntegerDivision::refuse : IntegerDivision::truncate),
        math((bits & 2) != 0 ? Mathematics::native : Mathematics::own),
        fusion((bits & 4) == 0),
        storage_buffers((bits & 8) != 0 ? webgpu::kLeastStorageBuffers : 8) {}
};

[[noreturn]] void report(std::string_view fault, std::string_view detail) {
  std::fprintf(stderr, "%.*s\n%.*s\n", static_cast<int>(fault.size()), fault.data(), static_cast<int>(detail.size()),
               detail.data());
  std::abort();
}

// One-lane and wider vectors of each lane type, scalars, a vector of each packed format by the format's name, and a name
// that needs backticks.
std::vector<DeclaredInput> declare_inputs() {
  std::vector<DeclaredInput> inputs = {
      {"x", vector_of(Format::float32)},     {"i", vector_of(Format::sint32)},    {"u", vector_of(Format::uint32)},
      {"p", vector_of(Format::float32x3)},   {"q", vector_of(Format::float32x3)}, {"uv", vector_of(Format::float32x2)},
      {"iv", vector_of(Format::sint32x3)},   {"uw", vector_of(Format::uint32x4)}, {"w", vector_of(Format::float32x4)},
      {"s", scalar_of(Format::float32)},     {"si", scalar_of(Format::sint32)},   {"su", scalar_of(Format::uint32x2)},
      {"axis", scalar_of(Format::float32x3)}};
  for (const Format format : kPackedFormats) {
    std::string name(format_name(format));
    std::replace(name.begin(), name.end(), '-', '_');
    inputs.push_back({name, vector_of(format)});
  }
  inputs.push_back({"wind speed", vector_of(Format::float32)});
  return inputs;
}

// Text that a terminal shows as it is meant: UTF-8 without control characters.
bool is_showable(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = expression::find_character(text, at);
    if (!character) return false;
    const char32_t point = character->code_point;
    if ((point < ' ' && point != '\n' && point != '\t') || point == 0x7f) return false;
    at += character->byte_size;
  }
  return true;
}

void check_refusal(const Error& error) {
  if (!is_showable(error.what())) report("A message is not fit to be shown:", error.what());
  if (error.subject().size() > 0 && !expression::find_character(error.subject(), 0))
    report("A subject is no UTF-8:", error.what());
  if (std::string_view(error.what()).size() > 2'000 + error.subject().size() * 2)
    report("A message is too long to be read:", error.what());
}

void check_refusal(const ExpressionError& error, std::string_view input) {
  check_refusal(error);
  if (input.find(error.text()) == std::string_view::npos) report("The text at fault is none of ours:", error.what());
  if (error.column() < 1 || error.column() > expression::character_count(error.text()) + 1)
    report("The column lies outside of the text:", error.what());
  if (!std::string_view(error.what()).ends_with('^')) report("A message has no caret:", error.what());
}

std::vector<Operation> parse(std::string_view text) {
  std::vector<Operation> operations;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t last = std::min(text.find(kSeparator, first), text.size());
    operations.emplace_back(Expression(std::string(text.substr(first, last - first))));
    first = last + 1;
  }
  return operations;
}

// Whether the kernel has a line that no kernel before it had, names of values aside.
bool is_new_kind(std::string_view wgsl) {
  static std::unordered_set<std::size_t> seen;
  bool is_new = false;
  for (std::size_t first = 0; first < wgsl.size();) {
    const std::size_t last = std::min(wgsl.find('\n', first), wgsl.size());
    is_new |= seen.insert(std::hash<std::string_view>{}(wgsl.substr(first, last - first))).second;
    first = last + 1;
  }
  return is_new;
}

// Drivers keep something of each pipeline for as long as its device lives (lavapipe some 200 kB), so each device serves a
// while only.
std::shared_ptr<webgpu::DeviceCore> device_core() {
  constexpr int kBuildsOfOneDevice = 1'000;
  // Opened where it is declared: after the driver's own globals, so that it goes before them when the process ends. The
  // threads of a device that outlives them crash in SwiftShader.
  static std::shared_ptr<webgpu::DeviceCore> core = webgpu::DeviceAccess::core(Device::open());
  static int builds = 0;
  if (++builds % kBuildsOfOneDevice == 0) core = webgpu::DeviceAccess::core(Device::open());
  return core;
}

// On the provider, whose objects must all be given back.
void build(const graph::ResolvedGraph& resolved, const graph::KernelPlan& plan, const Options& options) {
  const std::shared_ptr<webgpu::DeviceCore> core = device_core();
  const std::uint64_t live_before = core->stats().live_objects;
  static_cast<void>(graph::build_kernels(*core, resolved, plan, options.math));
  if (core->stats().live_objects != live_before) report("Objects of the provider were kept.", "");
}

void check_kernels(const graph::ResolvedGraph& resolved, const graph::KernelPlan& plan, const Options& options) {
  static const bool has_provider = std::getenv("MILLRACE_WEBGPU") != nullptr;
  bool has_new = false;
  for (const graph::PlannedKernel& kernel : plan.kernels) {
    if (kernel.bindings.size() > options.storage_buffers) report("A kernel binds too many buffers.", "");
    const std::string wgsl = expression::emit_wgsl(
        resolved.dag, kernel.cut,
        {.workgroup_size = graph::kWorkgroupSize, .scalar_block_words = plan.scalar_block_words, .math = options.math});
    for (const char character : wgsl) {
      if ((character < ' ' && character != '\n') || character > '~') report("WGSL holds other than ASCII:", wgsl);
    }
    has_new |= is_new_kind(wgsl);
  }
  if (has_provider && has_new) build(resolved, plan, options);
}

void compile(std::string_view text, const Options& options) {
  static const std::vector<DeclaredInput> kInputs = declare_inputs();
  graph::ResolvedGraph resolved = graph::resolve(kInputs, parse(text), options.integer_division);
  const graph::Selection selection = graph::select(resolved, Outputs::terminal());
  const graph::RowClasses classes = graph::find_row_classes(resolved, selection);
  const graph::KernelPlan plan =
      graph::plan_kernels(resolved, selection, classes, options.fusion,
                          {.storage_buffers_per_stage = options.storage_buffers, .uniform_binding_byte_size = 16'384});
  check_kernels(resolved, plan, options);
}

}  // namespace
}  // namespace millrace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    compile(input.substr(1), Options(input[0]));
  } catch (const ExpressionError& error) {
    check_refusal(error, input);
  } catch (const GraphError& error) {
    check_refusal(error);
  } catch (const std::exception& error) {
    report("An error that no text should bring about:", error.what());
  }
  return 0;
}
