// Columns lie in the file at an offset and a stride. Rows that lie together are read once for all columns; in Fortran order
// each selected column is read by itself.
#include "src/data/npy_reader.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <arrow/array.h>
#include <arrow/io/file.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include "src/data/arrow_array.hpp"
#include "src/data/arrow_status.hpp"
#include "src/data/column_names.hpp"
#include "src/data/column_selection.hpp"
#include "src/data/npy_header.hpp"

namespace millrace::data {

namespace {

// Where the numbers of a column lie.
struct Layout {
  NpyField field;
  std::uint64_t begin = 0;   // of the first row, from the beginning of the items
  std::uint64_t stride = 0;  // from row to row
};

// False where the product is beyond 63 bits.
bool multiply(std::uint64_t& product, std::uint64_t factor) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (factor != 0 && product > kMost / factor) return false;
  product *= factor;
  return true;
}

std::uint64_t byte_size_of(const arrow::DataType& type) {
  return type.id() == arrow::Type::BOOL ? 1 : static_cast<std::uint64_t>(type.byte_width());
}

class NpyReader final : public TableReader {
 public:
  NpyReader(const InputFile& file, const std::vector<std::string>& column_names);

  [[nodiscard]] const std::vector<std::string>& column_names() const override { return names_; }
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  void select(std::vector<SelectedColumn> columns) override {
    selection_ = ColumnSelection(std::move(columns), *schema_, name_);
  }
  [[nodiscard]] std::optional<Batch> next_batch(std::size_t row_limit) override;
  [[nodiscard]] std::optional<std::uint64_t> row_count() const override { return row_count_; }
  [[nodiscard]] std::optional<double> fraction_read() const override {
    return row_count_ == 0 ? 1.0 : static_cast<double>(rows_read_) / static_cast<double>(row_count_);
  }

 private:
  [[nodiscard]] NpyHeader read_header();
  void check_shape(const NpyHeader& header) const;
  void check_byte_size(const NpyHeader& header) const;
  void lay_out(const NpyHeader& header, const std::vector<std::string>& column_names);
  [[nodiscard]] std::shared_ptr<arrow::Buffer> read(std::uint64_t begin, std::uint64_t byte_size) const;
  [[nodiscard]] std::shared_ptr<arrow::Array> column(const Layout& layout, const std::uint8_t* first,
                                                     std::uint64_t row_count) const;

