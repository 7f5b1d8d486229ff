// Which rows of a column have a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <arrow/buffer.h>
#include <arrow/type_fwd.h>

namespace millrace::data {

// One bit for each row, lowest bit first as in Arrow; set where the row has a value.
class Validity {
 public:
  // All rows have a value.
  explicit Validity(std::size_t row_count = 0) : row_count_(row_count) {}
  // The array's own; for a list of lanes, only rows in which every lane has a value.
  explicit Validity(const arrow::Array& array);

  [[nodiscard]] std::size_t row_count() const { return row_count_; }
  [[nodiscard]] bool has_value(std::size_t row) const {
    return bits_.empty() || (bits_[row / 8] >> (row % 8) & 1U) != 0;
  }
  // Where this is so, there is no row without a value; else there may be some.
  [[nodiscard]] bool is_complete() const { return bits_.empty(); }
  [[nodiscard]] std::size_t missing_count() const;

  void set_missing(std::size_t row);
  // Only rows that have a value in both keep it. Row counts must be equal.
  void intersect(const Validity& other);
  // Drops the rows that have no value in `kept`. Row counts must be equal.
  void keep(const Validity& kept);

  // As a buffer of an Arrow array; null where every row has a value.
  [[nodiscard]] std::shared_ptr<arrow::Buffer> arrow_bits() const;

 private:
  void make_bits();

  std::size_t row_count_;
  std::vector<std::uint8_t> bits_;  // those past the last row are 0; empty: all set
};

}  // namespace millrace::data
