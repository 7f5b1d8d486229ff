// Columns are lent to Arrow as they lie, validity bits included.
#include "src/data/parquet_writer.hpp"

#include <utility>

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/io/file.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include "src/data/arrow_status.hpp"

namespace millrace::data {

namespace {

std::shared_ptr<arrow::DataType> arrow_type(const std::vector<float>&) { return arrow::float32(); }
std::shared_ptr<arrow::DataType> arrow_type(const std::vector<std::int32_t>&) { return arrow::int32(); }
std::shared_ptr<arrow::DataType> arrow_type(const std::vector<std::uint32_t>&) { return arrow::uint32(); }

// Borrows the column's rows.
std::shared_ptr<arrow::Array> arrow_array(const Column& column) {
  return std::visit(
      [&](const auto& rows) {
        const std::span<const std::uint8_t> bits = column.validity.bytes();
        const auto missing_count = static_cast<std::int64_t>(column.validity.missing_count());
        std::shared_ptr<arrow::Buffer> validity;
        if (missing_count != 0) {
          validity = std::make_shared<arrow::Buffer>(bits.data(), static_cast<std::int64_t>(bits.size()));
        }
        return arrow::MakeArray(arrow::ArrayData::Make(arrow_type(rows), static_cast<std::int64_t>(rows.size()),
                                                       {validity, arrow::Buffer::Wrap(rows)}, missing_count));
      },
      column.values);
}

std::shared_ptr<arrow::Schema> arrow_schema(std::span<const Column> columns) {
  arrow::FieldVector fields;
  for (const Column& column : columns) {
    fields.push_back(
        arrow::field(column.name, std::visit([](const auto& rows) { return arrow_type(rows); }, column.values)));
  }
  return arrow::schema(std::move(fields));
}

class ParquetWriter final : public TableWriter {
 public:
  ParquetWriter(const std::filesystem::path& path, std::string path_for_messages)
      : path_(std::move(path_for_messages)),
        file_(value_of(arrow::io::FileOutputStream::Open(path.string()), DataErrorCode::unwritable_file, path_)) {}

  void write(std::span<const Column> columns) override;
  void finish() override;

 private:
  void open_table(std::span<const Column> columns);

  std::string path_;
  std::shared_ptr<arrow::io::FileOutputStream> file_;
  std::shared_ptr<arrow::Schema> schema_;               // from the first rows on
  std::unique_ptr<parquet::arrow::FileWriter> writer_;  // from the first rows on
};

void ParquetWriter::open_table(std::span<const Column> columns) {
  schema_ = arrow_schema(columns);
  const std::shared_ptr<parquet::WriterProperties> properties =
      parquet::WriterProperties::Builder().compression(arrow::Compression::SNAPPY)->build();
  writer_ = value_of(parquet::arrow::FileWriter::Open(*schema_, arrow::default_memory_pool(), file_, properties),
                     DataErrorCode::unwritable_file, path_);
}

void ParquetWriter::write(std::span<const Column> columns) {
  if (writer_ == nullptr) open_table(columns);
  arrow::ArrayVector arrays;
  for (const Column& column : columns) arrays.push_back(arrow_array(column));
  const auto row_count = static_cast<std::int64_t>(columns.front().validity.row_count());
  const std::shared_ptr<arrow::RecordBatch> rows = arrow::RecordBatch::Make(schema_, row_count, std::move(arrays));
  check(writer_->WriteRecordBatch(*rows), DataErrorCode::unwritable_file, path_);
}

void ParquetWriter::finish() {
  if (writer_ != nullptr) check(writer_->Close(), DataErrorCode::unwritable_file, path_);
  check(file_->Close(), DataErrorCode::unwritable_file, path_);
}

}  // namespace

std::unique_ptr<TableWriter> create_parquet(const std::filesystem::path& path, const std::string& path_for_messages) {
  return std::make_unique<ParquetWriter>(path, path_for_messages);
}

}  // namespace millrace::data
