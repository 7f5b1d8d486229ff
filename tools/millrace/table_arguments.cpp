// Words are checked here, so that the message lists those there are.
#include "tools/millrace/table_arguments.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "src/data/csv_field.hpp"
#include "tools/millrace/usage_error.hpp"

namespace millrace::tool {

namespace {

void describe_inputs(CLI::App& command, TableArguments& arguments) {
  command
      .add_option("--input", arguments.inputs,
                  "The file to read, by its ending: " + data::format_endings() +
                      ". - is standard input; given again, or as a pattern such as 'data/*.csv', the rows of one file "
                      "follow those of the other")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command.add_option("--input-format", arguments.input_format, "What the input is, where its name does not say it")
      ->type_name(data::format_words());
  command
      .add_option("--delimiter", arguments.delimiter, "What separates the fields of a CSV input: a character, or tab")
      ->type_name("CHARACTER");
  command.add_flag("--no-header", arguments.no_header, "A CSV input has no line of column names");
  command
      .add_option("--columns", arguments.columns,
                  "The names of columns that have none, in CSV without a header and .npy; c0, c1, ... unless given")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void describe_outputs(CLI::App& command, TableArguments& arguments) {
  command
      .add_option(
          "--output", arguments.output,
          "The file to write, by its ending as for --input; - is standard output. Without it the first rows are "
          "printed")
      ->type_name("FILE");
  command
      .add_option("--output-format", arguments.output_format,
                  "What to write, where the output's name does not say it; CSV to standard output unless given")
      ->type_name(data::format_words());
  command.add_option("--output-delimiter", arguments.output_delimiter, "What separates the fields of a CSV output")
      ->type_name("CHARACTER");
  command.add_option("--select", arguments.select, "The results to hand out; all unless given")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--keep", arguments.keep, "The input's columns stand in the output, too, before the results");
  command.add_option("--keep-columns", arguments.keep_columns, "As --keep, of these columns")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void describe_work(CLI::App& command, TableArguments& arguments) {
  command.add_option("--where", arguments.where, "Rows to keep: an expression that is true for them")
      ->type_name("EXPRESSION");
  command.add_option("--bind", arguments.bind, "A column for a name: name=column")
      ->type_name("NAME=COLUMN")
      ->allow_extra_args(false);
  command.add_option("--set", arguments.set, "A value for a name: name=value, or name=x,y,z")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      .add_option(
          "--nulls", arguments.nulls,
          "Where a column has no value: the result has none (propagate, the default) or is NaN (nan), the row is "
          "left out (drop), the work ends (error), or a number takes its place")
      ->type_name("propagate|nan|drop|error|NUMBER");
  describe_integer_division(command, arguments.integer_division);
  command
      .add_option("--batch-rows", arguments.batch_rows,
                  fmt::format("Rows to work on at a time ({} unless given)", TableOptions::kDefaultBatchRowCount))
      ->type_name("N");
  command.add_option("--device", arguments.device, "A part of the name of the device to use; see millrace devices")
      ->type_name("NAME");
  command.add_flag("--quiet", arguments.quiet, "No summary, no notes, no progress bar");
  command.add_flag("--json", arguments.json, "The summary as JSON, without the first rows");
}

[[noreturn]] void throw_word(std::string_view option, const std::string& word, const std::string& words) {
  throw UsageError(fmt::format("{option} is \"{word}\"; it can be {words}.", fmt::arg("option", option),
                               fmt::arg("word", word), fmt::arg("words", words)));
}

data::TableFormat read_format(std::string_view option, const std::string& word) {
  if (const std::optional<data::TableFormat> format = data::format_named(word)) return *format;
  std::string words = data::format_words();
  const std::size_t last = words.rfind('|');
  words.replace(last, 1, " or ");
  for (std::size_t bar = words.find('|'); bar != std::string::npos; bar = words.find('|')) words.replace(bar, 1, ", ");
  throw_word(option, word, words);
}

char read_delimiter(std::string_view option, const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  const bool is_one = text.size() == 1 && std::string_view("\"\n\r").find(text[0]) == std::string_view::npos;
  if (is_one && static_cast<unsigned char>(text[0]) < 0x80U) return text[0];
  throw_word(option, text, "one ASCII character other than a quote and a line end, or tab");
}

std::size_t read_batch_rows(std::int64_t given) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (given >= 1 && given <= kMost) return static_cast<std::size_t>(given);
  throw UsageError(fmt::format("--batch-rows is {given}; it can be 1 to {most}.", fmt::arg("given", given),
                               fmt::arg("most", kMost)));
}

void read_nulls(const std::string& word, TableOptions& options) {
  constexpr std::pair<std::string_view, MissingValues> kWords[] = {{"propagate", MissingValues::propagate},
                                                                   {"nan", MissingValues::nan},
                                                                   {"drop", MissingValues::drop},
                                                                   {"error", MissingValues::error}};
  for (const auto& [known, missing] : kWords) {
    if (word != known) continue;
    options.missing = missing;
    return;
  }
  float single = 0;
  if (!data::parse(word, single) || !data::parse(word, options.replacement)) {
    throw_word("--nulls", word, "propagate, nan, drop, error or a number that a float32 holds");
  }
  options.missing = MissingValues::replace;
}

void read_inputs(const CLI::App& command, const TableArguments& arguments, TableOptions& options) {
  if (arguments.inputs.empty()) {
    throw UsageError(
        fmt::format("{} needs a file to read: --input FILE, or --input - for standard input.", command.get_name()));
  }
  options.inputs = arguments.inputs;
  if (std::count(options.inputs.begin(), options.inputs.end(), "-") > 1) {
    throw UsageError("--input - stands twice; standard input can be read once.");
  }
  if (!arguments.input_format.empty()) options.read.format = read_format("--input-format", arguments.input_format);
  if (!arguments.delimiter.empty()) options.read.delimiter = read_delimiter("--delimiter", arguments.delimiter);
  options.read.has_header = !arguments.no_header;
  options.read.column_names = arguments.columns;
}

}  // namespace

void describe_table_options(CLI::App& command, TableArguments& arguments) {
  describe_inputs(command, arguments);
  describe_outputs(command, arguments);
  describe_work(command, arguments);
}

void describe_integer_division(CLI::App& command, std::string& word) {
  command
      .add_option("--integer-division", word,
                  "integer / integer is an error (the default), or drops what is behind the point")
      ->type_name("refuse|truncate");
}

IntegerDivision read_integer_division(const std::string& word) {
  if (word == "truncate") return IntegerDivision::truncate;
  if (word == "refuse") return IntegerDivision::refuse;
  throw_word("--integer-division", word, "refuse or truncate");
}

TableOptions read_table_arguments(const CLI::App& command, const TableArguments& arguments) {
  TableOptions options;
  read_inputs(command, arguments, options);
  if (command.count("--output") != 0) options.output = arguments.output;
  if (!arguments.output_format.empty()) options.output_format = read_format("--output-format", arguments.output_format);
  if (!arguments.output_delimiter.empty()) {
    options.output_delimiter = read_delimiter("--output-delimiter", arguments.output_delimiter);
  }
  options.keeps_columns = arguments.keep;
  options.kept_columns = arguments.keep_columns;
  read_nulls(arguments.nulls, options);
  options.integer_division = read_integer_division(arguments.integer_division);
  options.batch_row_count = read_batch_rows(arguments.batch_rows);
  options.device_name = arguments.device;
  options.quiet = arguments.quiet;
  options.json = arguments.json;
  return options;
}

}  // namespace millrace::tool
