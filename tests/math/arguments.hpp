// Arguments at which functions of f32 are measured, as f32 of any bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace millrace::accuracy {

// Zeros, subnormals, infinities, NaN, and numbers at which rules change, with both signs.
[[nodiscard]] std::vector<float> special_arguments();

// Numbers where results are small, range reductions change, or results leave the range of f32; each with its neighbours.
[[nodiscard]] std::vector<float> hard_arguments();

// The patterns first, first + stride, ...: `count` of them. All are below 2^32.
[[nodiscard]] std::vector<float> patterns(std::uint64_t first, std::uint64_t stride, std::size_t count);

struct Pairs {
  std::vector<float> a;
  std::vector<float> b;
};

// Each special argument with each.
[[nodiscard]] Pairs special_pairs();

// Pairs of any patterns, mixed with pairs that make the function's work hard: results of pow all over the range of f32,
// bases near 1, quotients near 1. The same for the same function, seed and count.
[[nodiscard]] Pairs random_pairs(std::string_view function, std::uint64_t seed, std::size_t count);

}  // namespace millrace::accuracy
