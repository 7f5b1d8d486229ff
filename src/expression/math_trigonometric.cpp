// sin, cos and tan of every finite argument, asin, acos, atan and atan2.
#include "src/expression/math_wgsl.hpp"

namespace millrace::expression {
namespace {

constexpr LibraryFunction kTrigonometric[] = {
    {"multiply_high", "",
     R"(fn m_multiply_high(a: u32, b: u32) -> u32 {
  let a_low = a & 0xffffu;
  let a_high = a >> 16u;
  let b_low = b & 0xffffu;
  let b_high = b >> 16u;
  let first = a_low * b_high;
  let second = a_high * b_low;
  let middle = ((a_low * b_low) >> 16u) + (first & 0xffffu) + (second & 0xffffu);
  return a_high * b_high + (first >> 16u) + (second >> 16u) + (middle >> 16u);
}
)"},

    // |x| modulo pi/2 for every finite x: high + low in [-pi/4, pi/4], high of 12 bits, and how often pi/2 was taken,
    // modulo 4. u: the bits of |x|.
    //
    // In integers alone, so that no compiler can spoil it: the 24-bit mantissa times 96 bits of 2/pi, from those whose
    // product still matters modulo 4. These are three words at any bit of the stored ones, which are chosen by selects:
    // an array indexed at run time was slower on the software drivers. The product's fraction is normalised, since it
    // may begin with 30 zeros, and multiplied by pi/2 in two parts each.
    {"quarter_turns", "high held multiply_high",
     R"(struct m_Turned { high: f32, low: f32, quarters: u32 }
fn m_quarter_turns(u: u32) -> m_Turned {
  let exponent = clamp(u >> 23u, 126u, 254u);
  let mantissa = (u & 0x007fffffu) | 0x00800000u;
  let at = exponent - 120u;
  let one = (at & 32u) != 0u;
  let two = (at & 64u) != 0u;
  let four = (at & 128u) != 0u;
  let t0 = select(select(select(0u, 0xa2f9836eu, one), select(0x4e441529u, 0xfc2757d1u, one), two), 0xf534ddc0u, four);
  let t1 = select(select(select(0xa2f9836eu, 0x4e441529u, one), select(0xfc2757d1u, 0xf534ddc0u, one), two),
      0xdb629599u, four);
  let t2 = select(select(select(0x4e441529u, 0xfc2757d1u, one), select(0xf534ddc0u, 0xdb629599u, one), two),
      0x3c439041u, four);
  let t3 = select(select(select(0xfc2757d1u, 0xf534ddc0u, one), select(0xdb629599u, 0x3c439041u, one), two),
      0xfe5163abu, four);
  let left = at & 31u;
  let right = 31u - left;
  let w0 = (t0 << left) | ((t1 >> 1u) >> right);
  let w1 = (t1 << left) | ((t2 >> 1u) >> right);
  let w2 = (t2 << left) | ((t3 >> 1u) >> right);
  let w1_low = mantissa * w1;
  let low = w1_low + m_multiply_high(mantissa, w2);
  let high = mantissa * w0 + m_multiply_high(mantissa, w1) + select(0u, 1u, low < w1_low);
  let quarters = (high + 0x20000000u) >> 30u;
  let rest = high - (quarters << 30u);
  let negative = rest >= 0x80000000u;
  let size_low = select(low, 0u - low, negative);
  let size_high = select(rest, ~rest + select(0u, 1u, low == 0u), negative);
  let empty = size_high == 0u;
  let first = select(size_high, size_low, empty);
  let second = select(size_low, 0u, empty);
  let zeros = min(countLeadingZeros(first), 31u);
  let bits = ((first << zeros) | ((second >> 1u) >> (31u - zeros))) >> 1u;
  let f_high = f32(bitcast<i32>(bits & 0x7ff80000u));
  let f_low = f32(bitcast<i32>(bits & 0x0007ffffu));
  let product = f_high * 1.5703125;
  let product_low = f_high * 0.0004838268 + f_low * 1.5707964;
  let sum_high = m_high(product + product_low);
  let sum_low = m_held(product - sum_high, u >= 0x7f800000u) + product_low;
  let scale = bitcast<f32>(((98u - zeros - select(0u, 32u, empty)) << 23u) | select(0u, 0x80000000u, negative));
  let x = bitcast<f32>(u);
  let x_high = m_high(x);
  let small = u < 0x3f000000u;
  return m_Turned(select(sum_high * scale, x_high, small), select(sum_low * scale, x - x_high, small),
      select(quarters, 0u, small));
}
)"},

