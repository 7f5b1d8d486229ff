// Lists by hand, and draws that are the same with every standard library.
#include "tests/math/arguments.hpp"

#include <bit>
#include <cmath>
#include <numbers>
#include <random>

namespace millrace::accuracy {
namespace {

float of_bits(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

// The f32 nearest to the value and `reach` neighbours on each side, with both signs.
void add_around(double value, int reach, std::vector<float>& arguments) {
  const auto middle = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  for (int step = -reach; step <= reach; ++step) {
    const std::uint32_t bits = middle + static_cast<std::uint32_t>(step);
    arguments.push_back(of_bits(bits));
    arguments.push_back(of_bits(bits ^ 0x80000000u));
  }
}

// Draws numbers that do not depend on the standard library at hand.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : generator_(seed) {}
  float pattern() { return of_bits(generator_() >> 32); }
  // In [first, last).
  double between(double first, double last) {
    return first + (last - first) * static_cast<double>(generator_() >> 11) * 0x1p-53;
  }

 private:
  std::mt19937_64 generator_;
};

// An exponent that brings base^exponent to a magnitude between 2^-152 and 2^130.
float exponent_for(float base, Draws& draws) {
  const double logarithm = std::log2(std::abs(static_cast<double>(base)));
  return static_cast<float>(draws.between(-152, 130) / (logarithm == 0 ? 1 : logarithm));
}

void draw_powers(std::size_t kind, Draws& draws, float& a, float& b) {
  if (kind < 3) {  // any base
    a = std::abs(draws.pattern());
  } else if (kind == 3) {  // near 1
    a = static_cast<float>(1 + draws.between(-0.5, 0.5) * std::exp2(-draws.between(0, 23)));
  } else if (kind == 4) {  // near the ends of a mantissa's interval, where log2's parts cancel the least
    a = static_cast<float>(std::exp2(std::floor(draws.between(-3, 3)) + 0.5) * draws.between(0.9995, 1.0005));
  } else if (kind == 5) {  // negative bases, whole exponents
    a = static_cast<float>(draws.between(-100, 100));
    b = static_cast<float>(std::floor(draws.between(-30, 30)));
    return;
  } else {  // everyday numbers
    a = static_cast<float>(draws.between(0, 3));
    b = static_cast<float>(draws.between(-20, 20));
    return;
  }
  b = exponent_for(a, draws);
}

void draw_quotients(std::size_t kind, Draws& draws, float& a, float& b) {
  if (kind < 3) {  // of any size, not far from each other
    const double size = std::exp2(draws.between(-100, 100));
    a = static_cast<float>(size * draws.between(-0.5, 0.5));
    b = static_cast<float>(size * draws.between(-0.5, 0.5));
  } else if (kind == 3) {  // next to each other
    a = draws.pattern();
    b = of_bits(std::bit_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(draws.between(-2000, 2000) + 2000));
  } else {  // everyday numbers
    a = static_cast<float>(draws.between(-2, 2));
    b = static_cast<float>(draws.between(-2, 2));
  }
}

}  // namespace

std::vector<float> special_arguments() {
  std::vector<float> arguments;
  for (const std::uint32_t bits :
       {0x00000000u, 0x00000001u, 0x00400000u, 0x007fffffu, 0x00800000u, 0x00800001u, 0x33800000u, 0x38ffffffu,
        0x39000000u, 0x3effffffu, 0x3f000000u, 0x3f000001u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x3fc00000u,
        0x40000000u, 0x40400000u, 0x4b7fffffu, 0x4b800000u, 0x4b800001u, 0x4c800000u, 0x7e000000u, 0x7effffffu,
        0x7f000000u, 0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fc00000u, 0x7fffffffu}) {
    arguments.push_back(of_bits(bits));
    arguments.push_back(of_bits(bits | 0x80000000u));
  }
  return arguments;
}

std::vector<float> hard_arguments() {
  using std::numbers::pi;
  std::vector<float> arguments;
  for (const double value :
       {0.25,  0.35,     0.41421356, 0.5,       0.55,      0.6,       0.625,      0.70710678, 0.8908987,
        1.0,   1.122462, 1.4142135,  2.0,       2.4142135, 2.7182818, 3.0,        9.01,       10.0,
        20.0,  87.33654, 88.722839,  89.415986, 103.27893, 103.97208, 126.0,      127.0,      127.5,
        128.0, 149.0,    149.5,      150.0,     65536.0,   131072.0,  16777216.0, 67108864.0})
    add_around(value, 300, arguments);
  for (int multiple = 1; multiple < 20000; ++multiple) add_around(multiple * (pi / 2), 1, arguments);
  for (int multiple = 1; multiple < 2000; ++multiple) add_around((multiple - 0.5) * (pi / 2), 1, arguments);
  // Of all f32, the nearest to a multiple of pi/2.
  add_around(std::ldexp(16367173.0, 72), 1, arguments);
  for (int power = -149; power <= 127; ++power) {
    add_around(std::ldexp(1.0, power), 20, arguments);
    add_around(std::ldexp(std::numbers::sqrt2, power), 20, arguments);
  }
  for (int multiple = -150; multiple <= 128; ++multiple) {
    add_around(multiple * std::numbers::ln2, 10, arguments);
    add_around((multiple + 0.5) * std::numbers::ln2, 10, arguments);
    add_around(multiple + 0.5, 10, arguments);
  }
  return arguments;
}

std::vector<float> patterns(std::uint64_t first, std::uint64_t stride, std::size_t count) {
  std::vector<float> arguments(count);
  for (std::size_t at = 0; at < count; ++at) arguments[at] = of_bits(first + stride * at);
  return arguments;
}

Pairs special_pairs() {
  Pairs pairs;
  const std::vector<float> arguments = special_arguments();
  for (const float a : arguments) {
    for (const float b : arguments) {
      pairs.a.push_back(a);
      pairs.b.push_back(b);
    }
  }
  return pairs;
}

Pairs random_pairs(std::string_view function, std::uint64_t seed, std::size_t count) {
  Draws draws(seed);
  Pairs pairs{std::vector<float>(count), std::vector<float>(count)};
  for (std::size_t at = 0; at < count; ++at) {
    float& a = pairs.a[at];
    float& b = pairs.b[at];
    const std::size_t kind = at % 8;
    if (kind == 7) {
      a = draws.pattern();
      b = draws.pattern();
    } else if (function == "pow") {
      draw_powers(kind, draws, a, b);
    } else {
      draw_quotients(kind, draws, a, b);
    }
  }
  return pairs;
}

}  // namespace millrace::accuracy
