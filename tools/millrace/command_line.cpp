// CLI11 splits the arguments; its messages are replaced where ours can say more.
#include "tools/millrace/command_line.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/millrace/devices_command.hpp"
#include "tools/millrace/eval_command.hpp"
#include "tools/millrace/failure.hpp"
#include "tools/millrace/self_description.hpp"
#include "tools/millrace/table_arguments.hpp"
#include "tools/millrace/unread_input.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

constexpr const char* kEvalExample =
    "Example:\n"
    "  millrace eval 'speed = f32(distance) / air_time * 60' --input flights.csv --output speed.csv\n";
constexpr const char* kDevicesExample =
    "Example:\n"
    "  millrace devices\n";

// As typed; options that have a value of their own type are read by check_eval.
struct CommandLine {
  CLI::App app{"Computes formulas over columns of files on a GPU.", "millrace"};
  CLI::App* eval = nullptr;
  CLI::App* devices = nullptr;
  EvalOptions options;
  TableArguments table;
};

void describe_eval(CommandLine& line) {
  line.eval = line.app.add_subcommand("eval", "Computes formulas for each row of tables in files");
  CLI::App& eval = *line.eval;
  EvalOptions& options = line.options;
  eval.footer(kEvalExample);
  eval.add_option("FORMULA", options.formulas,
                  "\"name = expression\" over the file's columns and the other formulas' results")
      ->type_name("");
  eval.add_option("--where", options.where, "Rows to keep: an expression that is true for them")
      ->type_name("EXPRESSION");
  eval.add_option("--bind", options.bind, "A name of formulas for a column: name=column")
      ->type_name("NAME=COLUMN")
      ->allow_extra_args(false);
  describe_table_options(eval, line.table);
}

void describe(CommandLine& line) {
  line.app.set_version_flag("--version", "millrace " MILLRACE_VERSION);
  line.app.require_subcommand(1);
  line.app.footer(kEvalExample);
  describe_eval(line);
  line.devices = line.app.add_subcommand("devices", "Lists the devices that formulas can run on");
  line.devices->footer(kDevicesExample);
  describe_manual(line.app);
  describe_completion(line.app);
}

void check_eval(CommandLine& line) {
  EvalOptions& options = line.options;
  if (options.formulas.empty()) {
    throw UsageError("eval needs a formula, such as 'speed = f32(distance) / air_time * 60'.");
  }
  options.table = read_table_arguments(*line.eval, line.table);
  options.select = line.table.select;
  options.set = line.table.set;
}

// The message for an error of CLI11's.
std::string describe_fault(const CommandLine& line, const CLI::ParseError& error) {
  const std::vector<CLI::App*> typed = line.app.get_subcommands();
  const std::string command = typed.empty() ? "millrace" : "millrace " + typed.front()->get_name();
  const std::string hint = fmt::format("`{} --help` says what there is.", command);
  const std::vector<std::string> unknown = line.app.remaining(true);
  if (!unknown.empty()) {
    return fmt::format("`{command}` knows no \"{argument}\"; {hint}", fmt::arg("command", command),
                       fmt::arg("argument", unknown.front()), fmt::arg("hint", hint));
  }
  if (typed.empty()) return "There is no command to run; " + hint;
  return fmt::format("{}; {}", error.what(), hint);
}

// False where the text that was asked for is all there is to do.
bool parse(CommandLine& line, int argument_count, const char* const* arguments) {
  try {
    line.app.parse(argument_count, arguments);
    return true;
  } catch (const CLI::Success& wanted) {  // --help, --version
    std::ostringstream text;
    line.app.exit(wanted, text);
    fmt::print("{}", text.str());
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(describe_fault(line, error));
  }
}

void run(CommandLine& line) {
  if (line.app.got_subcommand(line.devices)) {
    devices();
  } else if (line.app.got_subcommand(line.eval)) {
    check_eval(line);
    eval(line.options);
    note_unread_input(line.options.table);
  }
}

}  // namespace

int run_command_line(int argument_count, const char* const* arguments) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows past the user's limit is then a failed write, which is reported
  try {
    CommandLine line;
    describe(line);
    if (parse(line, argument_count, arguments)) run(line);
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
    return done;
  } catch (...) {
    return report_failure();
  }
}

}  // namespace millrace::tool
