// What `eval` computes, from files into files.
#include <fcntl.h>
#include <cstdlib>
#include <string>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>

#include "tests/tool/tool_run.hpp"

namespace millrace::tool {
namespace {

// Runs eval from t.csv into out.csv and gives what is in it.
std::string evaluate(const TemporaryFolder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "eval");
  arguments.insert(arguments.end(), {"--input", "t.csv", "--output", "out.csv", "--quiet"});
  const Ended ended = run_tool(folder, arguments);
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.errors, "");
  EXPECT_EQ(ended.output, "");
  return folder.read("out.csv");
}

// The first thing a user tries would fail: a fraction of two columns of integers, one value missing.
TEST(Eval, ComputesAColumn) {
  const TemporaryFolder folder;
  folder.write("t.csv", "distance,minutes\n300,30\n1000,125\n5,NA\n");
  EXPECT_EQ(evaluate(folder, {"speed = f32(distance) / minutes * 60"}), "speed\n600\n480\n\"\"\n");
}

// Results would come in another order, or a value be missing (or not) where a formula reads another one's result. Batches
// of every size must agree, also with a last one that is shorter.
TEST(Eval, ChainsFormulasAndBatches) {
  const TemporaryFolder folder;
  folder.write("t.csv", "a,b,c\n1,10,0.5\n2,,1.5\nNA,30,2.5\n4,40,\n5,50,4.5\n");
  const std::string expected =
      "far,sum,scaled\n"
      "true,11,5.5\n"
      ",,\n"
      ",,\n"
      "true,44,\n"
      "true,55,247.5\n";
  for (const char* rows : {"1", "2", "3", "5", "1000"}) {
    EXPECT_EQ(evaluate(folder, {"far = sum > 10", "sum = a + b", "scaled = sum * c", "--batch-rows", rows}), expected)
        << rows;
  }
}

// A missing value would leak into a result as the 0 that stands in its place, also where a formula would not feel it.
TEST(Eval, IsMissingWhereAnyOperandIs) {
  const TemporaryFolder folder;
  folder.write("t.csv", "x,y\n1,2\n,2\n1,\n");
  EXPECT_EQ(evaluate(folder, {"a = min(x, 5)", "b = x * 0", "c = x == x", "d = true ? x : y"}),
            "a,b,c,d\n1,0,true,1\n,,,\n1,0,true,\n");
}

// NaN would stand for values that are there, or not for those that are missing.
TEST(Eval, WritesNanWhereAsked) {
  const TemporaryFolder folder;
  folder.write("t.csv", "x\n1.5\n\n2.5\n");
  EXPECT_EQ(evaluate(folder, {"a = x * 2", "--nulls", "nan"}), "a\n3\nnan\n5\n");
}

// Integers would be rounded to float32, or unsigned ones print as negative. 16777217 is no float32.
TEST(Eval, KeepsIntegersWhole) {
  const TemporaryFolder folder;
  folder.write("t.csv", "n\n16777217\n-7\n2147483647\n");
  EXPECT_EQ(evaluate(folder, {"a = n + 1", "u = u32(n)", "half = n / 2", "--integer-division", "truncate"}),
            "a,u,half\n"
            "16777218,16777217,8388608\n"
            "-6,4294967289,-3\n"
            "-2147483648,2147483647,1073741823\n");
}

// A column of true and false could not be used as a condition.
TEST(Eval, TakesBooleansAsConditions) {
  const TemporaryFolder folder;
  folder.write("t.csv", "late,n\ntrue,1\nfalse,2\nNA,3\n");
  EXPECT_EQ(evaluate(folder, {"a = late ? n : 0", "b = !late", "c = late && n > 5"}),
            "a,b,c\n1,false,false\n0,true,false\n,,\n");
}

// Lanes of a vector would be mixed up, or lost.
TEST(Eval, WritesAColumnForEachLane) {
  const TemporaryFolder folder;
  folder.write("t.csv", "x,y\n1,2\n3,\n");
  EXPECT_EQ(evaluate(folder, {"p = vec3(f32(x), f32(y), 9.0)", "swapped = p.yx"}),
            "p.x,p.y,p.z,swapped.x,swapped.y\n1,2,9,2,1\n,,,,\n");
}

// Every batch would begin to count anew: `row` is the row of the file, `rows` how many it has.
TEST(Eval, CountsRowsOverTheWholeFile) {
  const TemporaryFolder folder;
  folder.write("t.csv", "x\n10\n20\nNA\n40\n50\n");
  EXPECT_EQ(evaluate(folder, {"i = u32(x) * 0 + row", "n = u32(x) * 0 + rows", "--batch-rows", "2"}),
            "i,n\n0,5\n1,5\n,\n3,5\n4,5\n");
}

