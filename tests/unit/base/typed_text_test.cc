#include "base/typed_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using List = std::vector<std::string>;

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

TEST(ReadNumber, TakesAllOfTheTextOrNothing) {
  i64 number = 0;
  EXPECT_TRUE(read_number("-12", &number));
  EXPECT_EQ(number, -12);
  for (const char *text : {"", " 1", "1 ", "+1", "1x", "9223372036854775808"}) {
    EXPECT_FALSE(read_number(text, &number)) << text;
  }
  double real = 0;
  EXPECT_TRUE(read_number("2.5e1", &real));
  EXPECT_EQ(real, 25);
}

TEST(ReadQuoted, EndsAtTheFirstQuoteThatIsNotDoubled) {
  std::string name = "a.";
  EXPECT_EQ(read_quoted("\"b\"\"c\".d", &name), 6);
  EXPECT_EQ(name, "a.b\"c");
  name.clear();
  EXPECT_EQ(read_quoted("'it''s \"'", &name), 9);
  EXPECT_EQ(name, "it's \"");
  EXPECT_EQ(read_quoted("\"", &name), 0);
  EXPECT_EQ(read_quoted("\"a\"\"", &name), 0);
}

TEST(WithoutQuotes, TakesThemOffEachPart) {
  EXPECT_EQ(without_quotes("sum:\"x\""), "sum:x");
  EXPECT_EQ(without_quotes("\"\"\"\""), "\"");
  EXPECT_EQ(without_quotes("a.\"b\".\"c\"\"\""), "a.b.c\"");
  EXPECT_EQ(without_quotes("a\"b"), "ab");
}

TEST(SplitList, CutsAtCommasOutsideQuotes) {
  EXPECT_EQ(*split_list("a"), List{"a"});
  EXPECT_EQ(*split_list("a, b ,\"c,d\":hour"), (List{"a", "b", "\"c,d\":hour"}));
  EXPECT_EQ(*split_list("\"a\"\",b\",c"), (List{"\"a\"\",b\"", "c"}));
}

TEST(SplitNames, TakesQuotesOff) {
  EXPECT_EQ(*split_names("\"a,b\", c ,\"d\"\"\""), (List{"a,b", "c", "d\""}));
  EXPECT_FALSE(split_names("a,").is_ok());
}

TEST(SplitList, RefusesEmptyItemsAndOpenQuotes) {
  EXPECT_EQ(split_list("a,,b").status().message(), "\"a,,b\": item 2 of the list is empty");
  EXPECT_EQ(split_list("a,").status().message(), "\"a,\": item 2 of the list is empty");
  EXPECT_EQ(split_list("").status().message(), "\"\": item 1 of the list is empty");
  EXPECT_EQ(split_list("a,\"b,c").status().message(), "a,\"b,c: a double quote is not closed");
}

TEST(FindUnquoted, PassesOverQuotes) {
  EXPECT_EQ(find_unquoted("a=b=c", '='), 1);
  EXPECT_EQ(find_unquoted("\"a=b\"=c", '='), 5);
  EXPECT_EQ(find_unquoted("\"a\"\"=\"", '='), Bytes::npos);
  EXPECT_EQ(find_unquoted("", '='), Bytes::npos);
  EXPECT_EQ(find_last_unquoted("a:b:c", ':'), 3);
  EXPECT_EQ(find_last_unquoted("a:\"b:c\"", ':'), 1);
  EXPECT_EQ(find_last_unquoted("abc", ':'), Bytes::npos);
}

}  // namespace
}  // namespace mrc
