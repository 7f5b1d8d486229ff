// A column selected twice is decoded once.
#include "src/data/column_selection.hpp"

#include <algorithm>
#include <utility>

#include <arrow/record_batch.h>
#include <arrow/type.h>

namespace millrace::data {

ColumnSelection::ColumnSelection(std::vector<SelectedColumn> selected, const arrow::Schema& schema,
                                 const std::string& file)
    : selected_(std::move(selected)) {
  for (const SelectedColumn& column : selected_) {
    columns_read_.push_back(column.column);
    if (column.use != ColumnUse::formula) continue;
    check_is_numbers(file, *schema.field(static_cast<int>(column.column)), column.wanted);
  }
  std::sort(columns_read_.begin(), columns_read_.end());
  columns_read_.erase(std::unique(columns_read_.begin(), columns_read_.end()), columns_read_.end());
}

std::shared_ptr<arrow::RecordBatch> ColumnSelection::in_order_selected(const arrow::RecordBatch& read) const {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const SelectedColumn& column : selected_) {
    const auto found = std::lower_bound(columns_read_.begin(), columns_read_.end(), column.column);
    const auto place = static_cast<int>(found - columns_read_.begin());
    fields.push_back(read.schema()->field(place));
    arrays.push_back(read.column(place));
  }
  return arrow::RecordBatch::Make(arrow::schema(std::move(fields)), read.num_rows(), std::move(arrays));
}

}  // namespace millrace::data
