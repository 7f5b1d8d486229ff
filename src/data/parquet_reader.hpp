// Parquet files as tables. Signed integers of any size become sint32, unsigned ones uint32, float and double float32,
// booleans boolean; a value that does not fit is an error with its row, counted from 1.
#pragma once

#include <filesystem>
#include <memory>

#include "src/data/table_reader.hpp"

namespace millrace::data {

[[nodiscard]] std::unique_ptr<TableReader> open_parquet(const std::filesystem::path& path);

}  // namespace millrace::data
