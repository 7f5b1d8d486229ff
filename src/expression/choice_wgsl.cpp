// The texts.
//
// SwiftShader's min and max give the second operand where either is NaN, lavapipe's the number; Vulkan lets a driver do
// what it likes. So a NaN is found by its bits, and what is not NaN is compared. `|` and `&` instead of `||` and `&&`:
// front ends make branches of the latter.
#include "src/expression/choice_wgsl.hpp"

namespace millrace::expression {
namespace {

// A NaN b is not less than a, so a stays.
constexpr std::string_view kMin = R"(
fn m_min(a: f32, b: f32) -> f32 {
  return select(a, b, (b < a) | m_is_nan(a));
}
)";

constexpr std::string_view kMax = R"(
fn m_max(a: f32, b: f32) -> f32 {
  return select(a, b, (a < b) | m_is_nan(a));
}
)";

constexpr std::string_view kClamp = R"(
fn m_clamp(x: f32, low: f32, high: f32) -> f32 {
  return m_min(m_max(x, low), high);
}
)";

// By bits, since a subnormal may compare as equal to 0. One comparison finds zeros and NaN: 0 - 1 wraps to the largest.
constexpr std::string_view kSign = R"(
fn m_sign(x: f32) -> f32 {
  let word = bitcast<u32>(x);
  let is_kept = (word & 0x7fffffffu) - 1u >= 0x7f800000u;
  return select(bitcast<f32>((word & 0x80000000u) | 0x3f800000u), x, is_kept);
}
)";

// Vulkan's own is undefined where low >= high.
constexpr std::string_view kSmoothstep = R"(
fn m_smoothstep(low: f32, high: f32, x: f32) -> f32 {
  let t = clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}
)";

}  // namespace

std::span<const LibraryFunction> choice_library() {
  static constexpr LibraryFunction kFunctions[] = {
      {"min", "is_nan", kMin}, {"max", "is_nan", kMax},         {"clamp", "min max", kClamp},
      {"sign", "", kSign},     {"smoothstep", "", kSmoothstep},
  };
  return kFunctions;
}

}  // namespace millrace::expression
