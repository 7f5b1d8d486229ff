// What `eval` says to formulas and files that do not work: the whole message, the exit code, and no file left behind.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>

#include "tests/tool/tool_run.hpp"

namespace millrace::tool {
namespace {

class EvalFault : public ::testing::Test {
 protected:
  EvalFault() { folder_.write("t.csv", "carrier,distance,minutes\nUA,300,30\nAA,1000,NA\n"); }

  void refuse(const std::vector<std::string>& formulas, int exit_code, const std::string& message,
              const std::string& input = "t.csv") const {
    std::vector<std::string> arguments = {"eval"};
    arguments.insert(arguments.end(), formulas.begin(), formulas.end());
    arguments.insert(arguments.end(), {"--input", input, "--output", "out.csv", "--batch-rows", "2"});
    expect_refusal(folder_, arguments, exit_code, message);
  }

  TemporaryFolder folder_;
};

// The user would not see where in the formula the fault is.
TEST_F(EvalFault, PointsAtFaultsOfFormulas) {
  refuse({"a = x +"}, 2, "The formula ends where a value is expected.\n  a = x +\n         ^");
  refuse({"a = distance / minutes"}, 2,
         "\"distance / minutes\" divides i32 by i32, which would drop the fraction; write f32(distance) / minutes, or "
         "allow "
         "it with integer_division = truncate (in the tool, --integer-division truncate).\n"
         "  a = distance / minutes\n"
         "               ^");
}

// A mistyped column would not be found.
TEST_F(EvalFault, ListsColumnsForUnknownNames) {
  refuse({"a = hours * 2"}, 2,
         "Formula \"a = hours * 2\" reads \"hours\", which is neither a column of t.csv nor the result of another "
         "formula. The columns are carrier, distance, minutes.");
  refuse(
      {"a = dist * 2"}, 2,
      "Formula \"a = dist * 2\" reads \"dist\", which is neither a column of t.csv nor the result of another formula; "
      "did you mean \"distance\"? The columns are carrier, distance, minutes.");
  refuse({"far = distance > 500", "a = farr ? 1 : 2"}, 2,
         "Formula \"a = farr ? 1 : 2\" reads \"farr\", which is neither a column of t.csv nor the result of another "
         "formula; "
         "did you mean \"far\"? The columns are carrier, distance, minutes.");
}

// Formulas would overwrite each other, or never end.
TEST_F(EvalFault, RefusesFormulasThatFightOverNames) {
  refuse({"a = distance", "a = minutes"}, 2,
         "Formulas \"a = distance\" and \"a = minutes\" both define \"a\"; each result needs a name of its own.");
  refuse({"distance = distance * 2"}, 2,
         "Formula \"distance = distance * 2\" reads its own result \"distance\", which hides the column of that name; "
         "give "
         "the result another name.");
  refuse({"a = b + 1", "b = a + 1"}, 2,
         "Formula \"b = a + 1\" reads \"a\", and \"a = b + 1\" reads \"b\" in turn, itself or through others; formulas "
         "cannot read each other in a circle.");
  refuse({"a = 2 * 3"}, 2,
         "No formula reads a column, so there are no rows for \"out.csv\"; leave --output out to see the values.");
}

// Data that cannot be computed with would be computed with.
TEST_F(EvalFault, RefusesColumnsAndValuesByName) {
  refuse(
      {"a = carrier"}, 1,
      "t.csv:2: Column \"carrier\" is text: this field is \"UA\"; a formula reads columns of numbers, or of true and "
      "false.");
  folder_.write("big.csv", "id\n1\n2\n3000000000\n");
  refuse(
      {"a = id"}, 1,
      "big.csv:4: Column \"id\" holds 3000000000, which does not fit in a 32-bit integer (-2147483648 to 2147483647).",
      "big.csv");
  folder_.write("changes.csv", "n\n1\n2\n1.5\n");
  refuse({"a = n"}, 1,
         "changes.csv:4: Column \"n\" holds integers, but this field is \"1.5\"; the type was taken from the first 2 "
         "rows, "
         "and a larger --batch-rows takes it from more.",
         "changes.csv");
  folder_.write("twice.csv", "x,y,x\n1,2,3\n");
  refuse({"a = x"}, 1,
         "twice.csv: Formula \"a = x\" reads \"x\", which is the name of 2 columns; rename all but one of them.",
         "twice.csv");
}

// An int64 that does not fit would wrap, after half a file was written.
TEST_F(EvalFault, RefusesInt64ByNameRowAndValue) {
  arrow::Int64Builder builder;
  ASSERT_TRUE(builder.AppendValues(std::vector<std::int64_t>{1, 2, 3, 4, 5000000000}).ok());
  const std::shared_ptr<arrow::Table> table =
      arrow::Table::Make(arrow::schema({arrow::field("id", arrow::int64())}), {builder.Finish().ValueOrDie()});
  const auto file = arrow::io::FileOutputStream::Open(folder_.file("ids.parquet")).ValueOrDie();
  ASSERT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file).ok());
  ASSERT_TRUE(file->Close().ok());
  refuse(
      {"a = id"}, 1,
      "ids.parquet: Column \"id\" holds 5000000000 in row 5 (counting from 1), which does not fit in a 32-bit integer "
      "(-2147483648 to 2147483647).",
      "ids.parquet");
}

