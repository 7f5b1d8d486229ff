// Writes a kernel's WGSL: header, then for each value one `let` on first need, then all stores.
//
// Values are visited depth first from the outputs, with a stack of our own, because formulas may be 100,000 operators
// deep. Literals are `let`s, which WGSL does not treat as constants, so that no provider folds or refuses what is
// computed from them.
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <millrace/error.hpp>

#include "src/expression/emit_format.hpp"
#include "src/expression/function_table.hpp"
#include "src/expression/kernel_text.hpp"
#include "src/expression/wgsl_library.hpp"

namespace millrace::expression {
namespace {

constexpr std::string_view kLaneNames = "xyzw";
// A bool of every kernel that needs it: false, by a comparison that only the running kernel can make.
constexpr std::string_view kNever = "never";

std::string block_word(std::string_view block, std::uint32_t word) {
  return fmt::format("{}[{}].{}", block, word / 4, kLaneNames[word % 4]);
}

// What a bool is stored and packed as.
Type stored_type(Type type) { return type.lane == Lane::boolean ? Type{Lane::u32, type.width} : type; }

std::string f32_text(float value) {
  // The double's shortest text is exactly the f32; the f32's own shortest text may lie above the largest f32, which
  // Tint refuses.
  std::string text = fmt::format("{}", static_cast<double>(value));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

// A function's text with its holes filled; see FunctionRow::wgsl.
class Template {
 public:
  Template(Type result, Type first_operand, std::vector<std::string> operands)
      : result_(result), first_operand_(first_operand), operands_(std::move(operands)) {}

  [[nodiscard]] std::string fill(std::string_view text) const {
    std::string filled;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const bool is_hole = text[at] == '{' && at + 2 < text.size() && text[at + 2] == '}';
      filled += is_hole ? hole(text[at + 1]) : std::string(1, text[at]);
      if (is_hole) at += 2;
    }
    return filled;
  }

 private:
  [[nodiscard]] std::string hole(char name) const {
    switch (name) {
      case 'T':
        return to_string(result_);
      case 'F':
        return to_string(Type{Lane::f32, first_operand_.width});
      case 'I':
        return to_string(Type{Lane::i32, first_operand_.width});
      case 'U':
        return to_string(Type{Lane::u32, first_operand_.width});
      case 'B':
        return to_string(Type{Lane::boolean, first_operand_.width});
      case 'N':
        return std::string(kNever);
      case '*':
        return fmt::format("{}", fmt::join(operands_, ", "));
      default:
        return operands_.at(static_cast<std::size_t>(name - '0'));
    }
  }

  Type result_;
  Type first_operand_;
  std::vector<std::string> operands_;
};

class KernelWriter {
 public:
  KernelWriter(const Dag& dag, const KernelCut& cut, const WgslOptions& options)
      : dag_(dag), cut_(cut), options_(options) {
    std::uint32_t binding = 0;
    for (const Leaf& leaf : cut.leaves) {
      leaves_[leaf.node] = {&leaf, leaf.kind == LeafKind::host_scalar ? 0 : binding++};
    }
    first_output_ = binding;
    for (const Replacement& replacement : cut.replacements) replacements_[replacement.node] = replacement.by;
  }

  [[nodiscard]] std::string write() {
    std::string stores;
    for (std::uint32_t output = 0; output < cut_.outputs.size(); ++output) stores += store(output);
    return header() + body_ + stores + "}\n" + library_text(library_);
  }

