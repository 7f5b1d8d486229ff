// What the options of `eval` make of the same rows.
#include <string>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>
#include <nlohmann/json.hpp>

#include "tests/data/arrow_rows.hpp"
#include "tests/tool/tool_run.hpp"

namespace millrace::tool {
namespace {

using data::rows_of;

class EvalOptions : public ::testing::Test {
 protected:
  EvalOptions() {
    folder_.write("t.csv",
                  "id,carrier,x,y\n"
                  "1,\"A, \"\"a\"\"\",1.50,10\n"
                  "2,B,,20\n"
                  "3,C,3.5,\n"
                  "4,D,4.5,40\n");
  }

  // Writes out.csv and gives what is in it.
  std::string evaluate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "eval");
    arguments.insert(arguments.end(), {"--input", "t.csv", "--output", "out.csv", "--quiet"});
    const Ended ended = run_tool(folder_, arguments);
    EXPECT_EQ(ended.exit_code, 0);
    EXPECT_EQ(ended.errors, "");
    return folder_.read("out.csv");
  }
  void refuse(std::vector<std::string> arguments, int exit_code, const std::string& message) const {
    arguments.insert(arguments.begin(), "eval");
    arguments.insert(arguments.end(), {"--input", "t.csv", "--output", "out.csv"});
    expect_refusal(folder_, arguments, exit_code, message);
  }

  TemporaryFolder folder_;
};

// Rows would be lost, doubled or come in another order; one of which the condition is not known would pass for one that
// fulfils it. In batches of every size.
TEST_F(EvalOptions, KeepsRowsThatFulfilACondition) {
  for (const char* rows : {"1", "2", "3", "1000"}) {
    EXPECT_EQ(evaluate({"s = y + 1", "--where", "x > 2", "--batch-rows", rows}), "s\n\"\"\n41\n") << rows;
    EXPECT_EQ(evaluate({"s = y + 1", "--where", "s > 15", "--batch-rows", rows}), "s\n21\n41\n") << rows;
    EXPECT_EQ(evaluate({"s = row", "--where", "row % 2 == 1", "--batch-rows", rows}), "s\n1\n3\n") << rows;
    EXPECT_EQ(evaluate({"s = x", "--where", "id > 100", "--batch-rows", rows}), "s\n") << rows;
  }
}

// A condition that is none would drop rows silently.
TEST_F(EvalOptions, RefusesConditionsThatAreNone) {
  refuse({"s = y", "--where", "y + 1"}, 2,
         "\"where = y + 1\" gives sint32 for each row; --where needs one true or false, such as \"x > 0\".");
  refuse({"s = y", "--where", "z > 1"}, 2,
         "Formula \"where = z > 1\" reads \"z\", which is neither a column of t.csv nor the result of another formula. "
         "The "
         "columns are id, carrier, x, y.");
  refuse({"s = y", "--where", "y >"}, 2, "The formula ends where a value is expected.\n  where = y >\n             ^");
}

// Other columns would be lost, or come out with other digits, quotes or places.
TEST_F(EvalOptions, KeepsColumnsAsTheyAre) {
  EXPECT_EQ(evaluate({"s = y + 1", "--keep"}),
            "id,carrier,x,y,s\n"
            "1,\"A, \"\"a\"\"\",1.50,10,11\n"
            "2,B,,20,21\n"
            "3,C,3.5,,\n"
            "4,D,4.5,40,41\n");
  EXPECT_EQ(evaluate({"s = y + 1", "--keep-columns", "x,carrier", "--where", "id != 1"}),
            "carrier,x,s\n"
            "B,,21\n"
            "C,3.5,\n"
            "D,4.5,41\n");
  refuse({"s = y", "--keep-columns", "carier"}, 2,
         "--keep-columns names \"carier\", which is no column of t.csv; did you mean \"carrier\"? The columns are id, "
         "carrier, x, y.");
  refuse({"x = y", "--keep"}, 2,
         "\"x = y\" gives a result with the name of the column \"x\" of t.csv, which is kept; give the result another "
         "name, or keep other columns with --keep-columns.");
}

