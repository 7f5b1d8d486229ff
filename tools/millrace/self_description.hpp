// Two commands by which the tool describes itself: `manual` prints the manual page, `completion SHELL` what makes a shell
// complete its words.
#pragma once

#include <CLI/CLI.hpp>

namespace millrace::tool {

// Each adds its command to `app`, which does its work as soon as the command line is split: when `app.parse` returns,
// it has printed to standard output. What it prints describes the whole of `app`, commands that are added later too.
// `app` must stay where it is. A shell that is not known is a UsageError out of `app.parse`.
void describe_manual(CLI::App& app);
void describe_completion(CLI::App& app);

}  // namespace millrace::tool
