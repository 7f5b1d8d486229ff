// Where results go: into a file or standard output as a table, or their first rows onto the terminal; and what is said of
// them after.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/data/pending_file.hpp"
#include "src/data/table_writer.hpp"
#include "tools/millrace/column_summary.hpp"
#include "tools/millrace/evaluation.hpp"
#include "tools/millrace/removal_on_signal.hpp"
#include "tools/millrace/table_options.hpp"

namespace millrace::tool {

class ResultTable {
 public:
  // Creates the output file under a temporary name. DataError.
  explicit ResultTable(const TableOptions& options);

  // The next rows: the same columns each time. DataError.
  void add(const ResultBatch& batch);
  // The file is whole, and gets its name. DataError.
  void finish();

  // The first rows as text, fitted to a terminal of that many characters where one is given; empty where they went to a
  // file, or where there are none.
  [[nodiscard]] std::string preview(std::optional<std::size_t> width) const;
  [[nodiscard]] const std::vector<ColumnSummary>& summaries() const { return summaries_; }
  [[nodiscard]] std::uint64_t row_count() const { return row_count_; }

 private:
  struct File {
    explicit File(const std::string& path) : file(path), removal(file.temporary_path()) {}
    data::PendingFile file;
    RemovalOnSignal removal;
  };

  void summarize(const ResultBatch& batch);
  void gather_preview(const arrow::RecordBatch& rows);

  bool is_summarized_;  // somebody will see it
  std::string path_;
  std::unique_ptr<File> file_;  // null for standard output
  std::shared_ptr<arrow::io::OutputStream> stream_;
  std::unique_ptr<data::TableWriter> writer_;  // null where there is no output
  std::vector<ColumnSummary> summaries_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> preview_;
  std::uint64_t row_count_ = 0;
};

}  // namespace millrace::tool
