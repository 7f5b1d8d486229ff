// Standard output has no ending.
#include "tools/millrace/table_options.hpp"

namespace millrace::tool {

data::TableFormat output_format(const TableOptions& options) {
  if (options.output_format) return *options.output_format;
  return *options.output == "-" ? data::TableFormat::csv : data::table_format(*options.output);
}

std::string table_name(const TableOptions& options) {
  return options.inputs.front() == "-" ? "standard input" : options.inputs.front();
}

}  // namespace millrace::tool
