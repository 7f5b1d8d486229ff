// Nodes from the outputs down: each is an operand, a literal, or a function of the table whose result has the type that
// is wanted there. Few levels, so that a fault in one node is not lost among others.
#include "tests/mutants/random_kernel.hpp"

#include <array>
#include <bit>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/oracle/evaluate.hpp"

namespace millrace::mutants {
namespace {

using expression::DagBuilder;
using expression::FunctionIndex;
using expression::FunctionRow;
using expression::Lane;
using expression::NodeIndex;
using expression::NodeKind;
using expression::Signature;
using expression::Type;

constexpr std::uint32_t kRowCount = 40;
constexpr std::uint32_t kRowBase = 1'000;
constexpr int kLevels = 2;
constexpr std::array kPackedFormats = {Format::float16x2, Format::float16x4, Format::unorm8x4,       Format::snorm8x4,
                                       Format::unorm16x2, Format::snorm16x4, Format::sint8x4,        Format::uint16x2,
                                       Format::sint16x2,  Format::uint8x4,   Format::unorm10_10_10_2};
constexpr std::array kFloats = {0.0f,  -0.0f, 0.5f,       -0.5f,   1.0f,    -1.0f,    1.5f,           -2.0f,
                                2.5f,  -3.0f, 0.1f,       127.5f,  10.0f,   -100.25f, 16777216.0f,    1e10f,
                                -3e9f, 4e9f,  1.2345678f, 65504.f, 2049.0f, 3e-5f,    3.40282347e38f, 1.17549435e-38f};
constexpr std::array<std::uint32_t, 14> kIntegers = {
    0, 1, 2, 3, 5, 31, 32, 33, 255, 65535, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0xfffffffbu};

// A function and the type that its signature is about.
struct Choice {
  FunctionIndex function;
  Type about;
};

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  RandomKernel generate() && {
    for (int input = 0; input < 4; ++input) add_vector(input < 2 ? lane_format() : any(kPackedFormats));
    add_scalar();
    for (int output = 0; output < 3; ++output) add_output();
    return std::move(kernel_);
  }

 private:
  std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  template <class Array>
  typename Array::value_type any(const Array& values) {
    return values[below(values.size())];
  }

  Format lane_format() { return static_cast<Format>(below(12)); }

  std::uint32_t random_word(Lane lane) {
    if (lane == Lane::f32) {
      const std::uint32_t kind = below(16);
      if (kind == 0) return 0x7fc00000u;
      if (kind == 1) return below(2) == 0 ? 0x7f800000u : 0xff800000u;
      if (kind < 6) return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(below(41)) - 20) / 2);
      return std::bit_cast<std::uint32_t>(any(kFloats));
    }
    if (lane == Lane::boolean) return below(2);
    const std::uint32_t kind = below(3);
    return kind == 0 ? static_cast<std::uint32_t>(random_()) : kind == 1 ? below(8) : any(kIntegers);
  }

  std::vector<std::uint32_t> random_rows(Format format, std::uint32_t rows) {
    const bool is_packed = format > Format::uint32x4;
    const std::uint32_t count = rows * bytes_per_row(format) / 4;
    std::vector<std::uint32_t> words;
    for (std::uint32_t word = 0; word < count; ++word)
      words.push_back(is_packed ? static_cast<std::uint32_t>(random_())
                                : random_word(expression::read_type(format).lane));
    return words;
  }

  void add_vector(Format format) {
    const NodeIndex node = kernel_.build.vector(format);
    inputs_.push_back(node);
    kernel_.cut.leaves.push_back(kernel_.build.leaf(node));
    kernel_.operand_words.push_back(random_rows(format, kRowCount));
    kernel_.run.stored.push_back(kernel_.operand_words.back());
  }

  void add_scalar() {
    const Format format = lane_format();
    const NodeIndex node = kernel_.build.scalar(format);
    inputs_.push_back(node);
    kernel_.cut.leaves.push_back(kernel_.build.leaf(node));
    kernel_.operand_words.push_back(random_rows(format, 1));
    kernel_.run.host_scalars = kernel_.operand_words.back();
  }

  void add_output() {
    const Type type{any(std::array{Lane::f32, Lane::i32, Lane::u32, Lane::boolean}),
                    static_cast<std::uint8_t>(1 + below(4))};
    const NodeIndex node = value(type, kLevels);
    kernel_.cut.outputs.push_back(kernel_.build.stored(node));
  }

  NodeIndex value(Type type, int levels) {
    const std::uint32_t kind = below(16);
    if (levels == 0 || kind == 0) return leaf(type);
    if (kind < 3) return picked(type, levels);
    if (kind < 5 && type.width > 1) return constructed(type, levels);
    if (kind < 8) {
      if (const auto rounded = requantized(type, levels)) return *rounded;
    }
    return call(type, levels);
  }

  NodeIndex leaf(Type type) {
    if (type == expression::kU32 && below(3) == 0) return below(2) == 0 ? kernel_.build.row() : kernel_.build.rows();
    const NodeIndex input = any(inputs_);
    const Type given = kernel_.build.type(input);
    if (given.lane == type.lane && given.width == type.width) return input;
    if (given.lane == type.lane && given.width > 1) return swizzled(input, type.width);
    std::uint32_t word = random_word(type.lane);
    if (type.lane == Lane::f32 && (word & 0x7f800000u) == 0x7f800000u) word = std::bit_cast<std::uint32_t>(0.3f);
    return spread(kernel_.build.literal({type.lane, 1}, word), type.width);
  }

  NodeIndex spread(NodeIndex node, std::uint8_t width) { return width == 1 ? node : kernel_.build.splat(node, width); }

  NodeIndex swizzled(NodeIndex vector, std::uint8_t width) {
    std::string lanes;
    for (int lane = 0; lane < width; ++lane) lanes += "xyzw"[below(kernel_.build.type(vector).width)];
    return kernel_.build.swizzle(vector, lanes);
  }

  NodeIndex picked(Type type, int levels) {
    const NodeIndex vector = value({type.lane, static_cast<std::uint8_t>(2 + below(3))}, levels - 1);
    if (below(2) == 0) return swizzled(vector, type.width);
    const NodeIndex index = leaf({below(2) == 0 ? Lane::i32 : Lane::u32, 1});
    return spread(kernel_.build.lane(vector, index), type.width);
  }

  NodeIndex constructed(Type type, int levels) {
    const auto first = static_cast<std::uint8_t>(1 + below(type.width - 1u));
    const NodeIndex parts[] = {value({type.lane, first}, levels - 1),
                               value({type.lane, static_cast<std::uint8_t>(type.width - first)}, levels - 1)};
    return kernel_.build.dag.add(NodeKind::call, type, expression::constructor_function(type.width).value, parts);
  }

  std::optional<NodeIndex> requantized(Type type, int levels) {
    const Format format = any(kPackedFormats);
    if (!(expression::read_type(format) == type)) return std::nullopt;
    return kernel_.build.requantize(value(type, levels - 1), format);
  }

  NodeIndex call(Type type, int levels) {
    const std::vector<Choice> choices = functions_giving(type);
    const Choice choice = any(choices);
    const FunctionRow& row = expression::function(choice.function);
    std::vector<NodeIndex> operands;
    for (std::size_t operand = 0; operand < row.most_operands; ++operand)
      operands.push_back(value(expression::operand_type(row, operand, choice.about), levels - 1));
    return kernel_.build.dag.add(NodeKind::call, type, choice.function.value, operands);
  }

  static std::vector<Choice> functions_giving(Type type) {
    std::vector<Choice> choices;
    const auto table = expression::function_table();
    for (std::uint32_t index = 0; index < table.size(); ++index) {
      const FunctionRow& row = table[index];
      if (row.signature == Signature::construct) continue;
      for (const Lane lane : {Lane::f32, Lane::i32, Lane::u32, Lane::boolean}) {
        for (std::uint8_t width = row.least_width; width <= row.most_width; ++width) {
          if (expression::holds(row.lanes, lane) && expression::result_type(row, {lane, width}) == type)
            choices.push_back({{index}, {lane, width}});
        }
      }
    }
    return choices;
  }

  std::mt19937 random_;
  RandomKernel kernel_{
      .build = {}, .cut = {}, .run = {.row_count = kRowCount, .row_base = kRowBase}, .operand_words = {}};
  std::vector<NodeIndex> inputs_;
};