  std::string name_;
  std::shared_ptr<arrow::io::ReadableFile> input_;
  std::uint64_t items_begin_ = 0;  // in the file
  std::vector<Layout> layouts_;    // for each column
  bool are_rows_together_ = true;
  std::uint64_t row_byte_size_ = 0;  // where they are
  std::uint64_t row_count_ = 0;
  std::vector<std::string> names_;
  std::shared_ptr<arrow::Schema> schema_;
  ColumnSelection selection_;
  std::uint64_t rows_read_ = 0;
};

NpyReader::NpyReader(const InputFile& file, const std::vector<std::string>& column_names)
    : name_(file.name),
      input_(value_of(arrow::io::ReadableFile::Open(file.path.string()), DataErrorCode::unreadable_file, name_)) {
  const NpyHeader header = read_header();
  check_shape(header);
  check_byte_size(header);
  lay_out(header, column_names);
  arrow::FieldVector fields;
  for (std::size_t column = 0; column < layouts_.size(); ++column) {
    const NpyField& field = layouts_[column].field;
    fields.push_back(arrow::field(
        names_[column],
        field.lane_count == 1 ? field.type : arrow::fixed_size_list(field.type, static_cast<int>(field.lane_count))));
  }
  schema_ = arrow::schema(std::move(fields));
}

NpyHeader NpyReader::read_header() {
  const std::shared_ptr<arrow::Buffer> beginning =
      value_of(input_->ReadAt(0, kNpyPrefixByteSize), DataErrorCode::damaged_file, name_);
  const NpyPrefix prefix = parse_npy_prefix(beginning->ToString(), name_);
  const std::shared_ptr<arrow::Buffer> text = read(prefix.byte_size, prefix.header_byte_size);
  items_begin_ = prefix.byte_size + prefix.header_byte_size;
  return parse_npy_header(text->ToString(), name_);
}

void NpyReader::check_shape(const NpyHeader& header) const {
  const bool has_names = !header.fields.front().name.empty();
  const std::size_t dimensions = header.shape.size();
  if (dimensions == 1 || (dimensions == 2 && !has_names)) return;
  throw DataError(
      DataErrorCode::unsupported_column,
      fmt::format("{}: The array has {} dimension{}; a table is read from one, or from two of plain numbers.", name_,
                  dimensions, dimensions == 1 ? "" : "s"));
}

void NpyReader::check_byte_size(const NpyHeader& header) const {
  std::uint64_t byte_size = header.item_byte_size;
  bool fits = true;
  for (const std::uint64_t size : header.shape) fits = fits && multiply(byte_size, size);
  const auto held =
      static_cast<std::uint64_t>(value_of(input_->GetSize(), DataErrorCode::unreadable_file, name_)) - items_begin_;
  if (fits && byte_size == held) return;
  throw DataError(
      DataErrorCode::damaged_file,
      fmt::format("{}: An array of the shape ({}) takes {} bytes, but the file holds {}.", name_,
                  fmt::join(header.shape, ", "), fits ? fmt::format("{}", byte_size) : "more than 2^63", held));
}

void NpyReader::lay_out(const NpyHeader& header, const std::vector<std::string>& column_names) {
  row_count_ = header.shape.front();
  const std::uint64_t column_count = header.shape.size() == 2 ? header.shape.back() : 1;
  are_rows_together_ = !header.is_fortran_order || header.shape.size() == 1;
  constexpr std::uint64_t kMostColumns = 100'000;  // each takes memory, and a file of few bytes may say any number
  if (column_count == 0 || column_count > kMostColumns) {
    throw DataError(DataErrorCode::no_columns, fmt::format("{}: The array has {} columns; a table has 1 to {}.", name_,
                                                           column_count, kMostColumns));
  }
  for (std::uint64_t column = 0; column < column_count; ++column) {
    for (const NpyField& field : header.fields) {
      Layout layout = {.field = field, .begin = field.byte_offset, .stride = header.item_byte_size};
      if (header.shape.size() == 2) {
        layout.begin =
            are_rows_together_ ? column * header.item_byte_size : column * row_count_ * header.item_byte_size;
        if (are_rows_together_) layout.stride = column_count * header.item_byte_size;
      }
      layouts_.push_back(std::move(layout));
      if (!field.name.empty()) names_.push_back(field.name);
    }
  }
  row_byte_size_ = column_count * header.item_byte_size;
  if (names_.empty() || !column_names.empty()) names_ = names_for(column_names, layouts_.size(), name_);
}

std::shared_ptr<arrow::Buffer> NpyReader::read(std::uint64_t begin, std::uint64_t byte_size) const {
  std::shared_ptr<arrow::Buffer> bytes =
      value_of(input_->ReadAt(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(byte_size)),
               DataErrorCode::damaged_file, name_);
  if (static_cast<std::uint64_t>(bytes->size()) == byte_size) return bytes;
  throw DataError(DataErrorCode::damaged_file, fmt::format("{}: The file ends before its array does.", name_));
}

// Gathers the numbers of each row, byte by byte where the order of their bytes is another.
std::shared_ptr<arrow::Array> NpyReader::column(const Layout& layout, const std::uint8_t* first,
                                                std::uint64_t row_count) const {
  const NpyField& field = layout.field;
  const std::uint64_t byte_size = byte_size_of(*field.type);
  const std::uint64_t row_byte_size = byte_size * field.lane_count;
  std::vector<std::uint8_t> bytes(row_count * row_byte_size);
  for (std::uint64_t row = 0; row < row_count; ++row) {
    std::memcpy(bytes.data() + row * row_byte_size, first + row * layout.stride, row_byte_size);
  }
  if (field.is_swapped) {
    for (std::uint64_t begin = 0; begin < bytes.size(); begin += byte_size) {
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                   bytes.begin() + static_cast<std::ptrdiff_t>(begin + byte_size));
    }
  }
  const auto lane_total = static_cast<std::int64_t>(row_count * field.lane_count);
  std::shared_ptr<arrow::Array> lanes =
      field.type->id() == arrow::Type::BOOL
          ? booleans_of(bytes, Validity(bytes.size()))
          : arrow::MakeArray(
                arrow::ArrayData::Make(field.type, lane_total, {nullptr, arrow::Buffer::FromVector(std::move(bytes))}));
  if (field.lane_count == 1) return lanes;
  return std::make_shared<arrow::FixedSizeListArray>(
      arrow::fixed_size_list(field.type, static_cast<int>(field.lane_count)), static_cast<std::int64_t>(row_count),
      std::move(lanes));
}

std::optional<Batch> NpyReader::next_batch(std::size_t row_limit) {
  if (row_count_ == 0) {
    throw DataError(DataErrorCode::no_rows, fmt::format("{}: The file has columns but no rows.", name_));
  }
  const std::uint64_t count = std::min<std::uint64_t>(row_limit, row_count_ - rows_read_);
  if (count == 0) return std::nullopt;
  std::shared_ptr<arrow::Buffer> rows;
  if (are_rows_together_) rows = read(items_begin_ + rows_read_ * row_byte_size_, count * row_byte_size_);
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const std::size_t index : selection_.columns_read()) {
    const Layout& layout = layouts_[index];
    if (are_rows_together_) {
      arrays.push_back(column(layout, rows->data() + layout.begin, count));
    } else {
      const std::shared_ptr<arrow::Buffer> own =
          read(items_begin_ + layout.begin + rows_read_ * layout.stride, count * layout.stride);
      arrays.push_back(column(layout, own->data(), count));
    }
    fields.push_back(schema_->field(static_cast<int>(index)));
  }
  const auto read_rows =
      arrow::RecordBatch::Make(arrow::schema(std::move(fields)), static_cast<std::int64_t>(count), std::move(arrays));
  Batch batch = {.first_row = rows_read_,
                 .origin = {.file = name_, .first_row = rows_read_},
                 .rows = selection_.in_order_selected(*read_rows)};
  rows_read_ += count;
  return batch;
}

}  // namespace

std::unique_ptr<TableReader> open_npy(const InputFile& file, const std::vector<std::string>& column_names) {
  return std::make_unique<NpyReader>(file, column_names);
}

}  // namespace millrace::data
