// Given names have to fit the file: a name too few would move all that follow.
#include "src/data/column_names.hpp"

#include <fmt/format.h>

#include "src/base/counted.hpp"
#include "src/data/data_error.hpp"

namespace millrace::data {

std::vector<std::string> names_for(const std::vector<std::string>& given, std::size_t column_count,
                                   const std::string& file) {
  if (given.empty()) {
    std::vector<std::string> names;
    for (std::size_t column = 0; column < column_count; ++column) names.push_back(fmt::format("c{}", column));
    return names;
  }
  if (given.size() == column_count) return given;
  throw DataError(
      DataErrorCode::no_columns,
      fmt::format("{file}: The file has {columns}, but the number of names given is {names}.", fmt::arg("file", file),
                  fmt::arg("columns", counted(column_count, "column")), fmt::arg("names", given.size())));
}

}  // namespace millrace::data
