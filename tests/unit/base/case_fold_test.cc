#include "base/case_fold.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::string folded(Bytes text) {
  std::string folded = "before ";
  append_folded(text, &folded);
  return folded.substr(7);
}

TEST(CaseFold, FoldsLettersOfAllScripts) {
  EXPECT_EQ(folded("ABC xyz [@"), "abc xyz [@");
  EXPECT_EQ(folded("\u00c4pfel"), "\u00e4pfel");
  EXPECT_EQ(folded("\u03a3\u03af\u03c2"), "\u03c3\u03af\u03c3");
  EXPECT_EQ(folded("\u0416"), "\u0436");
  EXPECT_EQ(folded("\U00010400"), "\U00010428");
  EXPECT_EQ(folded("\u65e5\u672c"), "\u65e5\u672c");
}

TEST(CaseFold, FoldsCharactersToSeveral) {
  EXPECT_EQ(folded("Stra\u00dfe"), "strasse");
  EXPECT_EQ(folded("\ufb03"), "ffi");
  EXPECT_EQ(folded("\u0130"), "i\u0307");
}

TEST(CaseFold, HasLowerAndUpperCase) {
  std::string lower, upper;
  append_lower("aZ[\u00c4\u0416\u00df\xff\U00010400\u65e5", &lower);
  EXPECT_EQ(lower, "az[\u00e4\u0436\u00df\xff\U00010428\u65e5");
  append_upper("aZ{\u00e4\u0436\xc3\u01c6", &upper);
  EXPECT_EQ(upper, "AZ{\u00c4\u0416\xc3\u01c4");
}

TEST(CaseFold, KeepsBytesThatAreNotUtf8) {
  for (const char *text :
       {"\xc4", "\xff\xfe", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    EXPECT_EQ(folded(text), text);
  }
  EXPECT_EQ(folded(Bytes("A\0B\xc3", 4)), Bytes("a\0b\xc3", 4));
}

TEST(CaseFold, TellsAscii) {
  EXPECT_TRUE(is_ascii(""));
  EXPECT_TRUE(is_ascii(Bytes("\0\x7f", 2)));
  EXPECT_FALSE(is_ascii("abcdefghijklmnop\x80"));
}

}  // namespace
}  // namespace mrc
