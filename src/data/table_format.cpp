// One table says all: endings, names and first bytes.
#include "src/data/table_format.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "src/data/data_error.hpp"

namespace millrace::data {

namespace {

struct FormatEntry {
  std::string_view ending;
  std::string_view name;  // empty: another entry of the format has it
  TableFormat format;
  std::string_view beginning = {};
};

constexpr std::array kFormats = {
    FormatEntry{".csv", "csv", TableFormat::csv},
    FormatEntry{".tsv", "", TableFormat::csv},
    FormatEntry{".parquet", "parquet", TableFormat::parquet, "PAR1"},
    FormatEntry{".arrow", "arrow", TableFormat::arrow_file, "ARROW1"},
    FormatEntry{".feather", "", TableFormat::arrow_file},
    FormatEntry{".arrows", "arrows", TableFormat::arrow_stream, "\xff\xff\xff\xff"},
    FormatEntry{".npy", "npy", TableFormat::npy, "\x93NUMPY"},
};

std::string lower_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter; });
  return ending;
}

// "a, b and c".
std::string endings_as_sentence() {
  std::string text;
  for (std::size_t index = 0; index < kFormats.size(); ++index) {
    if (index != 0) text += index + 1 == kFormats.size() ? " and " : ", ";
    text += kFormats[index].ending;
  }
  return text;
}

}  // namespace

TableFormat table_format(const std::filesystem::path& path) {
  const std::string ending = lower_ending(path);
  for (const FormatEntry& entry : kFormats) {
    if (entry.ending == ending) return entry.format;
  }
  const std::string fault =
      ending.empty() ? fmt::format("The file name \"{name}\" has no ending that says what the file is",
                                   fmt::arg("name", path.string()))
                     : fmt::format("The file \"{name}\" ends in {ending}, which is no format of this tool",
                                   fmt::arg("name", path.string()), fmt::arg("ending", path.extension().string()));
  throw DataError(DataErrorCode::unknown_ending,
                  fmt::format("{fault}; the endings are {endings}.", fmt::arg("fault", fault),
                              fmt::arg("endings", endings_as_sentence())));
}

std::optional<TableFormat> format_named(std::string_view name) {
  for (const FormatEntry& entry : kFormats) {
    if (!entry.name.empty() && entry.name == name) return entry.format;
  }
  return std::nullopt;
}

TableFormat format_of_beginning(std::string_view bytes) {
  for (const FormatEntry& entry : kFormats) {
    if (!entry.beginning.empty() && bytes.starts_with(entry.beginning)) return entry.format;
  }
  return TableFormat::csv;
}

bool is_tab_separated(const std::filesystem::path& path) { return lower_ending(path) == ".tsv"; }

std::string format_words() {
  std::vector<std::string_view> names;
  for (const FormatEntry& entry : kFormats) {
    if (!entry.name.empty()) names.push_back(entry.name);
  }
  return fmt::format("{}", fmt::join(names, "|"));
}

std::string format_endings() {
  std::vector<std::string_view> endings;
  endings.reserve(kFormats.size());
  for (const FormatEntry& entry : kFormats) endings.push_back(entry.ending);
  return fmt::format("{}", fmt::join(endings, ", "));
}

}  // namespace millrace::data
