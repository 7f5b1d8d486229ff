// The file formats there are, told apart by the ending of the file's name, by a name of their own, or by their first bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::data {

enum class TableFormat : std::uint8_t {
  csv,
  parquet,
  arrow_file,    // Arrow IPC file, also Feather of version 2
  arrow_stream,  // Arrow IPC stream
  npy,           // NumPy's array file
};

// By the ending, in either case, such as ".csv". DataError `unknown_ending` lists those there are.
[[nodiscard]] TableFormat table_format(const std::filesystem::path& path);

// By its name, such as "csv".
[[nodiscard]] std::optional<TableFormat> format_named(std::string_view name);

// By the bytes that a file begins with; csv where they are no other format's.
[[nodiscard]] TableFormat format_of_beginning(std::string_view bytes);

// Whether a file of that ending has tabs between its fields, where nothing else is said.
[[nodiscard]] bool is_tab_separated(const std::filesystem::path& path);

// All names, and all endings: "csv|parquet", ".csv, .parquet".
[[nodiscard]] std::string format_words();
[[nodiscard]] std::string format_endings();

}  // namespace millrace::data
