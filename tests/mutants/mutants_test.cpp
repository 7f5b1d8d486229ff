// Whether the oracle notices faults: each mutant of the emitter, one at a time, over its random expressions.
#include <cctype>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <millrace/millrace.hpp>

#include "mutant_list.hpp"
#include "src/expression/function_table.hpp"
#include "src/expression/wgsl_library.hpp"
#include "tests/oracle/random_comparison.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace::mutants {
namespace {

constexpr std::uint64_t kSeeds = 200;

std::optional<oracle::Mismatch> find_mismatch(std::uint64_t seed) {
  oracle::ComparisonCounts counts;
  return oracle::find_mismatch(shared_device(), seed, counts, {.rows = 40, .unfused = false, .shrinks = false});
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// A mutant whose place is gone would count as caught by nothing, or not at all.
TEST(Mutants, HaveTheirPlaces) {
  ASSERT_GE(std::size(kMutants), 20u);
  for (const Mutant& mutant : kMutants) {
    if (mutant.row.empty()) continue;  // of C++: checked when it was made
    std::size_t places = 0;
    for (const expression::FunctionRow& row : expression::function_table()) {
      if (row.name != mutant.row) continue;
      for (const std::string_view text : {row.wgsl, row.wgsl_integer, row.wgsl_single, row.wgsl_unsigned})
        places += count(text, mutant.from);
    }
    for (const expression::LibraryFunction& function : expression::wgsl_library())
      if (function.name == mutant.row) places += count(function.wgsl, mutant.from);
    EXPECT_EQ(places, 1u) << mutant.name;
  }
}

// The oracle would call faultless code wrong.
TEST(Mutants, AreNeededForAMismatch) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::optional<oracle::Mismatch> mismatch = find_mismatch(seed);
    EXPECT_FALSE(mismatch) << mismatch->text;
  }
}

class EachMutant : public testing::TestWithParam<Mutant> {};
INSTANTIATE_TEST_SUITE_P(Mutants, EachMutant, testing::ValuesIn(kMutants), [](const auto& info) {
  std::string name;
  for (const char character : info.param.name) name += std::isalnum(character) != 0 ? character : '_';
  return std::to_string(info.index) + "_" + name;
});

// A fault in the emitter would reach users unseen.
TEST_P(EachMutant, IsCaught) {
  const Activation activation(GetParam());
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::optional<oracle::Mismatch> mismatch = find_mismatch(seed);
    if (mismatch && !mismatch->is_refusal) return;
  }
  FAIL() << "Of " << kSeeds << " random graphs none shows the mutant.";
}

}  // namespace
}  // namespace millrace::mutants
