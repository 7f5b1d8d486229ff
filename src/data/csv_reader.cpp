// A batch is gathered as text, the selected columns only; then each column is converted as a whole. The first batch
// decides the types before it is converted.
#include "src/data/csv_reader.hpp"

#include <limits>
#include <utility>

#include <arrow/array.h>
#include <arrow/array/builder_binary.h>
#include <arrow/record_batch.h>
#include <fmt/format.h>

#include "src/base/counted.hpp"
#include "src/data/arrow_array.hpp"
#include "src/data/arrow_status.hpp"
#include "src/data/column_names.hpp"
#include "src/data/csv_field.hpp"
#include "src/data/csv_tokenizer.hpp"

namespace millrace::data {

namespace {

// The fields of one column of a batch, one after the other in one string.
class TextColumn {
 public:
  void clear() {
    text_.clear();
    places_.clear();
  }
  void add(std::string_view text, std::uint64_t line) {
    text_ += text;
    places_.push_back({.end = text_.size(), .line = line});
  }
  [[nodiscard]] std::size_t row_count() const { return places_.size(); }
  [[nodiscard]] std::string_view text(std::size_t row) const {
    const std::size_t begin = row == 0 ? 0 : places_[row - 1].end;
    return std::string_view(text_).substr(begin, places_[row].end - begin);
  }
  [[nodiscard]] std::uint64_t line(std::size_t row) const { return places_[row].line; }

 private:
  struct Place {
    std::size_t end;  // in text_; the field begins where the one before ends
    std::uint64_t line;
  };

  std::string text_;
  std::vector<Place> places_;
};

enum class CsvType : std::uint8_t { float32, sint32, uint32, boolean, int64, float64, text };

// A column as the first batch shows it.
struct TypedColumn {
  CsvType type = CsvType::text;
  std::string reason;  // why it is so, for messages
};

struct Selected {
  SelectedColumn choice;
  TextColumn text;
  std::optional<TypedColumn> typed;
};

bool is_missing(std::string_view field) { return field.empty() || field == "NA"; }

std::string_view type_noun(CsvType type) {
  switch (type) {
    case CsvType::sint32:
    case CsvType::uint32:
    case CsvType::int64:
      return "integers";
    case CsvType::boolean:
      return "true and false";
    default:
      return "numbers";
  }
}

std::pair<std::string_view, std::string> type_and_range(CsvType type) {
  switch (type) {
    case CsvType::sint32:
      return {"a 32-bit integer", fmt::format("{} to {}", std::numeric_limits<std::int32_t>::min(),
                                              std::numeric_limits<std::int32_t>::max())};
    case CsvType::uint32:
      return {"an unsigned 32-bit integer", fmt::format("0 to {}", std::numeric_limits<std::uint32_t>::max())};
    case CsvType::int64:
      return {"a 64-bit integer", fmt::format("{} to {}", std::numeric_limits<std::int64_t>::min(),
                                              std::numeric_limits<std::int64_t>::max())};
    case CsvType::float64:
      return {"a double", fmt::format("-{0} to {0}", std::numeric_limits<double>::max())};
    default:
      return {"float32", fmt::format("-{0} to {0}", std::numeric_limits<float>::max())};
  }
}

class CsvReader final : public TableReader {
 public:
  CsvReader(const InputFile& file, const CsvOptions& options) : path_(file.name), tokenizer_(file, options.delimiter) {
    read_header(options);
  }

  [[nodiscard]] const std::vector<std::string>& column_names() const override { return names_; }
  void select(std::vector<SelectedColumn> columns) override;
  [[nodiscard]] std::optional<Batch> next_batch(std::size_t row_limit) override;
  [[nodiscard]] std::optional<double> fraction_read() const override { return tokenizer_.fraction_read(); }

