// Packed formats on the provider and adapter at hand, against values worked out in double precision.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/expression/golden_cases.hpp"
#include "tests/expression/run_kernel.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace::expression {
namespace {

using Words = std::vector<std::uint32_t>;

// From the names of WebGPU's vertex formats.
struct Description {
  Format format;
  std::string kind;
  std::vector<int> bits;  // of each lane, from the lowest bit of the first word on
};

std::vector<Description> descriptions() {
  using enum Format;
  const std::vector<int> bytes(4, 8), pair(2, 16), four(4, 16);
  return {{float16x2, "half", pair},      {float16x4, "half", four},  {uint8x4, "uint", bytes},
          {sint8x4, "sint", bytes},       {unorm8x4, "unorm", bytes}, {snorm8x4, "snorm", bytes},
          {uint16x2, "uint", pair},       {uint16x4, "uint", four},   {sint16x2, "sint", pair},
          {sint16x4, "sint", four},       {unorm16x2, "unorm", pair}, {unorm16x4, "unorm", four},
          {snorm16x2, "snorm", pair},     {snorm16x4, "snorm", four}, {unorm10_10_10_2, "unorm", {10, 10, 10, 2}},
          {unorm8x4_bgra, "unorm", bytes}};
}

std::uint32_t mask(int bits) { return (1u << bits) - 1; }

// The lane's place among the stored fields: bgra keeps blue first.
std::size_t place(const Description& of, std::size_t lane) {
  return of.format == Format::unorm8x4_bgra && lane != 3 ? 2 - lane : lane;
}

std::uint32_t field(const Description& of, const Words& words, std::size_t row, std::size_t lane) {
  int bit = 0;
  for (std::size_t before = 0; before < place(of, lane); ++before) bit += of.bits[before];
  const std::size_t words_per_row = bytes_per_row(of.format) / 4;
  const std::uint32_t word = words[row * words_per_row + static_cast<std::size_t>(bit / 32)];
  return (word >> (bit % 32)) & mask(of.bits[place(of, lane)]);
}

int sign_extended(std::uint32_t field, int bits) {
  const int value = static_cast<int>(field);
  return value >= 1 << (bits - 1) ? value - (1 << bits) : value;
}

double half_value(std::uint32_t pattern) {
  const int exponent = static_cast<int>(pattern >> 10 & 31);
  const double fraction = pattern & 1023;
  const double sign = (pattern & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

// What lane `lane` of a row reads as; integers too, which a double holds.
double read_value(const Description& of, std::uint32_t field, std::size_t lane) {
  const int bits = of.bits[place(of, lane)];
  if (of.kind == "half") return half_value(field);
  if (of.kind == "uint") return field;
  if (of.kind == "sint") return sign_extended(field, bits);
  if (of.kind == "unorm") return static_cast<double>(field) / mask(bits);
  return std::max(-1.0, static_cast<double>(sign_extended(field, bits)) / mask(bits - 1));
}

double number(const Description& of, std::uint32_t word) {
  if (of.kind == "uint") return word;
  if (of.kind == "sint") return static_cast<std::int32_t>(word);
  return std::bit_cast<float>(word);
}

// The field that a value is written as; for normalized values the nearest two where the f32 product may round either way.
std::vector<std::uint32_t> written(const Description& of, double value, std::size_t lane) {
  const int bits = of.bits[place(of, lane)];
  if (of.kind == "uint") return {static_cast<std::uint32_t>(std::min<double>(value, mask(bits)))};
  if (of.kind == "sint") {
    const double most = mask(bits - 1);
    return {static_cast<std::uint32_t>(static_cast<std::int32_t>(std::clamp(value, -most - 1, most))) & mask(bits)};
  }
  if (std::isnan(value)) return {0};
  const bool with_sign = of.kind == "snorm";
  const double steps = with_sign ? mask(bits - 1) : mask(bits);
  const double exact = std::clamp(value, with_sign ? -1.0 : 0.0, 1.0) * steps;
  const double doubt = steps * std::ldexp(1, -24);
  std::vector<std::uint32_t> fields;
  for (const double shift : {-doubt, 0.0, doubt}) {
    fields.push_back(static_cast<std::uint32_t>(static_cast<std::int32_t>(std::nearbyint(exact + shift))) & mask(bits));
  }
  return fields;
}

// The nearest half, the even one where two are as near: a search among all of them.
std::uint32_t nearest_half(double value) {
  static const std::vector<double> all = [] {
    std::vector<double> values;
    for (std::uint32_t pattern = 0; pattern < 0x7c00; ++pattern) values.push_back(half_value(pattern));
    values.push_back(65536);  // where the next one would be: infinity
    return values;
  }();
  const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  const auto above = std::lower_bound(all.begin(), all.end(), size);
  if (above == all.end()) return sign | 0x7c00;
  auto pattern = static_cast<std::uint32_t>(above - all.begin());
  if (*above != size) {
    const double down = size - *(above - 1), up = *above - size;
    if (down < up || (down == up && pattern % 2 == 1)) --pattern;
  }
  return sign | pattern;
}

bool is_half_nan(std::uint32_t field) { return (field & 0x7fff) > 0x7c00; }

struct Outcome {
  Words values;  // read from the packed rows
  Words packed;  // written from the values given
  Words requantized;
};

Outcome run(const Description& of, const Words& packed, const Words& values, std::uint32_t row_count) {
  const GoldenCase golden = packed_case(of.format);
  const auto results = run_cut(*webgpu::DeviceAccess::core(shared_device()), golden.dag, golden.cut,
                               {.row_count = row_count, .stored = {packed, values}});
  return {results[0], results[1], results[2]};
}

// Every pattern of every lane, the lanes of a row unlike each other.
Words all_patterns(const Description& of, std::uint32_t row_count) {
  Words words;
  for (std::uint32_t row = 0; row < row_count; ++row) {
    std::uint64_t low = 0;
    int bit = 0;
    for (std::size_t lane = 0; lane < of.bits.size(); ++lane) {
      const std::uint64_t pattern =
          (row * (2 * static_cast<std::uint32_t>(lane) + 1) + 77 * static_cast<std::uint32_t>(lane)) &
          mask(of.bits[lane]);
      low |= pattern << bit;
      bit += of.bits[lane];
    }
    words.push_back(static_cast<std::uint32_t>(low));
    if (bit > 32) words.push_back(static_cast<std::uint32_t>(low >> 32));
  }
  return words;
}

// Colours, small integers and halves would be read as other numbers, or from the neighbour's bits.
TEST(PackedFormatsProvider, AreReadRight) {
  constexpr std::uint32_t kRows = 65536;
  for (const Description& of : descriptions()) {
    const Words packed = all_patterns(of, kRows);
    const std::size_t lane_count = of.bits.size();
    const Outcome outcome = run(of, packed, Words(kRows * lane_count), kRows);
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        const std::uint32_t stored = field(of, packed, row, lane);
        const double expected = read_value(of, stored, lane);
        const double got = number(of, outcome.values[row * lane_count + lane]);
        // WGSL lets a quotient be off by 2.5 ULP; the ends are exact.
        const bool is_inner = of.kind.ends_with("norm") && expected != 0 && std::fabs(expected) != 1;
        const double slack = is_inner ? std::fabs(expected) * 2.5 * std::ldexp(1, -23) : 0;
        const bool is_right = std::isnan(expected) ? std::isnan(got)
                              : slack > 0          ? std::fabs(got - expected) <= slack
                                                   : got == expected && std::signbit(got) == std::signbit(expected);
        ASSERT_TRUE(is_right) << format_name(of.format) << " lane " << lane << " field " << stored << " reads as "
                              << got << ", not " << expected;
      }
    }
  }
}

// Rows that are read and written in the same format would drift with every pass.
TEST(PackedFormatsProvider, AreWrittenAsTheyWereRead) {
  constexpr std::uint32_t kRows = 65536;
  for (const Description& of : descriptions()) {
    const Words packed = all_patterns(of, kRows);
    const std::size_t lane_count = of.bits.size();
    const Outcome read = run(of, packed, Words(kRows * lane_count), kRows);
    const Outcome outcome = run(of, packed, read.values, kRows);
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        const std::uint32_t before = field(of, packed, row, lane);
        const std::uint32_t after = field(of, outcome.packed, row, lane);
        const std::uint32_t least = 1u << (of.bits[place(of, lane)] - 1);
        // -128/127 is read as -1, whose own field is -127.
        const bool is_second_minus_one = of.kind == "snorm" && before == least && after == least + 1;
        const bool are_nan = of.kind == "half" && is_half_nan(before) && is_half_nan(after);
        ASSERT_TRUE(before == after || is_second_minus_one || are_nan)
            << format_name(of.format) << " lane " << lane << " field " << before << " is written as " << after;
      }
    }
    if (of.kind != "half") {
      EXPECT_EQ(outcome.requantized, read.values) << format_name(of.format);
    }
  }
}

