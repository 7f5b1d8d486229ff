// Rows in host memory, as they go to the device and come back: columns of 32-bit values, each with a bit for every row
// that says whether the row has a value. A missing row holds 0, so that nothing but the bits ever says "missing".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <millrace/format.hpp>

namespace millrace::data {

// One bit for each row, lowest bit first as in Arrow; set where the row has a value.
class Validity {
 public:
  // All rows have a value.
  explicit Validity(std::size_t row_count = 0);

  [[nodiscard]] std::size_t row_count() const { return row_count_; }
  [[nodiscard]] bool has_value(std::size_t row) const { return (bits_[row / 8] >> (row % 8) & 1U) != 0; }
  [[nodiscard]] std::size_t missing_count() const;
  // The bits, eight rows a byte; those past the last row are 0.
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bits_; }

  void set_missing(std::size_t row);
  // Only rows that have a value in both keep it. Row counts must be equal.
  void intersect(const Validity& other);

 private:
  std::size_t row_count_;
  std::vector<std::uint8_t> bits_;
};

// What a column is to a formula. A boolean travels as uint32, 0 or 1.
enum class ElementType : std::uint8_t { float32, sint32, uint32, boolean };

[[nodiscard]] Format format_of(ElementType type);

using Values = std::variant<std::vector<float>, std::vector<std::int32_t>, std::vector<std::uint32_t>>;

struct Column {
  std::string name;
  ElementType type;
  Values values;
  Validity validity;
};

// Consecutive rows of a table. All columns have row_count rows.
struct Batch {
  std::uint64_t first_row;  // counted from 0 over the whole table
  std::size_t row_count;
  std::vector<Column> columns;
};

}  // namespace millrace::data
