// Random graphs of unsigned integers, with their values worked out on the host lane by lane. The same seed gives the same
// graph; rows and operations grow with it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <millrace/millrace.hpp>

namespace millrace {

// swapped_subtraction: a fault on purpose, in the formulas alone.
enum class Mutant : std::uint8_t { none, swapped_subtraction };

class RandomGraph {
 public:
  struct Value {
    std::string name;
    std::uint32_t width;
    bool is_vector;
    std::vector<std::uint32_t> lanes;  // row after row
  };

  explicit RandomGraph(std::uint32_t seed, Mutant mutant = Mutant::none) : random_(seed), mutant_(mutant) {
    rows_ = below(1 + 12 * seed);
    const std::uint32_t inputs = 1 + below(6);
    for (std::uint32_t index = 0; index < inputs; ++index) add_input(index);
    const std::uint32_t operations = 1 + below(2 + seed / 3);
    for (std::uint32_t index = 0; index < operations; ++index) add_operation(index);
    for (const Value& result : results_) {
      if (below(3) == 0) outputs_.emplace_back(result.name);
    }
    if (outputs_.empty()) outputs_.emplace_back(results_.back().name);
  }

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const std::vector<Name>& outputs() const { return outputs_; }
  [[nodiscard]] const std::vector<std::string>& formulas() const { return formulas_; }
  [[nodiscard]] const Value& result(const std::string& name) const {
    return *std::find_if(results_.begin(), results_.end(), [&](const Value& value) { return value.name == name; });
  }

  // Uploads the inputs, each in chunks of its own; `storage` keeps them.
  [[nodiscard]] Bindings upload(Device& device, std::vector<Vector>& storage) {
    Bindings bindings;
    storage.reserve(inputs_.size());
    for (const Value& input : inputs_) {
      if (!input.is_vector) {
        bindings.inputs.set(input.name, input.lanes[0]);
        continue;
      }
      std::vector<std::vector<std::uint32_t>> chunks;
      for (std::size_t first = 0; first < input.lanes.size();) {
        const std::size_t end = std::min<std::size_t>(first + input.width * below(rows_ + 1), input.lanes.size());
        chunks.emplace_back(input.lanes.begin() + static_cast<std::ptrdiff_t>(first),
                            input.lanes.begin() + static_cast<std::ptrdiff_t>(end));
        first = end;
      }
      storage.push_back(
          device.upload_chunks(format_of(input.width), std::vector<HostRows>(chunks.begin(), chunks.end())));
      bindings.inputs.set(input.name, storage.back());
    }
    return bindings;
  }

 private:
  [[nodiscard]] std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

  static Format format_of(std::uint32_t width) {
    constexpr Format kFormats[] = {Format::uint32, Format::uint32x2, Format::uint32x3, Format::uint32x4};
    return kFormats[width - 1];
  }

  void add_input(std::uint32_t index) {
    const bool is_vector = index == 0 || below(3) != 0;
    Value input{"in" + std::to_string(index), is_vector ? 1 + below(4) : 1, is_vector, {}};
    input.lanes.resize(is_vector ? std::size_t{rows_} * input.width : 1);
    for (std::uint32_t& lane : input.lanes) lane = static_cast<std::uint32_t>(random_());
    if (is_vector) {
      graph_.add_input(input.name, vector_of(format_of(input.width)));
    } else {
      graph_.add_input(input.name, scalar_of(Format::uint32));
    }
    inputs_.push_back(input);
    known_.push_back(std::move(input));
  }

  void add_operation(std::uint32_t index) {
    Value result = expression(1 + below(4));
    const std::string formula = "r" + std::to_string(index) + " = " + result.name;
    result.name = "r" + std::to_string(index);
    graph_.add(Expression{formula});
    formulas_.push_back(formula);
    results_.push_back(result);
    known_.push_back(std::move(result));
  }

  // A value whose name is its text.
  Value expression(std::uint32_t depth) {
    if (depth == 0) return known_[below(static_cast<std::uint32_t>(known_.size()))];
    const Value left = expression(depth - 1);
    if (below(4) == 0) return combine(left, literal());
    Value right = expression(below(depth));
    if (left.width != right.width && left.width != 1 && right.width != 1) right = first_lane(right);
    return combine(left, right);
  }

  Value literal() {
    const std::uint32_t number = below(1000);
    return {std::to_string(number) + "u", 1, false, {number}};
  }

  static Value first_lane(const Value& value) {
    Value lane{value.name + ".x", 1, value.is_vector, {}};
    for (std::size_t index = 0; index < value.lanes.size(); index += value.width)
      lane.lanes.push_back(value.lanes[index]);
    return lane;
  }

  Value combine(const Value& left, const Value& right) {
    constexpr std::string_view kOperators[] = {"+", "-", "*", "&", "|", "^"};
    const std::string_view op = kOperators[below(6)];
    Value result{"", std::max(left.width, right.width), left.is_vector || right.is_vector, {}};
    const bool is_swapped = mutant_ == Mutant::swapped_subtraction && op == "-";
    const Value &first = is_swapped ? right : left, &second = is_swapped ? left : right;
    result.name = "(" + first.name + " " + std::string(op) + " " + second.name + ")";
    const std::size_t rows = result.is_vector ? rows_ : 1;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::uint32_t lane = 0; lane < result.width; ++lane) {
        result.lanes.push_back(apply(op.front(), at(left, row, lane), at(right, row, lane)));
      }
    }
    return result;
  }

  static std::uint32_t at(const Value& value, std::size_t row, std::uint32_t lane) {
    return value.lanes[(value.is_vector ? row * value.width : 0) + (value.width == 1 ? 0 : lane)];
  }

  static std::uint32_t apply(char op, std::uint32_t a, std::uint32_t b) {
    switch (op) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case '&':
        return a & b;
      case '|':
        return a | b;
      default:
        return a ^ b;
    }
  }

  std::mt19937 random_;
  Mutant mutant_;
  std::uint32_t rows_ = 0;
  Graph graph_;
  std::vector<Value> inputs_, results_, known_;
  std::vector<std::string> formulas_;
  std::vector<Name> outputs_;
};

}  // namespace millrace
