// By the C library, whose rules are the shell's.
#include "src/data/file_pattern.hpp"

#include <glob.h>

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "src/data/data_error.hpp"

namespace millrace::data {

std::vector<std::string> expand_pattern(const std::string& pattern) {
  std::error_code ignored;  // of a name too long to be a file's
  if (pattern.find_first_of("*?[") == std::string::npos || std::filesystem::exists(pattern, ignored)) return {pattern};
  glob_t found = {};
  const int failure = ::glob(pattern.c_str(), GLOB_ERR, nullptr, &found);
  const std::unique_ptr<glob_t, decltype(&::globfree)> cleanup(&found, &::globfree);
  if (failure == GLOB_NOMATCH) {
    throw DataError(DataErrorCode::no_match, fmt::format("No file matches \"{}\".", pattern));
  }
  if (failure != 0) {
    throw DataError(DataErrorCode::unreadable_file, fmt::format("The folders of \"{}\" cannot be searched.", pattern));
  }
  return {found.gl_pathv, found.gl_pathv + found.gl_pathc};
}

}  // namespace millrace::data
