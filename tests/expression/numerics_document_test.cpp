// docs/numerics.md speaks of each row of the function table, and of nothing else.
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/expression/function_table.hpp"

namespace millrace::expression {
namespace {

// What the table says of one operation: a cell for f32, for integers, for bools.
using LaneCells = std::vector<std::string>;

// The cells of a line of a table; a bar behind a backslash is text.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '\\') {
      cell += line[++at];
    } else if (line[at] == '|') {
      cells.push_back(cell.substr(1, cell.size() - 2));
      cell.clear();
    } else {
      cell += line[at];
    }
  }
  return cells;
}

// What stands between backticks.
std::vector<std::string> names_of(const std::string& cell) {
  std::vector<std::string> names;
  std::istringstream pieces(cell);
  std::string piece;
  for (bool is_name = false; std::getline(pieces, piece, '`'); is_name = !is_name) {
    if (is_name) names.push_back(piece);
  }
  return names;
}

std::multimap<std::string, LaneCells> documented_operations() {
  std::multimap<std::string, LaneCells> operations;
  std::ifstream document(MILLRACE_NUMERICS_DOCUMENT);
  bool is_table = false;
  for (std::string line; std::getline(document, line);) {
    if (line == "<!-- operations -->") is_table = true;
    if (line == "<!-- end -->") is_table = false;
    if (!is_table || line.empty() || line[0] != '|') continue;
    const std::vector<std::string> cells = cells_of(line);
    for (const std::string& name : names_of(cells.at(0)))
      operations.emplace(name, LaneCells(cells.begin() + 1, cells.end()));
  }
  return operations;
}

// A user would look up a function in vain, or read of one that is gone.
TEST(NumericsDocument, SpeaksOfEachOperationOnce) {
  std::multiset<std::string> rows, documented;
  for (const FunctionRow& row : function_table()) rows.emplace(row.name);
  for (const auto& [name, cells] : documented_operations()) documented.insert(name);
  EXPECT_EQ(documented, rows);
}

// A promise for lanes that the operation does not take, or none for lanes that it does.
TEST(NumericsDocument, PromisesSomethingForTheLanesThatAreTaken) {
  const std::multimap<std::string, LaneCells> operations = documented_operations();
  for (const FunctionRow& row : function_table()) {
    const auto found = operations.find(std::string(row.name));
    ASSERT_NE(found, operations.end()) << row.name;
    const LaneCells& cells = found->second;
    ASSERT_EQ(cells.size(), 3u) << row.name;
    const bool takes_integers = holds(row.lanes, Lane::i32) || holds(row.lanes, Lane::u32);
    EXPECT_EQ(cells[0] != "—", holds(row.lanes, Lane::f32)) << row.name;
    EXPECT_EQ(cells[1] != "—", takes_integers) << row.name;
    EXPECT_EQ(cells[2] != "—", holds(row.lanes, Lane::boolean)) << row.name;
  }
}

// A bound that is written beside another one in the code's own table would be believed.
TEST(NumericsDocument, BoundsOurOwnMathematicsBy4Ulp) {
  const std::multimap<std::string, LaneCells> operations = documented_operations();
  for (const FunctionRow& row : function_table()) {
    if (row.library.empty() || row.wgsl.empty()) continue;
    EXPECT_EQ(operations.find(std::string(row.name))->second.at(0), "4 ULP") << row.name;
  }
}

}  // namespace
}  // namespace millrace::expression
