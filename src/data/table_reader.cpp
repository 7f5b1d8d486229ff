// Opens the reader for a file's format.
#include "src/data/table_reader.hpp"

#include <arrow/record_batch.h>
#include <fmt/format.h>

#include "src/data/arrow_ipc_reader.hpp"
#include "src/data/csv_reader.hpp"
#include "src/data/data_error.hpp"
#include "src/data/input_file.hpp"
#include "src/data/npy_reader.hpp"
#include "src/data/parquet_reader.hpp"
#include "src/data/table_format.hpp"

namespace millrace::data {

namespace {

void check_is_file(const std::filesystem::path& path) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw DataError(DataErrorCode::unreadable_file,
                    fmt::format("There is no file \"{name}\".", fmt::arg("name", path.string())));
  }
  if (failure) {
    throw DataError(DataErrorCode::unreadable_file,
                    fmt::format("The file \"{name}\" cannot be read: {reason}.", fmt::arg("name", path.string()),
                                fmt::arg("reason", failure.message())));
  }
  if (status.type() == std::filesystem::file_type::directory) {
    throw DataError(DataErrorCode::not_a_file,
                    fmt::format("\"{name}\" is a folder; give a file.", fmt::arg("name", path.string())));
  }
}

void check_needs_names(TableFormat format, const InputFile& file, const ReadOptions& options) {
  const bool is_bare = format == TableFormat::npy || (format == TableFormat::csv && !options.has_header);
  if (options.column_names.empty() || is_bare) return;
  throw DataError(DataErrorCode::has_own_names,
                  fmt::format("{}: Names are given for the columns, but the file has names of its own{}.", file.name,
                              format == TableFormat::csv ? "; leave them out, or say that it has no header" : ""));
}

std::unique_ptr<TableReader> open_format(TableFormat format, const InputFile& file, const ReadOptions& options) {
  check_needs_names(format, file, options);
  switch (format) {
    case TableFormat::csv: {
      const char usual = is_tab_separated(file.path) ? '\t' : ',';
      return open_csv(file, {.delimiter = options.delimiter == '\0' ? usual : options.delimiter,
                             .has_header = options.has_header,
                             .column_names = options.column_names});
    }
    case TableFormat::arrow_file:
      return open_arrow_file(file);
    case TableFormat::arrow_stream:
      return open_arrow_stream(file);
    case TableFormat::npy:
      return open_npy(file, options.column_names);
    case TableFormat::parquet:
      break;
  }
  return open_parquet(file);
}

}  // namespace

std::size_t Batch::row_count() const { return static_cast<std::size_t>(rows->num_rows()); }

std::unique_ptr<TableReader> open_table(const std::filesystem::path& path, const ReadOptions& options) {
  if (path == "-") {
    const InputFile input = standard_input();
    const TableFormat format = options.format ? *options.format : format_of_beginning(input.beginning);
    if (format == TableFormat::csv) return open_format(format, input, options);
    const TemporaryCopy copy(input);
    return open_format(format, copy.file(), options);
  }
  check_is_file(path);
  return open_format(options.format ? *options.format : table_format(path), InputFile(path), options);
}

}  // namespace millrace::data
