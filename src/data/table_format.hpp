// The file formats there are, told apart by the ending of the file's name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::data {

enum class TableFormat : std::uint8_t { csv, parquet };

// By the ending, in either case: ".csv", ".parquet". DataError `unknown_ending` lists those there are.
[[nodiscard]] TableFormat table_format(const std::filesystem::path& path);

// By its name: "csv", "parquet".
[[nodiscard]] std::optional<TableFormat> format_named(std::string_view name);
// All names, and all endings: "csv|parquet", ".csv, .parquet".
[[nodiscard]] std::string format_words();
[[nodiscard]] std::string format_endings();

}  // namespace millrace::data
