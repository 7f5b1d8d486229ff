// The file formats there are, told apart by the ending of the file's name.
#pragma once

#include <cstdint>
#include <filesystem>

namespace millrace::data {

enum class TableFormat : std::uint8_t { csv, parquet };

// By the ending, in either case: ".csv", ".parquet". DataError `unknown_ending` lists those there are.
[[nodiscard]] TableFormat table_format(const std::filesystem::path& path);

}  // namespace millrace::data
