// exp, exp2, log, log2 and pow.
#include "src/expression/math_wgsl.hpp"

namespace millrace::expression {
namespace {

constexpr LibraryFunction kExponential[] = {
    // exp(x) * 2^k: x = n ln 2 + r with ln 2 in two parts, exp(r) by a polynomial. Arguments past the ends of the range
    // are as good as the ends, since the scaling ends in 0 and infinity. The select hides a 1, which lavapipe would add to
    // r first.
    {"exp_scaled", "scale held",
     R"(fn m_exp_scaled(x: f32, k: i32) -> f32 {
  let c = clamp(x, -104.0, 90.0);
  let n = floor(c * 1.442695 + 0.5);
  let spoiled = x > 1e30;
  let r = m_held(c - n * 0.693145751953125, spoiled) - n * 1.4286068e-06;
  let q = (((0.0013819201 * r + 0.008368694) * r + 0.041668285) * r + 0.16666521) * r + 0.49999994;
  return m_scale(select(1.0, c, spoiled) + (r + (r * r) * q), i32(n) + k);
}
)"},

    {"exp", "exp_scaled is_nan",
     R"(fn m_exp(x: f32) -> f32 { return select(m_exp_scaled(x, 0), x, m_is_nan(x)); }
)"},

    // (2^r - 1) / r for r in [-1/2, 1/2].
    {"exp2_slope", "",
     R"(fn m_exp2_slope(r: f32) -> f32 {
  return ((((0.00015327128 * r + 0.0013391008) * r + 0.009618505) * r + 0.055503596) * r + 0.24022648) * r + 0.6931472;
}
)"},

