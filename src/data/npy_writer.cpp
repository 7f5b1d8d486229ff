// Rows are gathered item by item into blocks.
#include "src/data/npy_writer.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include <arrow/array.h>
#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>
#include <arrow/util/bit_util.h>
#include <fmt/format.h>

#include "src/data/arrow_status.hpp"
#include "src/data/input_file.hpp"
#include "src/data/npy_header.hpp"
#include "src/data/validity.hpp"

namespace millrace::data {

namespace {

constexpr std::size_t kBlockByteSize = std::size_t{1} << 20;
constexpr int kMostLanes = 4;

class NpyWriter final : public TableWriter {
 public:
  NpyWriter(std::shared_ptr<arrow::io::OutputStream> stream, std::string path)
      : path_(std::move(path)), stream_(std::move(stream)) {}

  void write(const arrow::RecordBatch& rows) override;
  void finish() override;

 private:
  void open_table(const arrow::Schema& schema);
  void check_complete(const arrow::RecordBatch& rows) const;
  void gather(const NpyField& field, const arrow::Array& column, std::vector<std::uint8_t>& items) const;
  void check_temporary(bool is_good) const;

  std::string path_;
  std::shared_ptr<arrow::io::OutputStream> stream_;
  NpyHeader header_;
  OwnedFile temporary_;  // from the first rows on
  std::uint64_t row_count_ = 0;
};

void NpyWriter::check_temporary(bool is_good) const {
  if (is_good) return;
  throw DataError(DataErrorCode::unwritable_file,
                  fmt::format("{}: The temporary file for its rows cannot be written: {}.", path_,
                              std::generic_category().message(errno)));
}

void NpyWriter::open_table(const arrow::Schema& schema) {
  for (const std::shared_ptr<arrow::Field>& column : schema.fields()) {
    NpyField field = {.name = schema.num_fields() == 1 ? std::string() : column->name(),
                      .type = column->type(),
                      .byte_offset = header_.item_byte_size};
    if (field.type->id() == arrow::Type::FIXED_SIZE_LIST) {
      const auto& list = static_cast<const arrow::FixedSizeListType&>(*column->type());
      field.type = list.value_type();
      field.lane_count = static_cast<std::uint32_t>(list.list_size());
    }
    const arrow::Type::type id = field.type->id();
    const bool is_number = arrow::is_integer(id) || arrow::is_floating(id) || id == arrow::Type::BOOL;
    if (!is_number || field.lane_count < 1 || field.lane_count > kMostLanes) {
      throw DataError(DataErrorCode::unsupported_column,
                      fmt::format("{}: Column \"{}\" has the type {}, which .npy does not have; leave it out, or write "
                                  ".parquet or .arrow.",
                                  path_, column->name(), column->type()->ToString()));
    }
    const auto byte_size = id == arrow::Type::BOOL ? 1U : static_cast<std::uint64_t>(field.type->byte_width());
    header_.item_byte_size += byte_size * field.lane_count;
    header_.fields.push_back(std::move(field));
  }
  temporary_.reset(std::tmpfile());
  check_temporary(temporary_ != nullptr);
}

void NpyWriter::check_complete(const arrow::RecordBatch& rows) const {
  for (int column = 0; column < rows.num_columns(); ++column) {
    const Validity validity(*rows.column(column));
    if (validity.missing_count() == 0) continue;
    std::size_t row = 0;
    while (validity.has_value(row)) ++row;
    throw DataError(
        DataErrorCode::missing_value,
        fmt::format("{}: Column \"{}\" has no value in row {} (counting from 1), and .npy has no missing values; "
                    "choose --nulls nan, drop or a number.",
                    path_, rows.column_name(column), row_count_ + row + 1));
  }
}

void NpyWriter::gather(const NpyField& field, const arrow::Array& column, std::vector<std::uint8_t>& items) const {
  std::shared_ptr<arrow::ArrayData> lanes = column.data();
  std::int64_t first = column.offset();
  if (column.type_id() == arrow::Type::FIXED_SIZE_LIST) {
    const auto& list = static_cast<const arrow::FixedSizeListArray&>(column);
    lanes = list.values()->data();
    first = list.values()->offset() + list.value_offset(0);
  }
  const std::uint8_t* const bytes = lanes->buffers[1]->data();
  const std::int64_t lane_count = field.lane_count;
  std::uint8_t* to = items.data() + field.byte_offset;
  if (field.type->id() == arrow::Type::BOOL) {
    for (std::int64_t row = 0; row < column.length(); ++row, to += header_.item_byte_size) {
      for (std::int64_t lane = 0; lane < lane_count; ++lane) {
        to[lane] = arrow::bit_util::GetBit(bytes, first + row * lane_count + lane) ? 1 : 0;
      }
    }
    return;
  }
  const auto row_byte_size = static_cast<std::int64_t>(field.type->byte_width()) * lane_count;
  const std::uint8_t* from = bytes + first * field.type->byte_width();
  for (std::int64_t row = 0; row < column.length(); ++row, to += header_.item_byte_size, from += row_byte_size) {
    std::memcpy(to, from, static_cast<std::size_t>(row_byte_size));
  }
}

void NpyWriter::write(const arrow::RecordBatch& rows) {
  if (temporary_ == nullptr) open_table(*rows.schema());
  check_complete(rows);
  if (rows.num_rows() == 0) return;
  std::vector<std::uint8_t> items(static_cast<std::size_t>(rows.num_rows()) * header_.item_byte_size);
  for (int column = 0; column < rows.num_columns(); ++column) {
    gather(header_.fields[static_cast<std::size_t>(column)], *rows.column(column), items);
  }
  check_temporary(std::fwrite(items.data(), 1, items.size(), temporary_.get()) == items.size());
  row_count_ += static_cast<std::uint64_t>(rows.num_rows());
}

void NpyWriter::finish() {
  if (temporary_ == nullptr) return;
  header_.shape = {row_count_};
  // The only column's lanes are a dimension of the array.
  if (header_.fields.size() == 1 && header_.fields.front().lane_count > 1) {
    header_.shape.push_back(header_.fields.front().lane_count);
  }
  const std::string header = format_npy_header(header_);
  check(stream_->Write(header.data(), static_cast<std::int64_t>(header.size())), DataErrorCode::unwritable_file, path_);
  check_temporary(std::fflush(temporary_.get()) == 0 && std::fseek(temporary_.get(), 0, SEEK_SET) == 0);
  std::vector<char> block(kBlockByteSize);
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), temporary_.get())) {
    check(stream_->Write(block.data(), static_cast<std::int64_t>(count)), DataErrorCode::unwritable_file, path_);
  }
  check_temporary(std::ferror(temporary_.get()) == 0);
}

}  // namespace

std::unique_ptr<TableWriter> create_npy(std::shared_ptr<arrow::io::OutputStream> stream, const std::string& path) {
  return std::make_unique<NpyWriter>(std::move(stream), path);
}

}  // namespace millrace::data
