// A batch is gathered as text, the selected columns only; then each column is converted as a whole. The first batch
// decides the types before it is converted.
#include "src/data/csv_reader.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "src/base/counted.hpp"
#include "src/data/csv_field.hpp"
#include "src/data/csv_tokenizer.hpp"
#include "src/data/data_error.hpp"

namespace millrace::data {

namespace {

// The fields of one column of a batch, one after the other in one string.
class TextColumn {
 public:
  struct Place {
    std::size_t end;  // in text_; the field begins where the one before ends
    std::uint64_t line;
  };

  void clear() {
    text_.clear();
    places_.clear();
  }
  void add(const CsvField& field) {
    text_ += trim_field(field.text);
    places_.push_back({.end = text_.size(), .line = field.line});
  }
  [[nodiscard]] std::size_t row_count() const { return places_.size(); }
  [[nodiscard]] std::string_view text(std::size_t row) const {
    const std::size_t begin = row == 0 ? 0 : places_[row - 1].end;
    return std::string_view(text_).substr(begin, places_[row].end - begin);
  }
  [[nodiscard]] std::uint64_t line(std::size_t row) const { return places_[row].line; }

 private:
  std::string text_;
  std::vector<Place> places_;
};

// A column as the first batch shows it.
struct ColumnType {
  ElementType type = ElementType::float32;
  std::size_t first_row_count = 0;  // rows that decided it
};

class CsvReader final : public TableReader {
 public:
  explicit CsvReader(const std::filesystem::path& path) : path_(path.string()), tokenizer_(path) { read_header(); }

  [[nodiscard]] const std::vector<std::string>& column_names() const override { return names_; }
  void select(std::vector<std::size_t> columns) override {
    selected_ = std::move(columns);
    texts_.resize(selected_.size());
  }
  [[nodiscard]] std::optional<Batch> next_batch(std::size_t row_limit) override;
  [[nodiscard]] std::optional<double> fraction_read() const override { return tokenizer_.fraction_read(); }

 private:
  void read_header();
  std::size_t gather(std::size_t row_limit);
  [[nodiscard]] ColumnType infer_type(const std::string& name, const TextColumn& text) const;
  [[nodiscard]] Column convert(const std::string& name, const ColumnType& type, const TextColumn& text) const;
  void convert_field(const std::string& name, const ColumnType& type, const TextColumn& text, std::size_t row,
                     Values& values) const;
  [[noreturn]] void throw_type_changed(const std::string& name, const ColumnType& type, const TextColumn& text,
                                       std::size_t row) const;
  [[noreturn]] void throw_out_of_range(const std::string& name, const ColumnType& type, const TextColumn& text,
                                       std::size_t row) const;