Words hard_values(const Description& of) {
  Words words;
  if (of.kind == "uint" || of.kind == "sint") {
    for (const std::int64_t value : {0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2147483647}) {
      words.push_back(static_cast<std::uint32_t>(value));
      words.push_back(static_cast<std::uint32_t>(-value));
    }
    words.push_back(0x80000000u);
    words.push_back(0xffffffffu);
    return words;
  }
  std::vector<float> values = {0.0f,          -0.0f,        0.5f,          -0.5f,         1.0f,          -1.0f,
                               2.0f,          -2.0f,        1e30f,         -1e30f,        1e-40f,        65504.0f,
                               65519.0f,      65520.0f,     -65520.0f,     65536.0f,      5.9604645e-8f, 2.9802322e-8f,
                               2.9802326e-8f, 8.940697e-8f, 1.4901161e-8f, 6.1035156e-5f, 6.1005353e-5f};
  for (const float limit : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    values.push_back(limit);
    values.push_back(-limit);
  }
  // Between two neighbours, and on either side of the middle.
  for (std::uint32_t step = 0; step < 3000; ++step) {
    const float middle = of.kind == "half" ? static_cast<float>((half_value(step * 10) + half_value(step * 10 + 1)) / 2)
                                           : (static_cast<float>(step) + 0.5f) / static_cast<float>(mask(of.bits[0]));
    for (const float value : {std::nextafter(middle, 0.0f), middle, std::nextafter(middle, 1e30f)}) {
      values.push_back(value);
      values.push_back(-value);
    }
  }
  for (const float value : values) words.push_back(std::bit_cast<std::uint32_t>(value));
  return words;
}