// A missing value would turn into a number, or a number into a missing value, in any of the ways to treat them.
TEST_F(EvalOptions, TreatsMissingValuesAsAsked) {
  EXPECT_EQ(evaluate({"s = x + y"}), "s\n11.5\n\"\"\n\"\"\n44.5\n");
  EXPECT_EQ(evaluate({"s = x + y", "--nulls", "nan"}), "s\n11.5\nnan\nnan\n44.5\n");
  EXPECT_EQ(evaluate({"s = x + y", "--nulls", "drop"}), "s\n11.5\n44.5\n");
  EXPECT_EQ(evaluate({"s = x", "--nulls", "drop", "--keep-columns", "id"}), "id,s\n1,1.5\n3,3.5\n4,4.5\n");
  EXPECT_EQ(evaluate({"s = x + y", "--nulls", "0"}), "s\n11.5\n20\n3.5\n44.5\n");
  EXPECT_EQ(evaluate({"s = x + y", "--nulls", "-1"}), "s\n11.5\n19\n2.5\n44.5\n");
  refuse({"s = x + y", "--nulls", "error"}, 1,
         "t.csv:3: Column \"x\" has no value, and --nulls error allows none missing.");
  refuse({"s = x + y", "--nulls", "0.5"}, 2,
         "--nulls 0.5 cannot stand in column \"y\", which is of signed 32-bit integers.");
}

// A value from the command line would not reach the formulas, or another than was typed.
TEST_F(EvalOptions, SetsNames) {
  EXPECT_EQ(evaluate({"s = y * scale", "--set", "scale=2"}), "s\n20\n40\n\"\"\n80\n");
  EXPECT_EQ(evaluate({"s = x * scale", "--set", "scale=0.5"}), "s\n0.75\n\"\"\n1.75\n2.25\n");
  EXPECT_EQ(evaluate({"s = y * v", "--set", "v=1,2"}), "s.x,s.y\n10,20\n20,40\n,\n40,80\n");
  EXPECT_EQ(evaluate({"s = on ? y : 0", "--set", "on=true"}), "s\n10\n20\n\"\"\n40\n");
  refuse({"s = y", "--set", "scale=2"}, 2, "--set gives a value to \"scale\", which no formula reads.");
  refuse({"s = y * x", "--set", "x=2"}, 2,
         "--set gives a value to \"x\", which is a column of t.csv; give it another name.");
  refuse({"s = y * a", "--set", "a"}, 2, "--set \"a\" is not of the form name=value.");
  refuse(
      {"s = y * a", "--set", "a=many"}, 2,
      "--set a=many: \"many\" is no number; a value is a number, true, false, or 2 to 4 numbers with commas between.");
}

// A column whose name cannot stand in a formula, or that a formula calls otherwise, would be out of reach.
TEST_F(EvalOptions, BindsNamesToColumns) {
  EXPECT_EQ(evaluate({"s = n + 1", "--bind", "n=id"}), "s\n2\n3\n4\n5\n");
  EXPECT_EQ(evaluate({"s = x + 1", "--bind", "x=id"}), "s\n2\n3\n4\n5\n");
  refuse({"s = n + 1", "--bind", "n=idd"}, 2,
         "\"n\" is to be the column \"idd\", which t.csv does not have; did you mean \"id\"? The columns are id, "
         "carrier, x, y.");
  refuse({"s = y", "--bind", "n=id"}, 2, "--bind gives the name \"n\" to a column, and no formula reads it.");
}

// Results that were only steps would be in the output, or those wanted not, or in another order.
TEST_F(EvalOptions, SelectsResults) {
  EXPECT_EQ(evaluate({"a = id * 2", "b = a + 1", "c = b + 1", "--select", "c,a"}), "c,a\n4,2\n6,4\n8,6\n10,8\n");
  refuse({"a = id", "--select", "b"}, 2, "--select names \"b\", which no formula defines; the results are a.");
  refuse({"a = id", "--select", "a,a"}, 2, "--select names \"a\" twice; a table has each result once.");
}

// A file of another program would have to be converted first.
TEST_F(EvalOptions, ReadsAndWritesOtherDelimiters) {
  folder_.write("t.csv", "1;2,5;x\n3;4,5;y\n");
  EXPECT_EQ(evaluate({"s = a + 1", "--delimiter", ";", "--no-header", "--columns", "a,b,c", "--keep",
                      "--output-delimiter", "tab"}),
            "a\tb\tc\ts\n1\t2,5\tx\t2\n3\t4,5\ty\t4\n");
  refuse({"s = a"}, 2,
         "Formula \"s = a\" reads \"a\", which is neither a column of t.csv nor the result of another formula. The "
         "columns are "
         "1;2, 5;x; if \"1;2\" is several, give --delimiter ';'.");
  refuse({"s = a", "--delimiter", ";", "--columns", "a,b,c"}, 2,
         "t.csv: Names are given for the columns, but the file has names of its own; leave them out, or say that it "
         "has no "
         "header.");
  refuse({"s = a", "--delimiter", ";;"}, 2,
         "--delimiter is \";;\"; it can be one ASCII character other than a quote and a line end, or tab.");
}