  std::string path_;
  CsvTokenizer tokenizer_;
  std::vector<std::string> names_;
  std::vector<std::size_t> selected_;
  std::vector<TextColumn> texts_;  // one for each selected column
  std::vector<ColumnType> types_;  // empty until the first batch
  std::vector<CsvField> fields_;
  std::uint64_t rows_read_ = 0;
};

void CsvReader::read_header() {
  if (!tokenizer_.next_row(fields_)) {
    throw DataError(DataErrorCode::no_columns,
                    fmt::format("{name}: The file is empty; a CSV file begins with a line of column names.",
                                fmt::arg("name", path_)));
  }
  for (const CsvField& field : fields_) {
    if (field.text.find('\0') != std::string_view::npos) {
      throw DataError(DataErrorCode::damaged_file,
                      fmt::format("{name}:1: The line of column names holds a zero byte; this is no CSV text.",
                                  fmt::arg("name", path_)));
    }
    names_.emplace_back(field.text);
  }
}

std::optional<Batch> CsvReader::next_batch(std::size_t row_limit) {
  const std::size_t row_count = gather(row_limit);
  if (row_count == 0 && rows_read_ == 0) {
    throw DataError(DataErrorCode::no_rows,
                    fmt::format("{name}: The file has column names but no rows.", fmt::arg("name", path_)));
  }
  if (row_count == 0) return std::nullopt;
  Batch batch = {.first_row = rows_read_, .row_count = row_count, .columns = {}};
  for (std::size_t index = 0; index < selected_.size(); ++index) {
    const std::string& name = names_[selected_[index]];
    if (index == types_.size()) types_.push_back(infer_type(name, texts_[index]));
    batch.columns.push_back(convert(name, types_[index], texts_[index]));
  }
  rows_read_ += row_count;
  return batch;
}

std::size_t CsvReader::gather(std::size_t row_limit) {
  for (TextColumn& text : texts_) text.clear();
  std::size_t row_count = 0;
  while (row_count < row_limit && tokenizer_.next_row(fields_)) {
    const bool is_empty_line = fields_.size() == 1 && fields_.front().text.empty();
    if (is_empty_line && names_.size() > 1) continue;
    if (fields_.size() != names_.size()) {
      throw DataError(
          DataErrorCode::ragged_row,
          fmt::format("{name}:{line}: The row has {fields}, but there are {columns} column names.",
                      fmt::arg("name", path_), fmt::arg("line", fields_.front().line),
                      fmt::arg("fields", counted(fields_.size(), "field")), fmt::arg("columns", names_.size())));
    }
    for (std::size_t index = 0; index < selected_.size(); ++index) texts_[index].add(fields_[selected_[index]]);
    ++row_count;
  }
  return row_count;
}

ColumnType CsvReader::infer_type(const std::string& name, const TextColumn& text) const {
  FieldKind kind = FieldKind::missing;
  for (std::size_t row = 0; row < text.row_count(); ++row) {
    const FieldKind field = classify_field(text.text(row));
    if (field == FieldKind::missing || field == kind) continue;
    const bool are_numbers = (kind == FieldKind::integer && field == FieldKind::number) ||
                             (kind == FieldKind::number && field == FieldKind::integer);
    if (field == FieldKind::text || (kind != FieldKind::missing && !are_numbers)) {
      throw DataError(DataErrorCode::text_column,
                      fmt::format("{file}:{line}: Column \"{name}\" is text: this field is \"{text}\"; a formula reads "
                                  "columns of numbers, or of true and false.",
                                  fmt::arg("file", path_), fmt::arg("line", text.line(row)), fmt::arg("name", name),
                                  fmt::arg("text", excerpt(text.text(row)))));
    }
    kind = are_numbers ? FieldKind::number : field;
  }
  ColumnType type = {.type = ElementType::float32, .first_row_count = text.row_count()};
  if (kind == FieldKind::integer) type.type = ElementType::sint32;
  if (kind == FieldKind::boolean) type.type = ElementType::boolean;
  return type;
}

Column CsvReader::convert(const std::string& name, const ColumnType& type, const TextColumn& text) const {
  const std::size_t row_count = text.row_count();
  Column column = {.name = name, .type = type.type, .values = {}, .validity = Validity(row_count)};
  switch (type.type) {
    case ElementType::float32:
      column.values = std::vector<float>(row_count);
      break;
    case ElementType::sint32:
      column.values = std::vector<std::int32_t>(row_count);
      break;
    case ElementType::uint32:
    case ElementType::boolean:
      column.values = std::vector<std::uint32_t>(row_count);
      break;
  }
  for (std::size_t row = 0; row < row_count; ++row) {
    if (classify_field(text.text(row)) == FieldKind::missing) {
      column.validity.set_missing(row);
    } else {
      convert_field(name, type, text, row, column.values);
    }
  }
  return column;
}

void CsvReader::convert_field(const std::string& name, const ColumnType& type, const TextColumn& text, std::size_t row,
                              Values& values) const {
  const std::string_view field = text.text(row);
  const FieldKind kind = classify_field(field);
  bool fits = true;
  if (type.type == ElementType::sint32 && kind == FieldKind::integer) {
    fits = parse_integer(field, std::get<std::vector<std::int32_t>>(values)[row]);
  } else if (type.type == ElementType::float32 && (kind == FieldKind::integer || kind == FieldKind::number)) {
    fits = parse_number(field, std::get<std::vector<float>>(values)[row]);
  } else if (type.type == ElementType::boolean && kind == FieldKind::boolean) {
    std::get<std::vector<std::uint32_t>>(values)[row] = parse_boolean(field) ? 1U : 0U;
  } else {
    throw_type_changed(name, type, text, row);
  }
  if (!fits) throw_out_of_range(name, type, text, row);
}

void CsvReader::throw_type_changed(const std::string& name, const ColumnType& type, const TextColumn& text,
                                   std::size_t row) const {
  const std::string_view noun = type.type == ElementType::sint32    ? "integers"
                                : type.type == ElementType::boolean ? "true and false"
                                                                    : "numbers";
  throw DataError(
      DataErrorCode::type_changed,
      fmt::format(
          "{file}:{line}: Column \"{name}\" holds {noun}, but this field is \"{text}\"; the type was taken from "
          "the first {rows}, and a larger --batch-rows takes it from more.",
          fmt::arg("file", path_), fmt::arg("line", text.line(row)), fmt::arg("name", name), fmt::arg("noun", noun),
          fmt::arg("text", excerpt(text.text(row))),
          fmt::arg("rows", type.first_row_count == 1 ? "row" : counted(type.first_row_count, "row"))));
}

void CsvReader::throw_out_of_range(const std::string& name, const ColumnType& type, const TextColumn& text,
                                   std::size_t row) const {
  const std::string range =
      type.type == ElementType::sint32
          ? fmt::format("{} to {}", std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max())
          : fmt::format("-{0} to {0}", std::numeric_limits<float>::max());
  throw DataError(DataErrorCode::value_out_of_range,
                  fmt::format("{file}:{line}: Column \"{name}\" holds {value}, which does not fit in {type} ({range}).",
                              fmt::arg("file", path_), fmt::arg("line", text.line(row)), fmt::arg("name", name),
                              fmt::arg("value", excerpt(text.text(row))),
                              fmt::arg("type", type.type == ElementType::sint32 ? "a 32-bit integer" : "float32"),
                              fmt::arg("range", range)));
}

}  // namespace

std::unique_ptr<TableReader> open_csv(const std::filesystem::path& path) { return std::make_unique<CsvReader>(path); }

}  // namespace millrace::data
