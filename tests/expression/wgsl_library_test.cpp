// The functions of our own that kernels call.
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "src/expression/wgsl_library.hpp"

namespace millrace::expression {
namespace {

// Two definitions of one name are no WGSL, and what calls both, exp(x) + min(x, 1), would not compile.
TEST(WgslLibrary, DefinesEachNameOnce) {
  std::set<std::string_view> names;
  for (const LibraryFunction& function : wgsl_library())
    EXPECT_TRUE(names.insert(function.name).second) << function.name;
  const std::string text = library_text(names);
  for (const std::string_view name : names) {
    const std::string definition = "fn m_" + std::string(name) + "(";
    const std::size_t first = text.find(definition);
    ASSERT_NE(first, std::string::npos) << name;
    EXPECT_EQ(text.find(definition, first + 1), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace millrace::expression
