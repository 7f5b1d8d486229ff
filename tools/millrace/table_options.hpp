// What the commands that work through tables have in common: files, missing values, rows, and what is said about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <millrace/graph.hpp>

#include "src/data/table_format.hpp"
#include "src/data/table_reader.hpp"

namespace millrace::tool {

// What becomes of rows where a column has no value.
enum class MissingValues : std::uint8_t {
  propagate,  // a result is missing where any column that it depends on is
  nan,        // it is NaN there; float32 results only
  drop,       // rows in which a column that a formula reads is missing are left out
  error,      // the first one ends the work
  replace,    // the column has another value there
};

struct TableOptions {
  std::vector<std::string> inputs;  // files, "-", and patterns
  data::ReadOptions read = {};
  std::optional<std::string> output = {};               // where there is none, the first rows go to standard output
  std::optional<data::TableFormat> output_format = {};  // else by the ending
  char output_delimiter = '\0';                         // of CSV; 0: a comma, or a tab in .tsv files
  bool keeps_columns = false;                           // the file's other columns go on into the output, too
  std::vector<std::string> kept_columns = {};           // or these
  MissingValues missing = MissingValues::propagate;
  double replacement = 0;  // of MissingValues::replace
  IntegerDivision integer_division = IntegerDivision::refuse;
  std::size_t batch_row_count = kDefaultBatchRowCount;
  std::string device_name = {};  // a part of it; empty: the best device
  bool quiet = false;            // no summary, no notes, no progress
  bool json = false;             // the summary as JSON

  static constexpr std::size_t kDefaultBatchRowCount = std::size_t{1} << 18;
};

// The output's format, by the options or by its ending; CSV to standard output. DataError `unknown_ending`.
[[nodiscard]] data::TableFormat output_format(const TableOptions& options);

// What messages call the table: its first file.
[[nodiscard]] std::string table_name(const TableOptions& options);

}  // namespace millrace::tool
