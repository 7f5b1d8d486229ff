// Rows, fields and lines of CSV text.
#include "src/data/csv_tokenizer.hpp"

#include <gtest/gtest.h>

#include "tests/data/expect_fault.hpp"
#include "tests/data/temporary_folder.hpp"

namespace millrace::data {
namespace {

struct Row {
  std::vector<std::string> fields;
  std::uint64_t line;  // of its last field
  friend bool operator==(const Row&, const Row&) = default;
};

std::vector<Row> tokenize(std::string_view text) {
  const TemporaryFolder folder;
  CsvTokenizer tokenizer(folder.write("t.csv", text));
  std::vector<Row> rows;
  std::vector<CsvField> fields;
  while (tokenizer.next_row(fields)) {
    Row& row = rows.emplace_back();
    for (const CsvField& field : fields) row.fields.emplace_back(field.text);
    row.line = fields.back().line;
  }
  return rows;
}

using Rows = std::vector<Row>;

// Files of other systems, or without a last line end, would lose their last row or gain a "\r".
TEST(CsvTokenizer, TakesBothLineEnds) {
  const Rows expected = {{{"a", "b"}, 1}, {{"1", ""}, 2}};
  EXPECT_EQ(tokenize("a,b\n1,\n"), expected);
  EXPECT_EQ(tokenize("a,b\n1,"), expected);
  EXPECT_EQ(tokenize("a,b\r\n1,\r\n"), expected);
  EXPECT_EQ(tokenize("\xef\xbb\xbf"
                     "a,b\n1,\n"),
            expected);
}

// A comma or line end inside quotes would shift all later columns and lines.
TEST(CsvTokenizer, KeepsQuotedFieldsWhole) {
  EXPECT_EQ(tokenize("\"a,1\",\"b\"\n\"two\nlines\",\"say \"\"hi\"\"\"\nx,y\n"),
            (Rows{{{"a,1", "b"}, 1}, {{"two\nlines", "say \"hi\""}, 3}, {{"x", "y"}, 4}}));
  EXPECT_EQ(tokenize("\"\",\"\"\"\"\r\n"), (Rows{{{"", "\""}, 1}}));
  EXPECT_EQ(tokenize("a\"b,c\n"), (Rows{{{"a\"b", "c"}, 1}}));
}

// An empty line would vanish here, and later errors would name the wrong line.
TEST(CsvTokenizer, GivesEmptyLinesAsRows) {
  EXPECT_EQ(tokenize("a\n\n1\n"), (Rows{{{"a"}, 1}, {{""}, 2}, {{"1"}, 3}}));
  EXPECT_EQ(tokenize(""), Rows{});
}

// A row that lies across two blocks of the file would be cut or doubled.
TEST(CsvTokenizer, ReadsRowsAcrossBlocks) {
  std::string text;
  const std::string quoted = "\"" + std::string(997, 'q') + "\n\"\"\"";
  for (int row = 0; row < 5000; ++row) text += std::to_string(row) + "," + quoted + "\r\n";
  ASSERT_GT(text.size(), std::size_t{4} << 20);
  const Rows rows = tokenize(text);
  ASSERT_EQ(rows.size(), 5000U);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    ASSERT_EQ(rows[row].fields, (std::vector<std::string>{std::to_string(row), std::string(997, 'q') + "\n\""}));
    ASSERT_EQ(rows[row].line, 1 + 2 * row);
  }
}

// The rest of a file would be swallowed as one field, or a fault be told without its line.
TEST(CsvTokenizer, RefusesBrokenQuotes) {
  const TemporaryFolder folder;
  std::vector<CsvField> fields;
  const auto split = [&](const std::string& path) {
    CsvTokenizer tokenizer(path);
    while (tokenizer.next_row(fields)) {
    }
  };
  const std::string open = folder.write("open.csv", "a,b\n1,\"2\n3,4\n");
  expect_fault([&] { split(open); }, DataErrorCode::open_quote,
               open + ":2: The quote that opens in this line is never closed.");
  const std::string tail = folder.write("tail.csv", "a,b\n1,\"2\"x\n");
  expect_fault([&] { split(tail); }, DataErrorCode::text_after_quote,
               tail +
                   ":2: After a closing quote comes a comma or the end of the line, not \"x\"; a quote inside a "
                   "quoted field is written twice.");
  const std::string endless = folder.write("endless.csv", "a\n\"" + std::string(std::size_t{66} << 20, 'x'));
  expect_fault([&] { split(endless); }, DataErrorCode::row_too_long,
               endless + ":2: The row that begins here is longer than 64 MiB; a quote may be open.");
}

// A progress bar would stand still or run past its end.
TEST(CsvTokenizer, SaysHowMuchItHasRead) {
  const TemporaryFolder folder;
  CsvTokenizer tokenizer(folder.write("t.csv", "a\nb\nc\nd\n"));
  std::vector<CsvField> fields;
  EXPECT_EQ(tokenizer.fraction_read(), 0.0);
  tokenizer.next_row(fields);
  EXPECT_EQ(tokenizer.fraction_read(), 0.25);
  while (tokenizer.next_row(fields)) {
  }
  EXPECT_EQ(tokenizer.fraction_read(), 1.0);
}

}  // namespace
}  // namespace millrace::data
