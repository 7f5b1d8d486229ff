// Endings of file names, and what they stand for.
#include "src/data/table_format.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "src/data/data_error.hpp"

namespace millrace::data {

TableFormat table_format(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter; });
  if (ending == ".csv") return TableFormat::csv;
  if (ending == ".parquet") return TableFormat::parquet;
  if (ending.empty()) {
    throw DataError(DataErrorCode::unknown_ending,
                    fmt::format("The file name \"{name}\" has no ending that says what the file is; the endings are "
                                ".csv and .parquet.",
                                fmt::arg("name", path.string())));
  }
  throw DataError(DataErrorCode::unknown_ending,
                  fmt::format("The file \"{name}\" ends in {ending}, which is no format of this tool; the endings are "
                              ".csv and .parquet.",
                              fmt::arg("name", path.string()), fmt::arg("ending", path.extension().string())));
}

std::optional<TableFormat> format_named(std::string_view name) {
  if (name == "csv") return TableFormat::csv;
  if (name == "parquet") return TableFormat::parquet;
  return std::nullopt;
}

std::string format_words() { return "csv|parquet"; }
std::string format_endings() { return ".csv, .parquet"; }

}  // namespace millrace::data