 private:
  struct BoundLeaf {
    const Leaf* leaf;
    std::uint32_t binding;
  };
  // The words of a row in a format, kept for outputs that store the very same.
  struct Words {
    NodeIndex node;
    Format format;
    friend bool operator<(const Words& a, const Words& b) {
      return std::pair(a.node, a.format) < std::pair(b.node, b.format);
    }
  };

  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string record_word(std::uint32_t word) const { return block_word("record", word); }
  [[nodiscard]] std::string row_start(std::uint32_t binding, bool at_row) const;
  std::string store(std::uint32_t output);
  std::string words(NodeIndex node, Format format);
  std::string value(NodeIndex root);
  [[nodiscard]] NodeIndex resolve(NodeIndex node) const;
  [[nodiscard]] std::span<const NodeIndex> needed_operands(NodeIndex node) const;
  void define(NodeIndex node);
  std::string leaf_words(const BoundLeaf& bound);
  std::string decode(NodeIndex node, Format format);
  [[nodiscard]] std::string literal(const Node& node);
  [[nodiscard]] std::string call(const Node& node);
  [[nodiscard]] std::string library_call(const Node& node, std::string_view function);
  template <class MakeLane>
  [[nodiscard]] std::string by_lane(const Node& node, MakeLane make_lane) const;
  [[nodiscard]] std::string lane(const Node& node) const;
  [[nodiscard]] std::string swizzle(const Node& node) const;
  [[nodiscard]] std::string reinterpret(const Node& node) const;
  [[nodiscard]] std::string computed(const Node& node);
  [[nodiscard]] Type operand_type(const Node& node, std::size_t operand) const {
    return dag_.node(node.operands[operand]).type;
  }
  [[nodiscard]] const std::string& name(NodeIndex node) const { return names_.at(resolve(node)); }
  std::string let(char kind, std::string_view text);

