// Parquet files as tables.
#pragma once

#include <filesystem>
#include <memory>

#include "src/data/table_reader.hpp"

namespace millrace::data {

[[nodiscard]] std::unique_ptr<TableReader> open_parquet(const std::filesystem::path& path);

}  // namespace millrace::data
