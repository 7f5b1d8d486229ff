// Names of files with `*`, `?` and `[a-z]` in them, as in a shell.
#pragma once

#include <string>
#include <vector>

namespace millrace::data {

// The files that match, sorted by name; the text itself where it has no such character or a file has that very name.
// DataError `no_match` where there are none, `unreadable_file` where a folder cannot be listed.
[[nodiscard]] std::vector<std::string> expand_pattern(const std::string& pattern);

}  // namespace millrace::data
