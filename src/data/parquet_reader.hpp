// Parquet files as tables.
#pragma once

#include <memory>

#include "src/data/input_file.hpp"
#include "src/data/table_reader.hpp"

namespace millrace::data {

[[nodiscard]] std::unique_ptr<TableReader> open_parquet(const InputFile& file);

}  // namespace millrace::data
