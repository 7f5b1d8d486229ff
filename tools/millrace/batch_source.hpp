// The rows of a table as formulas take them: batches of number columns, missing values dealt with, beside the columns that
// go on unchanged.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "src/data/number_column.hpp"
#include "src/data/table_reader.hpp"
#include "tools/millrace/formulas.hpp"
#include "tools/millrace/table_options.hpp"

namespace millrace::tool {

struct SourceBatch {
  std::uint64_t rows_read = 0;                    // of the table, up to and with these
  std::optional<double> fraction_read = {};       // of the table, 0 to 1
  std::size_t row_count = 0;                      // of each column; fewer than were read where rows were dropped
  std::vector<data::NumberColumn> columns = {};   // for each of ResolvedFormulas::columns
  std::vector<std::uint32_t> row_numbers = {};    // where `row` is read: of the table, from 0
  std::shared_ptr<arrow::RecordBatch> kept = {};  // null where no column is kept
};

class BatchSource {
 public:
  // formulas, options: of the same lifetime at least. UsageError for a kept column that is not there; DataError as
  // TableReader::select.
  BatchSource(std::unique_ptr<data::TableReader> reader, const ResolvedFormulas& formulas, const TableOptions& options);

  // As TableReader::row_count.
  [[nodiscard]] std::optional<std::uint64_t> table_row_count() const { return reader_->row_count(); }

  // Nothing at the end. DataError; `missing_value` where missing values are errors.
  [[nodiscard]] std::optional<SourceBatch> next();

 private:
  [[nodiscard]] SourceBatch prepare(const data::Batch& batch) const;

  std::unique_ptr<data::TableReader> reader_;
  const ResolvedFormulas& formulas_;
  const TableOptions& options_;
};

}  // namespace millrace::tool
