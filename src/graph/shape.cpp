// What a user declared and what element-wise operations need, checked against what was bound.
#include "src/graph/shape.hpp"

#include <numeric>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <millrace/error.hpp>

#include "src/base/counted.hpp"

namespace millrace::graph {
namespace {

using Lengths = std::vector<std::uint64_t>;

Lengths lengths_of(const std::vector<Chunk>& chunks) {
  Lengths lengths;
  for (const Chunk& chunk : chunks) lengths.push_back(chunk.row_count);
  return lengths;
}

std::uint64_t total(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
}

void check_row_counts(const ResolvedGraph& graph, const RowClasses& classes, const std::vector<Lengths>& inputs,
                      const InputChunks& bound) {
  std::vector<std::optional<std::size_t>> first_of_class(classes.count);
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (!bound[index] || !classes.of_value[index]) continue;
    std::optional<std::size_t>& first = first_of_class[classes.of_value[index]->value];
    if (!first) first = index;
    const std::uint64_t rows = total(inputs[index]), expected = total(inputs[*first]);
    if (rows == expected) continue;
    throw BindingError(ErrorCode::row_count_mismatch, graph.inputs[index].name,
                       fmt::format("Input \"{name}\" has {rows} but input \"{first}\" has {expected}; element-wise "
                                   "operands need equal row counts.",
                                   fmt::arg("name", graph.inputs[index].name), fmt::arg("rows", counted(rows, "row")),
                                   fmt::arg("first", graph.inputs[*first].name), fmt::arg("expected", expected)));
  }
}

[[noreturn]] void refuse_shape(const std::string& name, const std::string& given, const std::string& declared) {
  throw BindingError(ErrorCode::shape_mismatch, name,
                     fmt::format("Input \"{name}\" was given {given}, and is declared with {declared}.",
                                 fmt::arg("name", name), fmt::arg("given", given), fmt::arg("declared", declared)));
}

std::string chunk_text(const Lengths& lengths) { return fmt::format("chunks of [{}] rows", fmt::join(lengths, ", ")); }

void check_declared_shape(const DeclaredInput& input, const Lengths& lengths) {
  const VectorShape& shape = input.type.find_vector()->shape;
  if (shape.length && *shape.length != total(lengths)) {
    refuse_shape(input.name, counted(total(lengths), "row"), counted(*shape.length, "row"));
  }
  if (shape.chunk_lengths && *shape.chunk_lengths != lengths) {
    refuse_shape(input.name, chunk_text(lengths), chunk_text(*shape.chunk_lengths));
  }
}

void check_like(const ResolvedGraph& graph, std::size_t index, const std::vector<Lengths>& inputs,
                const InputChunks& bound) {
  const auto& like = graph.inputs[index].type.find_vector()->like;
  if (!like) return;
  for (std::size_t model = 0; model < inputs.size(); ++model) {
    if (graph.inputs[model].name != like->name().text() || !bound[model]) continue;
    if (inputs[model] == inputs[index]) return;
    refuse_shape(graph.inputs[index].name, chunk_text(inputs[index]),
                 fmt::format("the shape of \"{}\", {}", graph.inputs[model].name, chunk_text(inputs[model])));
  }
}

}  // namespace

Shapes find_shapes(const ResolvedGraph& graph, const RowClasses& classes, const KernelPlan& plan,
                   const InputChunks& bound) {
  std::vector<Lengths> inputs(graph.inputs.size());
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (bound[index]) inputs[index] = lengths_of(*bound[index]);
  }
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (!bound[index]) continue;
    check_declared_shape(graph.inputs[index], inputs[index]);
    check_like(graph, index, inputs, bound);
  }
  check_row_counts(graph, classes, inputs, bound);
  Shapes shapes;
  for (const Stored& stored : plan.stored) {
    shapes.chunk_lengths.push_back(stored.leader ? inputs[stored.leader->value] : Lengths{1});
  }
  return shapes;
}

}  // namespace millrace::graph
