// How far results of a function of f32 are from the true ones, by the contract of docs/numerics.md.
//
// The true value is the C library's in double: its own error is below 1e-8 ULP of f32. An error is measured in units of
// the last place of the f32 numbers around the true value; below 2^-126, of the smallest subnormal. Infinity counts as
// 2^128. What the contract leaves open counts as no error: a subnormal operand may be taken as 0, a subnormal result may
// be 0, and some functions are not specified for all operands.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace millrace::accuracy {

struct Function {
  std::string_view name;
  std::string_view formula;  // defines y from x, or from a and b
  double bound;              // in ULP
  double (*of_one)(double);
  double (*of_two)(double, double) = nullptr;  // where of_one is null
  bool is_ours = true;                         // of our mathematics: the sign of a zero is promised too
  // Whether the contract says anything for these operands; everything where null.
  bool (*is_specified)(float, float) = nullptr;

  [[nodiscard]] bool takes_two() const { return of_two != nullptr; }
};

// All that are measured.
[[nodiscard]] std::span<const Function> functions();
// Null where there is none of that name.
[[nodiscard]] const Function* find_function(std::string_view name);

// One result, all as bits; b is 0 for functions of one operand.
struct Result {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t bits = 0;
};

struct Measured {
  std::uint64_t results = 0;
  std::uint64_t over_one = 0;     // more than 1 ULP off
  std::uint64_t over_bound = 0;   // more than the function's bound off
  std::uint64_t wrong_class = 0;  // NaN, infinite or 0 where the true value is not, or the reverse
  std::uint64_t wrong_sign = 0;   // a zero of the wrong sign
  double worst = 0;               // in ULP, of those of the right class
  Result worst_at;
  std::optional<Result> first_wrong_class;
  std::optional<Result> first_wrong_sign;

  void add(const Measured& more);
  [[nodiscard]] bool holds() const { return over_bound + wrong_class + wrong_sign == 0; }
};

// The error of `got` in ULP of the true value; nothing where their classes differ.
[[nodiscard]] std::optional<double> error_in_ulps(double expected, float got);

void measure(const Function& function, const Result& result, Measured& measured);

// Results of operands a (and b, empty for functions of one operand), shared out over the threads.
[[nodiscard]] Measured measure_all(const Function& function, std::span<const float> a, std::span<const float> b,
                                   std::span<const float> results, unsigned thread_count);

}  // namespace millrace::accuracy
