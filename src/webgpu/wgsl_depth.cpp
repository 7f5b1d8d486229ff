// One pass over the characters, comments left out. Operators are counted for each level of brackets and start anew at a
// comma, semicolon or closing brace.
#include "src/webgpu/wgsl_depth.hpp"

#include <algorithm>
#include <vector>

namespace millrace::webgpu {
namespace {

constexpr std::string_view kOperators = "+-*/%&|^<>=!~";

class DepthMeter {
 public:
  void take(char c) {
    switch (c) {
      case '\n':
        ++line_;
        break;
      case '(':
      case '[':
      case '{':
        open();
        break;
      case ')':
      case ']':
      case '}':
        if (operators_.size() > 1) operators_.pop_back();
        if (c == '}') operators_.back() = 0;
        break;
      case ',':
      case ';':
        operators_.back() = 0;
        break;
      default:
        if (kOperators.find(c) != std::string_view::npos) count_operator();
    }
  }
  [[nodiscard]] const WgslDepth& depth() const { return depth_; }

 private:
  void open() {
    operators_.push_back(0);
    depth_.nesting = std::max(depth_.nesting, operators_.size() - 1);
    if (operators_.size() - 1 > kMostNesting && depth_.nesting_line == 0) depth_.nesting_line = line_;
  }
  void count_operator() {
    const std::size_t count = ++operators_.back();
    depth_.operators = std::max(depth_.operators, count);
    if (count > kMostOperators && depth_.operators_line == 0) depth_.operators_line = line_;
  }

  std::vector<std::size_t> operators_ = {0};  // of the expression under way, for each level
  std::size_t line_ = 1;
  WgslDepth depth_;
};

// The end of a comment that begins at `at`, or `at` where none does. Block comments nest.
std::size_t skip_comment(std::string_view wgsl, std::size_t at, DepthMeter& meter) {
  const std::string_view rest = wgsl.substr(at);
  if (rest.starts_with("//")) return std::min(wgsl.find('\n', at), wgsl.size());
  if (!rest.starts_with("/*")) return at;
  std::size_t level = 0;
  while (at < wgsl.size()) {
    const std::string_view pair = wgsl.substr(at, 2);
    if (pair == "/*" || pair == "*/") {
      level += pair == "/*" ? 1 : std::size_t(-1);
      at += 2;
      if (level == 0) return at;
      continue;
    }
    if (wgsl[at] == '\n') meter.take('\n');
    ++at;
  }
  return at;
}

}  // namespace

WgslDepth measure_wgsl_depth(std::string_view wgsl) {
  DepthMeter meter;
  for (std::size_t at = 0; at < wgsl.size();) {
    const std::size_t behind = skip_comment(wgsl, at, meter);
    if (behind != at) {
      at = behind;
      continue;
    }
    meter.take(wgsl[at]);
    ++at;
  }
  return meter.depth();
}

}  // namespace millrace::webgpu
