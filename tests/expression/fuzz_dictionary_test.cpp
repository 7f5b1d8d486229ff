// The fuzzer's dictionary: what the language is made of, one word a line, out of the function table. To write it anew:
// scripts/test --refresh-goldens.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <millrace/expression.hpp>
#include <millrace/format.hpp>

#include "src/expression/function_table.hpp"

namespace millrace::expression {
namespace {

// What the table does not hold: symbols, builtins, parts of numbers, swizzles, the fuzzer's separator.
constexpr std::string_view kOtherWords[] = {"(",  ")",  "[",  "]",    ",",     ".",    "?",     ":",   "=",    "`",
                                            ";",  "pi", "e",  "inf",  "nan",   "true", "false", "row", "rows", "0x",
                                            "1e", "2u", "3i", "2.5f", ".xyzw", ".rgb", ".yx",   ".w"};

std::string dictionary() {
  std::set<std::string> words(std::begin(kOtherWords), std::end(kOtherWords));
  for (const FunctionRow& row : function_table()) {
    const bool is_call = find_function(row.name).has_value();
    const std::string name(row.name == "unary -" ? "-" : row.name);
    words.insert(is_call ? name + "(" : name);
  }
  for (auto format = Format::float32; format <= Format::unorm8x4_bgra;
       format = static_cast<Format>(static_cast<int>(format) + 1))
    words.insert(std::string(format_name(format)));
  std::string text;
  for (const std::string& word : words) text += '"' + word + "\"\n";
  return text;
}

// A function that the fuzzer has to spell by chance is a function that it does not test.
TEST(FuzzDictionary, HoldsTheWholeLanguage) {
  if (std::getenv("MILLRACE_REFRESH_GOLDENS") != nullptr) std::ofstream(MILLRACE_FUZZ_DICTIONARY) << dictionary();
  std::ifstream file(MILLRACE_FUZZ_DICTIONARY);
  const std::string kept{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(kept, dictionary()) << "scripts/test --refresh-goldens writes it anew.";
}

}  // namespace
}  // namespace millrace::expression
