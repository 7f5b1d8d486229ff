// The line that shows progress.
#include "tools/millrace/progress_bar.hpp"

#include <gtest/gtest.h>

namespace millrace::tool {
namespace {

using Seconds = std::chrono::duration<double>;

// The user would wait longer than was said, or see a time where none can be known.
TEST(ProgressText, SaysHowFarHowFastAndHowLong) {
  EXPECT_EQ(progress_text(1200000, 0.5, Seconds(3)),
            "[###############               ]  50 %  1200000 rows, 400000 rows/s, 3 s left");
  EXPECT_EQ(progress_text(10, 0.1, Seconds(10)),
            "[###                           ]  10 %  10 rows, 1 rows/s, 1 min 30 s left");
  EXPECT_EQ(progress_text(10, 0.001, Seconds(10)),
            "[                              ]   0 %  10 rows, 1 rows/s, 2 h 46 min left");
  EXPECT_EQ(progress_text(10, 1, Seconds(2)), "[##############################] 100 %  10 rows, 5 rows/s");
  EXPECT_EQ(progress_text(10, std::nullopt, Seconds(2)), "10 rows, 5 rows/s");
  EXPECT_EQ(progress_text(0, 0.0, Seconds(0)), "[                              ]   0 %  0 rows");
}

}  // namespace
}  // namespace millrace::tool
