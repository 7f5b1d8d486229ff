// The tool's manual page, written from the description of its command line, so that it cannot fall behind.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace millrace::tool {

// Section 1, in roff with the macros of man(7), ASCII. Footers are examples: lines that are indented by two blanks are
// printed as they stand, others are sentences, and a line "Example:" is dropped for the heading. An app's version flag is
// run and set back for its text.
[[nodiscard]] std::string manual_page(const CLI::App& app);

// `text` for a line of roff, where all of it is printed: backslashes, dashes, quotes, and what a line must not begin with.
[[nodiscard]] std::string escape_roff(const std::string& text);

}  // namespace millrace::tool