// Files that are no tables would pass for some, or crash the tool.
TEST_F(EvalFault, RefusesFilesThatAreNoTables) {
  folder_.write("empty.csv", "");
  refuse({"a = x"}, 1, "empty.csv: The file is empty; a CSV file begins with a line of column names.", "empty.csv");
  folder_.write("header.csv", "x,y\n");
  refuse({"a = x"}, 1, "header.csv: The file has column names but no rows.", "header.csv");
  folder_.write("ragged.csv", "x,y\n1,2\n3\n");
  refuse({"a = x"}, 1, "ragged.csv:3: The row has 1 field, but there are 2 column names.", "ragged.csv");
  folder_.write("text.parquet", "no Parquet at all");
  refuse(
      {"a = x"}, 1,
      "text.parquet: The file cannot be read: Parquet magic bytes not found in footer. Either the file is corrupted or "
      "this is not a parquet file.",
      "text.parquet");
  refuse({"a = x"}, 1, "\".\" is a folder; give a file.", ".");
  refuse({"a = x"}, 1, "There is no file \"none.csv\".", "none.csv");
  folder_.write("text.arrow", "This file holds no Arrow data, whatever its name says.");
  refuse({"a = x"}, 1, "text.arrow: The file cannot be read: Not an Arrow file", "text.arrow");
  folder_.write("text.npy", "no array");
  refuse({"a = x"}, 1, "text.npy: The file does not begin as a .npy file does.", "text.npy");
}

// A download that broke off would pass for a whole file.
TEST_F(EvalFault, RefusesFilesThatAreCutOff) {
  const auto cut = [&](const std::string& name, std::size_t byte_count) {
    const Ended made = run_tool(folder_, {"eval", "a = distance", "--input", "t.csv", "--output", name, "--quiet"});
    EXPECT_EQ(made.exit_code, 0) << made.errors;
    const std::string bytes = folder_.read(name);
    folder_.write(name, bytes.substr(0, bytes.size() - byte_count));
  };
  cut("cut.parquet", 10);
  refuse(
      {"b = a"}, 1,
      "cut.parquet: The file cannot be read: Parquet magic bytes not found in footer. Either the file is corrupted or "
      "this is not a parquet file.",
      "cut.parquet");
  cut("cut.arrow", 10);
  refuse({"b = a"}, 1, "cut.arrow: The file cannot be read: Not an Arrow file", "cut.arrow");
  cut("cut.npy", 3);
  refuse({"b = a"}, 1, "cut.npy: An array of the shape (2) takes 8 bytes, but the file holds 5.", "cut.npy");
}

