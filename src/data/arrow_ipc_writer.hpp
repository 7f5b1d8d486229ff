// Tables as Arrow IPC: files and streams, uncompressed, so that every reader takes them and can map them.
#pragma once

#include <memory>
#include <string>

#include <arrow/io/type_fwd.h>

#include "src/data/table_writer.hpp"

namespace millrace::data {

// As create_table. A file has one dictionary for each column, which grows where later rows have other values.
[[nodiscard]] std::unique_ptr<TableWriter> create_arrow_file(std::shared_ptr<arrow::io::OutputStream> stream,
                                                             const std::string& path);
[[nodiscard]] std::unique_ptr<TableWriter> create_arrow_stream(std::shared_ptr<arrow::io::OutputStream> stream,
                                                               const std::string& path);

}  // namespace millrace::data
