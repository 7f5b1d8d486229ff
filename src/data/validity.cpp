// Bits are made only where a row is missing: most columns miss nothing.
#include "src/data/validity.hpp"

#include <bit>
#include <numeric>
#include <string>

#include <arrow/array.h>
#include <arrow/util/bit_util.h>

namespace millrace::data {

namespace {

// Where the array's own bits begin inside of a byte, rows would have to be shifted.
bool has_whole_bytes(const arrow::Array& array) { return array.offset() % 8 == 0; }

}  // namespace

Validity::Validity(const arrow::Array& array) : row_count_(static_cast<std::size_t>(array.length())) {
  if (array.null_count() != 0 && array.null_bitmap_data() == nullptr) {  // a column of the type null, or a dictionary's
    for (std::size_t row = 0; row < row_count_; ++row) {
      if (array.IsNull(static_cast<std::int64_t>(row))) set_missing(row);
    }
  } else if (array.null_count() != 0 && has_whole_bytes(array)) {
    const std::uint8_t* const bytes = array.null_bitmap_data() + array.offset() / 8;
    bits_.assign(bytes, bytes + (row_count_ + 7) / 8);
    if (row_count_ % 8 != 0) bits_.back() &= static_cast<std::uint8_t>((1U << row_count_ % 8) - 1);
  } else if (array.null_count() != 0) {
    make_bits();
    for (std::size_t row = 0; row < row_count_; ++row) {
      if (array.IsNull(static_cast<std::int64_t>(row))) set_missing(row);
    }
  }
  if (array.type_id() != arrow::Type::FIXED_SIZE_LIST) return;
  const auto& list = static_cast<const arrow::FixedSizeListArray&>(array);
  if (list.values()->null_count() == 0) return;
  const std::int64_t width = list.value_length(0);
  for (std::size_t row = 0; row < row_count_; ++row) {
    const std::int64_t first = list.value_offset(static_cast<std::int64_t>(row));
    for (std::int64_t lane = 0; lane < width; ++lane) {
      if (list.values()->IsNull(first + lane)) set_missing(row);
    }
  }
}

std::size_t Validity::missing_count() const {
  if (bits_.empty()) return 0;
  return std::accumulate(bits_.begin(), bits_.end(), row_count_,
                         [](std::size_t count, std::uint8_t byte) { return count - std::popcount(byte); });
}

void Validity::make_bits() {
  if (!bits_.empty()) return;
  bits_.assign((row_count_ + 7) / 8, 0xff);
  if (row_count_ % 8 != 0) bits_.back() = static_cast<std::uint8_t>((1U << row_count_ % 8) - 1);
}

void Validity::set_missing(std::size_t row) {
  make_bits();
  bits_[row / 8] &= static_cast<std::uint8_t>(~(1U << row % 8));
}

void Validity::intersect(const Validity& other) {
  if (other.bits_.empty()) return;
  make_bits();
  for (std::size_t byte = 0; byte < bits_.size(); ++byte) bits_[byte] &= other.bits_[byte];
}

void Validity::keep(const Validity& kept) {
  if (kept.is_complete()) return;
  Validity result(row_count_ - kept.missing_count());
  if (!bits_.empty()) {
    std::size_t to = 0;
    for (std::size_t row = 0; row < row_count_; ++row) {
      if (!kept.has_value(row)) continue;
      if (!has_value(row)) result.set_missing(to);
      ++to;
    }
  }
  *this = std::move(result);
}

std::shared_ptr<arrow::Buffer> Validity::arrow_bits() const {
  return bits_.empty() ? nullptr : arrow::Buffer::FromVector(bits_);
}

}  // namespace millrace::data
