// The table, and WGSL's rule on mixing.
#include "src/expression/binary_operators.hpp"

#include <array>

namespace millrace::expression {
namespace {

constexpr std::array kBinaryOperators = {
    BinaryOperator{"||", OperatorGroup::logical_or}, BinaryOperator{"&&", OperatorGroup::logical_and},
    BinaryOperator{"==", OperatorGroup::comparison}, BinaryOperator{"!=", OperatorGroup::comparison},
    BinaryOperator{"<", OperatorGroup::comparison},  BinaryOperator{"<=", OperatorGroup::comparison},
    BinaryOperator{">", OperatorGroup::comparison},  BinaryOperator{">=", OperatorGroup::comparison},
    BinaryOperator{"|", OperatorGroup::bit},         BinaryOperator{"^", OperatorGroup::bit},
    BinaryOperator{"&", OperatorGroup::bit},         BinaryOperator{"<<", OperatorGroup::shift},
    BinaryOperator{">>", OperatorGroup::shift},      BinaryOperator{"+", OperatorGroup::sum},
    BinaryOperator{"-", OperatorGroup::sum},         BinaryOperator{"*", OperatorGroup::product},
    BinaryOperator{"/", OperatorGroup::product},     BinaryOperator{"%", OperatorGroup::product},
};

}  // namespace

const BinaryOperator* find_binary_operator(std::string_view name) {
  for (const BinaryOperator& candidate : kBinaryOperators) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

bool may_mix(const BinaryOperator& outer, const BinaryOperator& inner, bool is_left) {
  switch (outer.group) {
    case OperatorGroup::logical_or:
    case OperatorGroup::logical_and:
      if (inner.group == outer.group) return is_left;
      return inner.group >= OperatorGroup::comparison && inner.group != OperatorGroup::bit;
    case OperatorGroup::comparison:
      return inner.group >= OperatorGroup::shift;
    case OperatorGroup::bit:
      return is_left && inner.name == outer.name;
    case OperatorGroup::shift:
      return false;
    case OperatorGroup::sum:
    case OperatorGroup::product:
      return true;
  }
  return true;
}

}  // namespace millrace::expression
