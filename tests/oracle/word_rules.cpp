// The functions in C++'s integers, with what C++ leaves undefined written out.
#include "tests/oracle/word_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>

namespace millrace::oracle {

using expression::Lane;

namespace {

constexpr double kMostCombinations = 64;

using Words = std::span<const std::uint32_t>;

std::int32_t as_signed(std::uint32_t word) { return static_cast<std::int32_t>(word); }
std::uint32_t as_word(std::int64_t number) { return static_cast<std::uint32_t>(number); }

std::uint32_t word_of(Lane lane, double number) {
  return lane == Lane::i32 ? static_cast<std::uint32_t>(static_cast<std::int32_t>(number))
                           : static_cast<std::uint32_t>(number);
}

std::uint32_t divide(std::uint32_t a, std::uint32_t b, bool is_signed) {
  if (b == 0) return a;
  if (!is_signed) return a / b;
  if (as_signed(b) == -1) return 0u - a;
  return as_word(as_signed(a) / as_signed(b));
}

std::uint32_t remainder(std::uint32_t a, std::uint32_t b, bool is_signed) {
  if (b == 0) return 0;
  if (!is_signed) return a % b;
  if (as_signed(b) == -1) return 0;
  return as_word(as_signed(a) % as_signed(b));
}

std::uint32_t first_leading_bit(std::uint32_t word, bool is_signed) {
  if (is_signed && as_signed(word) < 0) word = ~word;
  return word == 0 ? 0xffffffffu : 31u - static_cast<std::uint32_t>(std::countl_zero(word));
}

std::uint32_t reversed(std::uint32_t word) {
  std::uint32_t result = 0;
  for (int bit = 0; bit < 32; ++bit) result |= (word >> bit & 1u) << (31 - bit);
  return result;
}

// Offset and count cut to the word, as WGSL does.
struct BitRange {
  std::uint32_t offset;
  std::uint32_t count;
  BitRange(std::uint32_t given_offset, std::uint32_t given_count)
      : offset(std::min(given_offset, 32u)), count(std::min(given_count, 32u - offset)) {}
  [[nodiscard]] std::uint32_t mask() const { return count == 32 ? 0xffffffffu : ((1u << count) - 1u); }
};

std::uint32_t extract(Words w, bool is_signed) {
  const BitRange range(w[1], w[2]);
  if (range.count == 0) return 0;
  std::uint32_t bits = w[0] >> range.offset & range.mask();
  if (is_signed && (bits >> (range.count - 1) & 1u) != 0) bits |= ~range.mask();
  return bits;
}

std::uint32_t insert(Words w) {
  const BitRange range(w[2], w[3]);
  if (range.count == 0) return w[0];
  const std::uint32_t mask = range.mask() << range.offset;
  return (w[0] & ~mask) | (w[1] << range.offset & mask);
}

std::uint32_t dot_of_bytes(Words w, bool is_signed) {
  std::uint32_t total = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const std::uint32_t a = w[0] >> shift & 0xffu;
    const std::uint32_t b = w[1] >> shift & 0xffu;
    total += is_signed ? as_word(static_cast<std::int8_t>(a) * static_cast<std::int8_t>(b)) : a * b;
  }
  return total;
}

std::uint32_t packed_bytes(Words w, std::int64_t least, std::int64_t most, bool is_signed) {
  std::uint32_t result = 0;
  for (std::size_t lane = 0; lane < 4; ++lane) {
    const std::int64_t number = is_signed ? std::int64_t{as_signed(w[lane])} : std::int64_t{w[lane]};
    result |= (as_word(std::clamp(number, least, most)) & 0xffu) << (8 * lane);
  }
  return result;
}

bool is_less(std::uint32_t a, std::uint32_t b, bool is_signed) {
  return is_signed ? as_signed(a) < as_signed(b) : a < b;
}

using LaneFunction = std::uint32_t (*)(Words, bool is_signed);

const std::map<std::string, LaneFunction, std::less<>>& functions() {
  static const std::map<std::string, LaneFunction, std::less<>> kFunctions = {
      {"+", [](Words w, bool) { return w[0] + w[1]; }},
      {"-", [](Words w, bool) { return w[0] - w[1]; }},
      {"*", [](Words w, bool) { return w[0] * w[1]; }},
      {"/", [](Words w, bool s) { return divide(w[0], w[1], s); }},
      {"%", [](Words w, bool s) { return remainder(w[0], w[1], s); }},
      {"&", [](Words w, bool) { return w[0] & w[1]; }},
      {"|", [](Words w, bool) { return w[0] | w[1]; }},
      {"^", [](Words w, bool) { return w[0] ^ w[1]; }},
      {"<<", [](Words w, bool) { return w[0] << (w[1] % 32); }},
      {">>", [](Words w, bool s) { return s ? as_word(as_signed(w[0]) >> (w[1] % 32)) : w[0] >> (w[1] % 32); }},
      {"==", [](Words w, bool) { return w[0] == w[1] ? 1u : 0u; }},
      {"!=", [](Words w, bool) { return w[0] != w[1] ? 1u : 0u; }},
      {"<", [](Words w, bool s) { return is_less(w[0], w[1], s) ? 1u : 0u; }},
      {"<=", [](Words w, bool s) { return is_less(w[1], w[0], s) ? 0u : 1u; }},
      {">", [](Words w, bool s) { return is_less(w[1], w[0], s) ? 1u : 0u; }},
      {">=", [](Words w, bool s) { return is_less(w[0], w[1], s) ? 0u : 1u; }},
      {"&&", [](Words w, bool) { return w[0] & w[1]; }},
      {"||", [](Words w, bool) { return w[0] | w[1]; }},
      {"!", [](Words w, bool) { return w[0] ^ 1u; }},
      {"~", [](Words w, bool) { return ~w[0]; }},
      {"unary -", [](Words w, bool) { return 0u - w[0]; }},
      {"u32", [](Words w, bool) { return w[0]; }},
      {"i32", [](Words w, bool) { return w[0]; }},
      {"bool", [](Words w, bool) { return w[0] != 0 ? 1u : 0u; }},
      {"min", [](Words w, bool s) { return is_less(w[1], w[0], s) ? w[1] : w[0]; }},
      {"max", [](Words w, bool s) { return is_less(w[0], w[1], s) ? w[1] : w[0]; }},
      {"clamp",
       [](Words w, bool s) {
         const std::uint32_t raised = is_less(w[0], w[1], s) ? w[1] : w[0];
         return is_less(w[2], raised, s) ? w[2] : raised;
       }},
      {"abs", [](Words w, bool s) { return s && as_signed(w[0]) < 0 ? 0u - w[0] : w[0]; }},
      {"sign", [](Words w, bool) { return as_word((as_signed(w[0]) > 0) - (as_signed(w[0]) < 0)); }},
      {"countOneBits", [](Words w, bool) { return static_cast<std::uint32_t>(std::popcount(w[0])); }},
      {"countLeadingZeros", [](Words w, bool) { return static_cast<std::uint32_t>(std::countl_zero(w[0])); }},
      {"countTrailingZeros", [](Words w, bool) { return static_cast<std::uint32_t>(std::countr_zero(w[0])); }},
      {"firstLeadingBit", [](Words w, bool s) { return first_leading_bit(w[0], s); }},
      {"firstTrailingBit",
       [](Words w, bool) { return w[0] == 0 ? 0xffffffffu : static_cast<std::uint32_t>(std::countr_zero(w[0])); }},
      {"reverseBits", [](Words w, bool) { return reversed(w[0]); }},
      {"extractBits", [](Words w, bool s) { return extract(w, s); }},
      {"insertBits", [](Words w, bool) { return insert(w); }},
      {"dot4U8Packed", [](Words w, bool) { return dot_of_bytes(w, false); }},
      {"dot4I8Packed", [](Words w, bool) { return dot_of_bytes(w, true); }},
      {"pack4xI8", [](Words w, bool) { return packed_bytes(w, INT64_MIN, INT64_MAX, true); }},
      {"pack4xU8", [](Words w, bool) { return packed_bytes(w, INT64_MIN, INT64_MAX, false); }},
      {"pack4xI8Clamp", [](Words w, bool) { return packed_bytes(w, -128, 127, true); }},
      {"pack4xU8Clamp", [](Words w, bool) { return packed_bytes(w, 0, 255, false); }},
      {"all", [](Words w, bool) { return std::find(w.begin(), w.end(), 0u) == w.end() ? 1u : 0u; }},
      {"any", [](Words w, bool) { return std::find(w.begin(), w.end(), 1u) == w.end() ? 0u : 1u; }},
      {"dot",
       [](Words w, bool) {
         std::uint32_t total = 0;
         for (std::size_t lane = 0; lane < w.size() / 2; ++lane) total += w[lane] * w[lane + w.size() / 2];
         return total;
       }},
  };
  return kFunctions;
}

}  // namespace

Allowed over_words(const std::vector<Allowed>& operands, Lane result, const WordFunction& function) {
  double combinations = 1;
  for (const Allowed& operand : operands) {
    if (operand.any) return any_of(result);
    combinations *= operand.upper - operand.lower + 1;
  }
  if (combinations > kMostCombinations) return any_of(result);
  std::vector<double> numbers;
  for (const Allowed& operand : operands) numbers.push_back(operand.lower);
  std::optional<Allowed> all;
  while (true) {
    std::vector<std::uint32_t> words;
    for (std::size_t i = 0; i < operands.size(); ++i) words.push_back(word_of(operands[i].lane, numbers[i]));
    const Allowed one = exactly(result, function(words));
    all = all ? either(*all, one) : one;
    std::size_t at = 0;
    while (at < operands.size() && ++numbers[at] > operands[at].upper) {
      numbers[at] = operands[at].lower;
      ++at;
    }
    if (at == operands.size()) return *all;
  }
}

WordFunction find_word_function(std::string_view name, Lane lane) {
  const auto found = functions().find(name);
  if (found == functions().end()) return nullptr;
  return [function = found->second, is_signed = lane == Lane::i32](Words words) { return function(words, is_signed); };
}

}  // namespace millrace::oracle
