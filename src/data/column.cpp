// Validity bits, and what each element type is stored as.
#include "src/data/column.hpp"

#include <bit>

namespace millrace::data {

namespace {

constexpr std::size_t kBitsPerByte = 8;

}  // namespace

Validity::Validity(std::size_t row_count)
    : row_count_(row_count), bits_((row_count + kBitsPerByte - 1) / kBitsPerByte, std::uint8_t{0xff}) {
  if (const std::size_t rest = row_count % kBitsPerByte; rest != 0) {
    bits_.back() = static_cast<std::uint8_t>((1U << rest) - 1U);
  }
}

std::size_t Validity::missing_count() const {
  std::size_t count = row_count_;
  for (const std::uint8_t byte : bits_) count -= static_cast<std::size_t>(std::popcount(byte));
  return count;
}

void Validity::set_missing(std::size_t row) {
  bits_[row / kBitsPerByte] = static_cast<std::uint8_t>(bits_[row / kBitsPerByte] & ~(1U << (row % kBitsPerByte)));
}

void Validity::intersect(const Validity& other) {
  for (std::size_t index = 0; index < bits_.size(); ++index) {
    bits_[index] = static_cast<std::uint8_t>(bits_[index] & other.bits_[index]);
  }
}

Format format_of(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return Format::float32;
    case ElementType::sint32:
      return Format::sint32;
    case ElementType::uint32:
    case ElementType::boolean:
      break;
  }
  return Format::uint32;
}

}  // namespace millrace::data