    {"exp2", "exp2_slope scale is_nan",
     R"(fn m_exp2(x: f32) -> f32 {
  let c = clamp(x, -151.0, 129.0);
  let n = floor(c + 0.5);
  let r = c - n;
  return select(m_scale(1.0 + r * m_exp2_slope(r), i32(n)), x, m_is_nan(x));
}
)"},

    // The special values of a logarithm: o is its result for normal and subnormal x > 0, u the bits of x.
    {"log_special", "",
     R"(fn m_log_special(result: f32, u: u32) -> f32 {
  var o = bitcast<u32>(result);
  o = select(o, u, u >= 0x7f800000u);
  o = select(o, 0x7fc00000u, u > 0x80000000u);
  o = select(o, 0xff800000u, (u & 0x7fffffffu) == 0u);
  return bitcast<f32>(o);
}
)"},

    // e ln 2 + log(1 + f), 1 + f in [sqrt(1/2), sqrt(2)].
    {"log_sum", "",
     R"(fn m_log_sum(e: f32, f: f32) -> f32 {
  let p = (((((((-0.076367214 * f + 0.12762335) * f - 0.13159546) * f + 0.14201552) * f - 0.16623412) * f
      + 0.20001243) * f - 0.2500082) * f + 0.3333333);
  let square = f * f;
  return e * 0.693145751953125 + (f + (e * 1.4286068e-06 + (square * f * p - 0.5 * square)));
}
)"},

    {"log", "parts log_sum log_special",
     R"(fn m_log(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let k = m_parts(u);
  return m_log_special(m_log_sum(k.exponent, k.mantissa - 1.0), u);
}
)"},

    // e + f / ln 2 + f^2 P(f), with f and 1 / ln 2 in two parts each.
    {"log2", "parts high log_special",
     R"(fn m_log2(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let k = m_parts(u);
  let f = k.mantissa - 1.0;
  let f_high = m_high(f);
  let p = (((((((-0.11022778 * f + 0.18707694) * f - 0.19139512) * f + 0.20448826) * f - 0.23956719) * f
      + 0.28857136) * f - 0.36069867) * f + 0.4808982) * f - 0.72134733;
  let low = (f - f_high) * 1.4423828125 + (f * 0.0003122284 + (f * f) * p);
  return m_log_special(k.exponent + (f_high * 1.4423828125 + low), u);
}
)"},

    // log2 |x| in two parts, high of 12 bits, good to 2^-34 of its value. The mantissa is divided by the nearest c of
    // 51/64, 1 and 5/4, so that s = (m - c) / (m + c) is small: log2(m / c) = 2/ln 2 (s + s^3/3 + ...).
    {"log2_split", "parts high held",
     R"(struct m_Split { high: f32, low: f32 }
fn m_log2_split(u: u32) -> m_Split {
  let spoiled = u >= 0x7f800000u;
  let k = m_parts(u);
  let m = k.mantissa;
  let below = m < 0.8908987;
  let above = m > 1.122462;
  let c = select(select(1.0, 0.796875, below), 1.25, above);
  let e = k.exponent + select(select(0.0, -0.32763671875, below), 0.322021484375, above);
  let e_low = select(select(0.0, 6.2060724e-05, below), -9.3389484e-05, above);
  let g = m + c;
  let g_high = m_high(g);
  let g_low = m - m_held(g_high - c, spoiled);
  let inverse = 1.0 / g;
  let s_high = m_high((m - c) * inverse);
  let s_low = (m_held((m - c) - s_high * g_high, spoiled) - s_high * g_low) * inverse;
  let s = s_high + s_low;
  let z = s * s;
  let high = s_high * 2.884765625;
  let low = (s_high * 0.0006244568 + e_low) + (s_low * 2.88539 + (s * z) * (0.5792857 * z + 0.9617941));
  let sum_high = m_high(e + (high + low));
  return m_Split(sum_high, m_held(m_held(e - sum_high, spoiled) + high, spoiled) + low);
}
)"},

    // 2^(y log2 |x|); then the signs and special values by bits. Past 2^34 any y is as good as infinite.
    {"pow", "log2_split exp2_slope scale high held",
     R"(fn m_pow(x: f32, y: f32) -> f32 {
  let ux = bitcast<u32>(x);
  let uy = bitcast<u32>(y);
  let ax = ux & 0x7fffffffu;
  let ay = uy & 0x7fffffffu;
  let logarithm = m_log2_split(ax);
  let c = clamp(y, -17179869184.0, 17179869184.0);
  let c_high = m_high(c);
  let high = c_high * logarithm.high;
  let low = c_high * logarithm.low + (c - c_high) * (logarithm.high + logarithm.low);
  let n = clamp(floor(high + low + 0.5), -160.0, 160.0);
  let r = clamp(m_held(high - n, ay >= 0x7f800000u) + low, -1.0, 1.0);
  var o = bitcast<u32>(m_scale(1.0 + r * m_exp2_slope(r), i32(n)));
  let size = bitcast<f32>(ay);
  let integer = (ay >= 0x4b800000u) || (floor(size) == size);
  let odd = integer && (ay >= 0x3f800000u) && (ay < 0x4b800000u) && ((u32(size) & 1u) != 0u);
  let grows = (ax > 0x3f800000u) != (uy >= 0x80000000u);
  let endless = (ax == 0u) || (ax == 0x7f800000u) || ((ay == 0x7f800000u) && (ax != 0x3f800000u));
  o = select(o, select(0u, 0x7f800000u, grows), endless);
  o = select(o, 0x3f800000u, (ay == 0x7f800000u) && (ax == 0x3f800000u));
  let negative = ux >= 0x80000000u;
  o = select(o, 0x7fc00000u, negative && !integer && (ax != 0u) && (ax != 0x7f800000u));
  o = select(o, o | 0x80000000u, negative && odd);
  o = select(o, 0x7fc00000u, (ax > 0x7f800000u) || (ay > 0x7f800000u));
  o = select(o, 0x3f800000u, (ux == 0x3f800000u) || (ay == 0u));
  return bitcast<f32>(o);
}
)"},
};

}  // namespace

std::span<const LibraryFunction> math_exponential() { return kExponential; }

}  // namespace millrace::expression
