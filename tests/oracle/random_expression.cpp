// What is drawn how often. Special values are rare enough that most results have one right value.
#include "tests/oracle/random_expression.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace millrace::oracle {

using expression::FunctionIndex;
using expression::FunctionRow;
using expression::Lane;
using expression::Signature;
using expression::Type;

namespace {

constexpr Lane kLanes[] = {Lane::f32, Lane::i32, Lane::u32, Lane::boolean};

constexpr Format kFormats[] = {Format::float32,   Format::float32x2, Format::float32x3,       Format::float32x4,
                               Format::sint32,    Format::sint32x2,  Format::sint32x3,        Format::sint32x4,
                               Format::uint32,    Format::uint32x2,  Format::uint32x3,        Format::uint32x4,
                               Format::float16x2, Format::float16x4, Format::uint8x4,         Format::sint8x4,
                               Format::unorm8x4,  Format::snorm8x4,  Format::uint16x2,        Format::uint16x4,
                               Format::sint16x2,  Format::sint16x4,  Format::unorm16x2,       Format::unorm16x4,
                               Format::snorm16x2, Format::snorm16x4, Format::unorm10_10_10_2, Format::unorm8x4_bgra};

// Zeros, ones, halves, multiples of pi/2; ties of float16; what integers and halves just hold and just do not.
constexpr float kSpecialFloats[] = {0.0f,        -0.0f,         1.0f,          -1.0f,         0.5f,
                                    -0.5f,       2.5f,          -2.5f,         1.5707964f,    3.1415927f,
                                    2049.0f,     2051.0f,       65519.0f,      65520.0f,      8388609.0f,
                                    16777216.0f, 2147483648.0f, 3000000000.0f, 4294967040.0f, -2147483648.0f};
constexpr std::uint32_t kHarshFloats[] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc12345u, 0x00000001u,
                                          0x80400000u, 0x007fffffu, 0x00800000u, 0x7f7fffffu, 0xff7fffffu};
constexpr std::uint32_t kSpecialWords[] = {0u,  1u,  2u, 0xffffffffu, 0x80000000u, 0x7fffffffu, 31u,
                                           32u, 33u, 8u, 0xfffffffeu, 0xffffu,     0x10000u,    0xff00ff00u};

std::uint32_t moderate_float(RandomSource& random) {
  double value = 0;
  switch (random.below(5)) {
    case 0:
      value = static_cast<double>(random.below(41)) - 20;
      break;
    case 1:
      value = random.fraction() * 2 - 1;
      break;
    case 2:
      value = random.fraction() * 20 - 10;
      break;
    case 3:
      value = std::ldexp(random.fraction() - 0.5, static_cast<int>(random.below(100)) - 50);
      break;
    default:
      value = std::ldexp(1 + random.fraction(), static_cast<int>(random.below(25)) - 12);
      break;
  }
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

std::uint32_t random_float(RandomSource& random) {
  if (random.chance(8)) return random.pick(kHarshFloats);
  if (random.chance(4)) return static_cast<std::uint32_t>(random.bits());
  return random.chance(14) ? std::bit_cast<std::uint32_t>(random.pick(kSpecialFloats)) : moderate_float(random);
}

std::uint32_t random_word(RandomSource& random) {
  if (random.chance(20)) return random.pick(kSpecialWords);
  if (random.chance(20)) return static_cast<std::uint32_t>(random.bits());
  return random.below(40) - 12;
}

}  // namespace

std::vector<RandomInput> random_inputs(RandomSource& random) {
  std::vector<RandomInput> inputs = {{"x", Format::float32, true}, {"air time", Format::float32, true}};
  const std::uint32_t count = 4 + random.below(5);
  for (std::uint32_t index = 0; index < count; ++index) {
    const bool is_vector = random.chance(80);
    // Scalars are bound as numbers, which have 32-bit lanes.
    const Format format = is_vector ? random.pick(kFormats) : kFormats[random.below(12)];
    inputs.push_back({fmt::format("in{}", index), format, is_vector});
  }
  return inputs;
}

std::vector<std::uint32_t> random_row(RandomSource& random, Format format) {
  const bool is_float = expression::stored_format(expression::read_type(format)) == format &&
                        expression::read_type(format).lane == Lane::f32;
  std::vector<std::uint32_t> words(bytes_per_row(format) / 4);
  for (std::uint32_t& word : words) {
    if (is_float)
      word = random_float(random);
    else if (lanes(format) == words.size())
      word = random_word(random);
    else
      word = static_cast<std::uint32_t>(random.bits());
  }
  return words;
}

