// What the text of a field means.
#include "src/data/csv_field.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace millrace::data {
namespace {

FieldKind kind_of(std::string_view text) { return classify_field(trim_field(text)); }

// A column of numbers would be taken for text, or text for numbers.
TEST(CsvField, IsOfItsKind) {
  for (const char* text : {"", "NA", "  ", " NA "}) EXPECT_EQ(kind_of(text), FieldKind::missing) << text;
  for (const char* text : {"0", "-5", "+5", " 12 ", "99999999999999999999"}) {
    EXPECT_EQ(kind_of(text), FieldKind::integer) << text;
  }
  for (const char* text : {"1.5", "-.5", "5.", "1e3", "+1.5", "1e999", "inf", "-inf", "NaN", "nan"}) {
    EXPECT_EQ(kind_of(text), FieldKind::number) << text;
  }
  for (const char* text : {"true", "FALSE", "True"}) EXPECT_EQ(kind_of(text), FieldKind::boolean) << text;
  for (const char* text : {"-", "+", "1,5", "1 5", "0x10", "1e", "na", "tRUE", "12a", "2013-01-01", "--1", "+-1"}) {
    EXPECT_EQ(kind_of(text), FieldKind::text) << text;
  }
}

// A value at the edge of its type would be refused, or one beyond it wrap.
TEST(CsvField, HoldsIntegersOf32Bits) {
  std::int32_t value = 0;
  EXPECT_TRUE(parse("2147483647", value));
  EXPECT_EQ(value, 2147483647);
  EXPECT_TRUE(parse("-2147483648", value));
  EXPECT_EQ(value, std::numeric_limits<std::int32_t>::min());
  EXPECT_FALSE(parse("2147483648", value));
  EXPECT_FALSE(parse("-2147483649", value));
  EXPECT_FALSE(parse("99999999999999999999", value));
  std::uint32_t word = 0;
  EXPECT_TRUE(parse("4294967295", word));
  EXPECT_EQ(word, 4294967295U);
  EXPECT_FALSE(parse("4294967296", word));
  EXPECT_FALSE(parse("-1", word));
}

// An identifier of 64 bits would lose its last digits on its way through the tool.
TEST(CsvField, HoldsIntegersOf64Bits) {
  std::int64_t value = 0;
  EXPECT_TRUE(parse("-9223372036854775808", value));
  EXPECT_EQ(value, std::numeric_limits<std::int64_t>::min());
  EXPECT_FALSE(parse("9223372036854775808", value));
}

// A flag would be read as the other, or a number taken for one.
TEST(CsvField, HoldsTrueAndFalse) {
  bool value = false;
  EXPECT_TRUE(parse("True", value));
  EXPECT_TRUE(value);
  EXPECT_TRUE(parse("FALSE", value));
  EXPECT_FALSE(value);
  EXPECT_FALSE(parse("1", value));
}

// Numbers would be rounded twice (first to double), refused although they only round to zero, or become infinite.
TEST(CsvField, RoundsNumbersToFloat32Once) {
  float value = 0;
  EXPECT_TRUE(parse("0.1", value));
  EXPECT_EQ(value, 0.1f);
  // Just above the middle between 1 and the next float32; in double it is the middle itself, which would go to 1.
  EXPECT_TRUE(parse("1.00000005960464477540", value));
  EXPECT_EQ(value, std::nextafter(1.0f, 2.0f));
  EXPECT_TRUE(parse("3.4028234663852886e38", value));
  EXPECT_EQ(value, std::numeric_limits<float>::max());
  EXPECT_TRUE(parse("1e-50", value));
  EXPECT_EQ(value, 0.0f);
  EXPECT_TRUE(parse("1e-400", value));
  EXPECT_EQ(value, 0.0f);
  EXPECT_TRUE(parse("inf", value));
  EXPECT_TRUE(std::isinf(value));
  EXPECT_FALSE(parse("1e39", value));
  EXPECT_FALSE(parse("-1e400", value));
}

// A message about a field of megabytes, or with line ends in it, would hide what it says.
TEST(CsvField, IsCutForMessages) {
  EXPECT_EQ(excerpt("two\nlines"), "two lines");
  EXPECT_EQ(excerpt(std::string(61, 'a')), std::string(60, 'a') + "...");
  // "é" is two bytes, the second of which is the 61st: it is left out whole.
  EXPECT_EQ(excerpt(std::string(59, 'a') + "\xc3\xa9" + "b"), std::string(59, 'a') + "...");
}

}  // namespace
}  // namespace millrace::data
