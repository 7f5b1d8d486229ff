// What the functions of our mathematics share, and the functions that only take floats apart: those are arithmetic of
// integers, and exact.
#include "src/expression/math_wgsl.hpp"

namespace millrace::expression {
namespace {

constexpr LibraryFunction kParts[] = {
    {"is_nan", "",
     R"(fn m_is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
)"},

    // The leading 12 bits. The product of two such numbers is exact, and so is x - m_high(x).
    {"high", "",
     R"(fn m_high(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }
)"},

    // x, as a sum that no compiler may take apart to add its terms in another order. `spoiled` is a condition known only at
    // run time that holds for nothing but arguments whose result does not come from here.
    {"held", "",
     R"(fn m_held(x: f32, spoiled: bool) -> f32 { return select(x, 0.0, spoiled); }
)"},

    // p * 2^n for p near 1 and n from -252 to 254, in two steps, so that neither leaves the range of f32. The first adds to
    // p's exponent, lest a compiler multiplies the two powers.
    {"scale", "",
     R"(fn m_scale(p: f32, n: i32) -> f32 {
  let n1 = n >> 1u;
  let scaled = bitcast<f32>(bitcast<u32>(p) + (bitcast<u32>(n1) << 23u));
  return scaled * bitcast<f32>(bitcast<u32>(n - n1 + 127) << 23u);
}
)"},

    // a / b within 0.51 ULP where division is within 2.5: one step by the remainder. For quotients and operands whose
    // squares are far from the ends of f32's range.
    {"quotient", "high held",
     R"(fn m_quotient(a: f32, b: f32) -> f32 {
  let q = a / b;
  let q_high = m_high(q);
  let b_high = m_high(b);
  let first = m_held(a - q_high * b_high, a > 3e38);
  let remainder = (first - q_high * (b - b_high)) - (q - q_high) * b;
  return q + remainder / b;
}
)"},

    // sqrt(x) within 0.51 ULP in the same way; below 1e-30, and for 0, as the device has it.
    {"root", "high held",
     R"(fn m_root(x: f32) -> f32 {
  let s = sqrt(x);
  let s_high = m_high(s);
  let s_low = s - s_high;
  let first = m_held(x - s_high * s_high, x > 3e38);
  let remainder = (first - (s_high + s_high) * s_low) - s_low * s_low;
  return select(s + remainder * (0.5 / s), s, x < 1e-30);
}
)"},

    // The bits of |x| as those of a normal number: a subnormal's are its value times 2^149. The conversion from an
    // integer makes it normal also where f32 arithmetic flushes.
    {"normal_bits", "",
     R"(fn m_normal_bits(u: u32) -> u32 { return select(u, bitcast<u32>(f32(u)), u < 0x00800000u); }
)"},

    // x = mantissa * 2^exponent, mantissa in [sqrt(1/2), sqrt(2)), of the bits of an x > 0.
    {"parts", "normal_bits",
     R"(struct m_Parts { mantissa: f32, exponent: f32 }
fn m_parts(u: u32) -> m_Parts {
  let v = m_normal_bits(u);
  let e = bitcast<i32>(v - 0x3f3504f3u) >> 23u;
  return m_Parts(bitcast<f32>(v - (bitcast<u32>(e) << 23u)), f32(e - select(0, 149, u < 0x00800000u)));
}
)"},

    // The fraction in [1/2, 1) with x's sign; 0, infinity and NaN are their own fractions.
    {"frexp_fract", "normal_bits",
     R"(fn m_frexp_fract(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let a = u & 0x7fffffffu;
  let fraction = (m_normal_bits(a) & 0x007fffffu) | 0x3f000000u | (u & 0x80000000u);
  return bitcast<f32>(select(fraction, u, (a == 0u) || (a >= 0x7f800000u)));
}
)"},

    {"frexp_exp", "normal_bits",
     R"(fn m_frexp_exp(x: f32) -> i32 {
  let a = bitcast<u32>(x) & 0x7fffffffu;
  let exponent = i32(m_normal_bits(a) >> 23u) - select(126, 275, a < 0x00800000u);
  return select(exponent, 0, (a == 0u) || (a >= 0x7f800000u));
}
)"},

    // x * 2^n for any n, rounded to nearest even where the result is subnormal. n is cut to where every product has long
    // been infinite or 0.
    {"ldexp", "normal_bits",
     R"(fn m_ldexp(x: f32, n: i32) -> f32 {
  let u = bitcast<u32>(x);
  let a = u & 0x7fffffffu;
  let v = m_normal_bits(a);
  let exponent = i32(v >> 23u) - select(0, 149, a < 0x00800000u) + clamp(n, -600, 600);
  let mantissa = (v & 0x007fffffu) | 0x00800000u;
  let shift = u32(clamp(1 - exponent, 1, 25));
  let lost = mantissa & ((1u << shift) - 1u);
  let half = 1u << (shift - 1u);
  var kept = mantissa >> shift;
  kept += select(0u, 1u, (lost > half) || ((lost == half) && ((kept & 1u) != 0u)));
  var o = select(kept, (v & 0x007fffffu) | (bitcast<u32>(exponent) << 23u), exponent >= 1);
  o = select(o, 0x7f800000u, exponent >= 255);
  o = select(o, a, (a == 0u) || (a >= 0x7f800000u));
  return bitcast<f32>(o | (u & 0x80000000u));
}
)"},
};

}  // namespace

std::span<const LibraryFunction> math_parts() { return kParts; }

}  // namespace millrace::expression
