#include "base/size_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(ReadSize, TakesUnitsInEitherCase) {
  EXPECT_EQ(read_size("0"), 0);
  EXPECT_EQ(read_size("4096"), 4096);
  EXPECT_EQ(read_size("4k"), 4096);
  EXPECT_EQ(read_size("4K"), 4096);
  EXPECT_EQ(read_size("2m"), 2 << 20);
  EXPECT_EQ(read_size("3G"), i64{3} << 30);
  EXPECT_EQ(read_size("8388607T"), i64{8388607} << 40);
}

TEST(ReadSize, TakesNothingElse) {
  for (const char *text : {"", "k", "-1", "+1", "1kb", "4Ki", "1.5M", "1 K", "1p", "\x0B", "1\x0B",
                           "8388608T", "9223372036854775808"}) {
    EXPECT_FALSE(read_size(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace mrc
