// A graph as a YAML document: inputs, constants, operations and outputs.
//
//   inputs:
//     distance: float32                                # a column of the table
//     minutes: {vector: float32, column: air_time}     # a column with another name
//     scale: {scalar: float32, default: 1.5}           # a value, given by --set or by its default
//   constants: {g: 9.81, up: [0, 0, 1]}                # names for numbers
//   operations:
//     - speed = distance / minutes * scale
//   outputs: [speed]                                   # else what no other operation reads
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <millrace/error.hpp>

#include "tools/millrace/formulas.hpp"
#include "tools/millrace/scalar_input.hpp"

namespace millrace::tool {

struct DocumentColumn {
  std::string name;
  std::string column;  // of the table
  data::NumberType type;
};

struct DocumentScalar {
  std::string name;
  data::NumberType type;
  std::optional<ScalarInput> value;  // its default; a constant always has one
  bool is_constant = false;
};

struct DocumentOperation {
  Expression expression;
  std::string place;  // "file:line:column"
};

struct GraphDocument {
  std::string file;  // as the user called it
  std::vector<DocumentColumn> columns;
  std::vector<DocumentScalar> scalars;
  std::vector<DocumentOperation> operations;  // all that they read is declared
  std::vector<std::string> outputs;
};

// `text` is the document, `file` its name for messages. UsageError for all that is wrong with it, as
// "file:line:column: Sentence."
[[nodiscard]] GraphDocument parse_graph_document(const std::string& text, const std::string& file);
// DataError `unreadable_file`, `not_a_file`; UsageError as above, and for a document of more than 1 MiB.
[[nodiscard]] GraphDocument read_graph_document(const std::filesystem::path& path);

// What is to be computed. set, bind: the values of --set and --bind, for scalars and columns of the document. select:
// results in place of the document's outputs. UsageError for a name that the document does not have, for a value that its
// type does not hold, and for a scalar that has neither value nor default.
[[nodiscard]] Declarations declarations_of(const GraphDocument& document, const std::vector<Assignment>& set,
                                           const std::vector<Assignment>& bind, const std::vector<std::string>& select);

// The same for a graph that will not run: scalars need no values.
[[nodiscard]] Declarations declarations_without_values(const GraphDocument& document,
                                                       const std::vector<std::string>& select);

// While an ExpressionError is caught: throws it as UsageError with the place of the operation that it is about, or as it is
// where it is about none.
[[noreturn]] void rethrow_with_place(const GraphDocument& document, const ExpressionError& error);

}  // namespace millrace::tool
