// The options that commands on tables share, as typed, and what they mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/millrace/table_options.hpp"

namespace CLI {
class App;
}

namespace millrace::tool {

struct TableArguments {
  std::vector<std::string> inputs;
  std::string output;
  std::string input_format;
  std::string output_format;
  std::string delimiter;
  std::string output_delimiter;
  bool no_header = false;
  std::vector<std::string> columns;
  bool keep = false;
  std::vector<std::string> keep_columns;
  std::string where;
  std::vector<std::string> select;
  std::vector<std::string> set;
  std::vector<std::string> bind;
  std::string nulls = "propagate";
  std::string integer_division = "refuse";
  std::int64_t batch_rows = TableOptions::kDefaultBatchRowCount;
  std::string device;
  bool quiet = false;
  bool json = false;
};

// Adds the options to a command.
void describe_table_options(CLI::App& command, TableArguments& arguments);

// The option --integer-division alone, and what it means. UsageError for a word that it does not have.
void describe_integer_division(CLI::App& command, std::string& word);
[[nodiscard]] IntegerDivision read_integer_division(const std::string& word);

// After parsing. UsageError for a word or a number that its option does not have.
[[nodiscard]] TableOptions read_table_arguments(const CLI::App& command, const TableArguments& arguments);

}  // namespace millrace::tool
