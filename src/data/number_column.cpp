// Each conversion runs over all rows first and only notes that something did not fit; where it was is looked for after.
#include "src/data/number_column.hpp"

#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include <arrow/array.h>
#include <arrow/compute/cast.h>
#include <arrow/type.h>
#include <arrow/util/bit_util.h>
#include <arrow/util/float16.h>
#include <fmt/format.h>

#include "src/data/arrow_status.hpp"

namespace millrace::data {

namespace {

constexpr int kMostLanes = 4;

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
    case arrow::Type::HALF_FLOAT:
    case arrow::Type::FLOAT:
    case arrow::Type::DOUBLE:
    case arrow::Type::NA:
      return ElementType::float32;
    case arrow::Type::BOOL:
      return ElementType::boolean;
    default:
      return std::nullopt;
  }
}

bool is_convertible(ElementType from, ElementType to) {
  switch (to) {
    case ElementType::float32:
      return from != ElementType::boolean;
    case ElementType::sint32:
    case ElementType::uint32:
      return from == ElementType::sint32 || from == ElementType::uint32;
    case ElementType::boolean:
      break;
  }
  return from == ElementType::boolean;
}

// Whether `source` fits, and the value.
template <class Target, class Source>
bool narrow(Source source, Target& target) {
  if constexpr (std::is_same_v<Source, arrow::util::Float16>) {
    target = static_cast<Target>(source.ToFloat());
    return true;
  } else if constexpr (std::is_same_v<Target, float>) {
    target = static_cast<float>(source);
    if constexpr (std::is_same_v<Source, double>) return std::isfinite(target) || !std::isfinite(source);
    return true;
  } else {
    target = static_cast<Target>(source);  // NOLINT(bugprone-signed-char-misuse): an int8 is a number here
    return std::in_range<Target>(source);
  }
}

template <class Target>
[[noreturn]] void throw_out_of_range(const std::string& name, const std::string& value, const Origin& origin,
                                     std::size_t row) {
  constexpr std::string_view kType = std::is_same_v<Target, float>          ? "float32"
                                     : std::is_same_v<Target, std::int32_t> ? "a 32-bit integer"
                                                                            : "an unsigned 32-bit integer";
  throw DataError(DataErrorCode::value_out_of_range,
                  fmt::format("{place}: Column \"{name}\" holds {value}{row}, which does not fit in {type} ({least} to "
                              "{most}).",
                              fmt::arg("place", origin.place(row)), fmt::arg("name", name), fmt::arg("value", value),
                              fmt::arg("row", origin.row_phrase(row)), fmt::arg("type", kType),
                              fmt::arg("least", std::numeric_limits<Target>::lowest()),
                              fmt::arg("most", std::numeric_limits<Target>::max())));
}

template <class Source>
std::string value_text(Source value) {
  if constexpr (std::is_same_v<Source, arrow::util::Float16>) {
    return fmt::format("{}", value.ToFloat());
  } else {
    return fmt::format("{}", value);
  }
}

// The lanes of a column, one after the other.
struct Lanes {
  const arrow::ArrayData* values;  // of an array of a primitive type
  std::int64_t first;              // lane, from the beginning of the array's buffer
  std::size_t count;
  std::size_t per_row;
};

template <class Target, class Source>
std::shared_ptr<arrow::Buffer> convert(const std::string& name, const Lanes& lanes, const Validity& validity,
                                       const Origin& origin) {
  const std::shared_ptr<arrow::Buffer>& buffer = lanes.values->buffers[1];
  if constexpr (std::is_same_v<Target, Source>) {
    return arrow::SliceBuffer(buffer, lanes.first * std::int64_t{sizeof(Source)},
                              static_cast<std::int64_t>(lanes.count * sizeof(Source)));
  }
  const Source* const from = reinterpret_cast<const Source*>(buffer->data()) + lanes.first;
  std::vector<Target> to(lanes.count);
  bool fits = true;
  for (std::size_t lane = 0; lane < lanes.count; ++lane) fits = narrow(from[lane], to[lane]) && fits;
  for (std::size_t lane = 0; !fits && lane < lanes.count; ++lane) {
    const std::size_t row = lane / lanes.per_row;
    if (narrow(from[lane], to[lane]) || !validity.has_value(row)) continue;
    throw_out_of_range<Target>(name, value_text(from[lane]), origin, row);
  }
  return arrow::Buffer::FromVector(std::move(to));
}

