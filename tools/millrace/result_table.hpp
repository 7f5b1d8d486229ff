// Where the rows of results go: to a file or, without one, the first of them to standard output; and their summary.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/data/pending_file.hpp"
#include "src/data/table_writer.hpp"
#include "tools/millrace/column_summary.hpp"
#include "tools/millrace/eval_command.hpp"
#include "tools/millrace/removal_on_signal.hpp"

namespace millrace::tool {

class ResultTable {
 public:
  // Creates the output file under a temporary name. DataError.
  ResultTable(const std::optional<std::string>& output, Nulls nulls);

  // The next rows: the same columns each time. DataError; UsageError where NaN is wanted for missing integers.
  void add(std::vector<data::Column> columns);
  // The file is whole, and gets its name. DataError.
  void finish();

  // The first rows as text; empty where they went to a file, or where there are none.
  [[nodiscard]] std::string preview() const;
  [[nodiscard]] const std::vector<ColumnSummary>& summaries() const { return summaries_; }

 private:
  struct Output {
    explicit Output(const std::string& path);
    std::string path;
    data::TableFormat format;
    data::PendingFile file;
    RemovalOnSignal removal;
    std::unique_ptr<data::TableWriter> writer;
  };

  void gather_preview(const std::vector<data::Column>& columns);

  std::optional<Output> output_;
  Nulls nulls_;
  std::vector<ColumnSummary> summaries_;
  std::vector<std::vector<std::string>> preview_;
};

}  // namespace millrace::tool
