// One small kernel for each thing that the text can say.
#include "tests/expression/golden_cases.hpp"

#include <utility>

namespace millrace::expression {
namespace {

GoldenCase keep(DagBuilder& build, std::string name, KernelCut cut, WgslOptions options = {}) {
  return {std::move(name), std::move(build.dag), std::move(cut), options};
}

// The design's example: lengths = length(positions * scale).
GoldenCase scaled_lengths() {
  DagBuilder build;
  const NodeIndex positions = build.vector(Format::float32x3);
  const NodeIndex scale = build.scalar(Format::float32);
  const NodeIndex lengths = build.call("length", kF32, {build.op("*", {positions, build.splat(scale, 3)})});
  const KernelCut cut{{build.leaf(positions), build.leaf(scale, 2)}, {build.stored(lengths)}};
  return keep(build, "scaled_lengths", cut);
}

// Both outputs need the sum: it is computed once. One operand is a scalar that an earlier kernel stored.
GoldenCase shared_sum() {
  DagBuilder build;
  const NodeIndex a = build.vector(Format::sint32x2);
  const NodeIndex b = build.vector(Format::sint32x2);
  const NodeIndex stored = build.scalar(Format::sint32x2);
  const NodeIndex sum = build.op("+", {a, b});
  const NodeIndex product = build.op("*", {sum, stored});
  const KernelCut cut{{build.leaf(a), {stored, LeafKind::stored_scalar, Format::sint32x2}, build.leaf(b)},
                      {build.stored(product), build.stored(sum)}};
  return keep(build, "shared_sum", cut);
}

// Literals that providers print, parse, fold or refuse differently.
GoldenCase literals() {
  DagBuilder build;
  const NodeIndex f = build.vector(Format::float32);
  const NodeIndex i = build.vector(Format::sint32);
  const NodeIndex u = build.vector(Format::uint32);
  std::vector<KernelOutput> outputs;
  for (const float value : {3.4028234663852886e38f, 0.1f, 1.17549435e-38f, 2.0f, 1e10f}) {
    outputs.push_back(build.stored(build.op("+", {f, build.f32(value)})));
  }
  for (const std::uint32_t bits : {0x80000000u, 0x00000001u, 0x7f800000u}) {
    outputs.push_back(build.stored(build.literal(kF32, bits)));
  }
  outputs.push_back(build.stored(build.op("%", {i, build.i32(-2147483647 - 1)})));
  outputs.push_back(build.stored(build.op("/", {i, build.i32(-1)})));
  outputs.push_back(build.stored(build.op("/", {u, build.u32(0)})));
  outputs.push_back(build.stored(build.op("%", {i, build.i32(0)})));
  outputs.push_back(build.stored(build.op("<<", {u, build.u32(32)})));
  outputs.push_back(build.stored(build.call("select", {i, build.i32(7), build.boolean(true)})));
  return keep(build, "literals", {{build.leaf(f), build.leaf(i), build.leaf(u)}, outputs});
}

GoldenCase special_values() {
  DagBuilder build;
  const NodeIndex x = build.vector(Format::float32);
  const NodeIndex sum = build.op("+", {x, build.infinity()});
  const NodeIndex product = build.op("*", {x, build.nan()});
  const NodeIndex is_nan = build.call("isnan", kBool, {x});
  const NodeIndex differs = build.op("!=", kBool, {x, x});
  return keep(
      build, "special_values",
      {{{x, LeafKind::rows, Format::float32}},
       {{sum, Format::float32}, {product, Format::float32}, {is_nan, Format::uint32}, {differs, Format::uint32}}});
}

GoldenCase casts() {
  DagBuilder build;
  const NodeIndex f = build.vector(Format::float32x2);
  const NodeIndex i = build.vector(Format::sint32x2);
  const NodeIndex u = build.vector(Format::uint32x2);
  std::vector<KernelOutput> outputs;
  for (const NodeIndex from : {f, i, u}) {
    outputs.push_back(build.stored(build.call("f32", widened(kF32, 2), {from})));
    outputs.push_back(build.stored(build.call("i32", widened(kI32, 2), {from})));
    outputs.push_back(build.stored(build.call("u32", widened(kU32, 2), {from})));
    outputs.push_back(build.stored(build.call("bool", widened(kBool, 2), {from})));
  }
  return keep(build, "casts", {{build.leaf(f), build.leaf(i), build.leaf(u)}, outputs});
}

// Lanes: swizzles, also of one lane; dynamic indices, which are clamped; constructors; splats.
GoldenCase lanes_of_vectors() {
  DagBuilder build;
  const NodeIndex v = build.vector(Format::float32x4);
  const NodeIndex u = build.vector(Format::uint32);
  const NodeIndex i = build.vector(Format::sint32);
  const std::vector<KernelOutput> outputs = {
      build.stored(build.swizzle(v, "wzy")),
      build.stored(build.swizzle(build.swizzle(v, "x"), "xx")),
      build.stored(build.lane(v, u)),
      build.stored(build.lane(v, i)),
      build.stored(build.lane(u, i)),
      build.stored(build.call("vec4", widened(kU32, 4), {u, build.call("vec2", widened(kU32, 2), {u, u}), u})),
      build.stored(build.splat(i, 3)),
  };
  return keep(build, "lanes", {{build.leaf(v), build.leaf(u), build.leaf(i)}, outputs});
}

// A bool is stored as 0 or 1 and read back as "not 0", in leaves too.
GoldenCase bools() {
  DagBuilder build;
  const NodeIndex a = build.vector(Format::float32x3);
  const NodeIndex b = build.vector(Format::float32x3);
  const NodeIndex less = build.op("<", widened(kBool, 3), {a, b});
  const NodeIndex equal = build.op("==", widened(kBool, 3), {a, b});
  const NodeIndex either = build.op("||", {less, equal});
  const NodeIndex choice = build.call("select", {a, b, either});
  const NodeIndex bits = build.reinterpret(less, Lane::u32);
  const NodeIndex back = build.reinterpret(bits, Lane::boolean);
  const KernelCut cut{{build.leaf(a), build.leaf(b), {equal, LeafKind::rows, Format::uint32x3}},
                      {build.stored(either), build.stored(choice), build.stored(bits), build.stored(back)}};
  return keep(build, "bools", cut);
}

GoldenCase row_numbers() {
  DagBuilder build;
  const NodeIndex row = build.row();
  const NodeIndex left = build.op("-", {build.rows(), row});
  return keep(build, "row_numbers", {{}, {{row, Format::uint32}, {left, Format::uint32}}});
}

// Copies keep every bit: the words go from one binding to the other, also those of a packed format.
GoldenCase copies() {
  DagBuilder build;
  const NodeIndex positions = build.vector(Format::float32x3);
  const NodeIndex colors = build.vector(Format::unorm8x4);
  return keep(build, "copies",
              {{{positions, LeafKind::rows, Format::float32x3}, {colors, LeafKind::rows, Format::unorm8x4}},
               {{positions, Format::float32x3}, {colors, Format::unorm8x4}, {colors, Format::float32x4}}});
}

// Scalars alone: nothing is read at the row.
GoldenCase scalars() {
  DagBuilder build;
  const NodeIndex host = build.scalar(Format::float32x3);
  const NodeIndex stored = build.scalar(Format::float32);
  const NodeIndex product = build.op("*", {host, build.splat(stored, 3)});
  const KernelCut cut{{build.leaf(host, 5), {stored, LeafKind::stored_scalar, Format::float32}},
                      {build.stored(product)}};
  return keep(build, "scalars", cut, {.workgroup_size = 64, .scalar_block_words = 8});
}

// Two operands that an earlier kernel stored side by side in one vector, though their lanes differ in type.
GoldenCase replacements() {
  DagBuilder build;
  const NodeIndex a = build.vector(Format::float32);
  const NodeIndex b = build.vector(Format::sint32);
  const NodeIndex sum = build.op("+", {a, build.call("f32", kF32, {b})});
  const NodeIndex both =
      build.call("vec2", widened(kU32, 2), {build.reinterpret(a, Lane::u32), build.reinterpret(b, Lane::u32)});
  const NodeIndex a_again = build.reinterpret(build.swizzle(both, "x"), Lane::f32);
  const NodeIndex b_again = build.reinterpret(build.swizzle(both, "y"), Lane::i32);
  return keep(build, "replacements",
              {{{both, LeafKind::rows, Format::uint32x2}}, {{sum, Format::float32}}, {{a, a_again}, {b, b_again}}});
}

// Functions that are written out, and those that call functions of ours: whole vectors at once, or lane by lane.
GoldenCase written_out() {
  DagBuilder build;
  const NodeIndex f = build.vector(Format::float32x3);
  const NodeIndex g = build.vector(Format::float32x4);
  const NodeIndex u = build.vector(Format::uint32);
  const NodeIndex ratio = build.swizzle(g, "x");
  const NodeIndex is_less = build.op("<", widened(kBool, 4), {g, build.splat(ratio, 4)});
  const std::vector<KernelOutput> outputs = {
      build.stored(build.call("degrees", {f})),
      build.stored(build.call("fma", {f, f, f})),
      build.stored(build.call("modf.fract", {f})),
      build.stored(build.call("quantizeToF16", {f})),
      build.stored(build.call("reflect", {f, build.swizzle(g, "xyz")})),
      build.stored(build.call("refract", {f, build.swizzle(g, "xyz"), ratio})),
      build.stored(build.call("faceForward", {f, f, build.swizzle(g, "xyz")})),
      build.stored(build.call("all", kBool, {is_less})),
      build.stored(build.call("bitcast<u32>", widened(kU32, 3), {f})),
      build.stored(build.call("pack4x8snorm", kU32, {g})),
      build.stored(build.call("pack2x16float", kU32, {build.swizzle(g, "xy")})),
      build.stored(build.call("unpack4x8snorm", widened(kF32, 4), {u})),
      build.stored(build.call("dot4I8Packed", kI32, {u, u})),
  };
  return keep(build, "written_out", {{build.leaf(f), build.leaf(g), build.leaf(u)}, outputs});
}

// The provider's own mathematics, where they are asked for.
GoldenCase native_mathematics() {
  DagBuilder build;
  const NodeIndex f = build.vector(Format::float32x2);
  const NodeIndex angle = build.call("atan2", {f, build.call("sin", {f})});
  return keep(build, "native_mathematics", {{build.leaf(f)}, {build.stored(angle)}}, {.math = Mathematics::native});
}

}  // namespace

std::vector<Format> packed_formats() {
  using enum Format;
  return {float16x2, float16x4, uint8x4,   sint8x4,   unorm8x4,  snorm8x4,  uint16x2,        uint16x4,
          sint16x2,  sint16x4,  unorm16x2, unorm16x4, snorm16x2, snorm16x4, unorm10_10_10_2, unorm8x4_bgra};
}

GoldenCase packed_case(Format format) {
  DagBuilder build;
  const NodeIndex packed = build.vector(format);
  const NodeIndex values = build.vector(stored_format(read_type(format)));
  const NodeIndex requantized = build.requantize(values, format);
  const KernelCut cut{{build.leaf(packed), build.leaf(values)},
                      {build.stored(packed), {requantized, format}, build.stored(requantized)}};
  return keep(build, "packed_" + std::string(format_name(format)), cut);
}

std::vector<GoldenCase> golden_cases() {
  std::vector<GoldenCase> cases;
  cases.push_back(scaled_lengths());
  cases.push_back(shared_sum());
  cases.push_back(literals());
  cases.push_back(special_values());
  cases.push_back(casts());
  cases.push_back(lanes_of_vectors());
  cases.push_back(bools());
  cases.push_back(row_numbers());
  cases.push_back(copies());
  cases.push_back(scalars());
  cases.push_back(replacements());
  cases.push_back(written_out());
  cases.push_back(native_mathematics());
  for (const Format format : packed_formats()) cases.push_back(packed_case(format));
  return cases;
}

}  // namespace millrace::expression
