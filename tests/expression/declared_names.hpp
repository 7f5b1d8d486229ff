// Inputs for formulas under test, and the DAG as text that a test can state by hand:
//
//   lengths = length(p * s)   ->   length((p * splat3(s)))
#pragma once

#include <bit>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "src/expression/formula.hpp"
#include "src/expression/function_table.hpp"

namespace millrace::expression {

struct DeclaredNames {
  Dag dag;
  std::map<std::string, NodeIndex, std::less<>> nodes;
  std::vector<std::string> names;

  // x, i, u: one f32, i32, u32 lane; p, q, uv, iv: float32x3, float32x3, float32x2, sint32x3; s: a scalar.
  DeclaredNames() {
    add("x", Format::float32);
    add("i", Format::sint32);
    add("u", Format::uint32);
    add("p", Format::float32x3);
    add("q", Format::float32x3);
    add("uv", Format::float32x2);
    add("iv", Format::sint32x3);
    add("s", Format::float32, false);
  }

  void add(const std::string& name, Format format, bool is_vector = true) {
    const OperandIndex operand = dag.add_operand({name, format, is_vector});
    define(name, dag.add(NodeKind::operand, read_type(format), operand.value, {}));
  }
  void define(const std::string& name, NodeIndex node) {
    nodes[name] = node;
    names.push_back(name);
  }

  Inferred infer(std::string text, InferOptions options = {}) {
    const Formula formula = parse_formula(std::move(text), std::nullopt);
    const FindName find = [this](std::string_view name) -> std::optional<NodeIndex> {
      const auto found = nodes.find(name);
      if (found == nodes.end()) return std::nullopt;
      return found->second;
    };
    return expression::infer(formula, find, names, dag, options);
  }

  // Of the expression alone.
  std::string describe(const std::string& expression) { return describe(infer("out = " + expression).node); }
  std::string type(const std::string& expression) {
    return to_string(dag.node(infer("out = " + expression).node).type);
  }

  std::string describe(NodeIndex index) const {
    const Node& node = dag.node(index);
    switch (node.kind) {
      case NodeKind::operand:
        return dag.operand({node.payload}).name;
      case NodeKind::literal:
        return literal(node);
      case NodeKind::infinity:
        return "inf";
      case NodeKind::not_a_number:
        return "nan";
      case NodeKind::row:
        return "row";
      case NodeKind::rows:
        return "rows";
      case NodeKind::splat:
        return fmt::format("splat{}({})", node.type.width, describe(node.operands[0]));
      case NodeKind::swizzle:
        return describe(node.operands[0]) + '.' + letters(node);
      case NodeKind::lane:
        return describe(node.operands[0]) + '[' + describe(node.operands[1]) + ']';
      case NodeKind::call:
        return call(node);
      case NodeKind::reinterpret:
        return fmt::format("bits_{}({})", to_string(node.type), describe(node.operands[0]));
      case NodeKind::requantize:
        return fmt::format("{}<{}>", format_name(static_cast<Format>(node.payload)), describe(node.operands[0]));
    }
    return "?";
  }

 private:
  static std::string literal(const Node& node) {
    switch (node.type.lane) {
      case Lane::f32:
        return fmt::format("{}f", std::bit_cast<float>(node.payload));
      case Lane::i32:
        return fmt::format("{}i", static_cast<std::int32_t>(node.payload));
      case Lane::u32:
        return fmt::format("{}u", node.payload);
      case Lane::boolean:
        return node.payload != 0 ? "true" : "false";
    }
    return "?";
  }
  static std::string letters(const Node& node) {
    std::string result;
    for (unsigned lane = 0; lane < node.type.width; ++lane) result += "xyzw"[node.payload >> (2 * lane) & 3];
    return result;
  }
  std::string call(const Node& node) const {
    const std::string name(function({node.payload}).name);
    if (name == "unary -") return "-" + describe(node.operands[0]);
    if (name == "!" || name == "~") return name + describe(node.operands[0]);
    std::string operands;
    const bool is_operator = !find_function(name);
    for (const NodeIndex operand : node.operands) {
      if (!operands.empty()) operands += is_operator ? " " + name + " " : ", ";
      operands += describe(operand);
    }
    return (is_operator ? "(" : name + "(") + operands + ")";
  }
};

}  // namespace millrace::expression
