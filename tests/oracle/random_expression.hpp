// Random typed formulas as texts, and rows for their inputs: drawn from the grammar by the type that is wanted, so that
// nearly all are valid. The same seed gives the same on every machine.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <millrace/format.hpp>

#include "src/expression/function_table.hpp"
#include "src/expression/type.hpp"

namespace millrace::oracle {

// A name that formulas may read.
struct RandomName {
  std::string text;  // as formulas write it, in backticks where it needs them
  expression::Type type;
};

struct RandomInput {
  std::string name;
  Format format;
  bool is_vector;
};

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] std::uint64_t bits() { return engine_(); }
  [[nodiscard]] std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(engine_() >> 32) % end; }
  [[nodiscard]] bool chance(std::uint32_t percent) { return below(100) < percent; }
  // In [0, 1).
  [[nodiscard]] double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  template <class Container>
  [[nodiscard]] auto& pick(Container& from) {
    return from[below(static_cast<std::uint32_t>(std::size(from)))];
  }

 private:
  std::mt19937_64 engine_;
};

// Some of all formats, vectors and scalars; the first is a float32 vector.
[[nodiscard]] std::vector<RandomInput> random_inputs(RandomSource& random);
// The words of one row, with special values among them.
[[nodiscard]] std::vector<std::uint32_t> random_row(RandomSource& random, Format format);

class RandomExpression {
 public:
  RandomExpression(RandomSource& random, const std::vector<RandomName>& names) : random_(random), names_(names) {}
  // An expression of that type, of at most that many levels.
  [[nodiscard]] std::string of_type(expression::Type type, int depth);

 private:
  [[nodiscard]] std::string drawn(expression::Type type, int depth);
  // A row of the function table and the T of its signature that gives the wanted type.
  struct Choice {
    expression::FunctionIndex function;
    expression::Type t;
  };
  [[nodiscard]] static const std::vector<Choice>& choices(expression::Type result);
  [[nodiscard]] std::string leaf(expression::Type type);
  [[nodiscard]] std::string literal(expression::Type type);
  [[nodiscard]] std::string float_literal();
  [[nodiscard]] std::string literal_without_suffix(expression::Lane lane);
  [[nodiscard]] std::string builtin(expression::Type type);
  [[nodiscard]] std::string call(expression::Type type, int depth);
  [[nodiscard]] std::string constructor(expression::Type type, int depth);
  [[nodiscard]] std::string lanes_of_wider(expression::Type type, int depth);
  [[nodiscard]] std::string operand(const expression::FunctionRow& row, std::size_t index, expression::Type t,
                                    int depth);

  RandomSource& random_;
  const std::vector<RandomName>& names_;
  std::vector<RandomName> parts_;  // drawn so far, to be drawn again: x - x, x / x, (a + b) - a
};

}  // namespace millrace::oracle