// A column without a single value would be refused, or get values; and one with a name that is no identifier be out of
// reach without a hint how to write it.
TEST_F(EvalFault, HintsAtNamesThatNeedQuotes) {
  folder_.write("odd.csv", "air time,none\n1,\n2,NA\n");
  refuse({"a = air time"}, 2,
         "An operator is missing before \"time\"; a name with blanks stands in backticks: `air time`.\n"
         "  a = air time\n"
         "          ^",
         "odd.csv");
  const Ended ended = run_tool(folder_, {"eval", "a = `air time` + 1", "b = none * 2", "--input", "odd.csv"});
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  EXPECT_EQ(ended.output.substr(0, ended.output.find("\n\n2 rows")),
            "a   b\n2  NA\n3  NA\n\n"
            "column  count  missing  min  mean  max\n"
            "a           2        0    2   2.5    3\n"
            "b           0        2    -     -    -");
}

// The input would be lost, or a run fail only after all its work.
TEST_F(EvalFault, RefusesOutputsBeforeTheWork) {
  expect_refusal(folder_, {"eval", "a = distance", "--input", "t.csv", "--output", "./t.csv"}, 2,
                 "The output \"./t.csv\" is the input itself; give it another name.");
  expect_refusal(folder_, {"eval", "a = distance", "--input", "t.csv", "--output", "none/a.csv"}, 1,
                 "none/a.csv: The file cannot be written: No such file or directory.");
}

// A full disk would leave half a file under its name, or kill the tool without a word. The limit of 1 MiB (in blocks of
// 512 bytes) leaves room for the files in memory in which a software device keeps its code.
TEST_F(EvalFault, ReportsWritesThatFail) {
  std::string text = "x\n";
  for (int row = 0; row < 500000; ++row) text += "1.5\n";
  folder_.write("long.csv", text);
  const std::vector<std::string> before = folder_.names();
  for (const std::string name : {"out.csv", "out.parquet"}) {
    const Ended full =
        run_shell(folder_, "(ulimit -f 2048; \"$MILLRACE\" eval 'a = x + row' --input long.csv --output " + name +
                               ") < /dev/null");
    EXPECT_EQ(full.exit_code, 1);
    EXPECT_EQ(full.errors,
              "millrace: " + name +
                  ": The file cannot be written: Error writing bytes to file ([errno 27] File too large)\n");
    EXPECT_EQ(folder_.names(), before);
  }
  const Ended printed = run_shell(folder_, "\"$MILLRACE\" eval 'a = distance' --input t.csv < /dev/null > /dev/full");
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_EQ(printed.errors, "millrace: Standard output cannot be written: No space left on device.\n");
}

// Integers would be marked with a number that stands for "missing", and be computed with.
TEST_F(EvalFault, RefusesNanForIntegers) {
  expect_refusal(
      folder_, {"eval", "a = minutes + 1", "--input", "t.csv", "--output", "a.csv", "--nulls", "nan"}, 2,
      "--nulls nan cannot mark what is missing in \"a\", whose rows are integers: only float32 has NaN. Make it "
      "f32(...), or use --nulls propagate.");
}

// A packed format would come out as numbers that mean nothing.
TEST_F(EvalFault, RefusesPackedResults) {
  refuse({"a: unorm8x4 = vec4(f32(distance))"}, 2,
         "The result \"a\" has the packed format unorm8x4, and a table has columns of numbers; leave the format out of "
         "its "
         "formula.");
}

// A device that is not there would be replaced by another one.
TEST_F(EvalFault, RefusesUnknownDevices) {
  const Ended ended = run_tool(folder_, {"eval", "a = distance", "--input", "t.csv", "--device", "no such device"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_EQ(ended.output, "");
  EXPECT_NE(ended.errors.find("finds no adapter named \"no such device\""), std::string::npos) << ended.errors;
}

}  // namespace
}  // namespace millrace::tool
