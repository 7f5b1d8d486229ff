// "did you mean": near names and lists of names in messages.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/base/near_name.hpp"

namespace millrace {
namespace {

// A misspelled name would get no hint.
TEST(NearName, FindsOneEditAndSwappedLetters) {
  EXPECT_EQ(find_near_name("summ", {"product", "sum"}), "sum");
  EXPECT_EQ(find_near_name("postions", {"positions", "velocities"}), "positions");
  EXPECT_EQ(find_near_name("psoitions", {"velocities", "positions"}), "positions");
  EXPECT_EQ(find_near_name("scale", {"scales"}), "scales");
}

// A hint would name something that has nothing to do with what was written.
TEST(NearName, StaysWithinAThirdOfTheLength) {
  EXPECT_EQ(find_near_name("abcdef", {"abcdxy"}), "abcdxy");
  EXPECT_EQ(find_near_name("abcdef", {"abcxyz"}), std::nullopt);
  EXPECT_EQ(find_near_name("x", {"y"}), std::nullopt);
  EXPECT_EQ(find_near_name("ab", {"ac"}), "ac");
  EXPECT_EQ(find_near_name("name", {}), std::nullopt);
}

// The hint would change with the order of declarations where one name is nearer.
TEST(NearName, TakesTheNearestAndTheFirstOfEquals) {
  EXPECT_EQ(find_near_name("speeds", {"spends", "speed"}), "spends");
  EXPECT_EQ(find_near_name("speedsxy", {"speedxy", "speeds"}), "speedxy");
  EXPECT_EQ(find_near_name("same", {"same", "sane"}), "sane");
}

// A name of megabytes would take hours to compare.
TEST(NearName, DoesNotCompareVeryLongNames) {
  const std::string long_name(201, 'a');
  EXPECT_EQ(find_near_name(long_name, {long_name + "a"}), std::nullopt);
  EXPECT_EQ(find_near_name("aaa", {long_name}), std::nullopt);
}

// A message would list names without an end, or with a comma too many.
TEST(QuotedList, JoinsNamesAndEndsAfterEight) {
  EXPECT_EQ(quoted_list({}), "");
  EXPECT_EQ(quoted_list({"a"}), "\"a\"");
  EXPECT_EQ(quoted_list({"a", "b"}), "\"a\" and \"b\"");
  EXPECT_EQ(quoted_list({"a", "b", "c"}), "\"a\", \"b\" and \"c\"");
  EXPECT_EQ(quoted_list({"1", "2", "3", "4", "5", "6", "7", "8"}), R"("1", "2", "3", "4", "5", "6", "7" and "8")");
  EXPECT_EQ(quoted_list({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}),
            R"("1", "2", "3", "4", "5", "6", "7", "8" and 2 more)");
}

// An error about a name would end without the cure.
TEST(NameAdvice, HintsOrListsOrEnds) {
  EXPECT_EQ(name_advice("summ", {"sum", "b"}), "; did you mean \"sum\"?");
  EXPECT_EQ(name_advice("zzz", {"a", "b"}), "; there are \"a\" and \"b\".");
  EXPECT_EQ(name_advice("zzz", {"a"}), "; there is \"a\".");
  EXPECT_EQ(name_advice("zzz", {}), ".");
}

}  // namespace
}  // namespace millrace