// Results past the range would spill into the neighbour lane, and halves would be rounded as each driver likes.
TEST(PackedFormatsProvider, AreWrittenToTheNearest) {
  for (const Description& of : descriptions()) {
    Words values = hard_values(of);
    const std::size_t lane_count = of.bits.size();
    while (values.size() % lane_count != 0) values.push_back(0);
    const auto row_count = static_cast<std::uint32_t>(values.size() / lane_count);
    const Outcome outcome = run(of, Words(row_count * bytes_per_row(of.format) / 4), values, row_count);
    for (std::size_t row = 0; row < row_count; ++row) {
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        const double value = number(of, values[row * lane_count + lane]);
        const std::uint32_t got = field(of, outcome.packed, row, lane);
        if (of.kind == "half") {
          ASSERT_TRUE(std::isnan(value) ? is_half_nan(got) : got == nearest_half(value))
              << format_name(of.format) << ": " << value << " is written as " << got << ", not " << nearest_half(value);
        } else {
          const std::vector<std::uint32_t> expected = written(of, value, lane);
          ASSERT_NE(std::find(expected.begin(), expected.end(), got), expected.end())
              << format_name(of.format) << " lane " << lane << ": " << value << " is written as " << got << ", not "
              << expected[expected.size() / 2];
        }
      }
    }
  }
}

}  // namespace
}  // namespace millrace::expression
