// Arrow IPC as tables: files (also Feather, version 2) and streams.
#pragma once

#include <memory>

#include "src/data/input_file.hpp"
#include "src/data/table_reader.hpp"

namespace millrace::data {

[[nodiscard]] std::unique_ptr<TableReader> open_arrow_file(const InputFile& file);
// How many rows there are is known only at the end.
[[nodiscard]] std::unique_ptr<TableReader> open_arrow_stream(const InputFile& file);

}  // namespace millrace::data