std::string RandomExpression::of_type(Type type, int depth) {
  if (depth > 0 && random_.chance(8)) {
    std::vector<std::string> fitting;
    for (const RandomName& part : parts_) {
      if (part.type == type) fitting.push_back(part.text);
    }
    if (!fitting.empty()) return random_.pick(fitting);
  }
  std::string text = drawn(type, depth);
  parts_.push_back({text, type});
  return text;
}

std::string RandomExpression::drawn(Type type, int depth) {
  if (depth <= 0 || random_.chance(12)) return leaf(type);
  if (random_.chance(8)) {
    return fmt::format("({} ? {} : {})",
                       of_type({Lane::boolean, random_.chance(50) ? type.width : std::uint8_t{1}}, depth - 1),
                       of_type(type, depth - 1), of_type(type, depth - 1));
  }
  if (random_.chance(10)) return lanes_of_wider(type, depth);
  if (type.width > 1 && random_.chance(20)) return constructor(type, depth);
  return call(type, depth);
}

const std::vector<RandomExpression::Choice>& RandomExpression::choices(Type result) {
  static std::map<std::pair<Lane, std::uint8_t>, std::vector<Choice>> known;
  std::vector<Choice>& all = known[{result.lane, result.width}];
  if (!all.empty()) return all;
  const auto table = expression::function_table();
  for (std::uint32_t index = 0; index < table.size(); ++index) {
    const FunctionRow& row = table[index];
    if (row.signature == Signature::construct) continue;
    for (const Lane lane : kLanes) {
      if (!expression::holds(row.lanes, lane)) continue;
      for (std::uint8_t width = row.least_width; width <= row.most_width; ++width) {
        if (expression::result_type(row, {lane, width}) == result) all.push_back({FunctionIndex{index}, {lane, width}});
      }
    }
  }
  return all;
}

std::string RandomExpression::leaf(Type type) {
  std::vector<std::string> fitting;
  for (const RandomName& name : names_) {
    if (name.type == type) fitting.push_back(name.text);
  }
  if (!fitting.empty() && random_.chance(70)) return random_.pick(fitting);
  if (random_.chance(30)) return lanes_of_wider(type, 0);
  if (type.width > 1) return fmt::format("vec{}({})", type.width, literal({type.lane, 1}));
  return random_.chance(15) ? builtin(type) : literal(type);
}

std::string RandomExpression::builtin(Type type) {
  switch (type.lane) {
    case Lane::f32: {
      constexpr const char* kNames[] = {"pi", "e", "pi", "e", "inf", "nan"};
      return random_.pick(kNames);
    }
    case Lane::u32:
      return random_.chance(50) ? "row" : "rows";
    case Lane::i32:
      return "i32(row)";
    case Lane::boolean:
      break;
  }
  return random_.chance(50) ? "true" : "false";
}

std::string RandomExpression::float_literal() {
  constexpr const char* kLiterals[] = {"0.0",
                                       "1.0",
                                       "0.5",
                                       "2.5f",
                                       "1e-3",
                                       "3f",
                                       "0.1",
                                       "16.0",
                                       "16777217.0",
                                       "3.0e38",
                                       "1e-30",
                                       "1.5e-38",
                                       "255.0",
                                       "0.33333334",
                                       ".25",
                                       "7.",
                                       "1E3",
                                       "2e+2f",
                                       "(-0.0)",
                                       "-1.5",
                                       "3.4028234663852886e38",
                                       "1.17549435e-38",
                                       "1e-40"};
  if (random_.chance(40)) return random_.pick(kLiterals);
  const std::string number = fmt::format("{:.{}f}", random_.fraction() * 12, 1 + random_.below(7));
  return random_.chance(25) ? "(-" + number + ")" : number;
}

std::string RandomExpression::literal(Type type) {
  if (type.width > 1) return fmt::format("vec{}({})", type.width, literal({type.lane, 1}));
  constexpr const char* kSigned[] = {"0i", "1i", "3i", "(-1i)", "(-7i)", "2147483647i", "31i", "0x7fi"};
  constexpr const char* kUnsigned[] = {"0u", "1u", "3u", "31u", "0xffu", "4294967295u", "0x80000000u", "7u"};
  switch (type.lane) {
    case Lane::f32:
      return float_literal();
    case Lane::i32:
      return random_.pick(kSigned);
    case Lane::u32:
      return random_.pick(kUnsigned);
    case Lane::boolean:
      break;
  }
  return random_.chance(50) ? "true" : "false";
}

