// Tables as Parquet: float32 columns as FLOAT, sint32 as INT32, uint32 as INT32 with the logical type of unsigned 32-bit
// integers; missing values are nulls. Compressed with Snappy, which every reader knows.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "src/data/table_writer.hpp"

namespace millrace::data {

[[nodiscard]] std::unique_ptr<TableWriter> create_parquet(const std::filesystem::path& path,
                                                          const std::string& path_for_messages);

}  // namespace millrace::data