// A column whose name is no identifier could not be read.
TEST(Eval, ReadsQuotedNames) {
  const TemporaryFolder folder;
  folder.write("t.csv", "\"wind speed, km/h\",größe\n36,2\n");
  EXPECT_EQ(evaluate(folder, {"`m/s, wind` = f32(`wind speed, km/h`) / 3.6", "g = `größe` * 2"}),
            "\"m/s, wind\",g\n10,4\n");
}

// A column named like a constant would silently be that constant, or the other way round.
TEST(Eval, SaysThatAColumnHidesAConstant) {
  const TemporaryFolder folder;
  folder.write("t.csv", "e,x\n10,1\n");
  const Ended ended = run_tool(folder, {"eval", "a = e * x", "--input", "t.csv", "--output", "out.csv"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.errors, "millrace: note: \"e\" is the column of t.csv, not what the language means by it.\n");
  EXPECT_EQ(folder.read("out.csv"), "a\n10\n");
}

// Another program's Parquet would be read wrongly, or ours by it. Types and nulls are checked with Arrow itself.
TEST(Eval, ReadsAndWritesParquet) {
  const TemporaryFolder folder;
  arrow::Int64Builder id;
  arrow::DoubleBuilder value;
  ASSERT_TRUE(id.AppendValues({1, 2, 3}).ok());
  ASSERT_TRUE(value.AppendValues({0.5, 0, 2.5}, std::vector<bool>{true, false, true}).ok());
  const std::shared_ptr<arrow::Table> input =
      arrow::Table::Make(arrow::schema({arrow::field("id", arrow::int64()), arrow::field("value", arrow::float64())}),
                         {id.Finish().ValueOrDie(), value.Finish().ValueOrDie()});
  const auto file = arrow::io::FileOutputStream::Open(folder.file("t.parquet")).ValueOrDie();
  ASSERT_TRUE(parquet::arrow::WriteTable(*input, arrow::default_memory_pool(), file).ok());
  ASSERT_TRUE(file->Close().ok());

  ASSERT_EQ(run_tool(folder, {"eval", "a = value * id", "b = id > 1", "--input", "t.parquet", "--output", "out.parquet",
                              "--batch-rows", "2"})
                .exit_code,
            0);
  const auto reader = parquet::arrow::OpenFile(arrow::io::ReadableFile::Open(folder.file("out.parquet")).ValueOrDie(),
                                               arrow::default_memory_pool())
                          .ValueOrDie();
  const std::shared_ptr<arrow::Table> output = reader->ReadTable().ValueOrDie()->CombineChunks().ValueOrDie();
  EXPECT_EQ(output->schema()->ToString(), "a: float\nb: bool");
  EXPECT_EQ(output->column(0)->chunk(0)->ToString(), "[\n  0.5,\n  null,\n  7.5\n]");
  EXPECT_EQ(output->column(1)->chunk(0)->ToString(), "[\n  false,\n  true,\n  true\n]");
}

// Lines of standard output without the last, which says how long it took and on what.
std::string without_last_line(const std::string& text) { return text.substr(0, text.rfind('\n', text.size() - 2) + 1); }

// Without an output file there would be nothing to see. The means: (600 + 480 + 300) / 3 and (31 + 126 + 121) / 3.
TEST(Eval, PrintsFirstRowsAndSummary) {
  const TemporaryFolder folder;
  folder.write("t.csv", "distance,minutes\n300,30\n1000,125\n5,NA\n600,120\n");
  const Ended ended = run_tool(
      folder, {"eval", "speed = f32(distance) / minutes * 60", "n = minutes + 1", "twice = 2 * 3", "--input", "t.csv"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.errors, "");
  EXPECT_EQ(without_last_line(ended.output),
            "speed    n\n"
            "  600   31\n"
            "  480  126\n"
            "   NA   NA\n"
            "  300  121\n"
            "\n"
            "column  count  missing  min      mean  max\n"
            "speed       3        1  300       460  600\n"
            "n           3        1   31  92.66667  126\n"
            "twice = 6\n"
            "\n");
  const std::string last = ended.output.substr(without_last_line(ended.output).size());
  EXPECT_TRUE(last.starts_with("4 rows in ")) << last;
  EXPECT_NE(last.find(" rows per second) on "), std::string::npos) << last;
  EXPECT_EQ(run_tool(folder, {"eval", "n = minutes + 1", "--input", "t.csv", "--quiet"}).output,
            "  n\n 31\n126\n NA\n121\n");
}

// A table of a thousand rows would run through the terminal; or a column without any value have numbers.
TEST(Eval, PrintsTenRowsAtMost) {
  const TemporaryFolder folder;
  std::string text = "x,none\n";
  for (int row = 0; row < 100; ++row) text += std::to_string(row) + ",NA\n";
  folder.write("t.csv", text);
  const Ended ended = run_tool(folder, {"eval", "a = x", "b = none * 2", "--input", "t.csv", "--batch-rows", "4"});
  EXPECT_EQ(without_last_line(ended.output),
            "a   b\n0  NA\n1  NA\n2  NA\n3  NA\n4  NA\n5  NA\n6  NA\n7  NA\n8  NA\n9  NA\n"
            "\n"
            "column  count  missing  min  mean  max\n"
            "a         100        0    0  49.5   99\n"
            "b           0      100    -     -    -\n"
            "\n");
}

// Formulas of numbers alone would need a file of rows for nothing.
TEST(Eval, ComputesScalars) {
  const TemporaryFolder folder;
  folder.write("t.csv", "x\n1\n");
  const Ended ended = run_tool(folder, {"eval", "a = 2.5 * 2", "b = a + 1", "--input", "t.csv"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(without_last_line(ended.output), "a = 5\nb = 6\n\n");
  const Ended quiet = run_tool(folder, {"eval", "a = vec2(2.5, 1)", "--input", "t.csv", "--quiet"});
  EXPECT_EQ(quiet.output, "a.x = 2.5\na.y = 1\n");
}

// The pipe's text would be taken for the input although a file was read. Case L-04.
TEST(Eval, NotesTextThatWaitsInAPipe) {
  const TemporaryFolder folder;
  folder.write("t.csv", "x\n1\n");
  const Ended ended =
      run_tool(folder, {"eval", "a = x", "--input", "t.csv", "--output", "out.csv"}, "printf 'x\\n2\\n' |");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.errors, "millrace: note: Standard input was not read, only the file of --input.\n");
  EXPECT_EQ(folder.read("out.csv"), "a\n1\n");
}

// Ctrl-C would leave half a file, or the file from before would be gone. The input is a pipe that never ends, so that the
// tool is still at work when the signal comes.
TEST(Eval, LeavesNothingBehindWhenInterrupted) {
  const TemporaryFolder folder;
  folder.write("out.csv", "before");
  const Ended ended = run_shell(folder,
                                "mkfifo in.csv; { echo x; yes 1 | head -n 1000000; exec sleep 60; } > in.csv & "
                                "\"$MILLRACE\" eval 'a = x' --input in.csv --output out.csv < /dev/null & tool=$!; "
                                "until ls -A | grep -q part; do kill -0 $tool || exit 99; sleep 0.05; done; "
                                "kill -TERM $tool; wait $tool; code=$?; kill %1; exit $code");
  EXPECT_EQ(ended.exit_code, 128 + 15) << ended.errors;
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"in.csv", "out.csv"}));
  EXPECT_EQ(folder.read("out.csv"), "before");
}