// Lanes picked out of a value of the same lane type by letters or by an index.
std::string RandomExpression::lanes_of_wider(Type type, int depth) {
  const auto from_width = static_cast<std::uint8_t>(1 + random_.below(4));
  const Type from{type.lane, from_width};
  std::string value;
  std::vector<std::string> fitting;
  for (const RandomName& name : names_) {
    if (name.type == from) fitting.push_back(name.text);
  }
  if (!fitting.empty() && random_.chance(60))
    value = random_.pick(fitting);
  else
    value = fmt::format("({})", depth > 0 ? of_type(from, depth - 1) : literal(from));
  if (type.width == 1 && random_.chance(40)) {
    if (random_.chance(50)) return fmt::format("{}[{}]", value, random_.below(from_width));
    return fmt::format("{}[{}]", value, of_type({random_.chance(50) ? Lane::i32 : Lane::u32, 1}, depth - 1));
  }
  const std::string_view letters = random_.chance(50) ? "xyzw" : "rgba";
  std::string picked;
  for (std::uint8_t lane = 0; lane < type.width; ++lane) picked += letters[random_.below(from_width)];
  return value + "." + picked;
}

std::string RandomExpression::constructor(Type type, int depth) {
  std::string parts;
  for (std::uint8_t left = type.width; left > 0;) {
    const auto width = static_cast<std::uint8_t>(1 + random_.below(left));
    // One part of all lanes would be no constructor, and one lane alone is for all.
    const std::uint8_t part = width == type.width ? std::uint8_t{1} : width;
    parts += (parts.empty() ? "" : ", ") + of_type({type.lane, part}, depth - 1);
    left = static_cast<std::uint8_t>(left - part);
  }
  return fmt::format("vec{}({})", type.width, parts);
}

// Takes the lane type that it meets.
std::string RandomExpression::literal_without_suffix(Lane lane) {
  constexpr const char* kWhole[] = {"0", "1", "2", "3", "5", "9", "31", "0x1f", "0xFF", "65536", "16777216"};
  if (random_.chance(80)) return random_.pick(kWhole);
  switch (lane) {
    case Lane::f32:
      return random_.chance(50) ? "1/3" : "(-0)";
    case Lane::i32:
      return random_.chance(50) ? "(-5)" : "(-2147483648)";
    default:
      return "0x80000000";
  }
}

// Where operands meet, one of them alone may have one lane; its literals need no suffix.
std::string RandomExpression::operand(const FunctionRow& row, std::size_t index, Type t, int depth) {
  Type type = expression::operand_type(row, index, t);
  const bool meets = row.signature == Signature::same || row.signature == Signature::comparison;
  if (meets && index > 0 && row.least_width == 1 && random_.chance(15)) {
    type.width = 1;
    if (type.lane != Lane::boolean && random_.chance(50)) return literal_without_suffix(type.lane);
  }
  // Most NaNs are lost where something is computed of them, so what is asked of them is asked of data.
  const bool asks_bits = row.signature == Signature::comparison && row.lanes == expression::Lanes::f32;
  return of_type(type, asks_bits && random_.chance(60) ? 0 : depth - 1);
}

std::string RandomExpression::call(Type type, int depth) {
  const std::vector<Choice>& all = choices(type);
  const Choice choice = all[random_.below(static_cast<std::uint32_t>(all.size()))];
  const FunctionRow& row = expression::function(choice.function);
  std::vector<std::string> operands;
  for (std::size_t index = 0; index < row.most_operands; ++index)
    operands.push_back(operand(row, index, choice.t, depth));
  const std::string name(row.name);
  if (name == "pow" && random_.chance(40)) {
    constexpr const char* kExponents[] = {"0", "1", "2", "3", "4", "5", "(-1)", "0.5", "2.0", "(-2.0)"};
    operands[1] = random_.pick(kExponents);
  }
  if (!expression::find_function(name)) {
    if (operands.size() == 1) return fmt::format("({}{})", name == "unary -" ? "-" : name, operands[0]);
    return fmt::format("({} {} {})", operands[0], name, operands[1]);
  }
  const std::size_t dot = name.find('.');
  return fmt::format("{}({}){}", name.substr(0, dot), fmt::join(operands, ", "),
                     dot == std::string::npos ? "" : name.substr(dot));
}

}  // namespace millrace::oracle
