// Columns as formulas read them.
#include "src/data/number_column.hpp"

#include <limits>
#include <string>
#include <vector>

#include <arrow/api.h>
#include <gtest/gtest.h>

#include "tests/data/arrow_rows.hpp"
#include "tests/data/expect_fault.hpp"

namespace millrace::data {
namespace {

const Origin kFile = {.file = "t.parquet", .first_row = 100};

NumberColumn numbers_of(const std::shared_ptr<arrow::DataType>& type, const std::string& json,
                        std::optional<NumberType> wanted = {}) {
  return to_numbers("x", rows_of(type, json), wanted, kFile);
}

template <class T>
std::vector<T> lanes(const NumberColumn& column) {
  const std::span<const T> all = column.lanes<T>();
  return {all.begin(), all.end()};
}

using Floats = std::vector<float>;
using Integers = std::vector<std::int32_t>;
using Words = std::vector<std::uint32_t>;

// A type of column would be refused, or its values changed.
TEST(NumberColumn, IsOfEveryNumericType) {
  for (const auto& type : {arrow::int8(), arrow::int16(), arrow::int32(), arrow::int64()}) {
    const NumberColumn column = numbers_of(type, "[-128, 127]");
    EXPECT_EQ(column.type, (NumberType{.element = ElementType::sint32})) << type->ToString();
    EXPECT_EQ(lanes<std::int32_t>(column), (Integers{-128, 127})) << type->ToString();
  }
  for (const auto& type : {arrow::uint8(), arrow::uint16(), arrow::uint32(), arrow::uint64()}) {
    const NumberColumn column = numbers_of(type, "[0, 255]");
    EXPECT_EQ(column.type, (NumberType{.element = ElementType::uint32})) << type->ToString();
    EXPECT_EQ(lanes<std::uint32_t>(column), (Words{0, 255})) << type->ToString();
  }
  for (const auto& type : {arrow::float16(), arrow::float32(), arrow::float64()}) {
    const NumberColumn column = numbers_of(type, "[-1.5, 0.25]");
    EXPECT_EQ(column.type, (NumberType{.element = ElementType::float32})) << type->ToString();
    EXPECT_EQ(lanes<float>(column), (Floats{-1.5f, 0.25f})) << type->ToString();
  }
  const NumberColumn flags = numbers_of(arrow::boolean(), "[true, false, true]");
  EXPECT_EQ(flags.type, (NumberType{.element = ElementType::boolean}));
  EXPECT_EQ(lanes<std::uint32_t>(flags), (Words{1, 0, 1}));
  const NumberColumn nothing = numbers_of(arrow::null(), "[null, null]");
  EXPECT_EQ(nothing.type, (NumberType{.element = ElementType::float32}));
  EXPECT_EQ(nothing.validity.missing_count(), 2U);
}

// A double would be rounded twice or toward zero, or an infinity be refused.
TEST(NumberColumn, RoundsDoublesToNearest) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(lanes<float>(numbers_of(arrow::float64(), "[0.1, -Inf, Inf, 1e-60]")),
            (Floats{0.1f, -infinity, infinity, 0}));
}

// Points would lose their lanes, or take those of the rows before them in a slice.
TEST(NumberColumn, HasTheLanesOfFixedSizeLists) {
  const auto points =
      rows_of(arrow::fixed_size_list(arrow::float64(), 3), "[[9, 9, 9], [1, 2, 3], null, [4, null, 6]]");
  const NumberColumn column = to_numbers("p", points->Slice(1), std::nullopt, kFile);
  EXPECT_EQ(column.type, (NumberType{.element = ElementType::float32, .lane_count = 3}));
  const Floats values = lanes<float>(column);
  ASSERT_EQ(values.size(), 9U);
  EXPECT_EQ(Floats(values.begin(), values.begin() + 3), (Floats{1, 2, 3}));
  EXPECT_TRUE(column.validity.has_value(0));
  EXPECT_FALSE(column.validity.has_value(1));
  EXPECT_FALSE(column.validity.has_value(2));
  const auto flags = rows_of(arrow::fixed_size_list(arrow::boolean(), 2), "[[true, false], [false, true]]");
  EXPECT_EQ(lanes<std::uint32_t>(to_numbers("f", flags->Slice(1), std::nullopt, kFile)), (Words{0, 1}));
}

// Rows of a slice would be those of the whole array.
TEST(NumberColumn, IsThatOfASlice) {
  const auto longs = rows_of(arrow::int64(), "[1, null, 3, 4, null]");
  const NumberColumn column = to_numbers("x", longs->Slice(2, 3), std::nullopt, kFile);
  EXPECT_EQ(lanes<std::int32_t>(column)[0], 3);
  EXPECT_EQ(lanes<std::int32_t>(column)[1], 4);
  EXPECT_FALSE(column.validity.has_value(2));
  const auto floats = rows_of(arrow::float32(), "[1, 2, 3, 4]");
  EXPECT_EQ(lanes<float>(to_numbers("x", floats->Slice(1, 2), std::nullopt, kFile)), (Floats{2, 3}));
  const auto flags = rows_of(arrow::boolean(), "[true, false, true, false, true, true, true, true, true, false]");
  EXPECT_EQ(lanes<std::uint32_t>(to_numbers("x", flags->Slice(7, 3), std::nullopt, kFile)), (Words{1, 1, 0}));
}

// Numbers that a program stored as categories would be refused, or their codes be taken for them.
TEST(NumberColumn, DecodesDictionaries) {
  const std::shared_ptr<arrow::DataType> type = arrow::dictionary(arrow::int8(), arrow::float64());
  const auto coded = arrow::DictionaryArray::FromArrays(type, rows_of(arrow::int8(), "[1, null, 0, 1]"),
                                                        rows_of(arrow::float64(), "[2.5, 7]"))
                         .ValueOrDie();
  const NumberColumn column = to_numbers("x", coded, std::nullopt, kFile);
  EXPECT_EQ(lanes<float>(column)[0], 7.0f);
  EXPECT_EQ(lanes<float>(column)[2], 2.5f);
  EXPECT_FALSE(column.validity.has_value(1));
}

// A column that a graph declares as float32 would be refused because the file has integers.
TEST(NumberColumn, ConvertsToTheTypeThatIsWanted) {
  constexpr NumberType kFloat = {.element = ElementType::float32};
  constexpr NumberType kSigned = {.element = ElementType::sint32};
  constexpr NumberType kUnsigned = {.element = ElementType::uint32};
  EXPECT_EQ(lanes<float>(numbers_of(arrow::int64(), "[16777217, -3]", kFloat)), (Floats{16777216, -3}));
  EXPECT_EQ(lanes<float>(numbers_of(arrow::uint8(), "[255]", kFloat)), (Floats{255}));
  EXPECT_EQ(lanes<std::uint32_t>(numbers_of(arrow::int64(), "[4294967295]", kUnsigned)), (Words{4294967295U}));
  EXPECT_EQ(lanes<std::int32_t>(numbers_of(arrow::uint32(), "[7]", kSigned)), (Integers{7}));
  EXPECT_EQ(numbers_of(arrow::null(), "[null]", kSigned).type, kSigned);
  expect_fault(
      [&] { return numbers_of(arrow::int32(), "[-1]", kUnsigned); }, DataErrorCode::value_out_of_range,
      "t.parquet: Column \"x\" holds -1 in row 101 (counting from 1), which does not fit in an unsigned 32-bit "
      "integer (0 to 4294967295).");
  expect_fault([&] { return numbers_of(arrow::float32(), "[1]", kSigned); }, DataErrorCode::unsupported_column,
               "t.parquet: Column \"x\" has the type float, which cannot be read as sint32; declare it float32.");
  expect_fault(
      [&] {
        return numbers_of(arrow::fixed_size_list(arrow::int16(), 2), "[[1, 2]]", NumberType{ElementType::sint32, 3});
      },
      DataErrorCode::unsupported_column,
      "t.parquet: Column \"x\" has the type fixed_size_list<item: int16>[2], which cannot be read as sint32x3; declare "
      "it sint32x2.");
}

// A value beyond 32 bits would wrap or become infinite without a word; but one in a missing row is none.
TEST(NumberColumn, RefusesValuesThatDoNotFit) {
  expect_fault([] { return numbers_of(arrow::int64(), "[1, null, 3000000000]"); }, DataErrorCode::value_out_of_range,
               "t.parquet: Column \"x\" holds 3000000000 in row 103 (counting from 1), which does not fit in a 32-bit "
               "integer (-2147483648 to 2147483647).");
  expect_fault(
      [] { return numbers_of(arrow::uint64(), "[4294967296]"); }, DataErrorCode::value_out_of_range,
      "t.parquet: Column \"x\" holds 4294967296 in row 101 (counting from 1), which does not fit in an unsigned "
      "32-bit integer (0 to 4294967295).");
  expect_fault([] { return numbers_of(arrow::float64(), "[1, -1e39]"); }, DataErrorCode::value_out_of_range,
               "t.parquet: Column \"x\" holds -1e+39 in row 102 (counting from 1), which does not fit in float32 "
               "(-3.4028235e+38 to 3.4028235e+38).");
  expect_fault([] { return numbers_of(arrow::fixed_size_list(arrow::int64(), 2), "[[1, 2], [3, 3000000000]]"); },
               DataErrorCode::value_out_of_range,
               "t.parquet: Column \"x\" holds 3000000000 in row 102 (counting from 1), which does not fit in a 32-bit "
               "integer (-2147483648 to 2147483647).");
  const auto longs = std::make_shared<arrow::Int64Array>(
      2, arrow::Buffer::FromVector(std::vector<std::int64_t>{std::int64_t{1} << 40, 5}),
      arrow::Buffer::FromVector(std::vector<std::uint8_t>{0b10}));
  EXPECT_EQ(lanes<std::int32_t>(to_numbers("x", longs, std::nullopt, kFile))[1], 5);
}

// A formula would compute with days, bytes or text as if they were numbers, or the error not say which column it is.
TEST(NumberColumn, RefusesOtherTypesByName) {
  const auto refused = [](const std::shared_ptr<arrow::DataType>& type) {
    expect_fault(
        [&] { check_is_numbers("t.parquet", arrow::Field("x", type), std::nullopt); },
        DataErrorCode::unsupported_column,
        "t.parquet: Column \"x\" has the type " + type->ToString() +
            "; a formula reads columns of integers, floats, doubles or booleans, and lists of 2 to 4 of them.");
  };
  refused(arrow::utf8());
  refused(arrow::date32());
  refused(arrow::timestamp(arrow::TimeUnit::SECOND));
  refused(arrow::duration(arrow::TimeUnit::SECOND));
  refused(arrow::decimal128(5, 2));
  refused(arrow::list(arrow::float32()));
  refused(arrow::fixed_size_list(arrow::float32(), 5));
  refused(arrow::fixed_size_list(arrow::utf8(), 2));
  refused(arrow::struct_({arrow::field("x", arrow::float32())}));
  refused(arrow::dictionary(arrow::int8(), arrow::utf8()));
  refused(arrow::fixed_size_binary(4));
}

}  // namespace
}  // namespace millrace::data
