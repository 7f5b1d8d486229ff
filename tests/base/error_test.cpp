// The error classes and the names of their codes.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <millrace/error.hpp>

namespace millrace {
namespace {

// A user who logs codes gets the enumerator's own name, another for each code.
TEST(ErrorCode, HasItsOwnName) {
  EXPECT_EQ(to_string(ErrorCode::missing_producer), "missing_producer");
  EXPECT_EQ(to_string(ErrorCode::syntax_error), "syntax_error");
  EXPECT_EQ(to_string(ErrorCode::row_count_mismatch), "row_count_mismatch");
  EXPECT_EQ(to_string(ErrorCode::device_lost), "device_lost");
  EXPECT_EQ(to_string(ErrorCode::internal), "internal");
  std::set<std::string_view> names;
  const int last = static_cast<int>(ErrorCode::internal);
  for (int code = 0; code <= last; ++code) names.insert(to_string(static_cast<ErrorCode>(code)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(last) + 1);
  EXPECT_FALSE(names.contains("unknown"));
}

// A caller who catches Error finds code, subject and message of every kind.
TEST(Error, KeepsCodeSubjectAndMessage) {
  try {
    throw BindingError(ErrorCode::missing_binding, "mask", "Input \"mask\" is not bound.");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::missing_binding);
    EXPECT_EQ(error.subject(), "mask");
    EXPECT_STREQ(error.what(), "Input \"mask\" is not bound.");
  }
}

// An editor underlines the fault by the text and column of the error.
TEST(ExpressionError, KeepsTextAndColumn) {
  const ExpressionError error(ErrorCode::syntax_error, "a", "message", "a = x +", 8);
  EXPECT_EQ(error.text(), "a = x +");
  EXPECT_EQ(error.column(), 8u);
}

// An editor jumps to the fault by the file, line and column of the error.
TEST(KernelError, KeepsFileLineAndColumn) {
  const KernelError error(ErrorCode::wgsl_error, "k", "message", "kernel.wgsl", 3, 7);
  EXPECT_EQ(error.file(), "kernel.wgsl");
  EXPECT_EQ(error.line(), 3u);
  EXPECT_EQ(error.column(), 7u);
}

// A bug of ours is told from a user's mistake by its type and code.
TEST(InternalError, HasTheCodeInternal) {
  const InternalError error("message");
  EXPECT_EQ(error.code(), ErrorCode::internal);
  EXPECT_EQ(error.subject(), "");
  const GraphError graph_error(ErrorCode::name_empty, "", "message");
  EXPECT_EQ(graph_error.code(), ErrorCode::name_empty);
}

}  // namespace
}  // namespace millrace
