// The command as its stages: parse, open, resolve, compile, run on batches, say what came out.
#include "tools/millrace/eval_command.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <millrace/device.hpp>

#include "src/data/csv_writer.hpp"
#include "src/data/table_reader.hpp"
#include "tools/millrace/device_rows.hpp"
#include "tools/millrace/evaluation.hpp"
#include "tools/millrace/formulas.hpp"
#include "tools/millrace/progress_bar.hpp"
#include "tools/millrace/result_table.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

using Clock = std::chrono::steady_clock;

struct Work {
  const EvalOptions& options;
  data::TableReader& reader;
  ResolvedFormulas formulas;
  ResultTable& table;
};

struct Outcome {
  std::vector<ScalarResult> scalars;
  std::uint64_t row_count = 0;
  std::string device_name;
};

void check_output(const EvalOptions& options) {
  if (!options.output) return;
  static_cast<void>(data::table_format(*options.output));  // before any work
  std::error_code ignored;                                 // of a file that is not there yet
  if (!std::filesystem::equivalent(options.input, *options.output, ignored)) return;
  throw UsageError(fmt::format("The output \"{output}\" is the input itself; give it another name.",
                               fmt::arg("output", *options.output)));
}

std::vector<data::ElementType> column_types(const data::Batch& batch) {
  std::vector<data::ElementType> types;
  for (const data::Column& column : batch.columns) types.push_back(column.type);
  return types;
}

std::vector<data::Validity> take_validity(data::Batch& batch) {
  std::vector<data::Validity> validity;
  for (data::Column& column : batch.columns) validity.push_back(std::move(column.validity));
  return validity;
}

// Each batch by itself, so that memory is that of one batch.
Outcome eval_row_by_row(Work& work, Device& device, const Evaluation& evaluation, std::optional<data::Batch> batch) {
  Outcome outcome;
  ProgressBar progress(!work.options.quiet);
  while (batch) {
    const std::vector<Vector> columns = upload(device, *batch);
    const Results results = evaluation.run(columns);
    work.table.add(evaluation.read_columns(results, {.first = 0, .count = batch->row_count}, take_validity(*batch)));
    if (outcome.row_count == 0) outcome.scalars = evaluation.read_scalars(results);
    outcome.row_count += batch->row_count;
    progress.show(outcome.row_count, work.reader.fraction_read());
    batch = work.reader.next_batch(work.options.batch_row_count);
  }
  return outcome;
}

// All rows on the device as one vector with a chunk for each batch: what `row` and `rows` mean needs them all.
Outcome eval_all_rows(Work& work, Device& device, const Evaluation& evaluation, std::optional<data::Batch> batch) {
  Outcome outcome;
  ProgressBar progress(!work.options.quiet);
  std::vector<Vector> columns;
  std::vector<std::vector<data::Validity>> validity;  // of each batch
  while (batch) {
    std::vector<Vector> chunks = upload(device, *batch);
    for (std::size_t index = 0; index < chunks.size(); ++index) {
      if (index == columns.size()) {
        columns.push_back(std::move(chunks[index]));
      } else {
        columns[index].append(std::move(chunks[index]));
      }
    }
    validity.push_back(take_validity(*batch));
    progress.show(batch->first_row + batch->row_count, work.reader.fraction_read());
    batch = work.reader.next_batch(work.options.batch_row_count);
  }
  const Results results = evaluation.run(columns);
  outcome.scalars = evaluation.read_scalars(results);
  for (const std::vector<data::Validity>& rows : validity) {
    const std::size_t row_count = rows.front().row_count();
    work.table.add(evaluation.read_columns(results, {.first = outcome.row_count, .count = row_count}, rows));
    outcome.row_count += row_count;
  }
  return outcome;
}

// Formulas of nothing but numbers: no rows are read.
Outcome eval_scalars(const Evaluation& evaluation) {
  Outcome outcome;
  outcome.scalars = evaluation.read_scalars(evaluation.run({}));
  return outcome;
}

Outcome run(Work& work) {
  const bool has_rows = !work.formulas.columns.empty();
  std::optional<data::Batch> first;
  if (has_rows) first = work.reader.next_batch(work.options.batch_row_count);
  const std::vector<data::ElementType> types = first ? column_types(*first) : std::vector<data::ElementType>();

  Device device = Device::open({.adapter_name_contains = work.options.device_name});
  const Evaluation evaluation(device, work.formulas, types, work.options.integer_division);
  Outcome outcome;
  if (!has_rows) {
    outcome = eval_scalars(evaluation);
  } else if (work.formulas.needs_all_rows) {
    outcome = eval_all_rows(work, device, evaluation, std::move(first));
  } else {
    outcome = eval_row_by_row(work, device, evaluation, std::move(first));
  }
  work.table.finish();
  outcome.device_name = device.adapter().name;
  return outcome;
}

void print_notes(const ResolvedFormulas& formulas) {
  for (const std::string& note : formulas.notes) fmt::print(stderr, "millrace: note: {}\n", note);
}

void print_summary(const Outcome& outcome, const ResultTable& table, std::chrono::duration<double> duration) {
  if (!table.summaries().empty()) fmt::print("{}", format_summaries(table.summaries()));
  for (const ScalarResult& scalar : outcome.scalars) {
    std::string value;
    data::append_value(value, scalar.value, 0);
    fmt::print("{} = {}\n", scalar.name, value);
  }
  fmt::print("\n{rows} in {seconds:.2f} s ({rate:.0f} rows per second) on {device}\n",
             fmt::arg("rows", outcome.row_count == 1 ? "1 row" : fmt::format("{} rows", outcome.row_count)),
             fmt::arg("seconds", duration.count()),
             fmt::arg("rate", static_cast<double>(outcome.row_count) / duration.count()),
             fmt::arg("device", outcome.device_name));
}

}  // namespace

void eval(const EvalOptions& options) {
  const Clock::time_point begin = Clock::now();
  const std::vector<Expression> expressions = parse_formulas(options.formulas);
  check_output(options);
  const std::unique_ptr<data::TableReader> reader = data::open_table(options.input);
  ResolvedFormulas formulas = resolve_formulas(expressions, reader->column_names(), options.input);
  if (options.output && formulas.columns.empty()) {
    throw UsageError(
        fmt::format("No formula reads a column, so there are no rows for \"{output}\"; leave --output out "
                    "to see the values.",
                    fmt::arg("output", *options.output)));
  }
  reader->select(formulas.columns);
  if (!options.quiet) print_notes(formulas);

  ResultTable table(options.output, options.nulls);
  Work work = {.options = options, .reader = *reader, .formulas = std::move(formulas), .table = table};
  const Outcome outcome = run(work);
  const std::string preview = table.preview();
  fmt::print("{}", preview);
  if (options.quiet) return;
  if (!preview.empty()) fmt::print("\n");
  print_summary(outcome, table, Clock::now() - begin);
}

}  // namespace millrace::tool
