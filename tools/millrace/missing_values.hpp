// What --nulls does to the rows that a formula reads, before it reads them.
#pragma once

#include "tools/millrace/batch_source.hpp"

namespace millrace::tool {

// drop: takes rows out of all columns. replace: puts the value in. error: DataError `missing_value` with the first row's
// place. propagate and nan: nothing; results are marked by validity. UsageError for a replacement that a column does not
// hold.
void treat_missing_values(SourceBatch& batch, const TableOptions& options, const data::Origin& origin);

// Rows that have a value in `kept` stay, in order.
void keep_rows(SourceBatch& batch, const data::Validity& kept);
[[nodiscard]] std::shared_ptr<arrow::RecordBatch> keep_rows(const std::shared_ptr<arrow::RecordBatch>& rows,
                                                            const data::Validity& kept);
// Of rows of `lane_count` lanes.
template <class Lane>
void keep_rows(std::vector<Lane>& lanes, std::size_t lane_count, const data::Validity& kept) {
  std::size_t to = 0;
  for (std::size_t row = 0; row < kept.row_count(); ++row) {
    if (!kept.has_value(row)) continue;
    for (std::size_t lane = 0; lane < lane_count; ++lane) lanes[to++] = lanes[row * lane_count + lane];
  }
  lanes.resize(to);
}

}  // namespace millrace::tool
