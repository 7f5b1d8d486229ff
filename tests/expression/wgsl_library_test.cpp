// The functions of our own that kernels call: that each says what it needs, and that no two meet in a kernel.
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "src/expression/wgsl_library.hpp"

namespace millrace::expression {
namespace {

std::set<std::string> found(std::string_view text, const char* pattern) {
  const std::string all(text);
  const std::regex expression(pattern);
  std::set<std::string> names;
  for (std::sregex_iterator match(all.begin(), all.end(), expression), end; match != end; ++match)
    names.insert(match->str(1));
  return names;
}

// Else a kernel that calls one function alone would not compile, or two would define the same name.
TEST(WgslLibrary, EntriesNeedWhatTheyCallAndNoMore) {
  std::set<std::string> entries;
  std::set<std::string> defined;
  for (const LibraryFunction& function : wgsl_library()) {
    const std::string name(function.name);
    const std::string needs = " " + std::string(function.needs) + " ";
    EXPECT_TRUE(entries.insert(name).second) << name << " is there twice";
    const std::set<std::string> own = found(function.wgsl, "(?:fn|struct) (m_\\w+)");
    EXPECT_TRUE(own.contains("m_" + name)) << name;
    for (const std::string& definition : own)
      EXPECT_TRUE(defined.insert(definition).second) << definition << " is defined twice";
    for (const std::string& used : found(function.wgsl, "\\b(m_\\w+)")) {
      if (own.contains(used)) continue;
      EXPECT_NE(needs.find(" " + used.substr(2) + " "), std::string::npos) << name << " calls " << used;
    }
    for (const std::string& need : found(function.needs, "(\\w+)")) {
      EXPECT_TRUE(entries.contains(need)) << need << " stands after " << name;
      EXPECT_NE(function.wgsl.find("m_" + need + "("), std::string_view::npos) << name << " does not call " << need;
    }
  }
}

}  // namespace
}  // namespace millrace::expression