std::shared_ptr<arrow::Buffer> convert_booleans(const Lanes& lanes) {
  const std::uint8_t* const bits = lanes.values->buffers[1]->data();
  std::vector<std::uint32_t> to(lanes.count);
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    to[lane] = arrow::bit_util::GetBit(bits, lanes.first + static_cast<std::int64_t>(lane)) ? 1 : 0;
  }
  return arrow::Buffer::FromVector(std::move(to));
}

template <class Target>
std::shared_ptr<arrow::Buffer> convert_to(const std::string& name, const Lanes& lanes, const Validity& validity,
                                          const Origin& origin) {
  switch (lanes.values->type->id()) {
    case arrow::Type::INT8:
      return convert<Target, std::int8_t>(name, lanes, validity, origin);
    case arrow::Type::INT16:
      return convert<Target, std::int16_t>(name, lanes, validity, origin);
    case arrow::Type::INT32:
      return convert<Target, std::int32_t>(name, lanes, validity, origin);
    case arrow::Type::INT64:
      return convert<Target, std::int64_t>(name, lanes, validity, origin);
    case arrow::Type::UINT8:
      return convert<Target, std::uint8_t>(name, lanes, validity, origin);
    case arrow::Type::UINT16:
      return convert<Target, std::uint16_t>(name, lanes, validity, origin);
    case arrow::Type::UINT32:
      return convert<Target, std::uint32_t>(name, lanes, validity, origin);
    case arrow::Type::UINT64:
      return convert<Target, std::uint64_t>(name, lanes, validity, origin);
    default:
      break;
  }
  if constexpr (std::is_same_v<Target, float>) {
    switch (lanes.values->type->id()) {
      case arrow::Type::HALF_FLOAT:
        return convert<float, arrow::util::Float16>(name, lanes, validity, origin);
      case arrow::Type::FLOAT:
        return convert<float, float>(name, lanes, validity, origin);
      case arrow::Type::DOUBLE:
        return convert<float, double>(name, lanes, validity, origin);
      default:
        break;
    }
  }
  return arrow::Buffer::FromVector(std::vector<Target>(lanes.count));  // of the type null: every row is missing
}

// The rows of a dictionary, or the column as it is.
std::shared_ptr<arrow::Array> decoded(const std::shared_ptr<arrow::Array>& column, const Origin& origin) {
  if (column->type_id() != arrow::Type::DICTIONARY) return column;
  const auto& type = static_cast<const arrow::DictionaryType&>(*column->type());
  return value_of(arrow::compute::Cast(*column, type.value_type()), DataErrorCode::damaged_file, origin.file);
}

std::string type_text(NumberType type) {
  const std::string lane =
      type.element == ElementType::boolean ? "bool" : std::string(format_name(format_of({.element = type.element})));
  return type.lane_count == 1 ? lane : fmt::format("{}x{}", lane, type.lane_count);
}

}  // namespace

Format format_of(NumberType type) {
  constexpr Format kFloats[] = {Format::float32, Format::float32x2, Format::float32x3, Format::float32x4};
  constexpr Format kSigned[] = {Format::sint32, Format::sint32x2, Format::sint32x3, Format::sint32x4};
  constexpr Format kUnsigned[] = {Format::uint32, Format::uint32x2, Format::uint32x3, Format::uint32x4};
  const std::size_t index = type.lane_count - 1U;
  switch (type.element) {
    case ElementType::float32:
      return kFloats[index];
    case ElementType::sint32:
      return kSigned[index];
    case ElementType::uint32:
    case ElementType::boolean:
      break;
  }
  return kUnsigned[index];
}

std::optional<NumberType> number_type(Format format) {
  for (const ElementType element : {ElementType::float32, ElementType::sint32, ElementType::uint32}) {
    for (std::uint8_t lane_count = 1; lane_count <= kMostLanes; ++lane_count) {
      const NumberType type = {.element = element, .lane_count = lane_count};
      if (format_of(type) == format) return type;
    }
  }
  return std::nullopt;
}