  const Dag& dag_;
  const KernelCut& cut_;
  const WgslOptions& options_;
  std::map<NodeIndex, BoundLeaf> leaves_;
  std::map<NodeIndex, NodeIndex> replacements_;
  std::uint32_t first_output_ = 0;
  std::map<NodeIndex, std::string> names_;
  std::map<Words, std::string> words_;
  std::set<std::string_view> library_;
  bool uses_never_ = false;
  std::uint32_t let_count_ = 0;
  std::string body_;
};

std::string KernelWriter::header() const {
  std::string text;
  const std::uint32_t bindings = first_output_ + static_cast<std::uint32_t>(cut_.outputs.size());
  for (std::uint32_t binding = 0; binding < bindings; ++binding) {
    text +=
        fmt::format("@group(0) @binding({binding}) var<storage, {access}> s{binding}: array<u32>;\n",
                    fmt::arg("binding", binding), fmt::arg("access", binding < first_output_ ? "read" : "read_write"));
  }
  const std::string never = uses_never_
                                ? fmt::format("  let {never} = {infinity} == 0u;\n", fmt::arg("never", kNever),
                                              fmt::arg("infinity", block_word("scalars", ScalarBlock::kInfinity)))
                                : "";
  return text + fmt::format(
                    "@group(1) @binding(0) var<uniform> scalars: array<vec4<u32>, {scalar_count}>;\n"
                    "@group(1) @binding(1) var<uniform> record: array<vec4<u32>, {record_count}>;\n\n"
                    "@compute @workgroup_size({workgroup_size})\n"
                    "fn main(@builtin(global_invocation_id) id: vec3<u32>) {{\n"
                    "  let i = id.x + {fold_x} * (id.y + {fold_y} * id.z);\n"
                    "  if (i >= {row_count}) {{ return; }}\n"
                    "{never}",
                    fmt::arg("scalar_count", options_.scalar_block_words / 4),
                    fmt::arg("record_count", RecordLayout::word_count(bindings) / 4),
                    fmt::arg("workgroup_size", options_.workgroup_size),
                    fmt::arg("fold_x", record_word(RecordLayout::kFoldX)),
                    fmt::arg("fold_y", record_word(RecordLayout::kFoldY)),
                    fmt::arg("row_count", record_word(RecordLayout::kRowCount)), fmt::arg("never", never));
}

// The word at which the operand's row begins.
std::string KernelWriter::row_start(std::uint32_t binding, bool at_row) const {
  const std::uint32_t word = RecordLayout::kOperands + 2 * binding;
  return at_row ? fmt::format("{offset} + i * {stride}", fmt::arg("offset", record_word(word)),
                              fmt::arg("stride", record_word(word + 1)))
                : record_word(word);
}

std::string KernelWriter::store(std::uint32_t output) {
  const KernelOutput& stored = cut_.outputs[output];
  const std::string row = words(resolve(stored.node), stored.format);
  const std::uint32_t binding = first_output_ + output;
  std::string text = fmt::format("  let p{binding} = {start};\n", fmt::arg("binding", binding),
                                 fmt::arg("start", row_start(binding, true)));
  const std::uint32_t count = bytes_per_row(stored.format) / 4;
  for (std::uint32_t word = 0; word < count; ++word) {
    text += fmt::format("  s{binding}[p{binding}{word}] = {row}{lane};\n", fmt::arg("binding", binding),
                        fmt::arg("word", word == 0 ? "" : fmt::format(" + {}u", word)), fmt::arg("row", row),
                        fmt::arg("lane", count == 1 ? "" : fmt::format(".{}", kLaneNames[word])));
  }
  return text;
}

// The name of the node's row as words of the format; written on first need.
std::string KernelWriter::words(NodeIndex node, Format format) {
  if (const auto known = words_.find({node, format}); known != words_.end()) return known->second;
  const auto leaf = leaves_.find(node);
  const Node& shape = dag_.node(node);
  std::string packed_value;
  if (leaf != leaves_.end() && leaf->second.leaf->format == format) {
    return words_[{node, format}] = leaf_words(leaf->second);
  }
  if (leaf == leaves_.end() && shape.kind == NodeKind::requantize &&
      shape.payload == static_cast<std::uint32_t>(format)) {
    packed_value = value(resolve(shape.operands[0]));
  } else {
    packed_value = value(node);
  }
  if (shape.type.lane == Lane::boolean) {
    const std::string type = to_string(stored_type(shape.type));
    packed_value = let('b', fmt::format("select({type}(0u), {type}(1u), {value})", fmt::arg("type", type),
                                        fmt::arg("value", packed_value)));
  }
  if (stored_type(shape.type) != read_type(format)) {
    throw InternalError(fmt::format("A kernel stores a value of type {type} as {format}.",
                                    fmt::arg("type", to_string(shape.type)), fmt::arg("format", format_name(format))));
  }
  if (const std::string fields = fields_text(format, packed_value); !fields.empty()) packed_value = let('c', fields);
  const std::string text = words_text(format, packed_value, library_);
  return words_[{node, format}] = text == packed_value ? text : let('w', text);
}

NodeIndex KernelWriter::resolve(NodeIndex node) const {
  const auto found = replacements_.find(node);
  return found == replacements_.end() ? node : found->second;
}

std::span<const NodeIndex> KernelWriter::needed_operands(NodeIndex node) const {
  if (leaves_.contains(node)) return {};
  return dag_.node(node).operands;
}

// The name of the node's value; it and all that it needs are written on first need.
std::string KernelWriter::value(NodeIndex root) {
  struct Visit {
    NodeIndex node;
    std::size_t next_operand;
  };
  std::vector<Visit> path{{root, 0}};
  while (!path.empty()) {
    Visit& visit = path.back();
    const std::span<const NodeIndex> operands = needed_operands(visit.node);
    if (names_.contains(visit.node)) {
      path.pop_back();
    } else if (visit.next_operand < operands.size()) {
      const NodeIndex operand = resolve(operands[visit.next_operand++]);
      path.push_back({operand, 0});
    } else {
      define(visit.node);
      path.pop_back();
    }
  }
  return names_.at(root);
}

// Writes one node whose operands are written.
void KernelWriter::define(NodeIndex node) {
  const Node& shape = dag_.node(node);
  if (const auto leaf = leaves_.find(node); leaf != leaves_.end()) {
    names_[node] = decode(node, leaf->second.leaf->format);
  } else if (shape.kind == NodeKind::requantize) {
    names_[node] = decode(node, static_cast<Format>(shape.payload));
  } else {
    names_[node] = let('n', computed(shape));
  }
}

std::string KernelWriter::leaf_words(const BoundLeaf& bound) {
  const Leaf& leaf = *bound.leaf;
  const std::uint32_t count = bytes_per_row(leaf.format) / 4;
  const bool is_stored = leaf.kind != LeafKind::host_scalar;
  if (is_stored) {
    body_ += fmt::format("  let p{binding} = {start};\n", fmt::arg("binding", bound.binding),
                         fmt::arg("start", row_start(bound.binding, leaf.kind == LeafKind::rows)));
  }
  std::vector<std::string> words;
  for (std::uint32_t word = 0; word < count; ++word) {
    words.push_back(is_stored ? fmt::format("s{binding}[p{binding}{word}]", fmt::arg("binding", bound.binding),
                                            fmt::arg("word", word == 0 ? "" : fmt::format(" + {}u", word)))
                              : block_word("scalars", leaf.word_offset + word));
  }
  if (count == 1) return let('w', words.front());
  return let('w', fmt::format("{type}({words})", fmt::arg("type", words_type(leaf.format)),
                              fmt::arg("words", fmt::join(words, ", "))));
}

// The node's value out of its words.
std::string KernelWriter::decode(NodeIndex node, Format format) {
  const std::string stored = words(node, format);
  const std::string text = read_text(format, stored, library_);
  const Type type = dag_.node(node).type;
  if (type.lane == Lane::boolean) {
    return let('n', fmt::format("{words} != {type}(0u)", fmt::arg("words", stored),
                                fmt::arg("type", to_string(stored_type(type)))));
  }
  return text == stored ? stored : let('n', text);
}

// kind: the letter that its name begins with. Not f, i or u, since f16, f32, i32 and u32 are types, which the name would hide.
std::string KernelWriter::let(char kind, std::string_view text) {
  std::string name = fmt::format("{}{}", kind, let_count_++);
  body_ += fmt::format("  let {name} = {text};\n", fmt::arg("name", name), fmt::arg("text", text));
  return name;
}

std::string KernelWriter::literal(const Node& node) {
  switch (node.type.lane) {
    case Lane::boolean:
      return node.payload != 0 ? "true" : "false";
    case Lane::f32: {
      const float number = std::bit_cast<float>(node.payload);
      const bool is_plain = std::isnormal(number) || node.payload == 0;
      if (is_plain) return f32_text(number);
      // Subnormals, -0, infinities and NaN have no text that all front ends read alike.
      return fmt::format("bitcast<f32>({})", let('k', fmt::format("{:#x}u", node.payload)));
    }
    case Lane::i32:
    case Lane::u32:
      break;
  }
  // naga refuses a division by a `let` that is a literal zero, but not by a variable.
  if (node.payload == 0) {
    std::string name = fmt::format("z{}", let_count_++);
    body_ += fmt::format("  var {name} = 0{suffix};\n", fmt::arg("name", name),
                         fmt::arg("suffix", node.type.lane == Lane::i32 ? "i" : "u"));
    return name;
  }
  if (node.type.lane == Lane::u32) return fmt::format("{}u", node.payload);
  // 2147483648i would be too large before it is negated.
  if (node.payload == 0x80000000u) return "i32(-2147483648)";
  return fmt::format("{}i", static_cast<std::int32_t>(node.payload));
}

std::string KernelWriter::call(const Node& node) {
  const FunctionRow& row = function(FunctionIndex{node.payload});
  const Type first = operand_type(node, 0);
  const std::string_view text = wgsl_text(row, first);
  const bool is_ours = options_.math == Mathematics::own && first.lane == Lane::f32;
  if (!row.library.empty() && (text.empty() || is_ours)) return library_call(node, row.library);
  for (const std::string_view called : names_in(row.calls)) library_.insert(called);
  uses_never_ = uses_never_ || text.find("{N}") != std::string_view::npos;
  if (row.integers_by_lane && first.lane != Lane::f32) {
    return by_lane(node, [&](std::vector<std::string> operands) {
      return Template({node.type.lane, 1}, {first.lane, 1}, std::move(operands)).fill(text);
    });
  }
  std::vector<std::string> operands;
  for (const NodeIndex operand : node.operands) operands.push_back(name(operand));
  return Template(node.type, first, std::move(operands)).fill(text);
}

std::string KernelWriter::library_call(const Node& node, std::string_view function) {
  library_.insert(function);
  return by_lane(node, [&](const std::vector<std::string>& operands) {
    return fmt::format("m_{function}({operands})", fmt::arg("function", function),
                       fmt::arg("operands", fmt::join(operands, ", ")));
  });
}

// "m_sin(n1)", or of vectors "vec2<f32>(m_sin(n1.x), m_sin(n1.y))".
template <class MakeLane>
std::string KernelWriter::by_lane(const Node& node, MakeLane make_lane) const {
  std::vector<std::string> lanes;
  for (std::uint32_t lane = 0; lane < node.type.width; ++lane) {
    std::vector<std::string> operands;
    for (const NodeIndex operand : node.operands) {
      operands.push_back(name(operand));
      if (node.type.width > 1) operands.back() += fmt::format(".{}", kLaneNames[lane]);
    }
    lanes.push_back(make_lane(std::move(operands)));
  }
  if (lanes.size() == 1) return lanes.front();
  return fmt::format("{type}({lanes})", fmt::arg("type", to_string(node.type)),
                     fmt::arg("lanes", fmt::join(lanes, ", ")));
}

// A single lane of a single-lane value is that value.
std::string KernelWriter::lane(const Node& node) const {
  const std::string& vector = name(node.operands[0]);
  const std::uint32_t last = operand_type(node, 0).width - 1u;
  if (last == 0) return vector;
  const std::string& index = name(node.operands[1]);
  const bool is_signed = operand_type(node, 1).lane == Lane::i32;
  return fmt::format("{vector}[{index}]", fmt::arg("vector", vector),
                     fmt::arg("index", is_signed ? fmt::format("clamp({}, 0i, {}i)", index, last)
                                                 : fmt::format("min({}, {}u)", index, last)));
}

// WGSL has no swizzle of a single lane, but ours has: p.x, and p.xx as a splat.
std::string KernelWriter::swizzle(const Node& node) const {
  const std::string& vector = name(node.operands[0]);
  if (operand_type(node, 0).width == 1) {
    return node.type.width == 1 ? vector : fmt::format("{}({})", to_string(node.type), vector);
  }
  std::string lanes;
  for (std::uint32_t at = 0; at < node.type.width; ++at) lanes += kLaneNames[(node.payload >> (2 * at)) & 3];
  return fmt::format("{}.{}", vector, lanes);
}

std::string KernelWriter::reinterpret(const Node& node) const {
  const std::string& operand = name(node.operands[0]);
  const std::string words = to_string(Type{Lane::u32, node.type.width});
  const Lane from = operand_type(node, 0).lane;
  std::string bits = operand;
  if (from == Lane::boolean)
    bits = fmt::format("select({words}(0u), {words}(1u), {bits})", fmt::arg("words", words), fmt::arg("bits", operand));
  if (node.type.lane == Lane::boolean)
    return fmt::format("bitcast<{words}>({bits}) != {words}(0u)", fmt::arg("words", words), fmt::arg("bits", bits));
  return fmt::format("bitcast<{type}>({bits})", fmt::arg("type", to_string(node.type)), fmt::arg("bits", bits));
}

std::string KernelWriter::computed(const Node& node) {
  switch (node.kind) {
    case NodeKind::literal:
      return literal(node);
    case NodeKind::infinity:
      return fmt::format("bitcast<f32>({})", block_word("scalars", ScalarBlock::kInfinity));
    case NodeKind::not_a_number:
      return fmt::format("bitcast<f32>({})", block_word("scalars", ScalarBlock::kNotANumber));
    case NodeKind::row:
      return fmt::format("{} + i", record_word(RecordLayout::kRowBase));
    case NodeKind::rows:
      return record_word(RecordLayout::kRows);
    case NodeKind::splat:
      return fmt::format("{}({})", to_string(node.type), name(node.operands[0]));
    case NodeKind::swizzle:
      return swizzle(node);
    case NodeKind::lane:
      return lane(node);
    case NodeKind::call:
      return call(node);
    case NodeKind::reinterpret:
      return reinterpret(node);
    case NodeKind::operand:
    case NodeKind::requantize:
      break;
  }
  throw InternalError("A kernel needs a graph input that is none of its leaves.");
}

}  // namespace

std::string emit_wgsl(const Dag& dag, const KernelCut& cut, const WgslOptions& options) {
  return KernelWriter(dag, cut, options).write();
}

}  // namespace millrace::expression