// What row `row` of the kernel binds.
oracle::RowValues row_values(const RandomKernel& kernel, std::uint32_t row) {
  oracle::RowValues values{.operands = {}, .row = kRowBase + row, .rows = kRowBase + kRowCount};
  for (std::size_t operand = 0; operand < kernel.operand_words.size(); ++operand) {
    const expression::Operand& given = kernel.build.dag.operand({static_cast<std::uint32_t>(operand)});
    const std::size_t count = bytes_per_row(given.format) / 4;
    const std::size_t first = given.is_vector ? row * count : 0;
    const auto begin = kernel.operand_words[operand].begin() + static_cast<std::ptrdiff_t>(first);
    values.operands.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return values;
}

}  // namespace

RandomKernel random_kernel(std::uint32_t seed) { return Generator(seed).generate(); }

std::string text_of(const RandomKernel& kernel) {
  return expression::emit_wgsl(kernel.build.dag, kernel.cut, {.scalar_block_words = 64});
}

std::optional<std::string> find_mismatch(webgpu::DeviceCore& core, const RandomKernel& kernel) {
  const auto results = expression::run_cut(core, kernel.build.dag, kernel.cut, kernel.run);
  for (std::uint32_t row = 0; row < kRowCount; ++row) {
    const oracle::RowValues values = row_values(kernel, row);
    oracle::RowEvaluator evaluator(kernel.build.dag, values);
    for (std::size_t output = 0; output < results.size(); ++output) {
      const expression::KernelOutput& stored = kernel.cut.outputs[output];
      const std::size_t count = bytes_per_row(stored.format) / 4;
      const auto begin = results[output].begin() + static_cast<std::ptrdiff_t>(row * count);
      const std::vector<std::uint32_t> words(begin, begin + static_cast<std::ptrdiff_t>(count));
      const oracle::Lanes& allowed = evaluator.evaluate(stored.node);
      if (oracle::holds_row(allowed, stored.format, words)) continue;
      std::vector<std::string> lanes;
      for (const oracle::Allowed& lane : allowed) lanes.push_back(lane.text());
      return fmt::format("Row {row} of output {output} is {words:#x}, but allowed is: {allowed}.", fmt::arg("row", row),
                         fmt::arg("output", output), fmt::arg("words", fmt::join(words, ", ")),
                         fmt::arg("allowed", fmt::join(lanes, "; ")));
    }
  }
  return std::nullopt;
}

}  // namespace millrace::mutants