 private:
  void read_header(const CsvOptions& options);
  std::size_t gather(std::size_t row_limit);
  bool next_row();
  [[nodiscard]] CsvType infer_formula_type(const std::string& name, const TextColumn& text) const;
  [[nodiscard]] TypedColumn choose_type(const Selected& selected) const;
  [[nodiscard]] std::shared_ptr<arrow::Array> convert(const Selected& selected) const;
  template <class T>
  [[nodiscard]] std::shared_ptr<arrow::Array> convert_to(const Selected& selected) const;
  [[nodiscard]] std::string place(const TextColumn& text, std::size_t row) const {
    return fmt::format("{}:{}", path_, text.line(row));
  }
  [[noreturn]] void throw_misfit(const Selected& selected, std::size_t row) const;

  std::string path_;
  CsvTokenizer tokenizer_;
  std::vector<std::string> names_;
  std::vector<Selected> selected_;
  std::shared_ptr<std::vector<std::uint64_t>> lines_;  // of the batch's rows
  std::vector<CsvField> fields_;
  bool has_first_row_ = false;  // fields_ holds it, since there was no line of names
  std::uint64_t rows_read_ = 0;
};

void CsvReader::select(std::vector<SelectedColumn> columns) {
  for (const SelectedColumn& column : columns) {
    if (column.wanted && column.wanted->lane_count != 1) {
      throw DataError(DataErrorCode::unsupported_column,
                      fmt::format("{file}: Column \"{name}\" has one number in each row, and {lanes} are wanted; a CSV "
                                  "file has a column for each lane.",
                                  fmt::arg("file", path_), fmt::arg("name", names_[column.column]),
                                  fmt::arg("lanes", column.wanted->lane_count)));
    }
    selected_.push_back({.choice = column, .text = {}, .typed = {}});
  }
}

void CsvReader::read_header(const CsvOptions& options) {
  if (!tokenizer_.next_row(fields_)) {
    throw DataError(DataErrorCode::no_columns,
                    fmt::format("{name}: The file is empty; a CSV file begins with a line of column names.",
                                fmt::arg("name", path_)));
  }
  for (const CsvField& field : fields_) {
    if (field.text.find('\0') == std::string_view::npos) continue;
    throw DataError(
        DataErrorCode::damaged_file,
        fmt::format("{name}:1: The first line holds a zero byte; this is no CSV text.", fmt::arg("name", path_)));
  }
  has_first_row_ = !options.has_header;
  if (options.has_header) {
    for (const CsvField& field : fields_) names_.emplace_back(field.text);
  } else {
    names_ = names_for(options.column_names, fields_.size(), path_);
  }
}

std::optional<Batch> CsvReader::next_batch(std::size_t row_limit) {
  lines_ = std::make_shared<std::vector<std::uint64_t>>();
  const std::size_t row_count = gather(row_limit);
  if (row_count == 0 && rows_read_ == 0) {
    throw DataError(DataErrorCode::no_rows,
                    fmt::format("{name}: The file has column names but no rows.", fmt::arg("name", path_)));
  }
  if (row_count == 0) return std::nullopt;
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (Selected& selected : selected_) {
    if (!selected.typed) selected.typed = choose_type(selected);
    arrays.push_back(convert(selected));
    fields.push_back(arrow::field(names_[selected.choice.column], arrays.back()->type()));
  }
  Batch batch = {.first_row = rows_read_,
                 .origin = {.file = path_, .first_row = rows_read_, .lines = std::move(lines_)},
                 .rows = arrow::RecordBatch::Make(arrow::schema(std::move(fields)),
                                                  static_cast<std::int64_t>(row_count), std::move(arrays))};
  rows_read_ += row_count;
  return batch;
}

bool CsvReader::next_row() {
  if (std::exchange(has_first_row_, false)) return true;
  return tokenizer_.next_row(fields_);
}

std::size_t CsvReader::gather(std::size_t row_limit) {
  for (Selected& selected : selected_) selected.text.clear();
  while (lines_->size() < row_limit && next_row()) {
    const bool is_empty_line = fields_.size() == 1 && fields_.front().text.empty();
    if (is_empty_line && names_.size() > 1) continue;
    if (fields_.size() != names_.size()) {
      throw DataError(
          DataErrorCode::ragged_row,
          fmt::format("{name}:{line}: The row has {fields}, but there are {columns} column names.",
                      fmt::arg("name", path_), fmt::arg("line", fields_.front().line),
                      fmt::arg("fields", counted(fields_.size(), "field")), fmt::arg("columns", names_.size())));
    }
    for (Selected& selected : selected_) {
      const CsvField& field = fields_[selected.choice.column];
      selected.text.add(selected.choice.use == ColumnUse::formula ? trim_field(field.text) : field.text, field.line);
    }
    // A row is on the line of its last field; those before may hold line ends.
    lines_->push_back(fields_.back().line);
  }
  return lines_->size();
}

CsvType CsvReader::infer_formula_type(const std::string& name, const TextColumn& text) const {
  FieldKind kind = FieldKind::missing;
  for (std::size_t row = 0; row < text.row_count(); ++row) {
    const FieldKind field = classify_field(text.text(row));
    if (field == FieldKind::missing || field == kind) continue;
    const bool are_numbers = (kind == FieldKind::integer && field == FieldKind::number) ||
                             (kind == FieldKind::number && field == FieldKind::integer);
    if (field == FieldKind::text || (kind != FieldKind::missing && !are_numbers)) {
      throw DataError(DataErrorCode::text_column,
                      fmt::format("{place}: Column \"{name}\" is text: this field is \"{text}\"; a formula reads "
                                  "columns of numbers, or of true and false.",
                                  fmt::arg("place", place(text, row)), fmt::arg("name", name),
                                  fmt::arg("text", excerpt(text.text(row)))));
    }
    kind = are_numbers ? FieldKind::number : field;
  }
  if (kind == FieldKind::integer) return CsvType::sint32;
  return kind == FieldKind::boolean ? CsvType::boolean : CsvType::float32;
}

// Integers beyond 64 bits stay text, so that no digit is lost.
CsvType infer_table_type(const TextColumn& text) {
  bool is_integer = true;
  bool is_number = true;
  bool is_boolean = true;
  bool is_empty = true;
  for (std::size_t row = 0; row < text.row_count(); ++row) {
    const std::string_view field = trim_field(text.text(row));
    if (is_missing(field)) continue;
    is_empty = false;
    const FieldKind kind = classify_field(field);
    std::int64_t value = 0;
    is_integer = is_integer && kind == FieldKind::integer && parse(field, value);
    is_number = is_number && (kind == FieldKind::number || (kind == FieldKind::integer && parse(field, value)));
    is_boolean = is_boolean && kind == FieldKind::boolean;
  }
  if (is_empty) return CsvType::text;
  if (is_integer) return CsvType::int64;
  if (is_number) return CsvType::float64;
  return is_boolean ? CsvType::boolean : CsvType::text;
}

CsvType csv_type(ElementType element) {
  switch (element) {
    case ElementType::float32:
      return CsvType::float32;
    case ElementType::sint32:
      return CsvType::sint32;
    case ElementType::uint32:
      return CsvType::uint32;
    case ElementType::boolean:
      break;
  }
  return CsvType::boolean;
}

// Of a column that was read from CSV before.
CsvType csv_type(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::INT64:
      return CsvType::int64;
    case arrow::Type::DOUBLE:
      return CsvType::float64;
    case arrow::Type::STRING:
      return CsvType::text;
    default:
      return csv_type(number_type(type)->element);
  }
}

TypedColumn CsvReader::choose_type(const Selected& selected) const {
  if (selected.choice.like) {
    return {.type = csv_type(*selected.choice.like->type),
            .reason = fmt::format("its type was taken from {}, the first file", selected.choice.like->file)};
  }
  const std::size_t row_count = selected.text.row_count();
  const std::string reason =
      fmt::format("the type was taken from the first {}, and a larger --batch-rows takes it from more",
                  row_count == 1 ? "row" : counted(row_count, "row"));
  switch (selected.choice.use) {
    case ColumnUse::text:
      break;
    case ColumnUse::table:
      return {.type = infer_table_type(selected.text), .reason = reason};
    case ColumnUse::formula:
      if (selected.choice.wanted) {
        return {.type = csv_type(selected.choice.wanted->element), .reason = "its input is declared so"};
      }
      return {.type = infer_formula_type(names_[selected.choice.column], selected.text), .reason = reason};
  }
  return {};
}

template <class T>
std::shared_ptr<arrow::Array> CsvReader::convert_to(const Selected& selected) const {
  const std::size_t row_count = selected.text.row_count();
  Validity validity(row_count);
  std::vector<T> values(row_count);
  for (std::size_t row = 0; row < row_count; ++row) {
    const std::string_view field = trim_field(selected.text.text(row));
    T value{};
    if (is_missing(field)) {
      validity.set_missing(row);
    } else if (!parse(field, value)) {
      throw_misfit(selected, row);
    }
    values[row] = value;
  }
  if constexpr (std::is_same_v<T, bool>) {
    return booleans_of(values, validity);
  } else {
    return array_of(std::move(values), validity);
  }
}

// Text that is to go on as it stands has no missing fields; in a typed table an empty one is.
std::shared_ptr<arrow::Array> text_array(const Selected& selected, const std::string& path) {
  arrow::StringBuilder builder;
  for (std::size_t row = 0; row < selected.text.row_count(); ++row) {
    const std::string_view field = selected.text.text(row);
    const bool is_null = field.empty() && selected.choice.use == ColumnUse::table;
    check(is_null ? builder.AppendNull() : builder.Append(field), DataErrorCode::damaged_file, path);
  }
  return value_of(builder.Finish(), DataErrorCode::damaged_file, path);
}

std::shared_ptr<arrow::Array> CsvReader::convert(const Selected& selected) const {
  switch (selected.typed->type) {
    case CsvType::float32:
      return convert_to<float>(selected);
    case CsvType::sint32:
      return convert_to<std::int32_t>(selected);
    case CsvType::uint32:
      return convert_to<std::uint32_t>(selected);
    case CsvType::boolean:
      return convert_to<bool>(selected);
    case CsvType::int64:
      return convert_to<std::int64_t>(selected);
    case CsvType::float64:
      return convert_to<double>(selected);
    case CsvType::text:
      break;
  }
  return text_array(selected, path_);
}

void CsvReader::throw_misfit(const Selected& selected, std::size_t row) const {
  const std::string& name = names_[selected.choice.column];
  const CsvType type = selected.typed->type;
  const std::string_view field = trim_field(selected.text.text(row));
  const FieldKind kind = classify_field(field);
  const bool is_fraction = kind == FieldKind::number && type != CsvType::float32 && type != CsvType::float64;
  if (kind == FieldKind::boolean || kind == FieldKind::text || is_fraction || type == CsvType::boolean) {
    throw DataError(DataErrorCode::type_changed,
                    fmt::format("{place}: Column \"{name}\" holds {noun}, but this field is \"{text}\"; {reason}.",
                                fmt::arg("place", place(selected.text, row)), fmt::arg("name", name),
                                fmt::arg("noun", type_noun(type)), fmt::arg("text", excerpt(field)),
                                fmt::arg("reason", selected.typed->reason)));
  }
  const auto [type_name, range] = type_and_range(type);
  throw DataError(
      DataErrorCode::value_out_of_range,
      fmt::format("{place}: Column \"{name}\" holds {value}, which does not fit in {type} ({range}).",
                  fmt::arg("place", place(selected.text, row)), fmt::arg("name", name),
                  fmt::arg("value", excerpt(field)), fmt::arg("type", type_name), fmt::arg("range", range)));
}

}  // namespace

std::unique_ptr<TableReader> open_csv(const InputFile& file, const CsvOptions& options) {
  return std::make_unique<CsvReader>(file, options);
}

}  // namespace millrace::data
