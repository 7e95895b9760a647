#include "base/one_line.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(OneLine, HoldsAnyBytes) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const std::string line = on_one_line(all);
  EXPECT_EQ(line.find('\n'), line.npos);
  EXPECT_EQ(from_one_line(line), all);
  EXPECT_EQ(on_one_line("a \\ b\nc\x7f\xff"), "a \\x5c b\\x0ac\\x7f\xff");
}

TEST(OneLine, TakesWhatWasNeverWritten) {
  EXPECT_EQ(from_one_line("\\"), "\\");
  EXPECT_EQ(from_one_line("\\x"), "\\x");
  EXPECT_EQ(from_one_line("\\x4"), "\\x4");
  EXPECT_EQ(from_one_line("\\n"), "\\n");
}

}  // namespace
}  // namespace mrc
