// Tables for tests, written as JSON.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <arrow/json/from_string.h>
#include <gtest/gtest.h>

#include "src/data/table_reader.hpp"

namespace millrace::data {

// `[1, null, 3]` as rows of that type.
inline std::shared_ptr<arrow::Array> rows_of(const std::shared_ptr<arrow::DataType>& type, const std::string& json) {
  return arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
}

using NamedRows = std::vector<std::pair<std::string, std::shared_ptr<arrow::Array>>>;

inline std::shared_ptr<arrow::RecordBatch> table_of(const NamedRows& columns) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const auto& [name, rows] : columns) {
    fields.push_back(arrow::field(name, rows->type()));
    arrays.push_back(rows);
  }
  return arrow::RecordBatch::Make(arrow::schema(fields), arrays.front()->length(), arrays);
}

inline void expect_rows(const arrow::Array& rows, const std::shared_ptr<arrow::DataType>& type,
                        const std::string& json) {
  const std::shared_ptr<arrow::Array> expected = rows_of(type, json);
  EXPECT_TRUE(rows.type()->Equals(*type)) << rows.type()->ToString() << " in place of " << type->ToString();
  EXPECT_TRUE(rows.Equals(*expected, arrow::EqualOptions::Defaults().nans_equal(true))) << rows.ToString();
}

inline std::vector<SelectedColumn> all_columns(const TableReader& reader, ColumnUse use = ColumnUse::formula) {
  std::vector<SelectedColumn> columns;
  for (std::size_t column = 0; column < reader.column_names().size(); ++column) {
    columns.push_back({.column = column, .use = use});
  }
  return columns;
}

}  // namespace millrace::data
