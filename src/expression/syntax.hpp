// The syntax tree of a formula, flat: operands come before their users, and the last node is the root. So a walk over
// it is a loop, however deep the formula is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/index.hpp"
#include "src/expression/number.hpp"

namespace millrace::expression {

using SyntaxIndex = Index<struct SyntaxTag>;

enum class SyntaxKind : std::uint8_t {
  number,
  name,
  unary,    // name: "-", "!" or "~"
  binary,   // name: the operator
  ternary,  // condition, value where true, value where false
  call,     // name: the function
  swizzle,  // name: its letters
  lane,     // vector, index
};

// Bytes [first, last) of the text.
struct SourceRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

struct SyntaxNode {
  SyntaxKind kind;
  std::string name = {};
  bool is_quoted = false;  // a name between backticks
  Number number = {};
  std::vector<SyntaxIndex> operands = {};
  std::size_t at = 0;      // the byte that a caret points to: the operator, or where it begins
  SourceRange range = {};  // without parentheses around it
  SourceRange outer = {};  // with them
};

struct SyntaxTree {
  std::string text;  // what the ranges are of
  std::vector<SyntaxNode> nodes;

  [[nodiscard]] const SyntaxNode& node(SyntaxIndex index) const { return nodes[index.value]; }
  [[nodiscard]] SyntaxIndex root() const { return {static_cast<std::uint32_t>(nodes.size() - 1)}; }
  // The part of the text that the node is, without and with the parentheses around it.
  [[nodiscard]] std::string_view source(SyntaxIndex index) const { return slice(node(index).range); }
  [[nodiscard]] std::string_view outer_source(SyntaxIndex index) const { return slice(node(index).outer); }
  [[nodiscard]] std::string_view slice(SourceRange range) const {
    return std::string_view(text).substr(range.first, range.last - range.first);
  }
};

}  // namespace millrace::expression
