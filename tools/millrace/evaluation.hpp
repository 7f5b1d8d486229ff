// The formulas of a command line or a document as one compiled graph, which serves batches of any size.
//
// A column of booleans is bound as uint32 and becomes bool inside the graph. `row` is a column like others, `rows` a
// scalar, so that batches see the whole table's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>
#include <millrace/device.hpp>
#include <millrace/graph.hpp>
#include <millrace/results.hpp>

#include "src/data/number_column.hpp"
#include "tools/millrace/batch_source.hpp"
#include "tools/millrace/formulas.hpp"
#include "tools/millrace/table_options.hpp"

namespace millrace::tool {

// A result without rows: one value for the whole table.
struct ScalarResult {
  std::string name;
  std::shared_ptr<arrow::Array> value;  // of one row
};

// Rows as they go on: results, and the columns that are kept.
struct ResultBatch {
  std::shared_ptr<arrow::RecordBatch> rows;
  std::vector<int> results;  // which of its columns were computed
};

class Evaluation {
 public:
  // Compiles the formulas for columns of these types, one for each of formulas.columns. UsageError for a result in a
  // packed format, and for a `where` that is no condition; ExpressionError, GraphError, DeviceError.
  Evaluation(Device& device, const ResolvedFormulas& formulas, const std::vector<data::NumberType>& types,
             const TableOptions& options);

  // BindingError, DeviceError. table_row_count: what `rows` is; 0 where nothing reads it.
  [[nodiscard]] Results run(Device& device, const SourceBatch& batch, std::uint64_t table_row_count) const;

  // The results that have rows, missing where a column that they depend on is, and the kept columns; without the rows
  // that `where` leaves out. UsageError where NaN is wanted for missing integers; DeviceError.
  [[nodiscard]] ResultBatch read_rows(const Results& results, const SourceBatch& batch) const;
  // The results that have none.
  [[nodiscard]] std::vector<ScalarResult> read_scalars(const Results& results) const;

 private:
  [[nodiscard]] data::NumberType type_of(const std::string& result) const;
  void check_results() const;
  [[nodiscard]] std::shared_ptr<arrow::Array> read_column(const Results& results, const ResolvedFormula& formula,
                                                          const SourceBatch& batch, const data::Validity& kept) const;
  template <class Lane>
  [[nodiscard]] std::shared_ptr<arrow::Array> read_lanes(const VectorView& rows, const std::string& name,
                                                         data::NumberType type, const data::Validity& has_value,
                                                         const data::Validity& kept) const;
  [[nodiscard]] data::Validity rows_to_keep(const Results& results, const SourceBatch& batch) const;

  const ResolvedFormulas& formulas_;
  const TableOptions& options_;
  std::vector<std::string> column_inputs_;  // what the graph calls each column
  std::vector<std::string> scalar_inputs_;  // and each scalar
  CompiledGraph graph_;
};

// What becomes of formulas whose columns all have a type that is wanted; results may be packed. ExpressionError, GraphError,
// DeviceError.
[[nodiscard]] CompileReport report_formulas(Device& device, const ResolvedFormulas& formulas,
                                            IntegerDivision integer_division);

}  // namespace millrace::tool
