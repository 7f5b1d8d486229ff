// Tables as CSV. Floats are written with the fewest digits that read back as the same value.
#pragma once

#include <memory>
#include <string>

#include <arrow/io/type_fwd.h>

#include "src/data/table_writer.hpp"

namespace millrace::data {

// As create_table.
[[nodiscard]] std::unique_ptr<TableWriter> create_csv(std::shared_ptr<arrow::io::OutputStream> stream,
                                                      const std::string& path, char delimiter = ',');

}  // namespace millrace::data
