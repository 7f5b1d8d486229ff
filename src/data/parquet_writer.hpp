// Tables as Parquet, with the Arrow types written beside, so that lists of a fixed size come back as such. Compressed with
// Snappy, which every reader knows.
#pragma once

#include <memory>
#include <string>

#include <arrow/io/type_fwd.h>

#include "src/data/table_writer.hpp"

namespace millrace::data {

// As create_table.
[[nodiscard]] std::unique_ptr<TableWriter> create_parquet(std::shared_ptr<arrow::io::OutputStream> stream,
                                                          const std::string& path);

}  // namespace millrace::data
