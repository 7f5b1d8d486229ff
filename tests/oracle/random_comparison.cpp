// One graph drawn, run both ways, compared row by row, and shrunk where it fails.
#include "tests/oracle/random_comparison.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include <fmt/format.h>

#include "src/expression/formula.hpp"
#include "src/expression/syntax.hpp"
#include "src/graph/resolve.hpp"
#include "tests/oracle/evaluate.hpp"
#include "tests/oracle/random_expression.hpp"

namespace millrace::oracle {

using expression::Lane;
using expression::Type;

namespace {

using Words = std::vector<std::uint32_t>;

template <std::size_t kCount>
struct RowOf {
  std::uint32_t words[kCount];
};

// Calls with the row struct of the format's size.
template <class Function>
auto with_row(Format format, Function function) {
  switch (bytes_per_row(format) / 4) {
    case 1:
      return function(RowOf<1>());
    case 2:
      return function(RowOf<2>());
    case 3:
      return function(RowOf<3>());
    default:
      return function(RowOf<4>());
  }
}

// In two chunks, so that a row's index in its chunk is not its index in the vector.
Vector upload(Device& device, Format format, const std::vector<Words>& rows) {
  return with_row(format, [&]<class Row>(Row) {
    std::vector<Row> packed(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
      std::copy(rows[row].begin(), rows[row].end(), packed[row].words);
    const auto middle = packed.begin() + static_cast<std::ptrdiff_t>(packed.size() / 3);
    const std::vector<Row> first(packed.begin(), middle);
    const std::vector<Row> second(middle, packed.end());
    return device.upload_chunks(format, {first, second});
  });
}

std::vector<Words> read(const VectorView& vector) {
  return with_row(vector.format(), [&]<class Row>(Row) {
    std::vector<Words> rows;
    for (const Row& row : vector.read<Row>()) rows.emplace_back(std::begin(row.words), std::end(row.words));
    return rows;
  });
}

InputValue scalar(Format format, const Words& words) {
  const auto lanes = [&]<class T>(T) -> InputValue {
    std::array<T, 4> all{};
    for (std::size_t lane = 0; lane < words.size(); ++lane) all[lane] = std::bit_cast<T>(words[lane]);
    if (words.size() == 1) return InputValue(all[0]);
    if (words.size() == 2) return InputValue(std::array{all[0], all[1]});
    return words.size() == 3 ? InputValue(std::array{all[0], all[1], all[2]}) : InputValue(all);
  };
  switch (expression::read_type(format).lane) {
    case Lane::f32:
      return lanes(float{});
    case Lane::i32:
      return lanes(std::int32_t{});
    default:
      return lanes(std::uint32_t{});
  }
}

std::string quoted_name(const std::string& name) {
  return name.find(' ') == std::string::npos ? name : "`" + name + "`";
}

// Inputs with their rows, and formulas over them.
struct Case {
  std::vector<RandomInput> inputs;
  std::vector<std::vector<Words>> rows;  // for each input: its rows, or the one row of a scalar
  std::vector<std::string> formulas;
  std::vector<std::string> outputs;
  std::size_t row_count = 0;

  [[nodiscard]] Graph graph() const {
    Graph graph;
    for (const RandomInput& input : inputs) {
      if (input.is_vector)
        graph.add_input(input.name, vector_of(input.format));
      else
        graph.add_input(input.name, scalar_of(input.format));
    }
    for (const std::string& formula : formulas) graph.add(Expression{formula});
    return graph;
  }
  [[nodiscard]] graph::ResolvedGraph resolved() const {
    std::vector<DeclaredInput> declared;
    for (const RandomInput& input : inputs) {
      declared.push_back(
          {input.name, input.is_vector ? ValueType(vector_of(input.format)) : ValueType(scalar_of(input.format))});
    }
    std::vector<Operation> operations;
    for (const std::string& formula : formulas) operations.emplace_back(Expression{formula});
    return graph::resolve(declared, operations, IntegerDivision::truncate);
  }
  [[nodiscard]] RowValues values(std::size_t row) const {
    RowValues result;
    for (std::size_t input = 0; input < inputs.size(); ++input)
      result.operands.push_back(rows[input][inputs[input].is_vector ? row : 0]);
    result.row = static_cast<std::uint32_t>(row);
    result.rows = static_cast<std::uint32_t>(row_count);
    return result;
  }
};

// For each output, its rows.
std::vector<std::vector<Words>> run(Device& device, const Case& given, bool fusion) {
  std::vector<Vector> storage;
  storage.reserve(given.inputs.size());
  Bindings bindings;
  for (std::size_t input = 0; input < given.inputs.size(); ++input) {
    const RandomInput& declared = given.inputs[input];
    if (!declared.is_vector) {
      bindings.inputs.set(declared.name, scalar(declared.format, given.rows[input][0]));
      continue;
    }
    storage.push_back(upload(device, declared.format, given.rows[input]));
    bindings.inputs.set(declared.name, storage.back());
  }
  std::vector<Name> outputs(given.outputs.begin(), given.outputs.end());
  const CompiledGraph compiled =
      given.graph().compile(device, {.outputs = Outputs(std::move(outputs)), .fusion = fusion});
  const Results results = compiled.run(bindings);
  std::vector<std::vector<Words>> all;
  for (const std::string& output : given.outputs) all.push_back(read(results[output]));
  return all;
}

struct Failure {
  std::size_t output = 0;
  std::size_t row = 0;
  bool fusion = true;
  Words got = {};
  std::string allowed = {};
  std::string refusal = {};  // what compiling or running threw, though inference had taken every formula; else empty
};

const graph::ResolvedValue& value_named(const graph::ResolvedGraph& graph, const std::string& name) {
  return *std::find_if(graph.values.begin(), graph.values.end(),
                       [&](const graph::ResolvedValue& value) { return value.name == name; });
}

std::string text_of(const Lanes& lanes) {
  std::string text;
  for (const Allowed& lane : lanes) text += (text.empty() ? "" : "; ") + lane.text();
  return text;
}

std::optional<Failure> find_failure(const Case& given, const std::vector<std::vector<Words>>& results, bool fusion,
                                    ComparisonCounts& counts) {
  const graph::ResolvedGraph resolved = given.resolved();
  for (std::size_t row = 0; row < given.row_count; ++row) {
    const RowValues values = given.values(row);
    RowEvaluator evaluator(resolved.dag, values);
    for (std::size_t output = 0; output < given.outputs.size(); ++output) {
      const graph::ResolvedValue& value = value_named(resolved, given.outputs[output]);
      if (row >= results[output].size()) continue;  // a scalar has one row
      const Lanes& allowed = evaluator.evaluate(value.node);
      for (const Allowed& lane : allowed) {
        ++counts.lanes;
        if (lane.any) ++counts.open_lanes;
        if (lane.bits || (!lane.any && !lane.may_be_nan && lane.lower == lane.upper)) ++counts.single_lanes;
      }
      if (!holds_row(allowed, value.format, results[output][row]))
        return Failure{output, row, fusion, results[output][row], text_of(allowed)};
    }
  }
  return std::nullopt;
}

// Where one value is allowed, each run has to give it, so that both are equal.
std::optional<Failure> find_failure(Device& device, const Case& given, bool also_unfused, ComparisonCounts& counts) {
  bool fusion = true;
  try {
    if (auto failure = find_failure(given, run(device, given, true), true, counts)) return failure;
    if (!also_unfused) return std::nullopt;
    fusion = false;
    return find_failure(given, run(device, given, false), false, counts);
  } catch (const Error& error) {
    return Failure{.fusion = fusion, .refusal = error.what()};
  }
}

std::string words_text(const Words& words) {
  std::string text;
  for (const std::uint32_t word : words)
    text += fmt::format("{}{:#010x} ({:.9g}, {})", text.empty() ? "" : "; ", word, std::bit_cast<float>(word),
                        static_cast<std::int32_t>(word));
  return text;
}

std::string text_of(const Case& given, const Failure& failure, std::uint64_t seed) {
  std::string text = fmt::format("seed {}, row {}, {}:\n", seed, failure.row, failure.fusion ? "fused" : "not fused");
  if (!failure.refusal.empty()) {
    for (const std::string& formula : given.formulas) text += "  " + formula + "\n";
    return text + failure.refusal + "\n";
  }
  for (const std::string& formula : given.formulas) {
    text += "  " + formula + "\n";
    if (formula.starts_with(given.outputs[failure.output] + " ") ||
        formula.starts_with(given.outputs[failure.output] + ":"))
      break;
  }
  for (std::size_t input = 0; input < given.inputs.size(); ++input) {
    if (text.find(given.inputs[input].name) == std::string::npos) continue;
    text += fmt::format("  {} ({}) = {}\n", given.inputs[input].name, format_name(given.inputs[input].format),
                        words_text(given.rows[input][given.inputs[input].is_vector ? failure.row : 0]));
  }
  return text + fmt::format("  {} may be {}\n  {} is {}\n", given.outputs[failure.output], failure.allowed,
                            given.outputs[failure.output], words_text(failure.got));
}

// The failure of the case, where inference takes it and it fails in the same way.
std::optional<Failure> find_like(Device& device, const Case& given, const Failure& failure) {
  try {
    (void)given.resolved();
  } catch (const Error&) {
    return std::nullopt;  // a literal that does not fit without its neighbour, or a name that nothing defines any more
  }
  ComparisonCounts uncounted;
  std::optional<Failure> found = find_failure(device, given, !failure.fusion, uncounted);
  if (found && found->refusal.empty() != failure.refusal.empty()) found.reset();
  return found;
}

// Takes the smallest subexpression of the failing formula that fails by itself in that formula's place.
void keep_smallest_part(Device& device, Case& given, Failure& failure) {
  if (!failure.refusal.empty()) return;
  const expression::Formula formula = expression::parse_formula(given.formulas[failure.output], std::nullopt);
  std::vector<std::string> parts;
  for (std::uint32_t node = 0; node < formula.tree->nodes.size(); ++node)
    parts.emplace_back(formula.tree->outer_source({node}));
  std::sort(parts.begin(), parts.end(), [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  for (const std::string& part : parts) {
    Case smaller = given;
    smaller.formulas.resize(failure.output);
    smaller.formulas.push_back("part = " + part);
    smaller.outputs = {"part"};
    if (const std::optional<Failure> found = find_like(device, smaller, failure)) {
      given = smaller;
      failure = *found;
      return;
    }
  }
}

// Leaves out the formulas without which it fails, too, from the last one on.
void drop_needless_formulas(Device& device, Case& given, Failure& failure) {
  for (std::size_t at = given.formulas.size(); at-- > 0 && given.formulas.size() > 1;) {
    Case smaller = given;
    smaller.formulas.erase(smaller.formulas.begin() + static_cast<std::ptrdiff_t>(at));
    const std::string name = expression::parse_formula(given.formulas[at], std::nullopt).output;
    smaller.outputs.erase(std::remove(smaller.outputs.begin(), smaller.outputs.end(), name), smaller.outputs.end());
    if (smaller.outputs.empty()) continue;
    if (const std::optional<Failure> found = find_like(device, smaller, failure)) {
      given = smaller;
      failure = *found;
    }
  }
}

std::string shrunk(Device& device, Case given, Failure failure, std::uint64_t seed) {
  keep_smallest_part(device, given, failure);
  drop_needless_formulas(device, given, failure);
  return text_of(given, failure, seed);
}

bool is_expected_refusal(ErrorCode code) {
  switch (code) {
    case ErrorCode::constant_division_by_zero:
    case ErrorCode::constant_overflow:
    case ErrorCode::constant_shift_too_wide:
    case ErrorCode::literal_out_of_range:
    case ErrorCode::row_without_vector:
    case ErrorCode::type_mismatch:  // literals alone, whose type is another than the one drawn
    case ErrorCode::width_mismatch:
    case ErrorCode::lane_out_of_range:
      return true;
    default:
      return false;
  }
}

constexpr Format kPackedOutputs[] = {
    Format::float16x2, Format::float16x4, Format::uint8x4,         Format::sint8x4,
    Format::unorm8x4,  Format::snorm8x4,  Format::uint16x2,        Format::uint16x4,
    Format::sint16x2,  Format::sint16x4,  Format::unorm16x2,       Format::unorm16x4,
    Format::snorm16x2, Format::snorm16x4, Format::unorm10_10_10_2, Format::unorm8x4_bgra};

// Adds one valid formula to the case, named out0, out1, ...
void add_formula(Case& given, std::vector<RandomName>& names, RandomSource& random, ComparisonCounts& counts) {
  constexpr Lane kLanes[] = {Lane::f32, Lane::f32, Lane::f32, Lane::i32, Lane::u32, Lane::boolean};
  const std::string name = fmt::format("out{}", given.outputs.size());
  while (true) {
    Type type{random.pick(kLanes), static_cast<std::uint8_t>(1 + random.below(4))};
    std::string format;
    if (random.chance(20)) {
      const bool is_packed = random.chance(85);
      const Format stored = is_packed ? random.pick(kPackedOutputs) : expression::stored_format(type);
      if (is_packed) type = expression::read_type(stored);
      format = fmt::format(": {}", format_name(stored));
    }
    const std::string text =
        fmt::format("{}{} = {}", name, format,
                    RandomExpression(random, names).of_type(type, 1 + static_cast<int>(random.below(5))));
    given.formulas.push_back(text);
    ++counts.formulas;
    try {
      const graph::ResolvedGraph resolved = given.resolved();
      names.push_back({name, resolved.dag.node(value_named(resolved, name).node).type});
      given.outputs.push_back(name);
      return;
    } catch (const Error& error) {
      given.formulas.pop_back();
      ++counts.refused;
      if (!is_expected_refusal(error.code())) throw;
    }
  }
}

Case random_case(std::uint64_t seed, ComparisonCounts& counts, const ComparisonOptions& options) {
  RandomSource random(seed);
  Case given;
  given.row_count = options.rows;
  given.inputs = random_inputs(random);
  std::vector<RandomName> names;
  for (const RandomInput& input : given.inputs) {
    names.push_back({quoted_name(input.name), expression::read_type(input.format)});
    std::vector<Words> rows;
    for (std::size_t row = 0; row < (input.is_vector ? options.rows : 1); ++row)
      rows.push_back(random_row(random, input.format));
    given.rows.push_back(std::move(rows));
  }
  while (given.outputs.size() < options.formulas) add_formula(given, names, random, counts);
  return given;
}

}  // namespace

std::optional<Mismatch> find_mismatch(Device& device, std::uint64_t seed, ComparisonCounts& counts,
                                      const ComparisonOptions& options) {
  const Case given = random_case(seed, counts, options);
  const std::optional<Failure> failure = find_failure(device, given, options.unfused, counts);
  if (!failure) return std::nullopt;
  return Mismatch{options.shrinks ? shrunk(device, given, *failure, seed) : text_of(given, *failure, seed),
                  !failure->refusal.empty()};
}

}  // namespace millrace::oracle
