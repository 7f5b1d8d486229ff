// The text of kernels, without a device. Refresh the goldens with MILLRACE_REFRESH_GOLDENS=1 and read the diff.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

#include "tests/expression/golden_cases.hpp"

namespace millrace::expression {
namespace {

std::filesystem::path golden_path(const std::string& name) {
  return std::filesystem::path(MILLRACE_GOLDENS) / (name + ".wgsl");
}

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// A change of what the device runs would go unseen.
TEST(EmitWgsl, WritesTheGoldenTexts) {
  const bool refresh = std::getenv("MILLRACE_REFRESH_GOLDENS") != nullptr;
  for (const GoldenCase& golden : golden_cases()) {
    const std::string text = emit_wgsl(golden.dag, golden.cut, golden.options);
    if (refresh) std::ofstream(golden_path(golden.name)) << text;
    EXPECT_EQ(text, read_file(golden_path(golden.name))) << golden.name;
  }
}

// Equal kernels of different graphs would be compiled twice (D-14).
TEST(EmitWgsl, DependsOnWhatIsComputedAlone) {
  DagBuilder plain;
  const NodeIndex x = plain.vector(Format::float32);
  const NodeIndex sum = plain.op("+", {x, plain.f32(1)});
  DagBuilder crowded;
  crowded.op("*", {crowded.f32(1), crowded.f32(2)});
  crowded.vector(Format::uint32);
  const NodeIndex y = crowded.vector(Format::float32);
  const NodeIndex other_sum = crowded.op("+", {y, crowded.f32(1)});
  EXPECT_EQ(emit_wgsl(plain.dag, {{plain.leaf(x)}, {plain.stored(sum)}}, {}),
            emit_wgsl(crowded.dag, {{crowded.leaf(y)}, {crowded.stored(other_sum)}}, {}));
}

// Subtracting both ways would give one of them twice (E-02).
TEST(EmitWgsl, KeepsTheOrderOfOperands) {
  DagBuilder build;
  const NodeIndex a = build.vector(Format::float32);
  const NodeIndex b = build.vector(Format::float32);
  const std::string text = emit_wgsl(
      build.dag,
      {{build.leaf(a), build.leaf(b)}, {build.stored(build.op("-", {a, b})), build.stored(build.op("-", {b, a}))}}, {});
  EXPECT_EQ(count(text, "(n1 - n3)"), 1u) << text;
  EXPECT_EQ(count(text, "(n3 - n1)"), 1u) << text;
}

// A formula that uses a value several times would load or compute it as often, exponentially where uses nest.
TEST(EmitWgsl, ComputesEachNodeOnce) {
  DagBuilder build;
  NodeIndex value = build.vector(Format::float32);
  const Leaf leaf = build.leaf(value);
  for (int level = 0; level < 60; ++level) value = build.op("+", {value, value});
  const std::string text = emit_wgsl(build.dag, {{leaf}, {build.stored(value)}}, {});
  EXPECT_EQ(count(text, "let n"), 61u);
  EXPECT_EQ(count(text, " s0["), 1u);
}

// A long formula would overflow the stack of the process, or nest deeper than providers take.
TEST(EmitWgsl, WritesLongChainsFlat) {
  DagBuilder build;
  const NodeIndex x = build.vector(Format::float32);
  NodeIndex value = x;
  for (int link = 0; link < 20000; ++link) value = build.op("+", {build.call("abs", {value}), x});
  const std::string text = emit_wgsl(build.dag, {{build.leaf(x)}, {build.stored(value)}}, {});
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  EXPECT_LT(longest, 100u);
}

// The provider's sine is off by millions of ULP; ours takes single lanes, and is written once for all that call it.
TEST(EmitWgsl, CallsMathematicsOfOursForEachLane) {
  DagBuilder build;
  const NodeIndex x = build.vector(Format::float32x2);
  const NodeIndex sine = build.call("sin", {build.call("sin", {x})});
  const std::string text = emit_wgsl(build.dag, {{build.leaf(x)}, {build.stored(sine)}}, {});
  EXPECT_EQ(count(text, "vec2<f32>(m_sin(n1.x), m_sin(n1.y))"), 1u) << text;
  EXPECT_EQ(count(text, "fn m_sin("), 1u) << text;
  EXPECT_EQ(count(text, " sin("), 0u) << text;
}

// A value whose generated name is that of a type would hide the type from the lines after it.
TEST(EmitWgsl, NamesNothingLikeAType) {
  for (int values = 0; values < 40; ++values) {
    DagBuilder build;
    const NodeIndex x = build.vector(Format::unorm8x4);
    NodeIndex value = x;
    for (int added = 0; added < values; ++added) value = build.op("+", {value, x});
    const NodeIndex packed = build.requantize(value, Format::snorm8x4);
    const std::string text = emit_wgsl(build.dag, {{build.leaf(x)}, {{packed, Format::snorm8x4}}}, {});
    for (const char* type : {"f16", "f32", "i32", "u32"})
      EXPECT_EQ(text.find(std::string("let ") + type + " "), std::string::npos) << text;
  }
}

// K-36: writing a three-lane value into interleaved rows would destroy the word after it.
TEST(EmitWgsl, StoresOnlyTheWordsOfTheRow) {
  DagBuilder build;
  const NodeIndex x = build.vector(Format::float32x3);
  const std::string text = emit_wgsl(build.dag, {{build.leaf(x)}, {build.stored(build.op("+", {x, x}))}}, {});
  EXPECT_EQ(count(text, "  s1["), 3u) << text;
  EXPECT_EQ(count(text, "  s1[p1 + 2u] = "), 1u) << text;
}

// A row that is written over one that it reads would read what it has just written.
TEST(EmitWgsl, ReadsEverythingBeforeItWrites) {
  for (const GoldenCase& golden : golden_cases()) {
    const std::string shader = emit_wgsl(golden.dag, golden.cut, golden.options);
    const std::string text = shader.substr(0, shader.find("\n}\n"));  // main alone
    const std::size_t first_store = text.find("\n  s");
    ASSERT_NE(first_store, std::string::npos) << golden.name;
    EXPECT_EQ(text.find("let n", first_store), std::string::npos) << golden.name;
  }
}

// A cut that forgets a leaf would bind the wrong buffers; it is reported as a bug of ours.
TEST(EmitWgsl, RefusesAnInputThatIsNoLeaf) {
  DagBuilder build;
  const NodeIndex x = build.vector(Format::float32);
  const KernelCut cut{{}, {build.stored(build.op("+", {x, x}))}};
  try {
    static_cast<void>(emit_wgsl(build.dag, cut, {}));
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_NE(std::string(error.what()).find("A kernel needs a graph input that is none of its leaves."),
              std::string::npos)
        << error.what();
  }
}

// A value written in a format of another type would put wrong bits in a user's vector; it is reported as a bug of ours.
TEST(EmitWgsl, RefusesAFormatOfAnotherType) {
  DagBuilder build;
  const NodeIndex x = build.vector(Format::float32);
  const KernelCut cut{{build.leaf(x)}, {{x, Format::uint32}}};
  try {
    static_cast<void>(emit_wgsl(build.dag, cut, {}));
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("A kernel stores a value of type f32 as uint32."), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace millrace::expression
