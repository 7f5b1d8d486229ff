// Builds DAGs node by node for tests, without a parser.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "src/expression/dag.hpp"
#include "src/expression/function_table.hpp"
#include "src/expression/kernel_text.hpp"
#include "src/expression/type.hpp"

namespace millrace::expression {

inline constexpr Type kF32{Lane::f32, 1};
inline constexpr Type kI32{Lane::i32, 1};
inline constexpr Type kU32{Lane::u32, 1};
inline constexpr Type kBool{Lane::boolean, 1};

constexpr Type widened(Type type, std::size_t width) { return {type.lane, static_cast<std::uint8_t>(width)}; }

class DagBuilder {
 public:
  Dag dag;

  NodeIndex vector(Format format) { return operand(format, true); }
  NodeIndex scalar(Format format) { return operand(format, false); }
  NodeIndex f32(float value) { return literal(kF32, std::bit_cast<std::uint32_t>(value)); }
  NodeIndex i32(std::int32_t value) { return literal(kI32, static_cast<std::uint32_t>(value)); }
  NodeIndex u32(std::uint32_t value) { return literal(kU32, value); }
  NodeIndex boolean(bool value) { return literal(kBool, value ? 1 : 0); }
  NodeIndex literal(Type type, std::uint32_t bits) { return dag.add(NodeKind::literal, type, bits, {}); }
  NodeIndex infinity() { return dag.add(NodeKind::infinity, kF32, 0, {}); }
  NodeIndex nan() { return dag.add(NodeKind::not_a_number, kF32, 0, {}); }
  NodeIndex row() { return dag.add(NodeKind::row, kU32, 0, {}); }
  NodeIndex rows() { return dag.add(NodeKind::rows, kU32, 0, {}); }

  // Operators and functions by name; the result has the type of the first operand unless one is given.
  NodeIndex op(std::string_view name, std::initializer_list<NodeIndex> operands) {
    return op(name, type(*operands.begin()), operands);
  }
  NodeIndex op(std::string_view name, Type result, std::initializer_list<NodeIndex> operands) {
    return dag.add(NodeKind::call, result, operator_function(name).value, operands);
  }
  NodeIndex call(std::string_view name, std::initializer_list<NodeIndex> operands) {
    return call(name, type(*operands.begin()), operands);
  }
  NodeIndex call(std::string_view name, Type result, std::initializer_list<NodeIndex> operands) {
    return dag.add(NodeKind::call, result, find_function(name).value().value, operands);
  }
  NodeIndex splat(NodeIndex operand, std::size_t width) {
    return dag.add(NodeKind::splat, widened(type(operand), width), 0, {operand});
  }
  // "xyz": lanes by name.
  NodeIndex swizzle(NodeIndex operand, std::string_view lanes) {
    std::uint32_t payload = 0;
    for (std::size_t at = 0; at < lanes.size(); ++at) {
      payload |= static_cast<std::uint32_t>(std::string_view("xyzw").find(lanes[at])) << (2 * at);
    }
    return dag.add(NodeKind::swizzle, widened(type(operand), lanes.size()), payload, {operand});
  }
  NodeIndex lane(NodeIndex operand, NodeIndex index) {
    return dag.add(NodeKind::lane, widened(type(operand), 1), 0, {operand, index});
  }
  NodeIndex requantize(NodeIndex operand, Format format) {
    return dag.add(NodeKind::requantize, read_type(format), static_cast<std::uint32_t>(format), {operand});
  }
  NodeIndex reinterpret(NodeIndex operand, Lane lane) {
    return dag.add(NodeKind::reinterpret, {lane, type(operand).width}, 0, {operand});
  }

  [[nodiscard]] Type type(NodeIndex node) const { return dag.node(node).type; }
  // The leaf of a graph input; host scalars lie at the given word.
  [[nodiscard]] Leaf leaf(NodeIndex node, std::uint32_t scalar_word = 2) const {
    const Operand& input = dag.operand(OperandIndex{dag.node(node).payload});
    return {node, input.is_vector ? LeafKind::rows : LeafKind::host_scalar, input.format,
            input.is_vector ? 0 : scalar_word};
  }
  [[nodiscard]] KernelOutput stored(NodeIndex node) const { return {node, stored_format(type(node))}; }

 private:
  NodeIndex operand(Format format, bool is_vector) {
    const std::string name = "input" + std::to_string(dag.operand_count());
    const OperandIndex index = dag.add_operand({name, format, is_vector});
    return dag.add(NodeKind::operand, read_type(format), index.value, {});
  }
};

}  // namespace millrace::expression