// A bar would fill log files.
TEST(Eval, ShowsNoProgressInAPipe) {
  const TemporaryFolder folder;
  folder.write("t.csv", "x\n1\n2\n");
  const Ended ended = run_tool(folder, {"eval", "a = x", "--input", "t.csv", "--output", "out.csv", "--quiet"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.output, "");
  EXPECT_EQ(ended.errors, "");
}

// A terminal would show nothing, or go on to when it was asked to be quiet. Where the system has no pseudo-terminals (a
// bare chroot), `script` says so, and there is none to show it on.
TEST(Eval, ShowsProgressOnATerminal) {
  const TemporaryFolder folder;
  folder.write("t.csv", "x\n1\n2\n");
  const Ended ended = run_shell(
      folder, "script -qec \"'$MILLRACE' eval 'a = x' --input t.csv --output out.csv\" /dev/null < /dev/null");
  if (ended.errors.find("failed to create pseudo-terminal") != std::string::npos) {
    EXPECT_LT(posix_openpt(O_RDWR | O_NOCTTY), 0);
    return;
  }
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  EXPECT_NE(ended.output.find("[##############################] 100 %  2 rows, "), std::string::npos) << ended.output;
  const Ended quiet = run_shell(
      folder, "script -qec \"'$MILLRACE' eval 'a = x' --input t.csv --output out.csv --quiet\" /dev/null < /dev/null");
  EXPECT_EQ(quiet.output, "");
}

// The user could not learn what to give to --device.
TEST(Devices, ListsThem) {
  const TemporaryFolder folder;
  const Ended ended = run_tool(folder, {"devices"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.errors, "");
  EXPECT_TRUE(ended.output.starts_with("name ")) << ended.output;
  EXPECT_NE(ended.output.find("provider\n"), std::string::npos) << ended.output;
}

}  // namespace
}  // namespace millrace::tool
