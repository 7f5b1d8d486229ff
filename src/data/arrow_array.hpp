// Rows that were computed or parsed, as Arrow arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>

#include "src/data/validity.hpp"

namespace millrace::data {

// Takes the rows as they lie.
template <class T>
std::shared_ptr<arrow::Array> array_of(std::vector<T> rows, const Validity& validity) {
  using Type = typename arrow::CTypeTraits<T>::ArrowType;
  const auto row_count = static_cast<std::int64_t>(rows.size());
  return arrow::MakeArray(arrow::ArrayData::Make(arrow::TypeTraits<Type>::type_singleton(), row_count,
                                                 {validity.arrow_bits(), arrow::Buffer::FromVector(std::move(rows))}));
}

// Any T that converts to bool, one a row; as one bit a row.
template <class Rows>
std::shared_ptr<arrow::Array> booleans_of(const Rows& rows, const Validity& validity) {
  std::vector<std::uint8_t> bits((rows.size() + 7) / 8);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row]) bits[row / 8] |= static_cast<std::uint8_t>(1U << row % 8);
  }
  return arrow::MakeArray(arrow::ArrayData::Make(arrow::boolean(), static_cast<std::int64_t>(rows.size()),
                                                 {validity.arrow_bits(), arrow::Buffer::FromVector(std::move(bits))}));
}

}  // namespace millrace::data
