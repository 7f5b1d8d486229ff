// What can be typed, and what the tool says to what cannot.
#include <gtest/gtest.h>

#include "tests/tool/tool_run.hpp"

namespace millrace::tool {
namespace {

// A script would take a mistyped command for one that worked. Cases L-03, L-04.
TEST(CommandLine, RefusesWhatItCannotRun) {
  const TemporaryFolder folder;
  expect_refusal(folder, {}, 2, "There is no command to run; `millrace --help` says what there is.");
  expect_refusal(folder, {"frob"}, 2, "`millrace` knows no \"frob\"; `millrace --help` says what there is.");
  expect_refusal(folder, {"eval", "y = x"}, 2,
                 "eval needs a file to read: --input FILE, or --input - for standard input.");
  expect_refusal(folder, {"eval", "y = x", "--input", "t.csv", "--fast"}, 2,
                 "`millrace eval` knows no \"--fast\"; `millrace eval --help` says what there is.");
  expect_refusal(folder, {"eval", "y = x", "--input", "t.csv"}, 1, "There is no file \"t.csv\".");
  expect_refusal(folder, {"eval", "--input", "t.csv"}, 2,
                 "eval needs a formula, such as 'speed = f32(distance) / air_time * 60'.");
  expect_refusal(folder, {"eval", "y = x", "--input"}, 2,
                 "--input: 1 required FILE missing; `millrace eval --help` says what there is.");
  expect_refusal(folder, {"devices", "all"}, 2,
                 "`millrace devices` knows no \"all\"; `millrace devices --help` says what there is.");
}

// An option's value would be taken for another one.
TEST(CommandLine, RefusesValuesOfOptions) {
  const TemporaryFolder folder;
  const auto refuse = [&](const std::string& option, const std::string& value, const std::string& message) {
    expect_refusal(folder, {"eval", "y = x", "--input", "t.csv", option, value}, 2, message);
  };
  refuse("--nulls", "zero",
         "--nulls is \"zero\"; it can be propagate, nan, drop, error or a number that a float32 holds.");
  refuse("--integer-division", "round", "--integer-division is \"round\"; it can be refuse or truncate.");
  refuse("--batch-rows", "0", "--batch-rows is 0; it can be 1 to 4294967295.");
  refuse("--batch-rows", "-1", "--batch-rows is -1; it can be 1 to 4294967295.");
  refuse("--batch-rows", "many", "Could not convert: --batch-rows = many; `millrace eval --help` says what there is.");
  refuse("--output", "y.xlsx",
         "The file \"y.xlsx\" ends in .xlsx, which is no format of this tool; the endings are .csv, .tsv, .parquet, "
         ".arrow, .feather, .arrows and .npy.");
}

// Text piped into the tool would be taken for its input and ignored without a word. Case L-04.
TEST(CommandLine, NeverIgnoresPipedTextSilently) {
  const TemporaryFolder folder;
  const Ended ended = run_tool(folder, {"eval", "y = x"}, "printf 'x\\n1\\n' |");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.errors, "millrace: eval needs a file to read: --input FILE, or --input - for standard input.\n");
}

// Nobody could find out how the tool is used.
TEST(CommandLine, Helps) {
  const TemporaryFolder folder;
  const std::string example = "millrace eval 'speed = f32(distance) / air_time * 60' --input flights.csv";
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--help"}, {"eval", "--help"}}) {
    const Ended ended = run_tool(folder, arguments);
    EXPECT_EQ(ended.exit_code, 0);
    EXPECT_EQ(ended.errors, "");
    EXPECT_NE(ended.output.find(example), std::string::npos) << ended.output;
  }
  const Ended eval = run_tool(folder, {"eval", "--help"});
  for (const char* option :
       {"--input", "--output", "--nulls", "--integer-division", "--batch-rows", "--device", "--quiet"}) {
    EXPECT_NE(eval.output.find(option), std::string::npos) << option;
  }
  EXPECT_EQ(run_tool(folder, {"devices", "--help"}).exit_code, 0);
  EXPECT_EQ(run_tool(folder, {"--version"}).output, "millrace 0.1.0\n");
}

}  // namespace
}  // namespace millrace::tool
