// Whether the oracle notices faults: each mutant of the emitter, one at a time, over the same random kernels. A kernel
// whose text a mutant leaves as it is computes what it did, so only the others are run.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "mutant_list.hpp"
#include "src/expression/function_table.hpp"
#include "src/expression/wgsl_library.hpp"
#include "tests/mutants/random_kernel.hpp"
#include "tests/webgpu/shared_device.hpp"

namespace millrace::mutants {
namespace {

constexpr std::uint32_t kSeeds = 1'000;

webgpu::DeviceCore& core() { return *webgpu::DeviceAccess::core(shared_device()); }

struct Kept {
  RandomKernel kernel;
  std::string text;
};

const std::vector<Kept>& kernels() {
  static const std::vector<Kept> kKernels = [] {
    std::vector<Kept> made;
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      RandomKernel kernel = random_kernel(seed);
      std::string text = text_of(kernel);
      made.push_back({std::move(kernel), std::move(text)});
    }
    return made;
  }();
  return kKernels;
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
      for (const std::string_view text : {row.wgsl, row.wgsl_integer, row.wgsl_single})
        places += count(text, mutant.from);
    }
    for (const expression::LibraryFunction& function : expression::wgsl_library())
      if (function.name == mutant.row) places += count(function.wgsl, mutant.from);
    EXPECT_EQ(places, 1u) << mutant.name;
  }
}

// The oracle would call faultless code wrong.
TEST(Mutants, AreNeededForAMismatch) {
  for (std::uint32_t seed = 0; seed < kernels().size(); seed += 8) {
    const auto mismatch = find_mismatch(core(), kernels()[seed].kernel);
    EXPECT_FALSE(mismatch) << "Seed " << seed << ": " << *mismatch << "\n" << kernels()[seed].text;
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
  std::size_t changed = 0;
  for (const Kept& kept : kernels()) {
    if (text_of(kept.kernel) == kept.text) continue;
    ++changed;
    if (find_mismatch(core(), kept.kernel)) return;
  }
  FAIL() << "Of " << kSeeds << " kernels the mutant changed " << changed << ", all of them without a mismatch.";
}

}  // namespace
}  // namespace millrace::mutants
