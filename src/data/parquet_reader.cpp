// Arrow decodes; what is ours is the choice of columns, the conversion to 32 bits, and the validity.
#include "src/data/parquet_reader.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include <arrow/array.h>
#include <arrow/io/file.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>

#include "src/base/counted.hpp"
#include "src/data/arrow_status.hpp"

namespace millrace::data {

namespace {

// What a column of that Arrow type becomes; nothing for one that formulas cannot read.
std::optional<ElementType> element_type(arrow::Type::type type) {
  switch (type) {
    case arrow::Type::INT8:
    case arrow::Type::INT16:
    case arrow::Type::INT32:
    case arrow::Type::INT64:
      return ElementType::sint32;
    case arrow::Type::UINT8:
    case arrow::Type::UINT16:
    case arrow::Type::UINT32:
    case arrow::Type::UINT64:
      return ElementType::uint32;
    case arrow::Type::FLOAT:
    case arrow::Type::DOUBLE:
      return ElementType::float32;
    case arrow::Type::BOOL:
      return ElementType::boolean;
    default:
      return std::nullopt;
  }
}

// Where a value is, for an error.
struct Place {
  const std::string& file;
  const std::string& column;
  std::uint64_t row;  // counted from 0
};

template <class Source>
[[noreturn]] void throw_out_of_range(const Place& place, Source value, std::string_view type,
                                     const std::string& range) {
  throw DataError(
      DataErrorCode::value_out_of_range,
      fmt::format(
          "{file}: Column \"{name}\" holds {value} in row {row} (counting from 1), which does not fit in {type} "
          "({range}).",
          fmt::arg("file", place.file), fmt::arg("name", place.column), fmt::arg("value", value),
          fmt::arg("row", place.row + 1), fmt::arg("type", type), fmt::arg("range", range)));
}

template <class Target, class Source>
Target narrow(Source value, const Place& place) {
  using Limits = std::numeric_limits<Target>;
  if constexpr (std::is_same_v<Target, Source> || std::is_same_v<Source, bool>) {
    return static_cast<Target>(value);
  } else if constexpr (std::is_floating_point_v<Source>) {
    if (std::isfinite(value) && std::isinf(static_cast<float>(value))) {
      throw_out_of_range(place, value, "float32", fmt::format("-{0} to {0}", std::numeric_limits<float>::max()));
    }
    return static_cast<Target>(value);
  } else {
    if (std::in_range<Target>(value)) return static_cast<Target>(value);
    throw_out_of_range(place, value, std::is_signed_v<Target> ? "a 32-bit integer" : "an unsigned 32-bit integer",
                       fmt::format("{} to {}", Limits::min(), Limits::max()));
  }
}

template <class Target, class ArrowArray>
Column convert(const arrow::Array& array, ElementType type, const std::string& file, const std::string& name,
               std::uint64_t first_row) {
  const auto& source = static_cast<const ArrowArray&>(array);
  const auto row_count = static_cast<std::size_t>(array.length());
  Validity validity(row_count);
  std::vector<Target> values(row_count);
  for (std::size_t row = 0; row < row_count; ++row) {
    const auto index = static_cast<std::int64_t>(row);
    if (source.IsNull(index)) {
      validity.set_missing(row);
    } else {
      values[row] = narrow<Target>(source.Value(index), {.file = file, .column = name, .row = first_row + row});
    }
  }
  return {.name = name, .type = type, .values = std::move(values), .validity = std::move(validity)};
}

Column convert_column(const arrow::Array& array, const std::string& file, const std::string& name,
                      std::uint64_t first_row) {
  using std::int32_t;
  using std::uint32_t;
  const ElementType type = element_type(array.type_id()).value();
  switch (array.type_id()) {
    case arrow::Type::INT8:
      return convert<int32_t, arrow::Int8Array>(array, type, file, name, first_row);
    case arrow::Type::INT16:
      return convert<int32_t, arrow::Int16Array>(array, type, file, name, first_row);
    case arrow::Type::INT32:
      return convert<int32_t, arrow::Int32Array>(array, type, file, name, first_row);
    case arrow::Type::INT64:
      return convert<int32_t, arrow::Int64Array>(array, type, file, name, first_row);
    case arrow::Type::UINT8:
      return convert<uint32_t, arrow::UInt8Array>(array, type, file, name, first_row);
    case arrow::Type::UINT16:
      return convert<uint32_t, arrow::UInt16Array>(array, type, file, name, first_row);
    case arrow::Type::UINT32:
      return convert<uint32_t, arrow::UInt32Array>(array, type, file, name, first_row);
    case arrow::Type::UINT64:
      return convert<uint32_t, arrow::UInt64Array>(array, type, file, name, first_row);
    case arrow::Type::FLOAT:
      return convert<float, arrow::FloatArray>(array, type, file, name, first_row);
    case arrow::Type::DOUBLE:
      return convert<float, arrow::DoubleArray>(array, type, file, name, first_row);
    default:
      return convert<uint32_t, arrow::BooleanArray>(array, type, file, name, first_row);
  }
}

class ParquetReader final : public TableReader {
 public:
  explicit ParquetReader(const std::filesystem::path& path);