    // sin and cos of high + low in [-pi/4, pi/4].
    {"sin_near", "",
     R"(fn m_sin_near(high: f32, low: f32) -> f32 {
  let r = high + low;
  let z = r * r;
  return high + (low + (r * z) * (((2.8325464e-06 * z - 0.00019853066) * z + 0.008333379) * z - 0.16666667));
}
)"},

    {"cos_near", "",
     R"(fn m_cos_near(high: f32, low: f32) -> f32 {
  let r = high + low;
  let z = r * r;
  return 1.0 - (0.5 * z - (z * z) * ((2.443235e-05 * z - 0.001388731) * z + 0.041666646));
}
)"},

    {"sin", "quarter_turns sin_near cos_near",
     R"(fn m_sin(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let a = u & 0x7fffffffu;
  let t = m_quarter_turns(a);
  let near = select(m_sin_near(t.high, t.low), m_cos_near(t.high, t.low), (t.quarters & 1u) != 0u);
  let o = bitcast<u32>(near) ^ ((t.quarters & 2u) << 30u) ^ (u & 0x80000000u);
  return bitcast<f32>(select(select(o, u, a < 0x39000000u), 0x7fc00000u, a >= 0x7f800000u));
}
)"},

    {"cos", "quarter_turns sin_near cos_near",
     R"(fn m_cos(x: f32) -> f32 {
  let a = bitcast<u32>(x) & 0x7fffffffu;
  let t = m_quarter_turns(a);
  let near = select(m_cos_near(t.high, t.low), m_sin_near(t.high, t.low), (t.quarters & 1u) != 0u);
  let o = bitcast<u32>(near) ^ (((t.quarters + 1u) & 2u) << 30u);
  return bitcast<f32>(select(o, 0x7fc00000u, a >= 0x7f800000u));
}
)"},

    // In odd quarters -1 / tan(r). The divisor is tan(r) with what its rounding loses, the remainder is m_quotient's.
    {"tan", "quarter_turns high held",
     R"(fn m_tan(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let a = u & 0x7fffffffu;
  let t = m_quarter_turns(a);
  let r = t.high + t.low;
  let z = r * r;
  let p = (((((0.004376459 * z + 9.1089154e-05) * z + 0.010832604) * z + 0.02128447) * z + 0.05405918) * z
      + 0.13332674) * z + 0.3333335;
  let rest = t.low + (r * z) * p;
  let tangent = t.high + rest;
  let b_high = m_high(tangent);
  let spoiled = a >= 0x7f800000u;
  let b_low = m_held(t.high - b_high, spoiled) + rest;
  let q = -1.0 / tangent;
  let q_high = m_high(q);
  let remainder = (m_held(-1.0 - q_high * b_high, spoiled) - q_high * b_low) - (q - q_high) * tangent;
  let o = bitcast<u32>(select(tangent, q + remainder / tangent, (t.quarters & 1u) != 0u)) ^ (u & 0x80000000u);
  return bitcast<f32>(select(select(o, u, a < 0x39000000u), 0x7fc00000u, spoiled));
}
)"},

    // s and asin(s) up to 1/2; past that, x is near 1 and asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)).
    {"asin_near", "root",
     R"(fn m_asin_near(a: f32) -> f32 {
  let far = a > 0.5;
  let z = select(a * a, max(0.5 * (1.0 - a), 0.0), far);
  let s = select(a, m_root(z), far);
  return s + s * (z * ((((0.04216625 * z + 0.024180828) * z + 0.04546977) * z + 0.074953064) * z + 0.16666752));
}
)"},

    {"asin", "asin_near held",
     R"(fn m_asin(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let a_bits = u & 0x7fffffffu;
  let a = bitcast<f32>(a_bits);
  let p = m_asin_near(a);
  let outside = a_bits > 0x3f800000u;
  let end = 1.5707964 - m_held(2.0 * p + 4.371139e-08, outside);
  let o = bitcast<u32>(select(p, end, a > 0.5)) | (u & 0x80000000u);
  return bitcast<f32>(select(select(o, u, a_bits < 0x39000000u), 0x7fc00000u, outside));
}
)"},

    {"acos", "asin_near held",
     R"(fn m_acos(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let a_bits = u & 0x7fffffffu;
  let a = bitcast<f32>(a_bits);
  let p = m_asin_near(a);
  let offset = bitcast<f32>(bitcast<u32>(p) ^ (u & 0x80000000u));
  let outside = a_bits > 0x3f800000u;
  let middle = 1.5707964 - m_held(offset + 4.371139e-08, outside);
  let end = select(2.0 * p, 3.1415927 - m_held(2.0 * p + 8.742278e-08, outside), u >= 0x80000000u);
  return bitcast<f32>(select(bitcast<u32>(select(middle, end, a > 0.5)), 0x7fc00000u, outside));
}
)"},

    // atan(t) for t in [0, 1].
    {"atan_near", "",
     R"(fn m_atan_near(t: f32) -> f32 {
  let z = t * t;
  let p = (((((((-0.0017847612 * z + 0.010874455) * z - 0.031103255) * z + 0.057884343) * z - 0.083993584) * z
      + 0.10950881) * z - 0.14264016) * z + 0.1999853) * z - 0.333333;
  return t + (t * z) * p;
}
)"},

    // Past 1, pi/2 - atan(1 / a).
    {"atan", "atan_near quotient held",
     R"(fn m_atan(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let a_bits = u & 0x7fffffffu;
  let a = bitcast<f32>(a_bits);
  let p = m_atan_near(select(a, m_quotient(1.0, clamp(a, 1.0, 1e30)), a > 1.0));
  let nan = a_bits > 0x7f800000u;
  let beyond = 1.5707964 - m_held(p + 4.371139e-08, nan);
  let o = bitcast<u32>(select(p, beyond, a > 1.0)) | (u & 0x80000000u);
  return bitcast<f32>(select(o, u, (a_bits < 0x39000000u) || nan));
}
)"},

    // atan(t), t the smaller of |x|, |y| over the larger, then by octants. Both are scaled so that the quotient's operands
    // are normal and have a reciprocal: by 2^64 where both are below 1, subnormals as integers by 2^-85; by 1/4 where the
    // larger is past 2^125.
    {"atan2", "atan_near quotient held",
     R"(fn m_atan2(y: f32, x: f32) -> f32 {
  let uy = bitcast<u32>(y);
  let ux = bitcast<u32>(x);
  let ay = uy & 0x7fffffffu;
  let ax = ux & 0x7fffffffu;
  let steep = ay > ax;
  let n = min(ay, ax);
  let d = max(ay, ax);
  let below = d < 0x3f800000u;
  let n_scaled = select(bitcast<f32>(n) * 1.8446744e19, f32(n) * 2.5849394e-26, n < 0x00800000u);
  let d_scaled = select(bitcast<f32>(d) * 1.8446744e19, f32(d) * 2.5849394e-26, d < 0x00800000u);
  let scale = select(1.0, 0.25, d > 0x7e000000u);
  let numerator = select(bitcast<f32>(n) * scale, n_scaled, below);
  let denominator = select(bitcast<f32>(d) * scale, d_scaled, below);
  let plain = numerator / denominator;
  var t = select(m_quotient(numerator, denominator), plain, plain < 1e-12);
  t = select(t, 1.0, n == d);
  t = select(t, 0.0, (n == 0u) || ((d == 0x7f800000u) && (n != d)));
  let p = m_atan_near(min(t, 1.0));
  let nan = d > 0x7f800000u;
  var r = select(p, 1.5707964 - m_held(p + 4.371139e-08, nan), steep);
  r = select(r, 3.1415927 - m_held(r + 8.742278e-08, nan), ux >= 0x80000000u);
  let o = bitcast<u32>(r) | (uy & 0x80000000u);
  return bitcast<f32>(select(o, 0x7fc00000u, nan));
}
)"},
};

}  // namespace

std::span<const LibraryFunction> math_trigonometric() { return kTrigonometric; }

}  // namespace millrace::expression
