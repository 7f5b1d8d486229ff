// Row groups are gathered by Arrow from batches of any size.
#include "src/data/parquet_writer.hpp"

#include <utility>

#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include "src/data/arrow_status.hpp"

namespace millrace::data {

namespace {

class ParquetWriter final : public TableWriter {
 public:
  ParquetWriter(std::shared_ptr<arrow::io::OutputStream> stream, std::string path)
      : path_(std::move(path)), stream_(std::move(stream)) {}

  void write(const arrow::RecordBatch& rows) override {
    if (writer_ == nullptr) open_table(rows.schema());
    check(writer_->WriteRecordBatch(rows), DataErrorCode::unwritable_file, path_);
  }

  void finish() override {
    if (writer_ != nullptr) check(writer_->Close(), DataErrorCode::unwritable_file, path_);
  }

 private:
  void open_table(const std::shared_ptr<arrow::Schema>& schema) {
    parquet::WriterProperties::Builder properties;
    properties.compression(arrow::Compression::SNAPPY);
    // Computed floats hardly repeat: a dictionary of them is work for nothing.
    for (const std::shared_ptr<arrow::Field>& field : schema->fields()) {
      if (arrow::is_floating(field->type()->id())) properties.disable_dictionary(field->name());
    }
    writer_ =
        value_of(parquet::arrow::FileWriter::Open(*schema, arrow::default_memory_pool(), stream_, properties.build(),
                                                  parquet::ArrowWriterProperties::Builder().store_schema()->build()),
                 DataErrorCode::unwritable_file, path_);
  }

  std::string path_;
  std::shared_ptr<arrow::io::OutputStream> stream_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;  // from the first rows on
};

}  // namespace

std::unique_ptr<TableWriter> create_parquet(std::shared_ptr<arrow::io::OutputStream> stream, const std::string& path) {
  return std::make_unique<ParquetWriter>(std::move(stream), path);
}

}  // namespace millrace::data
