// sinh, cosh, tanh, asinh, acosh and atanh.
//
// An odd function of x below 2^-13 is x itself, as a word: that keeps -0 and subnormals on every driver.
#include "src/expression/math_wgsl.hpp"

namespace millrace::expression {
namespace {

constexpr LibraryFunction kHyperbolic[] = {
    // e/2 - 1/(2e), with half of e from the start, which is infinite only where the result is; a polynomial to 1.
    {"sinh", "exp_scaled",
     R"(fn m_sinh(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let a_bits = u & 0x7fffffffu;
  let a = bitcast<f32>(a_bits);
  let z = a * a;
  let small = a + (a * z) * (((2.7822132e-06 * z + 0.00019842896) * z + 0.0083333105) * z + 0.16666667);
  let half = m_exp_scaled(a, -1);
  let o = bitcast<u32>(select(small, half - 0.25 / min(half, 1e30), a > 1.0)) | (u & 0x80000000u);
  return bitcast<f32>(select(o, u, (a_bits < 0x39000000u) || (a_bits > 0x7f800000u)));
}
)"},

    {"cosh", "exp_scaled",
     R"(fn m_cosh(x: f32) -> f32 {
  let a_bits = bitcast<u32>(x) & 0x7fffffffu;
  let half = m_exp_scaled(bitcast<f32>(a_bits), -1);
  return bitcast<f32>(select(bitcast<u32>(half + 0.25 / min(half, 1e30)), a_bits, a_bits > 0x7f800000u));
}
)"},

    // 1 - 2 / (exp(2a) + 1); a polynomial to 5/8.
    {"tanh", "exp_scaled",
     R"(fn m_tanh(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let a_bits = u & 0x7fffffffu;
  let a = bitcast<f32>(a_bits);
  let z = a * a;
  let p = (((-0.0056922343 * z + 0.020628123) * z - 0.053736508) * z + 0.13331406) * z - 0.3333328;
  let large = 1.0 - 2.0 / (m_exp_scaled(2.0 * min(a, 20.0), 0) + 1.0);
  let o = bitcast<u32>(select(a + (a * z) * p, large, a > 0.625)) | (u & 0x80000000u);
  return bitcast<f32>(select(o, u, (a_bits < 0x39000000u) || (a_bits > 0x7f800000u)));
}
)"},

    // log(1 + a) + k ln 2 for a from 0 to 2^126. 1 + a is kept in two parts, so that f, which is (1 + a) / 2^e - 1, is
    // rounded as finely as it is small; where e is 0, f is a.
    {"log1p", "high log_sum",
     R"(fn m_log1p(a: f32, k: f32) -> f32 {
  let sum = 1.0 + a;
  let high = m_high(sum);
  let low = (1.0 - high) + a;
  let e = bitcast<i32>(bitcast<u32>(sum) - 0x3f3504f3u) >> 23u;
  let scale = bitcast<f32>(u32(127 - e) << 23u);
  return m_log_sum(f32(e) + k, select((high * scale - 1.0) + low * scale, a, e == 0));
}
)"},

    // log(a + sqrt(a^2 + 1)) = log1p(a + a^2 / (1 + sqrt(a^2 + 1))); past 2^26, log(2a) as log(8 a/4).
    {"asinh", "log1p",
     R"(fn m_asinh(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let a_bits = u & 0x7fffffffu;
  let a = bitcast<f32>(a_bits);
  let large = a > 67108864.0;
  let b = min(a, 67108864.0);
  let z = b * b;
  let above = b + z / (1.0 + sqrt(z + 1.0));
  let o = bitcast<u32>(m_log1p(select(above, 0.25 * a, large), select(0.0, 3.0, large))) | (u & 0x80000000u);
  return bitcast<f32>(select(o, u, (a_bits < 0x39000000u) || (a_bits >= 0x7f800000u)));
}
)"},

    // log(x + sqrt(x^2 - 1)) = log1p(d + sqrt(d (x + 1))), d = x - 1; past 2^26 as asinh.
    {"acosh", "log1p root",
     R"(fn m_acosh(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let large = x > 67108864.0;
  let b = clamp(x, 1.0, 67108864.0);
  let d = b - 1.0;
  let above = d + m_root(d * (b + 1.0));
  var o = bitcast<u32>(m_log1p(select(above, 0.25 * x, large), select(0.0, 3.0, large)));
  o = select(o, 0u, u == 0x3f800000u);
  o = select(o, u, u >= 0x7f800000u);
  return bitcast<f32>(select(o, 0x7fc00000u, (u < 0x3f800000u) || (u > 0x7f800000u)));
}
)"},

    // log((1 + a) / (1 - a)) / 2 = log1p(2a / (1 - a)) / 2.
    {"atanh", "log1p quotient",
     R"(fn m_atanh(x: f32) -> f32 {
  let u = bitcast<u32>(x);
  let a_bits = u & 0x7fffffffu;
  let a = min(bitcast<f32>(a_bits), 0.99999994);
  var o = bitcast<u32>(0.5 * m_log1p(m_quotient(a + a, 1.0 - a), 0.0));
  o = select(o, 0x7f800000u, a_bits == 0x3f800000u) | (u & 0x80000000u);
  o = select(o, u, a_bits < 0x39000000u);
  return bitcast<f32>(select(o, 0x7fc00000u, a_bits > 0x3f800000u));
}
)"},
};

}  // namespace

std::span<const LibraryFunction> math_hyperbolic() { return kHyperbolic; }

}  // namespace millrace::expression
