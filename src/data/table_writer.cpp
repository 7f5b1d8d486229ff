// Creates the writer for a file's format.
#include "src/data/table_writer.hpp"

#include <utility>

#include "src/data/arrow_ipc_writer.hpp"
#include "src/data/csv_writer.hpp"
#include "src/data/npy_writer.hpp"
#include "src/data/parquet_writer.hpp"

namespace millrace::data {

std::unique_ptr<TableWriter> create_table(TableFormat format, std::shared_ptr<arrow::io::OutputStream> stream,
                                          const std::string& path, const WriteOptions& options) {
  switch (format) {
    case TableFormat::csv:
      return create_csv(std::move(stream), path, options.delimiter);
    case TableFormat::arrow_file:
      return create_arrow_file(std::move(stream), path);
    case TableFormat::arrow_stream:
      return create_arrow_stream(std::move(stream), path);
    case TableFormat::npy:
      return create_npy(std::move(stream), path);
    case TableFormat::parquet:
      break;
  }
  return create_parquet(std::move(stream), path);
}

}  // namespace millrace::data
