#include "base/text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(LineOf, LeavesOutTheReturnOfAnEndedLineOnly) {
  const Bytes text = "a\r\n\r\nb\r";
  const char *begin = text.data(), *end = begin + text.size();
  EXPECT_EQ(line_of(begin, begin + 2, end, '\n'), "a");
  EXPECT_EQ(line_of(begin + 3, begin + 4, end, '\n'), "");
  EXPECT_EQ(line_of(begin + 5, end, end, '\n'), "b\r");
  EXPECT_EQ(line_of(begin, begin, end, '\n'), "");
}

TEST(LineOf, KeepsTheReturnBeforeAnotherTerminator) {
  const Bytes text("a\r\0b", 4);
  const char *begin = text.data();
  EXPECT_EQ(line_of(begin, begin + 2, begin + 4, '\0'), "a\r");
}

TEST(WithReturn, IsTheInverse) {
  const Bytes text = "a\r\nb";
  const char *end = text.data() + text.size();
  EXPECT_EQ(with_return(text.substr(0, 1), end), "a\r");
  EXPECT_EQ(with_return(text.substr(3), end), "b");
}

TEST(WithoutAround, TakesOffBlanksOrSpaces) {
  EXPECT_EQ(without_blanks_around(" \ta b\n "), "a b\n");
  EXPECT_EQ(without_spaces_around(" \ta b\n "), "a b");
  EXPECT_EQ(without_blanks_around(" \t "), "");
}

}  // namespace
}  // namespace mrc