std::optional<NumberType> number_type(const arrow::DataType& type) {
  if (type.id() == arrow::Type::DICTIONARY) {
    return number_type(*static_cast<const arrow::DictionaryType&>(type).value_type());
  }
  if (type.id() == arrow::Type::FIXED_SIZE_LIST) {
    const auto& list = static_cast<const arrow::FixedSizeListType&>(type);
    const std::optional<ElementType> element = element_type(list.value_type()->id());
    if (!element || list.list_size() < 1 || list.list_size() > kMostLanes) return std::nullopt;
    return NumberType{.element = *element, .lane_count = static_cast<std::uint8_t>(list.list_size())};
  }
  const std::optional<ElementType> element = element_type(type.id());
  return element ? std::optional(NumberType{.element = *element}) : std::nullopt;
}

std::string Origin::place(std::size_t row) const {
  return lines == nullptr ? file : fmt::format("{}:{}", file, (*lines)[row]);
}

std::string Origin::row_phrase(std::size_t row) const {
  return lines != nullptr ? std::string() : fmt::format(" in row {} (counting from 1)", first_row + row + 1);
}

void check_is_numbers(const std::string& file, const arrow::Field& column, std::optional<NumberType> wanted) {
  const std::optional<NumberType> own = number_type(*column.type());
  if (!own) {
    throw DataError(DataErrorCode::unsupported_column,
                    fmt::format("{file}: Column \"{name}\" has the type {type}; a formula reads columns of integers, "
                                "floats, doubles or booleans, and lists of 2 to 4 of them.",
                                fmt::arg("file", file), fmt::arg("name", column.name()),
                                fmt::arg("type", column.type()->ToString())));
  }
  const bool is_empty = column.type()->id() == arrow::Type::NA;
  if (!wanted || is_empty || (own->lane_count == wanted->lane_count && is_convertible(own->element, wanted->element))) {
    return;
  }
  throw DataError(
      DataErrorCode::unsupported_column,
      fmt::format("{file}: Column \"{name}\" has the type {type}, which cannot be read as {wanted}; declare "
                  "it {own}.",
                  fmt::arg("file", file), fmt::arg("name", column.name()), fmt::arg("type", column.type()->ToString()),
                  fmt::arg("wanted", type_text(*wanted)), fmt::arg("own", format_name(format_of(*own)))));
}

NumberColumn to_numbers(const std::string& name, const std::shared_ptr<arrow::Array>& column,
                        std::optional<NumberType> wanted, const Origin& origin) {
  check_is_numbers(origin.file, arrow::Field(name, column->type()), wanted);
  const NumberType type = wanted ? *wanted : *number_type(*column->type());
  const std::shared_ptr<arrow::Array> rows = decoded(column, origin);
  NumberColumn numbers = {.name = name, .type = type, .rows = {}, .validity = Validity(*rows)};
  const auto row_count = static_cast<std::size_t>(rows->length());
  Lanes lanes = {.values = rows->data().get(), .first = rows->offset(), .count = row_count, .per_row = 1};
  if (rows->type_id() == arrow::Type::FIXED_SIZE_LIST) {
    const auto& list = static_cast<const arrow::FixedSizeListArray&>(*rows);
    lanes.values = list.values()->data().get();
    lanes.first = list.values()->offset() + list.value_offset(0);
  }
  lanes.per_row = type.lane_count;
  lanes.count = row_count * type.lane_count;
  switch (type.element) {
    case ElementType::float32:
      numbers.rows = convert_to<float>(name, lanes, numbers.validity, origin);
      break;
    case ElementType::sint32:
      numbers.rows = convert_to<std::int32_t>(name, lanes, numbers.validity, origin);
      break;
    case ElementType::uint32:
      numbers.rows = convert_to<std::uint32_t>(name, lanes, numbers.validity, origin);
      break;
    case ElementType::boolean:
      numbers.rows = convert_booleans(lanes);
      break;
  }
  return numbers;
}

}  // namespace millrace::data
