// Text for people, JSON for programs; both from the same numbers.
#include "tools/millrace/work_summary.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <optional>

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/data/value_text.hpp"

namespace millrace::tool {

namespace {

using Json = nlohmann::ordered_json;

// How many characters a line of the terminal holds; nothing where there is none.
std::optional<std::size_t> terminal_width() {
  winsize size = {};
  if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return size.ws_col;
}

// Lanes of several are written as in a formula: vec3(1, 2, 3).
std::vector<std::pair<std::string, std::shared_ptr<arrow::Array>>> flat_scalars(
    const std::vector<ScalarResult>& scalars) {
  std::vector<std::pair<std::string, std::shared_ptr<arrow::Array>>> flat;
  for (const ScalarResult& scalar : scalars) {
    const auto row =
        arrow::RecordBatch::Make(arrow::schema({arrow::field(scalar.name, scalar.value->type())}), 1, {scalar.value});
    for (data::FlatColumn& column : data::flat_columns(*row)) {
      flat.emplace_back(std::move(column.name), std::move(column.values));
    }
  }
  return flat;
}

std::string value_text(const std::string& name, const std::shared_ptr<arrow::Array>& value) {
  std::string text;
  data::ValueText(value, name, "the scalars").append(text, 0);
  return text;
}

Json value_json(const std::string& name, const std::shared_ptr<arrow::Array>& value) {
  switch (value->type_id()) {
    case arrow::Type::FLOAT:
      return json_number(static_cast<const arrow::FloatArray&>(*value).Value(0));
    case arrow::Type::BOOL:
      return static_cast<const arrow::BooleanArray&>(*value).Value(0);
    default:
      return Json::parse(value_text(name, value));
  }
}

std::string scalar_lines(const WorkOutcome& outcome) {
  std::string text;
  for (const auto& [name, value] : flat_scalars(outcome.scalars)) {
    text += fmt::format("{} = {}\n", name, value_text(name, value));
  }
  return text;
}

std::string work_line(const WorkOutcome& outcome) {
  const auto rows = [](std::uint64_t count) { return count == 1 ? "1 row" : fmt::format("{} rows", count); };
  return fmt::format(
      "{rows}{kept} in {seconds:.2f} s ({rate:.0f} rows per second) on {device}\n",
      fmt::arg("rows", rows(outcome.rows_read)),
      fmt::arg("kept", outcome.rows_written == outcome.rows_read ? std::string()
                                                                 : fmt::format(", {} kept,", outcome.rows_written)),
      fmt::arg("seconds", outcome.duration.count()),
      fmt::arg("rate", static_cast<double>(outcome.rows_read) / outcome.duration.count()),
      fmt::arg("device", outcome.device_name));
}

std::string json_summary(const TableOptions& options, const ResultTable& table, const WorkOutcome& outcome) {
  Json columns = Json::array();
  for (const ColumnSummary& summary : table.summaries()) columns.push_back(summary.json());
  Json scalars = Json::object();
  for (const auto& [name, value] : flat_scalars(outcome.scalars)) scalars[name] = value_json(name, value);
  const Json summary = {{"inputs", options.inputs},
                        {"output", options.output ? Json(*options.output) : Json(nullptr)},
                        {"rows_read", outcome.rows_read},
                        {"rows_written", outcome.rows_written},
                        {"columns", std::move(columns)},
                        {"scalars", std::move(scalars)},
                        {"seconds", outcome.duration.count()},
                        {"device", outcome.device_name}};
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print(stderr, "millrace: note: {}\n", note);
}

void print_work(const TableOptions& options, const ResultTable& table, const WorkOutcome& outcome) {
  std::FILE* const stream = options.output && *options.output == "-" ? stderr : stdout;
  if (options.json) {
    fmt::print(stream, "{}", json_summary(options, table, outcome));
    return;
  }
  const std::string results =
      table.preview(terminal_width()) + (options.quiet && !options.output ? scalar_lines(outcome) : "");
  fmt::print(stream, "{}", results);
  if (options.quiet) return;
  const std::string columns = table.summaries().empty() ? std::string() : format_summaries(table.summaries());
  fmt::print(stream, "{}{}\n{}", results.empty() ? "" : "\n", columns + scalar_lines(outcome), work_line(outcome));
}

}  // namespace millrace::tool
