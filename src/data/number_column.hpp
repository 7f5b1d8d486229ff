// What formulas read of a table: columns as numbers of 32 bits, checked and converted from whatever the file holds.
//
// Integers of all sizes become sint32 or uint32, and floats float32, rounded to nearest; a boolean is uint32, 0 or 1. A
// value that does not fit is an error with its place. Lists of 2 to 4 of these are rows of as many lanes. Dictionaries of
// numbers are decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <arrow/buffer.h>
#include <arrow/type_fwd.h>
#include <millrace/format.hpp>

#include "src/data/validity.hpp"

namespace millrace::data {

// What a lane is to a formula.
enum class ElementType : std::uint8_t { float32, sint32, uint32, boolean };

struct NumberType {
  ElementType element = ElementType::float32;
  std::uint8_t lane_count = 1;  // to 4

  friend bool operator==(const NumberType&, const NumberType&) = default;
};

// How rows of that type lie on the device; booleans as uint32.
[[nodiscard]] Format format_of(NumberType type);
// The type whose rows have that format; nothing for packed formats.
[[nodiscard]] std::optional<NumberType> number_type(Format format);
// What a column of that Arrow type becomes by itself; nothing for one that formulas cannot read. A column of the type
// null, which has no value at all, is float32.
[[nodiscard]] std::optional<NumberType> number_type(const arrow::DataType& type);

// Where rows come from, for messages.
struct Origin {
  std::string file;             // as the user called it
  std::uint64_t first_row = 0;  // in that file, from 0
  // The line of each row, counted from 1; null where the file has no lines.
  std::shared_ptr<const std::vector<std::uint64_t>> lines = {};

  // `t.csv:7`, or `t.parquet` where there are no lines.
  [[nodiscard]] std::string place(std::size_t row) const;
  // ` in row 5 (counting from 1)`, or nothing where the place says it.
  [[nodiscard]] std::string row_phrase(std::size_t row) const;
};

struct NumberColumn {
  std::string name;
  NumberType type;
  std::shared_ptr<arrow::Buffer> rows;  // 4 bytes a lane, packed; of a missing row, anything
  Validity validity;

  // Lanes of all rows as one span; T has 4 bytes.
  template <class T>
  [[nodiscard]] std::span<const T> lanes() const {
    return {reinterpret_cast<const T*>(rows->data()), static_cast<std::size_t>(rows->size()) / sizeof(T)};
  }
};

// `wanted`: the type to convert to, where the column's own would not do; a float cannot become an integer. DataError
// `unsupported_column`, `value_out_of_range`.
[[nodiscard]] NumberColumn to_numbers(const std::string& name, const std::shared_ptr<arrow::Array>& column,
                                      std::optional<NumberType> wanted, const Origin& origin);

// DataError `unsupported_column` where to_numbers would throw it for any column of that type.
void check_is_numbers(const std::string& file, const arrow::Field& column, std::optional<NumberType> wanted);

}  // namespace millrace::data
