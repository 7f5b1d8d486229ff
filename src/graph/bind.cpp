// Names are matched first, so that a misspelled one is told before what is missing because of it.
#include "src/graph/bind.hpp"

#include <bit>
#include <limits>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/base/counted.hpp"
#include "src/base/near_name.hpp"
#include "src/graph/scalar_words.hpp"

namespace millrace::graph {
namespace {

using expression::ScalarBlock;

std::vector<const InputValue*> match_names(const ResolvedGraph& graph, const NamedList<InputValue>& inputs) {
  std::vector<const InputValue*> matched(graph.inputs.size(), nullptr);
  for (const Named<InputValue>& entry : inputs) {
    const std::string& name = entry.name.text();
    std::size_t index = 0;
    while (index < graph.inputs.size() && graph.inputs[index].name != name) ++index;
    if (index == graph.inputs.size()) {
      std::vector<std::string> names;
      for (const DeclaredInput& input : graph.inputs) names.push_back(input.name);
      throw BindingError(ErrorCode::unknown_binding, name,
                         fmt::format("The graph has no input \"{name}\"{advice}", fmt::arg("name", name),
                                     fmt::arg("advice", name_advice(name, names))));
    }
    if (matched[index] != nullptr) {
      throw BindingError(ErrorCode::duplicate_binding, name, fmt::format("Input \"{}\" is bound twice.", name));
    }
    matched[index] = &entry.value;
  }
  return matched;
}

[[noreturn]] void refuse_kind(const DeclaredInput& input, std::string_view given) {
  throw BindingError(
      ErrorCode::binding_kind_mismatch, input.name,
      fmt::format("Input \"{name}\" is a {kind} and was given {given}.", fmt::arg("name", input.name),
                  fmt::arg("kind", input.type.is_scalar() ? "scalar" : "vector"), fmt::arg("given", given)));
}

const VectorView& checked_vector(const webgpu::DeviceCore& core, const DeclaredInput& input, const InputValue& value) {
  const auto* view = std::get_if<VectorView>(&value.value());
  if (view == nullptr) refuse_kind(input, "a number");
  VectorAccess::check_alive(*view, input_subject(input.name));
  const Format format = input.type.format();
  if (view->format() != format) {
    throw BindingError(ErrorCode::binding_format_mismatch, input.name,
                       fmt::format("Input \"{name}\" is declared {declared} and was given a vector of {given}.",
                                   fmt::arg("name", input.name), fmt::arg("declared", format_name(format)),
                                   fmt::arg("given", format_name(view->format()))));
  }
  if (VectorAccess::core(*view).get() != &core) {
    throw BindingError(
        ErrorCode::foreign_device, input.name,
        fmt::format("Input \"{}\" was given a vector of another device than the graph was compiled for.", input.name));
  }
  return *view;
}

// The numbers of a scalar, one for each lane.
std::vector<Number> scalar_lanes(const DeclaredInput& input, const InputValue& value) {
  std::vector<Number> numbers;
  if (const auto* number = std::get_if<Number>(&value.value())) numbers.push_back(*number);
  if (const auto* array = std::get_if<NumberLanes>(&value.value())) {
    for (std::size_t lane = 0; lane < array->count(); ++lane) numbers.push_back(array->lane(lane));
  }
  if (numbers.empty()) refuse_kind(input, "a vector");
  const std::uint32_t declared = lanes(input.type.format());
  if (numbers.size() != declared) {
    throw BindingError(
        ErrorCode::lane_count_mismatch, input.name,
        fmt::format("Input \"{name}\" is a {format} scalar, which has {declared}, and was given {given}.",
                    fmt::arg("name", input.name), fmt::arg("format", format_name(input.type.format())),
                    fmt::arg("declared", counted(declared, "lane")), fmt::arg("given", numbers.size())));
  }
  return numbers;
}

std::vector<std::uint32_t> empty_scalar_block(std::uint32_t words) {
  std::vector<std::uint32_t> block(words, 0);
  block[ScalarBlock::kInfinity] = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());
  block[ScalarBlock::kNotANumber] = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
  return block;
}

void place_scalar(const DeclaredInput& input, std::uint32_t word_offset, const InputValue& value,
                  std::vector<std::uint32_t>& block) {
  std::size_t word = word_offset;
  for (const Number& number : scalar_lanes(input, value)) {
    block[word++] = scalar_word(number, input.type.format(), input.name);
  }
}

}  // namespace

std::string input_subject(const std::string& name) { return fmt::format("Input \"{}\"", name); }

BoundInputs bind_inputs(const webgpu::DeviceCore& core, const ResolvedGraph& graph, const Selection& selection,
                        const KernelPlan& plan, const NamedList<InputValue>& inputs) {
  const std::vector<const InputValue*> matched = match_names(graph, inputs);
  BoundInputs bound{.chunks = InputChunks(graph.inputs.size()),
                    .views = std::vector<std::optional<VectorView>>(graph.inputs.size()),
                    .scalar_block = empty_scalar_block(plan.scalar_block_words)};
  for (std::size_t index = 0; index < graph.inputs.size(); ++index) {
    const DeclaredInput& input = graph.inputs[index];
    if (matched[index] == nullptr && selection.is_input_read[index]) {
      throw BindingError(ErrorCode::missing_binding, input.name,
                         fmt::format("Input \"{}\" is not bound, and the graph's results need it.", input.name));
    }
    if (matched[index] != nullptr && !input.type.is_scalar()) {
      bound.views[index] = checked_vector(core, input, *matched[index]);
      bound.chunks[index] = VectorAccess::chunks(*bound.views[index], input_subject(input.name));
    }
  }
  for (const ScalarPlace& place : plan.scalars) {
    const InputValue* value = matched[place.input.value];
    if (value != nullptr) {
      place_scalar(graph.inputs[place.input.value], place.word_offset, *value, bound.scalar_block);
    }
  }
  return bound;
}

}  // namespace millrace::graph
