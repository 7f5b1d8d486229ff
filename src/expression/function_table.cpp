// The rows of the function table.
//
// The texts leave a provider no choice where WGSL or its implementations differ: shift amounts are masked, conversions
// from f32 are clamped before they are made, bit ranges are cut to the word, and a NaN is found by its bits or by a
// negated comparison (`x != x` is false for NaN on the drivers measured). What WGSL defines by a formula is that formula:
// drivers' own mix, fract, distance, ... are near it, each in its own way.
#include "src/expression/function_table.hpp"

#include <array>
#include <iterator>
#include <string>

#include <millrace/error.hpp>

namespace millrace::expression {
namespace {

// Operators: found by operator_function alone.
constexpr FunctionRow kOperators[] = {
    {"+", 2, 2, Signature::same, Lanes::numeric, 1, 4, "({0} + {1})"},
    {"-", 2, 2, Signature::same, Lanes::numeric, 1, 4, "({0} - {1})"},
    {"*", 2, 2, Signature::same, Lanes::numeric, 1, 4, "({0} * {1})"},
    // Integers lane by lane: NVIDIA (driver 580.159) gets vec4<i32>(1, p.yyy % 7) wrong in all lanes but the first, and
    // vec3<i32>(127, p) % vec3(zero, 31, -1) in all but the first as if it divided by 1, from either front end.
    {.name = "/",
     .least_operands = 2,
     .most_operands = 2,
     .signature = Signature::same,
     .lanes = Lanes::numeric,
     .wgsl = "({0} / {1})",
     .integers_by_lane = true},
    // SPIR-V leaves the integer remainder of a negative operand undefined, and NVIDIA makes use of it where wgpu-native
    // emits it (-5 % 2 is 1 there), so it is written out.
    {.name = "%",
     .least_operands = 2,
     .most_operands = 2,
     .signature = Signature::same,
     .lanes = Lanes::numeric,
     .wgsl = "({0} - {1} * trunc({0} / {1}))",
     .wgsl_integer = "select({0} - ({0} / {1}) * {1}, {T}(), {1} == {T}())",
     .integers_by_lane = true},
    {"&", 2, 2, Signature::same, Lanes::integer, 1, 4, "({0} & {1})"},
    {"|", 2, 2, Signature::same, Lanes::integer, 1, 4, "({0} | {1})"},
    {"^", 2, 2, Signature::same, Lanes::integer, 1, 4, "({0} ^ {1})"},
    {"<<", 2, 2, Signature::shift, Lanes::integer, 1, 4, "({0} << ({1} & {U}(31u)))"},
    {">>", 2, 2, Signature::shift, Lanes::integer, 1, 4, "({0} >> ({1} & {U}(31u)))"},
    {"==", 2, 2, Signature::comparison, Lanes::any, 1, 4, "({0} == {1})"},
    {"!=", 2, 2, Signature::comparison, Lanes::any, 1, 4, "!({0} == {1})"},
    // {N} keeps what NaN gives: NVIDIA (driver 580.159) makes a minimum of select(y, x, x < y), which ignores NaN, though
    // the comparison is false and y is asked for.
    {"<", 2, 2, Signature::comparison, Lanes::numeric, 1, 4, "(({0} < {1}) != {B}({N}))", "({0} < {1})"},
    {"<=", 2, 2, Signature::comparison, Lanes::numeric, 1, 4, "(({0} <= {1}) != {B}({N}))", "({0} <= {1})"},
    {">", 2, 2, Signature::comparison, Lanes::numeric, 1, 4, "(({0} > {1}) != {B}({N}))", "({0} > {1})"},
    {">=", 2, 2, Signature::comparison, Lanes::numeric, 1, 4, "(({0} >= {1}) != {B}({N}))", "({0} >= {1})"},
    // WGSL's && and || take single lanes only; operands here have no effects, so the others mean the same.
    {"&&", 2, 2, Signature::same, Lanes::boolean, 1, 4, "({0} & {1})"},
    {"||", 2, 2, Signature::same, Lanes::boolean, 1, 4, "({0} | {1})"},
    {"!", 1, 1, Signature::same, Lanes::boolean, 1, 4, "!{0}"},
    {"~", 1, 1, Signature::same, Lanes::integer, 1, 4, "~{0}"},
    {"unary -", 1, 1, Signature::same, Lanes::with_sign, 1, 4, "-{0}"},
};

constexpr FunctionRow kCalls[] = {
    // Casts. The bounds are the f32 nearest to the integer's own, inside of them.
    {"f32", 1, 1, Signature::to_f32, Lanes::any, 1, 4, "{F}({0})"},
    {"i32", 1, 1, Signature::to_i32, Lanes::any, 1, 4, "{I}(clamp({0}, {F}(-2147483648.0), {F}(2147483520.0)))",
     "{I}({0})"},
    {"u32", 1, 1, Signature::to_u32, Lanes::any, 1, 4, "{U}(clamp({0}, {F}(0.0), {F}(4294967040.0)))", "{U}({0})"},
    {"bool", 1, 1, Signature::to_bool, Lanes::any, 1, 4, "!({0} == {F}(0.0))", "{B}({0})"},
    // Constructors.
    {"vec2", 1, 2, Signature::construct, Lanes::any, 1, 4, "{T}({*})"},
    {"vec3", 1, 3, Signature::construct, Lanes::any, 1, 4, "{T}({*})"},
    {"vec4", 1, 4, Signature::construct, Lanes::any, 1, 4, "{T}({*})"},
    // Choice.
    {"select", 3, 3, Signature::select, Lanes::any, 1, 4, "select({0}, {1}, {2})"},
    {"min", 2, 2, Signature::same, Lanes::numeric, 1, 4, "", "min({0}, {1})", "min"},
    {"max", 2, 2, Signature::same, Lanes::numeric, 1, 4, "", "max({0}, {1})", "max"},
    {"clamp", 3, 3, Signature::same, Lanes::numeric, 1, 4, "", "min(max({0}, {1}), {2})", "clamp"},
    {"saturate", 1, 1, Signature::same, Lanes::f32, 1, 4, "select({F}(0.0), min({0}, {F}(1.0)), {0} > {F}(0.0))"},
    {"step", 2, 2, Signature::same, Lanes::f32, 1, 4, "select({F}(0.0), {F}(1.0), {0} <= {1})"},
    {"mix", 3, 3, Signature::same, Lanes::f32, 1, 4, "({0} * ({F}(1.0) - {2}) + {1} * {2})"},
    {"smoothstep", 3, 3, Signature::same, Lanes::f32, 1, 4, "", {}, "smoothstep"},
    // Magnitude, sign and rounding.
    // f32 by the sign's bit: of abs(x) NVIDIA takes for granted that it is at least 0, so that -1 < abs(NaN) is true. i32
    // by the sign's bit too: there (driver 580.159) -7 <= -abs(2) is false, and of max(x, -x) another max makes nonsense.
    {.name = "abs",
     .least_operands = 1,
     .most_operands = 1,
     .signature = Signature::same,
     .lanes = Lanes::numeric,
     .wgsl = "bitcast<{F}>(bitcast<{U}>({0}) & {U}(0x7fffffffu))",
     .wgsl_integer = "(({0} ^ ({0} >> {U}(31u))) - ({0} >> {U}(31u)))",
     .wgsl_unsigned = "{0}"},
    {"sign", 1, 1, Signature::same, Lanes::with_sign, 1, 4, "", "sign({0})", "sign"},
    {"floor", 1, 1, Signature::same, Lanes::f32, 1, 4, "floor({0})"},
    {"ceil", 1, 1, Signature::same, Lanes::f32, 1, 4, "ceil({0})"},
    {"round", 1, 1, Signature::same, Lanes::f32, 1, 4, "round({0})"},
    {"trunc", 1, 1, Signature::same, Lanes::f32, 1, 4, "trunc({0})"},
    {"fract", 1, 1, Signature::same, Lanes::f32, 1, 4, "({0} - floor({0}))"},
    {"sqrt", 1, 1, Signature::same, Lanes::f32, 1, 4, "sqrt({0})"},
    {"inverseSqrt", 1, 1, Signature::same, Lanes::f32, 1, 4, "inverseSqrt({0})"},
    // Vectors of lanes.
    {"length",
     1,
     1,
     Signature::reduction,
     Lanes::f32,
     1,
     4,
     "sqrt(dot({0}, {0}))",
     {},
     {},
     {},
     "bitcast<{F}>(bitcast<{U}>({0}) & {U}(0x7fffffffu))"},
    {"distance",
     2,
     2,
     Signature::reduction,
     Lanes::f32,
     1,
     4,
     "sqrt(dot({0} - {1}, {0} - {1}))",
     {},
     {},
     {},
     "abs({0} - {1})"},
    {"dot", 2, 2, Signature::reduction, Lanes::numeric, 2, 4, "dot({0}, {1})"},
    {"cross", 2, 2, Signature::fixed_three, Lanes::f32, 3, 3, "cross({0}, {1})"},
    {"normalize", 1, 1, Signature::same, Lanes::f32, 2, 4, "({0} / sqrt(dot({0}, {0})))"},
    // Bits.
    {"isnan", 1, 1, Signature::comparison, Lanes::f32, 1, 4,
     "((bitcast<{U}>({0}) & {U}(0x7fffffffu)) > {U}(0x7f800000u))"},
    {"isinf", 1, 1, Signature::comparison, Lanes::f32, 1, 4,
     "((bitcast<{U}>({0}) & {U}(0x7fffffffu)) == {U}(0x7f800000u))"},
    {"countOneBits", 1, 1, Signature::same, Lanes::integer, 1, 4, "countOneBits({0})"},
    {"countLeadingZeros", 1, 1, Signature::same, Lanes::integer, 1, 4, "countLeadingZeros({0})"},
    {"countTrailingZeros", 1, 1, Signature::same, Lanes::integer, 1, 4, "countTrailingZeros({0})"},
    {"firstLeadingBit", 1, 1, Signature::same, Lanes::integer, 1, 4, "firstLeadingBit({0})"},
    {"firstTrailingBit", 1, 1, Signature::same, Lanes::integer, 1, 4, "firstTrailingBit({0})"},
    {"reverseBits", 1, 1, Signature::same, Lanes::integer, 1, 4, "reverseBits({0})"},
    {"extractBits", 3, 3, Signature::extract_bits, Lanes::integer, 1, 4,
     "extractBits({0}, min({1}, 32u), min({2}, 32u - min({1}, 32u)))"},
    {"insertBits", 4, 4, Signature::insert_bits, Lanes::integer, 1, 4,
     "insertBits({0}, {1}, min({2}, 32u), min({3}, 32u - min({2}, 32u)))"},
};

constexpr FunctionRow kMathematics[] = {
    // Ours, or with Mathematics::native the provider's.
    {"sin", 1, 1, Signature::same, Lanes::f32, 1, 4, "sin({0})", {}, "sin"},
    {"cos", 1, 1, Signature::same, Lanes::f32, 1, 4, "cos({0})", {}, "cos"},
    {"tan", 1, 1, Signature::same, Lanes::f32, 1, 4, "tan({0})", {}, "tan"},
    {"asin", 1, 1, Signature::same, Lanes::f32, 1, 4, "asin({0})", {}, "asin"},
    {"acos", 1, 1, Signature::same, Lanes::f32, 1, 4, "acos({0})", {}, "acos"},
    {"atan", 1, 1, Signature::same, Lanes::f32, 1, 4, "atan({0})", {}, "atan"},
    {"sinh", 1, 1, Signature::same, Lanes::f32, 1, 4, "sinh({0})", {}, "sinh"},
    {"cosh", 1, 1, Signature::same, Lanes::f32, 1, 4, "cosh({0})", {}, "cosh"},
    {"tanh", 1, 1, Signature::same, Lanes::f32, 1, 4, "tanh({0})", {}, "tanh"},
    {"asinh", 1, 1, Signature::same, Lanes::f32, 1, 4, "asinh({0})", {}, "asinh"},
    {"acosh", 1, 1, Signature::same, Lanes::f32, 1, 4, "acosh({0})", {}, "acosh"},
    {"atanh", 1, 1, Signature::same, Lanes::f32, 1, 4, "atanh({0})", {}, "atanh"},
    {"exp", 1, 1, Signature::same, Lanes::f32, 1, 4, "exp({0})", {}, "exp"},
    {"exp2", 1, 1, Signature::same, Lanes::f32, 1, 4, "exp2({0})", {}, "exp2"},
    {"log", 1, 1, Signature::same, Lanes::f32, 1, 4, "log({0})", {}, "log"},
    {"log2", 1, 1, Signature::same, Lanes::f32, 1, 4, "log2({0})", {}, "log2"},
    {"pow", 2, 2, Signature::same, Lanes::f32, 1, 4, "pow({0}, {1})", {}, "pow"},
    {"atan2", 2, 2, Signature::same, Lanes::f32, 1, 4, "atan2({0}, {1})", {}, "atan2"},
    {"ldexp", 2, 2, Signature::scale, Lanes::f32, 1, 4, "", {}, "ldexp"},
    {"frexp.fract", 1, 1, Signature::same, Lanes::f32, 1, 4, "", {}, "frexp_fract"},
    {"frexp.exp", 1, 1, Signature::exponent, Lanes::f32, 1, 4, "", {}, "frexp_exp"},
    // By WGSL's definitions, which leave a provider less room than it takes.
    {"degrees", 1, 1, Signature::same, Lanes::f32, 1, 4, "({0} * 57.29577951308232)"},
    {"radians", 1, 1, Signature::same, Lanes::f32, 1, 4, "({0} * 0.017453292519943295)"},
    {"fma", 3, 3, Signature::same, Lanes::f32, 1, 4, "fma({0}, {1}, {2})"},
    {"modf.fract", 1, 1, Signature::same, Lanes::f32, 1, 4, "({0} - trunc({0}))"},
    {"modf.whole", 1, 1, Signature::same, Lanes::f32, 1, 4, "trunc({0})"},
    {"quantizeToF16", 1, 1, Signature::same, Lanes::f32, 1, 4, "", {}, "quantize_to_f16"},
};

constexpr FunctionRow kVectors[] = {
    {"reflect", 2, 2, Signature::same, Lanes::f32, 2, 4, "({0} - 2.0 * dot({1}, {0}) * {1})"},
    {.name = "refract",
     .least_operands = 3,
     .most_operands = 3,
     .signature = Signature::refraction,
     .lanes = Lanes::f32,
     .least_width = 2,
     .wgsl = "select({2} * {0} - ({2} * dot({1}, {0}) + sqrt(m_refract_k({2}, dot({1}, {0})))) * {1}, {T}(), "
             "{B}(m_refract_k({2}, dot({1}, {0})) < 0.0))",
     .calls = "refract_k"},
    {"faceForward", 3, 3, Signature::same, Lanes::f32, 2, 4, "select(-{0}, {0}, {B}(dot({1}, {2}) < 0.0))"},
    {"all", 1, 1, Signature::reduction, Lanes::boolean, 1, 4, "all({0})"},
    {"any", 1, 1, Signature::reduction, Lanes::boolean, 1, 4, "any({0})"},
};

// Operands of one vector, which becomes one word. `calls` is the entry of the WGSL library that `wgsl` calls.
constexpr FunctionRow pack_row(std::string_view name, Lanes lanes, std::uint8_t width, std::string_view wgsl,
                               std::string_view calls) {
  return {.name = name,
          .least_operands = 1,
          .most_operands = 1,
          .signature = Signature::pack,
          .lanes = lanes,
          .least_width = width,
          .most_width = width,
          .wgsl = wgsl,
          .calls = calls};
}

// Operands of words: values packed into one each.
constexpr FunctionRow word_row(std::string_view name, Signature signature, std::string_view wgsl,
                               std::string_view calls, std::uint8_t word_count = 1) {
  return {.name = name,
          .least_operands = word_count,
          .most_operands = word_count,
          .signature = signature,
          .lanes = Lanes::u32,
          .most_width = 1,
          .wgsl = wgsl,
          .calls = calls};
}

// By WGSL's formulas: providers lack some of these and round others in their own way.
constexpr FunctionRow kPacking[] = {
    {"bitcast<f32>", 1, 1, Signature::bits_to_f32, Lanes::numeric, 1, 4, "bitcast<{F}>({0})"},
    {"bitcast<i32>", 1, 1, Signature::bits_to_i32, Lanes::numeric, 1, 4, "bitcast<{I}>({0})"},
    {"bitcast<u32>", 1, 1, Signature::bits_to_u32, Lanes::numeric, 1, 4, "bitcast<{U}>({0})"},
    pack_row("pack4x8snorm", Lanes::f32, 4, "m_pack_8({U}({I}(floor(0.5 + 127.0 * clamp({0}, {F}(-1.0), {F}(1.0))))))",
             "pack_8"),
    pack_row("pack4x8unorm", Lanes::f32, 4, "m_pack_8({U}(floor(0.5 + 255.0 * clamp({0}, {F}(0.0), {F}(1.0)))))",
             "pack_8"),
    pack_row("pack4xI8", Lanes::i32, 4, "m_pack_8({U}({0}))", "pack_8"),
    pack_row("pack4xU8", Lanes::u32, 4, "m_pack_8({0})", "pack_8"),
    pack_row("pack4xI8Clamp", Lanes::i32, 4, "m_pack_8({U}(clamp({0}, {I}(-128), {I}(127))))", "pack_8"),
    pack_row("pack4xU8Clamp", Lanes::u32, 4, "m_pack_8(min({0}, {U}(255u)))", "pack_8"),
    pack_row("pack2x16snorm", Lanes::f32, 2,
             "m_pack_16({U}({I}(floor(0.5 + 32767.0 * clamp({0}, {F}(-1.0), {F}(1.0))))))", "pack_16"),
    pack_row("pack2x16unorm", Lanes::f32, 2, "m_pack_16({U}(floor(0.5 + 65535.0 * clamp({0}, {F}(0.0), {F}(1.0)))))",
             "pack_16"),
    pack_row("pack2x16float", Lanes::f32, 2, "m_write_half({0})", "write_half"),
    word_row("unpack4x8snorm", Signature::unpack4_f32, "max({T}(m_unpack_i8({0})) / 127.0, {T}(-1.0))", "unpack_i8"),
    word_row("unpack4x8unorm", Signature::unpack4_f32, "({T}(m_unpack_u8({0})) / 255.0)", "unpack_u8"),
    word_row("unpack4xI8", Signature::unpack4_i32, "m_unpack_i8({0})", "unpack_i8"),
    word_row("unpack4xU8", Signature::unpack4_u32, "m_unpack_u8({0})", "unpack_u8"),
    word_row("unpack2x16snorm", Signature::unpack2_f32, "max({T}(m_unpack_i16({0})) / 32767.0, {T}(-1.0))",
             "unpack_i16"),
    word_row("unpack2x16unorm", Signature::unpack2_f32, "({T}(m_unpack_u16({0})) / 65535.0)", "unpack_u16"),
    word_row("unpack2x16float", Signature::unpack2_f32, "m_read_half({0})", "read_half"),
    word_row("dot4U8Packed", Signature::same, "dot(m_unpack_u8({0}), m_unpack_u8({1}))", "unpack_u8", 2),
    word_row("dot4I8Packed", Signature::packed_dot, "dot(m_unpack_i8({0}), m_unpack_i8({1}))", "unpack_i8", 2),
};

constexpr std::size_t kOperatorCount = std::size(kOperators);
constexpr std::size_t kRowCount =
    kOperatorCount + std::size(kCalls) + std::size(kMathematics) + std::size(kVectors) + std::size(kPacking);

// One array, operators first: an index below kOperatorCount is an operator.
constexpr auto kRows = [] {
  std::array<FunctionRow, kRowCount> rows{};
  std::size_t count = 0;
  const std::span<const FunctionRow> parts[] = {kOperators, kCalls, kMathematics, kVectors, kPacking};
  for (const std::span<const FunctionRow> part : parts) {
    for (const FunctionRow& row : part) rows[count++] = row;
  }
  return rows;
}();

std::optional<FunctionIndex> find_in(std::size_t first, std::size_t last, std::string_view name) {
  for (std::size_t i = first; i < last; ++i) {
    if (kRows[i].name == name) return FunctionIndex{static_cast<std::uint32_t>(i)};
  }
  return std::nullopt;
}

}  // namespace

std::span<const FunctionRow> function_table() { return kRows; }

const FunctionRow& function(FunctionIndex index) { return kRows[index.value]; }

std::optional<FunctionIndex> find_function(std::string_view name) {
  return find_in(kOperatorCount, kRows.size(), name);
}

FunctionIndex operator_function(std::string_view name) {
  const std::optional<FunctionIndex> found = find_in(0, kOperatorCount, name);
  if (!found) throw InternalError(std::string("There is no operator ") + std::string(name) + ".");
  return *found;
}

FunctionIndex cast_function(Lane lane) { return *find_function(to_string(lane)); }

FunctionIndex constructor_function(std::uint8_t width) {
  return *find_function(width == 2 ? "vec2" : width == 3 ? "vec3" : "vec4");
}

Type operand_type(const FunctionRow& row, std::size_t operand, Type t) {
  switch (row.signature) {
    case Signature::select:
      return operand == 2 ? Type{Lane::boolean, t.width} : t;
    case Signature::shift:
      return operand == 1 ? Type{Lane::u32, t.width} : t;
    case Signature::scale:
      return operand == 1 ? Type{Lane::i32, t.width} : t;
    case Signature::refraction:
      return operand == 2 ? Type{Lane::f32, 1} : t;
    case Signature::extract_bits:
      return operand >= 1 ? Type{Lane::u32, 1} : t;
    case Signature::insert_bits:
      return operand >= 2 ? Type{Lane::u32, 1} : t;
    default:
      return t;
  }
}

Type result_type(const FunctionRow& row, Type t) {
  switch (row.signature) {
    case Signature::comparison:
    case Signature::to_bool:
      return {Lane::boolean, t.width};
    case Signature::reduction:
      return {t.lane, 1};
    case Signature::to_f32:
    case Signature::bits_to_f32:
      return {Lane::f32, t.width};
    case Signature::to_i32:
    case Signature::bits_to_i32:
    case Signature::exponent:
      return {Lane::i32, t.width};
    case Signature::to_u32:
    case Signature::bits_to_u32:
      return {Lane::u32, t.width};
    case Signature::pack:
      return {Lane::u32, 1};
    case Signature::packed_dot:
      return {Lane::i32, 1};
    case Signature::unpack2_f32:
      return {Lane::f32, 2};
    case Signature::unpack4_f32:
      return {Lane::f32, 4};
    case Signature::unpack4_i32:
      return {Lane::i32, 4};
    case Signature::unpack4_u32:
      return {Lane::u32, 4};
    default:
      return t;
  }
}

std::vector<FunctionIndex> find_members(std::string_view name) {
  std::vector<FunctionIndex> found;
  for (std::size_t i = kOperatorCount; i < kRows.size(); ++i) {
    const std::string_view row = kRows[i].name;
    if (row.size() > name.size() && row.starts_with(name) && row[name.size()] == '.')
      found.push_back({static_cast<std::uint32_t>(i)});
  }
  return found;
}

bool holds(Lanes lanes, Lane lane) { return (static_cast<unsigned>(lanes) >> static_cast<unsigned>(lane) & 1u) != 0; }

std::string_view wgsl_text(const FunctionRow& row, Type operand) {
  if (operand.width == 1 && !row.wgsl_single.empty()) return row.wgsl_single;
  if (operand.lane == Lane::u32 && !row.wgsl_unsigned.empty()) return row.wgsl_unsigned;
  return operand.lane == Lane::f32 || row.wgsl_integer.empty() ? row.wgsl : row.wgsl_integer;
}

}  // namespace millrace::expression
