// CLI11 splits the arguments; its messages are replaced where ours can say more.
#include "tools/millrace/command_line.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/millrace/devices_command.hpp"
#include "tools/millrace/eval_command.hpp"
#include "tools/millrace/failure.hpp"
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
  std::string output;
  std::string nulls = "propagate";
  std::string integer_division = "refuse";
  std::int64_t batch_rows = EvalOptions::kDefaultBatchRowCount;
};

void describe_eval(CommandLine& line) {
  line.eval = line.app.add_subcommand("eval", "Computes formulas for each row of a CSV or Parquet file");
  CLI::App& eval = *line.eval;
  EvalOptions& options = line.options;
  eval.footer(kEvalExample);
  eval.add_option("FORMULA", options.formulas,
                  "\"name = expression\" over the file's columns and the other formulas' results")
      ->type_name("");
  eval.add_option("--input", options.input, "The file to read: .csv or .parquet")->type_name("FILE");
  eval.add_option("--output", line.output, "The file to write: .csv or .parquet. Without it the first rows are printed")
      ->type_name("FILE");
  eval.add_option("--nulls", line.nulls, "A result that needs a missing value is missing (the default), or is NaN")
      ->type_name("propagate|nan");
  eval.add_option("--integer-division", line.integer_division,
                  "integer / integer is an error (the default), or drops what is behind the point")
      ->type_name("refuse|truncate");
  eval.add_option("--batch-rows", line.batch_rows,
                  fmt::format("Rows to work on at a time ({} unless given)", EvalOptions::kDefaultBatchRowCount))
      ->type_name("N");
  eval.add_option("--device", options.device_name, "A part of the name of the device to use; see millrace devices")
      ->type_name("NAME");
  eval.add_flag("--quiet", options.quiet, "No summary, no notes, no progress bar");
}

void describe(CommandLine& line) {
  line.app.set_version_flag("--version", "millrace " MILLRACE_VERSION);
  line.app.require_subcommand(1);
  line.app.footer(kEvalExample);
  describe_eval(line);
  line.devices = line.app.add_subcommand("devices", "Lists the devices that formulas can run on");
  line.devices->footer(kDevicesExample);
}

// What the word of an option stands for.
template <class Value>
Value meaning(std::string_view option, const std::string& word,
              const std::array<std::pair<const char*, Value>, 2>& words) {
  for (const auto& [known, value] : words) {
    if (word == known) return value;
  }
  throw UsageError(fmt::format("{option} is \"{word}\"; it can be {first} or {second}.", fmt::arg("option", option),
                               fmt::arg("word", word), fmt::arg("first", words[0].first),
                               fmt::arg("second", words[1].first)));
}

std::size_t batch_row_count(std::int64_t given) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (given >= 1 && given <= kMost) return static_cast<std::size_t>(given);
  throw UsageError(fmt::format("--batch-rows is {given}; it can be 1 to {most}.", fmt::arg("given", given),
                               fmt::arg("most", kMost)));
}

void check_eval(CommandLine& line) {
  EvalOptions& options = line.options;
  if (options.formulas.empty()) {
    throw UsageError("eval needs a formula, such as 'speed = f32(distance) / air_time * 60'.");
  }
  if (options.input.empty()) {
    throw UsageError("eval needs a file to read: --input FILE. Standard input is not read.");
  }
  if (options.input == "-" || line.output == "-") {
    throw UsageError(
        "Standard input and output (\"-\") have no ending that says what they hold; give a file that ends "
        "in .csv or .parquet.");
  }
  if (line.eval->count("--output") != 0) options.output = line.output;
  options.nulls = meaning<Nulls>("--nulls", line.nulls, {{{"propagate", Nulls::propagate}, {"nan", Nulls::nan}}});
  options.integer_division =
      meaning<IntegerDivision>("--integer-division", line.integer_division,
                               {{{"refuse", IntegerDivision::refuse}, {"truncate", IntegerDivision::truncate}}});
  options.batch_row_count = batch_row_count(line.batch_rows);
}

// The message for an error of CLI11's.
std::string describe_fault(const CommandLine& line, const CLI::ParseError& error) {
  const std::vector<const CLI::App*> commands = {line.eval, line.devices};
  const auto typed = std::find_if(commands.begin(), commands.end(), [](const CLI::App* app) { return app->parsed(); });
  const std::string command = typed == commands.end() ? "millrace" : "millrace " + (*typed)->get_name();
  const std::string hint = fmt::format("`{} --help` says what there is.", command);
  const std::vector<std::string> unknown = line.app.remaining(true);
  if (!unknown.empty()) {
    return fmt::format("`{command}` knows no \"{argument}\"; {hint}", fmt::arg("command", command),
                       fmt::arg("argument", unknown.front()), fmt::arg("hint", hint));
  }
  if (typed == commands.end()) return "There is no command to run; " + hint;
  return fmt::format("{}; {}", error.what(), hint);
}

int run(CommandLine& line, int argument_count, const char* const* arguments) {
  try {
    line.app.parse(argument_count, arguments);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return line.app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    throw UsageError(describe_fault(line, error));
  }
  if (line.app.got_subcommand(line.devices)) {
    devices();
  } else {
    check_eval(line);
    eval(line.options);
    if (!line.options.quiet) note_unread_input();
  }
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
  return done;
}

}  // namespace

int run_command_line(int argument_count, const char* const* arguments) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows past the user's limit is then a failed write, which is reported
  try {
    CommandLine line;
    describe(line);
    return run(line, argument_count, arguments);
  } catch (...) {
    return report_failure();
  }
}

}  // namespace millrace::tool
