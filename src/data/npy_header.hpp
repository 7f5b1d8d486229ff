// The header of NumPy's array files (NEP 1): a magic string, a version, and a Python literal that says the type of an item,
// the order of the items and the shape.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

namespace millrace::data {

// Numbers of one type that stand one after the other in an item.
struct NpyField {
  std::string name;                       // empty for an array without names
  std::shared_ptr<arrow::DataType> type;  // of one number
  std::uint32_t lane_count = 1;           // 2 to 4 are a list of a fixed size
  std::uint64_t byte_offset = 0;          // in the item
  bool is_swapped = false;                // its bytes are not in this machine's order
};

struct NpyHeader {
  std::vector<NpyField> fields;      // in their order; one without a name where items are single numbers
  std::uint64_t item_byte_size = 0;  // with padding
  bool is_fortran_order = false;
  std::vector<std::uint64_t> shape;
};

// Bytes before the header's text: magic, version and length.
constexpr std::size_t kNpyPrefixByteSize = 12;  // of version 2 and 3; version 1 has 10
struct NpyPrefix {
  std::size_t byte_size;         // 10 or 12
  std::size_t header_byte_size;  // of the text that follows
};
// `bytes`: the first 12 of the file, or fewer. DataError `damaged_file` for what is no .npy file of version 1 to 3, or one
// whose header is longer than 1 MiB.
[[nodiscard]] NpyPrefix parse_npy_prefix(std::string_view bytes, const std::string& file);

// DataError `damaged_file` where the text is no such literal; `unsupported_column` for types that are no numbers.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view text, const std::string& file);

// Prefix and header for items of little-endian numbers without padding, in rows of the shape given; padded so that the
// items begin at a multiple of 64.
[[nodiscard]] std::string format_npy_header(const NpyHeader& header);

}  // namespace millrace::data
