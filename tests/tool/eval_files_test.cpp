// Which files `eval` reads and writes: several, patterns, standard input, all formats.
#include <string>

#include <gtest/gtest.h>

#include "tests/tool/tool_run.hpp"

namespace millrace::tool {
namespace {

class EvalFiles : public ::testing::Test {
 protected:
  EvalFiles() {
    folder_.write("day1.csv", "n,x\n1,1.5\n2,NA\n");
    folder_.write("day2.csv", "n,x\n3,2\n");
    folder_.write("day3.tsv", "n\tx\n4\t4\n");
  }

  std::string output(const std::string& command) const {
    const Ended ended = run_shell(folder_, command);
    EXPECT_EQ(ended.exit_code, 0) << command;
    EXPECT_EQ(ended.errors, "") << command;
    return ended.output;
  }

  TemporaryFolder folder_;
};

// Rows of one file would be lost, or `row` begin anew in each.
TEST_F(EvalFiles, FollowEachOther) {
  const std::string expected = "y,r\n3,0\n,1\n4,2\n";
  EXPECT_EQ(output("\"$MILLRACE\" eval 'y = x * 2' 'r = row' --input day1.csv --input day2.csv --output - --quiet"),
            expected);
  EXPECT_EQ(output("\"$MILLRACE\" eval 'y = x * 2' 'r = row' --input 'day*.csv' --output - --quiet"), expected);
  EXPECT_EQ(
      output("\"$MILLRACE\" eval 'y = x' 's = rows + 0 * row' --input day1.csv --input day2.csv --output - --quiet"),
      "y,s\n1.5,3\n,3\n2,3\n");
}

// The user would not learn which of many files is the one that does not fit.
TEST_F(EvalFiles, AreOfOneTable) {
  const auto refuse = [&](const std::vector<std::string>& inputs, const std::string& message) {
    std::vector<std::string> arguments = {"eval", "y = x", "--output", "out.csv"};
    for (const std::string& input : inputs) arguments.insert(arguments.end(), {"--input", input});
    expect_refusal(folder_, arguments, 1, message);
  };
  folder_.write("other.csv", "x,n\n1,2\n");
  folder_.write("fraction.csv", "n,x\n1.5,2\n");
  refuse({"*.xlsx"}, "No file matches \"*.xlsx\".");
  refuse({"day1.csv", "none.csv"}, "There is no file \"none.csv\".");
  refuse({"day1.csv", "other.csv"},
         "other.csv: The columns are not those of day1.csv: column 1 is \"x\" and there it is \"n\".");
  expect_refusal(folder_, {"eval", "y = n", "--input", "day1.csv", "--input", "fraction.csv", "--output", "out.csv"}, 1,
                 "fraction.csv:2: Column \"n\" holds integers, but this field is \"1.5\"; its type was taken from "
                 "day1.csv, the first file.");
  expect_refusal(folder_, {"eval", "y = x", "--input", "day*.csv", "--output", "day2.csv"}, 2,
                 "The output \"day2.csv\" is the input itself; give it another name.");
}

// A pipe could not be read, or only as CSV.
TEST_F(EvalFiles, ComeFromStandardInput) {
  EXPECT_EQ(output("\"$MILLRACE\" eval 'y = n + 1' --input - --output - --quiet < day1.csv"), "y\n2\n3\n");
  EXPECT_EQ(output("cat day3.tsv | \"$MILLRACE\" eval 'y = n + 1' --input - --delimiter tab --output - --quiet"),
            "y\n5\n");
  for (const char* format : {"parquet", "arrow", "arrows"}) {
    EXPECT_EQ(output(std::string("\"$MILLRACE\" eval 'y = x * 2' --keep --input day1.csv --output - --output-format ") +
                     format + " --quiet | \"$MILLRACE\" eval 'z = y + n' --input - --output - --quiet"),
              "z\n4\n\"\"\n")
        << format;
  }
  EXPECT_EQ(output("\"$MILLRACE\" eval 'y = n' --input day1.csv --input - --output - --quiet < day2.csv"),
            "y\n1\n2\n3\n");
  expect_refusal(folder_, {"eval", "y = n", "--input", "-", "--input", "-"}, 2,
                 "--input - stands twice; standard input can be read once.");
  const Ended empty = run_tool(folder_, {"eval", "y = n", "--input", "-"});
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_EQ(empty.errors,
            "millrace: standard input: The file is empty; a CSV file begins with a line of column names.\n");
  const Ended ragged = run_tool(folder_, {"eval", "y = n", "--input", "-"}, "printf 'n,x\\n1\\n' |");
  EXPECT_EQ(ragged.errors, "millrace: standard input:2: The row has 1 field, but there are 2 column names.\n");
}

// A file of the format would come out as another one, or not be read back.
TEST_F(EvalFiles, AreOfEveryFormat) {
  for (const char* name : {"t.csv", "t.tsv", "t.parquet", "t.arrow", "t.feather", "t.arrows"}) {
    EXPECT_EQ(output(std::string(
                         "\"$MILLRACE\" eval 'y = x * 2' 'p = vec2(x, 1)' --keep --input day1.csv --quiet --output ") +
                     name),
              "");
    const bool is_text = std::string_view(name).ends_with("sv");
    const std::string length = is_text ? "`p.x` + `p.y`" : "p.x + p.y";
    EXPECT_EQ(output(std::string("\"$MILLRACE\" eval 's = n + y' 'q = ") + length + "' --input " + name +
                     " --output - --quiet"),
              "s,q\n4,2.5\n,\n")
        << name;
  }
  EXPECT_EQ(output("\"$MILLRACE\" eval 'y = x * 2' 'p = vec2(x, 1)' --keep --input day2.csv --quiet --output t.npy; "
                   "cat t.npy | \"$MILLRACE\" eval 's = n + y + p.x' --input - --output - --quiet"),
            "s\n9\n");
  expect_refusal(folder_, {"eval", "y = x", "--input", "day1.csv", "--output", "t2.npy"}, 1,
                 "t2.npy: Column \"y\" has no value in row 2 (counting from 1), and .npy has no missing values; choose "
                 "--nulls nan, drop or a number.");
}

}  // namespace
}  // namespace millrace::tool
