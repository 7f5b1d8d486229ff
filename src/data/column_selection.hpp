// Selected columns of files that have types of their own: checked, read once each, and handed out in the order selected.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "src/data/table_reader.hpp"

namespace millrace::data {

class ColumnSelection {
 public:
  ColumnSelection() = default;
  // file: for messages. DataError `unsupported_column` for a column that its formula cannot read.
  ColumnSelection(std::vector<SelectedColumn> selected, const arrow::Schema& schema, const std::string& file);

  // Each once, ascending.
  [[nodiscard]] const std::vector<std::size_t>& columns_read() const { return columns_read_; }
  // From rows that have the columns of columns_read().
  [[nodiscard]] std::shared_ptr<arrow::RecordBatch> in_order_selected(const arrow::RecordBatch& read) const;

 private:
  std::vector<SelectedColumn> selected_;
  std::vector<std::size_t> columns_read_;
};

}  // namespace millrace::data
