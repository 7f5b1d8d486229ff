// What a document declares, and what was typed to go with it.
#include "tools/millrace/run_command.hpp"

#include "tools/millrace/graph_document.hpp"
#include "tools/millrace/table_work.hpp"

namespace millrace::tool {

void run_graph(const RunOptions& options) {
  const GraphDocument document = read_graph_document(options.document);
  Declarations declarations = declarations_of(document, parse_assignments("--set", options.set),
                                              parse_assignments("--bind", options.bind), options.select);
  if (!options.where.empty()) declarations.where = parse_where(options.where, declarations.formulas);
  try {
    work_through_tables(options.table, declarations);
  } catch (const ExpressionError& error) {
    rethrow_with_place(document, error);
  }
}

}  // namespace millrace::tool
