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
#include "tools/millrace/plan_command.hpp"
#include "tools/millrace/run_command.hpp"
#include "tools/millrace/self_description.hpp"
#include "tools/millrace/table_arguments.hpp"
#include "tools/millrace/unread_input.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

constexpr const char* kEvalExample =
    "Example:\n"
    "  millrace eval 'speed = f32(distance) / air_time * 60' --input flights.csv --output speed.csv\n";
constexpr const char* kRunExample =
    "Example, with a graph of two inputs and one operation in speed.yaml:\n"
    "  millrace run speed.yaml --input flights.parquet --bind minutes=air_time --output speed.parquet\n";
constexpr const char* kPlanExample =
    "Example:\n"
    "  millrace plan speed.yaml --dot - | dot -Tsvg > speed.svg\n";
constexpr const char* kDevicesExample =
    "Example:\n"
    "  millrace devices\n";

// As typed; options that have a value of their own type are read by read_table_arguments.
struct CommandLine {
  CLI::App app{"Computes formulas over columns of files on a GPU.", "millrace"};
  CLI::App* eval = nullptr;
  CLI::App* run = nullptr;
  CLI::App* plan = nullptr;
  CLI::App* devices = nullptr;
  std::vector<std::string> formulas;
  std::string document;
  TableArguments table;
  PlanOptions planning;
  std::string plan_division = "refuse";
};

void describe_eval(CommandLine& line) {
  line.eval = line.app.add_subcommand("eval", "Computes formulas for each row of tables in files");
  line.eval->footer(kEvalExample);
  line.eval
      ->add_option("FORMULA", line.formulas,
                   "\"name = expression\" over the file's columns and the other formulas' results")
      ->type_name("");
  describe_table_options(*line.eval, line.table);
}

void describe_run(CommandLine& line) {
  line.run = line.app.add_subcommand("run", "Computes a graph document for each row of tables in files");
  line.run->footer(kRunExample);
  line.run->add_option("GRAPH.yaml", line.document, "The graph: inputs, constants, operations and outputs")
      ->type_name("");
  describe_table_options(*line.run, line.table);
}

void describe_plan(CommandLine& line) {
  line.plan =
      line.app.add_subcommand("plan", "Shows what becomes of a graph document: types, kernels, what is dropped");
  line.plan->footer(kPlanExample);
  CLI::App& plan = *line.plan;
  plan.add_option("GRAPH.yaml", line.planning.document, "The graph: inputs, constants, operations and outputs")
      ->type_name("");
  plan.add_option("--select", line.planning.select, "The results to hand out; the document's outputs unless given")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
  plan.add_option("--dot", line.planning.dot, "A file for a drawing of the graph, for Graphviz; - is standard output")
      ->type_name("FILE");
  plan.add_flag("--json", line.planning.json, "The plan as JSON");
  describe_integer_division(plan, line.plan_division);
  plan.add_option("--device", line.planning.device_name, "A part of the name of the device to compile for")
      ->type_name("NAME");
}

void describe(CommandLine& line) {
  line.app.set_version_flag("--version", "millrace " MILLRACE_VERSION);
  line.app.require_subcommand(1);
  line.app.footer(kEvalExample);
  describe_eval(line);
  describe_run(line);
  describe_plan(line);
  line.devices = line.app.add_subcommand("devices", "Lists the devices that formulas can run on");
  line.devices->footer(kDevicesExample);
  describe_manual(line.app);
  describe_completion(line.app);
}

void run_eval(CommandLine& line) {
  if (line.formulas.empty()) {
    throw UsageError("eval needs a formula, such as 'speed = f32(distance) / air_time * 60'.");
  }
  const EvalOptions options = {.table = read_table_arguments(*line.eval, line.table),
                               .formulas = line.formulas,
                               .where = line.table.where,
                               .select = line.table.select,
                               .set = line.table.set,
                               .bind = line.table.bind};
  eval(options);
  note_unread_input(options.table);
}

void check_document(const std::string& command, const std::string& document) {
  if (!document.empty()) return;
  throw UsageError(fmt::format("{0} needs a graph document, as in `millrace {0} speed.yaml`.", command));
}

void run_run(CommandLine& line) {
  check_document("run", line.document);
  const RunOptions options = {.document = line.document,
                              .table = read_table_arguments(*line.run, line.table),
                              .where = line.table.where,
                              .select = line.table.select,
                              .set = line.table.set,
                              .bind = line.table.bind};
  run_graph(options);
  note_unread_input(options.table);
}

void run_plan(CommandLine& line) {
  check_document("plan", line.planning.document);
  line.planning.integer_division = read_integer_division(line.plan_division);
  plan(line.planning);
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
  if (line.app.got_subcommand(line.devices)) devices();
  if (line.app.got_subcommand(line.eval)) run_eval(line);
  if (line.app.got_subcommand(line.run)) run_run(line);
  if (line.app.got_subcommand(line.plan)) run_plan(line);
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