// Programs that read the summary would get text, or numbers that are not JSON.
TEST_F(EvalOptions, SummarizesAsJson) {
  const Ended ended =
      run_tool(folder_, {"eval", "s = x + y", "k = vec2(1.5, -2)", "n = log(-x)", "--input", "t.csv", "--json"});
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  const nlohmann::json summary = nlohmann::json::parse(ended.output);
  EXPECT_EQ(summary["inputs"], nlohmann::json({"t.csv"}));
  EXPECT_TRUE(summary["output"].is_null());
  EXPECT_EQ(summary["rows_read"], 4);
  EXPECT_EQ(summary["rows_written"], 4);
  EXPECT_EQ(summary["columns"][0]["name"], "s");
  EXPECT_EQ(summary["columns"][0]["missing"], 2);
  EXPECT_EQ(summary["columns"][0]["min"], 11.5);
  EXPECT_EQ(summary["columns"][0]["mean"], 28);
  EXPECT_EQ(summary["columns"][0]["max"], 44.5);
  EXPECT_EQ(summary["columns"][1]["mean"], "nan") << summary;  // JSON has no number for it
  EXPECT_EQ(summary["scalars"]["k.x"], 1.5);
  EXPECT_EQ(summary["scalars"]["k.y"], -2);
}

// A pipe would get the summary among its rows, or a cut off table.
TEST_F(EvalOptions, WritesTheTableToStandardOutput) {
  const Ended ended = run_tool(folder_, {"eval", "s = y + 1", "--input", "t.csv", "--output", "-"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.output, "s\n11\n21\n\"\"\n41\n");
  EXPECT_NE(ended.errors.find("4 rows in "), std::string::npos) << ended.errors;
  const Ended full = run_shell(folder_, "\"$MILLRACE\" eval 's = y' --input t.csv --output - --quiet > /dev/full");
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_EQ(
      full.errors,
      "millrace: standard output: The file cannot be written: Error writing bytes to file ([errno 28] No space left "
      "on device)\n");
}

// Types would change on their way from file to file: of kept columns, of lanes, of flags.
TEST_F(EvalOptions, PassesTypesThroughParquet) {
  const std::shared_ptr<arrow::DataType> points = arrow::fixed_size_list(arrow::float64(), 3);
  const data::NamedRows columns = {{"when", rows_of(arrow::date32(), "[0, 1, null]")},
                                   {"price", rows_of(arrow::decimal128(5, 2), R"(["1.25", null, "3.50"])")},
                                   {"tags", rows_of(arrow::list(arrow::utf8()), R"([["a"], [], null])")},
                                   {"p", rows_of(points, "[[3, 4, 0], null, [0, 0, 2]]")},
                                   {"on", rows_of(arrow::boolean(), "[true, false, true]")}};
  const auto file = arrow::io::FileOutputStream::Open(folder_.file("t.parquet")).ValueOrDie();
  const auto table = arrow::Table::FromRecordBatches({data::table_of(columns)}).ValueOrDie();
  ASSERT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file,
                                         parquet::DEFAULT_MAX_ROW_GROUP_LENGTH, parquet::default_writer_properties(),
                                         parquet::ArrowWriterProperties::Builder().store_schema()->build())
                  .ok());
  ASSERT_TRUE(file->Close().ok());
  const Ended ended = run_tool(folder_, {"eval", "r = length(p)", "q = p.xy * 2", "off = !on", "--input", "t.parquet",
                                         "--keep", "--output", "out.parquet", "--batch-rows", "2", "--quiet"});
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  const auto input = arrow::io::ReadableFile::Open(folder_.file("out.parquet")).ValueOrDie();
  const auto reader = parquet::arrow::OpenFile(input, arrow::default_memory_pool()).ValueOrDie();
  const std::shared_ptr<arrow::Table> read = reader->ReadTable().ValueOrDie()->CombineChunks().ValueOrDie();
  ASSERT_EQ(read->num_columns(), 8);
  for (int column = 0; column < 5; ++column) {
    const auto& [name, rows] = columns[static_cast<std::size_t>(column)];
    EXPECT_EQ(read->field(column)->name(), name);
    EXPECT_TRUE(read->column(column)->chunk(0)->Equals(*rows)) << read->column(column)->ToString();
  }
  data::expect_rows(*read->column(5)->chunk(0), arrow::float32(), "[5, null, 2]");
  data::expect_rows(*read->column(6)->chunk(0), arrow::fixed_size_list(arrow::float32(), 2), "[[6, 8], null, [0, 0]]");
  data::expect_rows(*read->column(7)->chunk(0), arrow::boolean(), "[false, true, false]");
}

}  // namespace
}  // namespace millrace::tool
