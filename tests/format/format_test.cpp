// Formats: what each is called, how large its rows are, and which host rows fit it.
#include <array>
#include <atomic>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <millrace/error.hpp>
#include <millrace/format.hpp>
#include <millrace/host_rows.hpp>

#include "src/format/format_table.hpp"
#include "tests/expect_error.hpp"

namespace millrace {
namespace {

struct Expected {
  Format format;
  const char* name;
  std::uint32_t byte_size;
  std::uint32_t lane_count;
};

// From the vertex format table of the WebGPU specification: byteSize and components.
constexpr std::array kExpected = {
    Expected{Format::float32, "float32", 4, 1},
    Expected{Format::float32x2, "float32x2", 8, 2},
    Expected{Format::float32x3, "float32x3", 12, 3},
    Expected{Format::float32x4, "float32x4", 16, 4},
    Expected{Format::sint32, "sint32", 4, 1},
    Expected{Format::sint32x2, "sint32x2", 8, 2},
    Expected{Format::sint32x3, "sint32x3", 12, 3},
    Expected{Format::sint32x4, "sint32x4", 16, 4},
    Expected{Format::uint32, "uint32", 4, 1},
    Expected{Format::uint32x2, "uint32x2", 8, 2},
    Expected{Format::uint32x3, "uint32x3", 12, 3},
    Expected{Format::uint32x4, "uint32x4", 16, 4},
    Expected{Format::float16x2, "float16x2", 4, 2},
    Expected{Format::float16x4, "float16x4", 8, 4},
    Expected{Format::uint8x4, "uint8x4", 4, 4},
    Expected{Format::sint8x4, "sint8x4", 4, 4},
    Expected{Format::unorm8x4, "unorm8x4", 4, 4},
    Expected{Format::snorm8x4, "snorm8x4", 4, 4},
    Expected{Format::uint16x2, "uint16x2", 4, 2},
    Expected{Format::uint16x4, "uint16x4", 8, 4},
    Expected{Format::sint16x2, "sint16x2", 4, 2},
    Expected{Format::sint16x4, "sint16x4", 8, 4},
    Expected{Format::unorm16x2, "unorm16x2", 4, 2},
    Expected{Format::unorm16x4, "unorm16x4", 8, 4},
    Expected{Format::snorm16x2, "snorm16x2", 4, 2},
    Expected{Format::snorm16x4, "snorm16x4", 8, 4},
    Expected{Format::unorm10_10_10_2, "unorm10-10-10-2", 4, 4},
    Expected{Format::unorm8x4_bgra, "unorm8x4-bgra", 4, 4},
};

template <class T>
HostElement element() {
  return {.byte_size = sizeof(T), .lane_type = detail::lane_type<T>()};
}

// A format of another size or name than WebGPU's would read a vertex buffer wrongly.
TEST(Formats, AreThoseOfWebGpu) {
  for (const Expected& expected : kExpected) {
    EXPECT_EQ(format_name(expected.format), expected.name);
    EXPECT_EQ(parse_format(expected.name), expected.format);
    EXPECT_EQ(bytes_per_row(expected.format), expected.byte_size) << expected.name;
    EXPECT_EQ(lanes(expected.format), expected.lane_count) << expected.name;
  }
}

// K-32: rows that are no whole words are refused by name, and the user learns what to use.
TEST(Formats, RefuseRowsThatAreNoWholeWords) {
  expect_error<BindingError>(
      [] { (void)parse_format("uint8"); }, ErrorCode::unsupported_format,
      "Format \"uint8\" has rows of 1 byte, which do not fill whole 4-byte words; use the four lanes of "
      "\"uint8x4\".");
  expect_error<BindingError>(
      [] { (void)parse_format("uint16x3"); }, ErrorCode::unsupported_format,
      "Format \"uint16x3\" has rows of 6 bytes, which do not fill whole 4-byte words; use the four lanes of "
      "\"uint16x4\".");
  expect_error<BindingError>(
      [] { (void)parse_format("snorm8x2"); }, ErrorCode::unsupported_format,
      "Format \"snorm8x2\" has rows of 2 bytes, which do not fill whole 4-byte words; use the four lanes of "
      "\"snorm8x4\".");
  for (const char* name : {"sint8", "unorm8", "snorm8", "uint8x2", "sint8x2", "unorm8x2", "uint16", "sint16", "unorm16",
                           "snorm16", "float16", "uint8x3", "float16x3"})
    EXPECT_THROW((void)parse_format(name), BindingError) << name;
}

// A misspelled format names those there are.
TEST(Formats, ListThemselvesWhereANameIsUnknown) {
  expect_error<BindingError>(
      [] { (void)parse_format("float64"); }, ErrorCode::unsupported_format,
      "\"float64\" is no format; the formats are float32, float32x2, float32x3, float32x4, sint32, sint32x2, "
      "sint32x3, sint32x4, uint32, uint32x2, uint32x3, uint32x4, float16x2, float16x4, uint8x4, sint8x4, "
      "unorm8x4, snorm8x4, uint16x2, uint16x4, sint16x2, sint16x4, unorm16x2, unorm16x4, snorm16x2, snorm16x4, "
      "unorm10-10-10-2, unorm8x4-bgra.");
  for (const char* name : {"", "Float32", "float32x5", "unorm10_10_10_2", "uint8x4 ", "unorm8x4x4"})
    EXPECT_THROW((void)parse_format(name), BindingError) << name;
}

// A number cast to Format is refused; it indexes nothing.
TEST(Formats, RefuseANumberThatIsNone) {
  expect_error<BindingError>([] { (void)bytes_per_row(static_cast<Format>(28)); }, ErrorCode::unsupported_format,
                             "28 is the number of no format.");
}

struct Record {
  float x, y;
  std::uint32_t id;
};

// Each natural way to write rows in C++ is taken: row arrays, lanes one after the other, structs, nested arrays.
TEST(HostRows, FitByLanesOrBySize) {
  EXPECT_EQ(elements_per_row(Format::float32, element<float>()), 1u);
  EXPECT_EQ(elements_per_row(Format::float32x3, element<float>()), 3u);
  EXPECT_EQ(elements_per_row(Format::float32x3, (element<std::array<float, 3>>())), 1u);
  EXPECT_EQ(elements_per_row(Format::float32x4, (element<std::array<std::array<float, 2>, 2>>())), 1u);
  EXPECT_EQ(elements_per_row(Format::float32x3, element<float[3]>()), 1u);
  EXPECT_EQ(elements_per_row(Format::float32x3, element<Record>()), 1u);
  EXPECT_EQ(elements_per_row(Format::sint32x2, element<std::int32_t>()), 2u);
  EXPECT_EQ(elements_per_row(Format::uint8x4, element<std::uint8_t>()), 4u);
  EXPECT_EQ(elements_per_row(Format::unorm8x4, (element<std::array<std::uint8_t, 4>>())), 1u);
  EXPECT_EQ(elements_per_row(Format::unorm8x4, element<std::uint32_t>()), 1u);
  EXPECT_EQ(elements_per_row(Format::unorm10_10_10_2, element<std::uint32_t>()), 1u);
  EXPECT_EQ(elements_per_row(Format::snorm8x4, element<std::int8_t>()), 4u);
  EXPECT_EQ(elements_per_row(Format::uint16x4, element<std::uint16_t>()), 4u);
  EXPECT_EQ(elements_per_row(Format::float16x2, element<std::uint16_t>()), 2u);
  EXPECT_EQ(elements_per_row(Format::float16x4, (element<std::array<std::uint32_t, 2>>())), 1u);
  EXPECT_EQ(elements_per_row(Format::snorm16x2, (element<std::array<std::int16_t, 2>>())), 1u);
}

// Every format takes its own lanes and a struct of its size, and no struct of another size.
TEST(HostRows, FitEveryFormatOnce) {
  for (const Expected& expected : kExpected) {
    const FormatDescription& format = describe(expected.format);
    EXPECT_EQ(elements_per_row(format.format, {.byte_size = expected.byte_size, .lane_type = LaneType::unknown}), 1u);
    EXPECT_EQ(elements_per_row(format.format, {.byte_size = expected.byte_size, .lane_type = format.host_lane}), 1u);
    EXPECT_THROW((void)elements_per_row(format.format, {.byte_size = 20, .lane_type = LaneType::unknown}),
                 BindingError);
    EXPECT_THROW((void)elements_per_row(format.format, {.byte_size = 20, .lane_type = format.host_lane}), BindingError);
  }
}

// Rows of another type are never taken bit for bit: an int vector is no float32 vector.
TEST(HostRows, RefuseOtherLanes) {
  expect_error<BindingError>(
      [] { (void)elements_per_row(Format::float32, element<std::int32_t>()); }, ErrorCode::row_type_mismatch,
      "Host rows are elements of 4 bytes of std::int32_t, but a row of format float32 is 4 bytes, 1 x float; "
      "give structs or arrays of that size, or float lanes one after the other.");
  expect_error<BindingError>(
      [] { (void)elements_per_row(Format::float32x3, element<std::array<float, 2>>()); }, ErrorCode::row_type_mismatch,
      "Host rows are elements of 8 bytes of float, but a row of format float32x3 is 12 bytes, 3 x float; give "
      "structs or arrays of that size, or float lanes one after the other.");
  expect_error<BindingError>(
      [] { (void)elements_per_row(Format::unorm8x4, element<float>()); }, ErrorCode::row_type_mismatch,
      "Host rows are elements of 4 bytes of float, but a row of format unorm8x4 is 4 bytes, 4 x std::uint8_t; "
      "give structs or arrays of that size, or std::uint8_t lanes one after the other.");
  expect_error<BindingError>(
      [] { (void)elements_per_row(Format::float32x4, element<Record>()); }, ErrorCode::row_type_mismatch,
      "Host rows are structs of 12 bytes, but a row of format float32x4 is 16 bytes, 4 x float; give structs or "
      "arrays of that size, or float lanes one after the other.");
  EXPECT_THROW((void)elements_per_row(Format::snorm8x4, element<std::uint8_t>()), BindingError);
  EXPECT_THROW((void)elements_per_row(Format::uint16x2, (element<std::array<std::int16_t, 2>>())), BindingError);
  EXPECT_THROW((void)elements_per_row(Format::uint16x4, element<std::uint32_t>()), BindingError);
}

// Lanes that end in the middle of a row are an error, not a short last row.
TEST(HostRows, FillWholeRows) {
  EXPECT_EQ(host_row_count(Format::float32x3, element<float>(), 6), 2u);
  EXPECT_EQ(host_row_count(Format::float32x3, element<float>(), 0), 0u);
  EXPECT_EQ(host_row_count(Format::float32x3, element<Record>(), 5), 5u);
  expect_error<BindingError>(
      [] { (void)host_row_count(Format::float32x3, element<float>(), 7); }, ErrorCode::partial_row,
      "7 lanes do not fill whole rows of format float32x3, which have 3 lanes; 1 lane is left over.");
  expect_error<BindingError>(
      [] { (void)host_row_count(Format::uint8x4, element<std::uint8_t>(), 6); }, ErrorCode::partial_row,
      "6 lanes do not fill whole rows of format uint8x4, which have 4 lanes; 2 lanes are left over.");
  expect_error<BindingError>(
      [] { (void)host_row_count(Format::uint32x2, element<std::uint32_t>(), 1); }, ErrorCode::partial_row,
      "1 lane does not fill whole rows of format uint32x2, which have 2 lanes; 1 lane is left over.");
}

// One row more than an index of 32 bits reaches is refused before anything is allocated.
TEST(HostRows, HaveALimit) {
  EXPECT_EQ(host_row_count(Format::uint8x4, element<std::uint32_t>(), 0xffffffff), 0xffffffffu);
  expect_error<BindingError>(
      [] { (void)host_row_count(Format::float32, element<float>(), 0x1'0000'0000); }, ErrorCode::row_count_limit,
      "A vector of 4294967296 rows is over the limit of 4294967295 rows; split it into several.");
}

// Containers of C++ are taken as they are, and say truly what lies in them.
TEST(HostRows, DescribeContainers) {
  const std::vector<float> lanes_only{1, 2, 3};
  const HostRows numbers(lanes_only);
  EXPECT_EQ(numbers.data(), lanes_only.data());
  EXPECT_EQ(numbers.count(), 3u);
  EXPECT_EQ(numbers.row_byte_size(), 4u);
  EXPECT_EQ(numbers.lane_type(), LaneType::float32);

  const float matrix[2][3] = {};
  const HostRows rows(matrix);
  EXPECT_EQ(rows.count(), 2u);
  EXPECT_EQ(rows.row_byte_size(), 12u);
  EXPECT_EQ(rows.lane_type(), LaneType::float32);

  std::array<Record, 2> records{};
  const WritableHostRows writable(records);
  EXPECT_EQ(writable.data(), records.data());
  EXPECT_EQ(writable.count(), 2u);
  EXPECT_EQ(writable.row_byte_size(), 12u);
  EXPECT_EQ(writable.lane_type(), LaneType::unknown);

  const HostRows listed = {1u, 2u};
  EXPECT_EQ(listed.count(), 2u);
  EXPECT_EQ(listed.lane_type(), LaneType::uint32);
}

// What no lane holds must not compile: an upload of doubles would be silent nonsense.
static_assert(!Row<double> && !Row<bool> && !Row<std::int64_t> && !Row<std::uint64_t> && !Row<char> && !Row<float*>);
static_assert(!Row<std::array<double, 3>> && !Row<std::string> && !Row<std::vector<float>>);
static_assert(Row<float> && Row<std::uint8_t> && Row<std::array<float, 3>> && Row<const float> && Row<Record>);
static_assert(LaneRow<std::array<float, 3>> && LaneRow<float[3]> && !LaneRow<float> && !LaneRow<Record>);
static_assert(!RowContainer<std::vector<double>> && !RowContainer<std::vector<bool>> &&
              RowContainer<std::vector<float>>);
// Their bytes are no lanes, though they have a value_type: a scalar made of them would be half of a pointer.
static_assert(!Row<std::optional<float>> && !Row<std::initializer_list<float>> && !Row<std::basic_string_view<float>> &&
              !Row<std::vector<float>::iterator> && !Row<std::atomic<float>> && !Row<std::span<float>>);
static_assert(LaneRow<std::complex<float>> && LaneRow<std::array<std::array<float, 2>, 2>>);
static_assert(std::is_same_v<detail::LaneOf<std::array<float, 3>>, float>);
static_assert(std::is_same_v<detail::LaneOf<const std::array<std::array<std::int32_t, 2>, 2>>, std::int32_t>);
static_assert(std::is_same_v<detail::LaneOf<float[2][3]>, float>);
static_assert(std::is_same_v<detail::LaneOf<std::uint8_t>, std::uint8_t>);

}  // namespace
}  // namespace millrace
