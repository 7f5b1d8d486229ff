// What was typed, as declarations.
#include "tools/millrace/eval_command.hpp"

#include "tools/millrace/formulas.hpp"
#include "tools/millrace/table_work.hpp"

namespace millrace::tool {

void eval(const EvalOptions& options) {
  Declarations declarations = {.formulas = parse_formulas(options.formulas)};
  if (!options.where.empty()) declarations.where = parse_where(options.where, declarations.formulas);
  for (const Assignment& binding : parse_assignments("--bind", options.bind)) {
    declarations.inputs.push_back({.name = binding.name, .column = binding.value});
  }
  for (const Assignment& setting : parse_assignments("--set", options.set)) {
    declarations.scalars.push_back(parse_scalar(setting));
  }
  declarations.select = options.select;
  work_through_tables(options.table, declarations);
}

}  // namespace millrace::tool