  [[nodiscard]] const std::vector<std::string>& column_names() const override { return names_; }
  void select(std::vector<std::size_t> columns) override;
  [[nodiscard]] std::optional<Batch> next_batch(std::size_t row_limit) override;
  [[nodiscard]] std::optional<double> fraction_read() const override {
    return row_count_ == 0 ? 1.0 : static_cast<double>(rows_read_) / static_cast<double>(row_count_);
  }

 private:
  void open_batches(std::size_t row_limit);
  void check_all_read() const;
  template <class Value>
  Value checked(arrow::Result<Value> result) const {
    return value_of(std::move(result), DataErrorCode::damaged_file, path_);
  }

  std::string path_;
  std::unique_ptr<parquet::arrow::FileReader> file_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::string> names_;
  std::vector<std::size_t> selected_;
  std::uint64_t row_count_ = 0;
  std::uint64_t rows_read_ = 0;
  std::unique_ptr<arrow::RecordBatchReader> batches_;  // made by the first next_batch
};

ParquetReader::ParquetReader(const std::filesystem::path& path) : path_(path.string()) {
  const std::shared_ptr<arrow::io::ReadableFile> input =
      value_of(arrow::io::ReadableFile::Open(path_), DataErrorCode::unreadable_file, path_);
  parquet::arrow::FileReaderBuilder builder;
  parquet::ReaderProperties properties;
  properties.enable_buffered_stream();  // pages as they are needed, not whole column chunks
  check(builder.Open(input, properties), DataErrorCode::damaged_file, path_);
  parquet::ArrowReaderProperties arrow_properties;
  arrow_properties.set_pre_buffer(false);
  file_ = checked(builder.properties(arrow_properties)->Build());
  check(file_->GetSchema(&schema_), DataErrorCode::damaged_file, path_);
  for (const std::shared_ptr<arrow::Field>& field : schema_->fields()) names_.push_back(field->name());
  row_count_ = static_cast<std::uint64_t>(file_->parquet_reader()->metadata()->num_rows());
}

void ParquetReader::select(std::vector<std::size_t> columns) {
  for (const std::size_t column : columns) {
    const arrow::Field& field = *schema_->field(static_cast<int>(column));
    if (element_type(field.type()->id())) continue;
    throw DataError(DataErrorCode::unsupported_column,
                    fmt::format("{file}: Column \"{name}\" has the type {type}; a formula reads columns of integers, "
                                "floats, doubles or booleans.",
                                fmt::arg("file", path_), fmt::arg("name", field.name()),
                                fmt::arg("type", field.type()->ToString())));
  }
  selected_ = std::move(columns);
}

void ParquetReader::open_batches(std::size_t row_limit) {
  std::vector<int> columns;
  for (const std::size_t column : selected_) {
    columns.push_back(file_->manifest().schema_fields[column].column_index);
  }
  std::vector<int> row_groups(static_cast<std::size_t>(file_->num_row_groups()));
  std::iota(row_groups.begin(), row_groups.end(), 0);
  file_->set_batch_size(static_cast<std::int64_t>(row_limit));
  batches_ = checked(file_->GetRecordBatchReader(row_groups, columns));
}

// Arrow ends quietly where a column's pages do.
void ParquetReader::check_all_read() const {
  if (rows_read_ == row_count_) return;
  throw DataError(DataErrorCode::damaged_file,
                  fmt::format("{name}: The file says that it has {rows}, but holds {read}.", fmt::arg("name", path_),
                              fmt::arg("rows", counted(static_cast<std::uint64_t>(row_count_), "row")),
                              fmt::arg("read", rows_read_)));
}

std::optional<Batch> ParquetReader::next_batch(std::size_t row_limit) {
  if (row_count_ == 0) {
    throw DataError(DataErrorCode::no_rows,
                    fmt::format("{name}: The file has columns but no rows.", fmt::arg("name", path_)));
  }
  if (batches_ == nullptr) open_batches(row_limit);
  const std::shared_ptr<arrow::RecordBatch> decoded = checked(batches_->Next());
  if (decoded == nullptr) {
    check_all_read();
    return std::nullopt;
  }

  const auto row_count = static_cast<std::size_t>(decoded->num_rows());
  Batch batch = {.first_row = rows_read_, .row_count = row_count, .columns = {}};
  for (std::size_t index = 0; index < selected_.size(); ++index) {
    batch.columns.push_back(
        convert_column(*decoded->column(static_cast<int>(index)), path_, names_[selected_[index]], rows_read_));
  }
  rows_read_ += row_count;
  return batch;
}

}  // namespace

std::unique_ptr<TableReader> open_parquet(const std::filesystem::path& path) {
  return std::make_unique<ParquetReader>(path);
}

}  // namespace millrace::data
