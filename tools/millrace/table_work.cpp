// Three stages, each on a thread: the calling one computes. A stage that fails closes the queue behind it with its failure
// and gives up the one before it, so that all end; the failure is thrown on the calling thread.
#include "tools/millrace/table_work.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <millrace/device.hpp>

#include "src/data/file_pattern.hpp"
#include "src/data/many_tables.hpp"
#include "tools/millrace/batch_source.hpp"
#include "tools/millrace/bounded_queue.hpp"
#include "tools/millrace/evaluation.hpp"
#include "tools/millrace/progress_bar.hpp"
#include "tools/millrace/result_table.hpp"
#include "tools/millrace/usage_error.hpp"
#include "tools/millrace/work_summary.hpp"

namespace millrace::tool {

namespace {

using Clock = std::chrono::steady_clock;

// One batch waits while the next is read, so that no stage idles for want of a neighbour that is a little late.
constexpr std::size_t kWaitingBatches = 1;

// Batches read ahead on a thread of their own.
class ReadAhead {
 public:
  explicit ReadAhead(BatchSource& source) : queue_(kWaitingBatches), thread_([this, &source] { read(source); }) {}
  ~ReadAhead() {
    queue_.abandon();
    thread_.join();
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  [[nodiscard]] std::optional<SourceBatch> next() { return queue_.pop(); }

 private:
  void read(BatchSource& source) noexcept {
    try {
      while (std::optional<SourceBatch> batch = source.next()) {
        if (!queue_.push(std::move(*batch))) return;
      }
      queue_.close();
    } catch (...) {
      queue_.close(std::current_exception());
    }
  }

  BoundedQueue<SourceBatch> queue_;
  std::thread thread_;
};

// Results written behind on a thread of their own.
class WriteBehind {
 public:
  explicit WriteBehind(ResultTable& table) : queue_(kWaitingBatches), thread_([this, &table] { write(table); }) {}
  ~WriteBehind() {
    if (thread_.joinable()) {
      queue_.close();
      thread_.join();
    }
  }
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  void add(ResultBatch batch) {
    if (!queue_.push(std::move(batch))) finish();
  }
  // All that was added is written, or the failure is thrown.
  void finish() {
    queue_.close();
    if (thread_.joinable()) thread_.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void write(ResultTable& table) noexcept {
    try {
      while (const std::optional<ResultBatch> batch = queue_.pop()) table.add(*batch);
    } catch (...) {
      failure_ = std::current_exception();
      queue_.abandon();
    }
  }

  BoundedQueue<ResultBatch> queue_;
  std::exception_ptr failure_;  // read after the thread has ended
  std::thread thread_;
};

// Patterns among the inputs give way to the files that match.
TableOptions with_files(TableOptions options) {
  std::vector<std::string> files;
  for (const std::string& input : options.inputs) {
    for (std::string& file : data::expand_pattern(input)) files.push_back(std::move(file));
  }
  options.inputs = std::move(files);
  return options;
}

void check_output(const TableOptions& options) {
  if (!options.output) return;
  static_cast<void>(output_format(options));  // before any work
  for (const std::string& input : options.inputs) {
    std::error_code ignored;  // of a file that is not there yet
    if (!std::filesystem::equivalent(input, *options.output, ignored)) continue;
    throw UsageError(fmt::format("The output \"{output}\" is the input itself; give it another name.",
                                 fmt::arg("output", *options.output)));
  }
}

bool makes_rows(const ResolvedFormulas& formulas, const TableOptions& options) {
  if (options.keeps_columns || !options.kept_columns.empty() || formulas.where) return true;
  return std::any_of(formulas.outputs.begin(), formulas.outputs.end(),
                     [&](std::size_t output) { return formulas.formulas[output].has_rows; });
}

std::vector<data::NumberType> column_types(const SourceBatch& batch) {
  std::vector<data::NumberType> types;
  for (const data::NumberColumn& column : batch.columns) types.push_back(column.type);
  return types;
}

// Hands out batches again that had to be read to learn how many rows there are.
class Rows {
 public:
  Rows(BatchSource& source, bool needs_row_count) : ahead_(source) {
    std::optional<SourceBatch> first = ahead_.next();
    row_count_ = source.table_row_count().value_or(0);
    const bool must_count = needs_row_count && !source.table_row_count();
    while (first) {
      read_.push_back(std::move(*first));
      if (!must_count) return;
      row_count_ = read_.back().rows_read;
      first = ahead_.next();
    }
  }

  [[nodiscard]] const SourceBatch& first() const { return read_.front(); }
  [[nodiscard]] std::uint64_t table_row_count() const { return row_count_; }
  [[nodiscard]] std::optional<SourceBatch> next() {
    if (read_.empty()) return ahead_.next();
    std::optional<SourceBatch> batch(std::move(read_.front()));
    read_.pop_front();
    return batch;
  }

 private:
  ReadAhead ahead_;
  std::deque<SourceBatch> read_;
  std::uint64_t row_count_ = 0;
};

WorkOutcome compute_rows(const TableOptions& options, const ResolvedFormulas& formulas, BatchSource& source,
                         ResultTable& table) {
  WorkOutcome outcome;
  Rows rows(source, formulas.reads_rows);
  Device device = Device::open({.adapter_name_contains = options.device_name});
  outcome.device_name = device.adapter().name;
  const Evaluation evaluation(device, formulas, column_types(rows.first()), options);
  WriteBehind writer(table);
  ProgressBar progress(!options.quiet);
  while (const std::optional<SourceBatch> batch = rows.next()) {
    const Results results = evaluation.run(device, *batch, rows.table_row_count());
    if (outcome.rows_read == 0) outcome.scalars = evaluation.read_scalars(results);
    writer.add(evaluation.read_rows(results, *batch));
    outcome.rows_read = batch->rows_read;
    progress.show(outcome.rows_read, batch->fraction_read);
  }
  writer.finish();
  return outcome;
}

// Formulas of nothing but numbers: no rows are read.
WorkOutcome compute_scalars(const TableOptions& options, const ResolvedFormulas& formulas) {
  WorkOutcome outcome;
  Device device = Device::open({.adapter_name_contains = options.device_name});
  outcome.device_name = device.adapter().name;
  const Evaluation evaluation(device, formulas, {}, options);
  outcome.scalars = evaluation.read_scalars(evaluation.run(device, {}, 0));
  return outcome;
}

void check_has_rows(const TableOptions& options) {
  if (!options.output) return;
  throw UsageError(
      fmt::format("No formula reads a column, so there are no rows for \"{output}\"; leave --output out "
                  "to see the values.",
                  fmt::arg("output", *options.output)));
}

}  // namespace

void work_through_tables(const TableOptions& given, const Declarations& declarations) {
  const Clock::time_point begin = Clock::now();
  const TableOptions options = with_files(given);
  check_output(options);
  std::unique_ptr<data::TableReader> reader = data::open_tables(options.inputs, options.read);
  const ResolvedFormulas formulas = resolve_formulas(declarations, reader->column_names(), table_name(options));
  const bool has_rows = makes_rows(formulas, options) || formulas.reads_rows;
  if (!makes_rows(formulas, options)) check_has_rows(options);
  WorkOutcome outcome;
  BatchSource source(std::move(reader), formulas, options);
  if (!options.quiet) print_notes(formulas.notes);
  ResultTable table(options);
  outcome = has_rows ? compute_rows(options, formulas, source, table) : compute_scalars(options, formulas);
  table.finish();
  outcome.rows_written = table.row_count();
  outcome.duration = Clock::now() - begin;
  print_work(options, table, outcome);
}

}  // namespace millrace::tool
