// Creates the writer for a file's format.
#include "src/data/table_writer.hpp"

#include "src/data/csv_writer.hpp"
#include "src/data/parquet_writer.hpp"

namespace millrace::data {

std::unique_ptr<TableWriter> create_table(TableFormat format, const std::filesystem::path& path,
                                          const std::string& path_for_messages) {
  switch (format) {
    case TableFormat::csv:
      return create_csv(path, path_for_messages);
    case TableFormat::parquet:
      break;
  }
  return create_parquet(path, path_for_messages);
}

}  // namespace millrace::data
