#include "unit/expr/record_columns.h"

#include <gtest/gtest.h>

#include <chrono>

namespace mrc {
namespace {

std::string error(std::string_view where, std::string_view since = "",
                  std::string_view until = "") {
  const auto filter = make_filter(where, since, until, {});
  EXPECT_FALSE(filter.is_ok()) << where;
  return filter.is_ok() ? "" : filter.status().message();
}

// Whether a record is selected whose fields are the values in the order in which the filter
// names them.
bool selects(std::string_view where, const Row &row, std::string_view since = "",
             std::string_view until = "") {
  const auto filter = make_filter(where, since, until, {});
  if (!filter.is_ok()) {
    ADD_FAILURE() << filter.status().message();
    return false;
  }
  EXPECT_EQ((*filter)->fields().size(), row.size()) << where;
  RecordColumns columns({row}, row.size());
  const Filter::Selection selected = columns.select(**filter);
  EXPECT_EQ((selected >> 1).count(), 0u);  // there is one record
  return selected[0];
}

TEST(Where, ComparesNumbersAsNumbers) {
  EXPECT_TRUE(selects("x == 200", {"200"}));
  EXPECT_TRUE(selects("x == 200", {"200.0"}));
  EXPECT_TRUE(selects("x == 2e2", {"+200"}));
  EXPECT_FALSE(selects("x == 200", {"200.0000000000000000001"}));
  EXPECT_TRUE(selects("x < 1000", {"99"}));
  EXPECT_FALSE(selects("x < 99", {"1000"}));
  EXPECT_TRUE(selects("x >= 0.5", {"0.50"}));
  EXPECT_FALSE(selects("x > 0.5", {"0.50"}));
  EXPECT_TRUE(selects("x > 0.5", {"0.500000000000001"}));
  EXPECT_TRUE(selects("x <= -1.5", {"-1.50"}));
  EXPECT_TRUE(selects("x != 5", {"6"}));
  EXPECT_FALSE(selects("x != 5", {"5.0"}));
  EXPECT_TRUE(selects("x > 1", {"1e300"}));
  EXPECT_TRUE(selects("x < 1e300", {"1"}));
  EXPECT_TRUE(selects("x == 12345678901234567890", {"12345678901234567890.0"}));
}

TEST(Where, ComparesOtherValuesAsBytes) {
  EXPECT_TRUE(selects("x == abc", {"abc"}));
  EXPECT_FALSE(selects("x == abc", {"abcd"}));
  EXPECT_TRUE(selects("x < b", {"abc"}));
  EXPECT_TRUE(selects("x > 5", {"abc"}));
  EXPECT_TRUE(selects("x != 5", {"abc"}));
  EXPECT_TRUE(selects("x == '007'", {"007"}));
  EXPECT_FALSE(selects("x == '7'", {"007"}));
  EXPECT_TRUE(selects("x == 7", {"007"}));
  EXPECT_TRUE(selects("x == \"\"", {""}));
  EXPECT_TRUE(selects("x == -", {"-"}));
}

TEST(Where, HasNoRelationToWhatIsMissing) {
  for (const char *where :
       {"x == 5", "x != 5", "x < 5", "x == a", "x != a", "x =~ a", "x !~ a", "x in (a, 5)", "x",
        "x between 1 and 9", "x:lower != a", "x:hour != a", "x:log2 >= 0"}) {
    EXPECT_FALSE(selects(where, {std::nullopt})) << where;
    EXPECT_TRUE(selects("not " + std::string(where), {std::nullopt})) << where;
  }
  for (const char *value : {"", "-", " "}) {
    EXPECT_FALSE(selects("x < 5", {value}));
    EXPECT_FALSE(selects("x != 5", {value}));
    EXPECT_TRUE(selects("x != a", {value}));
  }
  EXPECT_FALSE(selects("x:hour != a", {"never"}));
}

TEST(Where, AsksForPresence) {
  EXPECT_TRUE(selects("x", {"a"}));
  EXPECT_FALSE(selects("x", {""}));
  EXPECT_TRUE(selects("not x", {""}));
  EXPECT_TRUE(selects("x and y", {"a", "b"}));
}

TEST(Where, MatchesRegularExpressions) {
  EXPECT_TRUE(selects("path =~ '^/api/v(1|2)'", {"/api/v2/x"}));
  EXPECT_TRUE(selects("path =~ ^/api", {"/api"}));
  EXPECT_FALSE(selects("path !~ ^/api", {"/api"}));
  EXPECT_TRUE(selects("path !~ ^/api", {"/x/api"}));
  EXPECT_TRUE(selects("path =~ '(?i)API'", {"/api"}));
  EXPECT_TRUE(selects("path =~ \\d+\\.png$", {"/12.png"}));
}

TEST(Where, TakesBetweenAndIn) {
  EXPECT_TRUE(selects("x between 400 and 499", {"400"}));
  EXPECT_TRUE(selects("x between 400 and 499 and y", {"499", "1"}));
  EXPECT_FALSE(selects("x between 400 and 499", {"499.5"}));
  EXPECT_TRUE(selects("x in (GET, 'POST')", {"POST"}));
  EXPECT_TRUE(selects("x in (1,2.5,3)", {"2.50"}));
  EXPECT_FALSE(selects("x in (1)", {"2"}));
}

TEST(Where, BindsAndTighterThanOr) {
  EXPECT_TRUE(selects("a == 1 or b == 1 and c == 1", {"1", "0", "0"}));
  EXPECT_FALSE(selects("(a == 1 or b == 1) and c == 1", {"1", "0", "0"}));
  EXPECT_TRUE(selects("not a == 1 and b == 1", {"0", "1"}));
  EXPECT_FALSE(selects("not (a == 1 or b == 1)", {"0", "1"}));
  EXPECT_TRUE(selects("not not a == 1", {"1"}));
}

TEST(Where, TakesBucketsAndQuotedNames) {
  EXPECT_TRUE(selects("time:hour == 2015-09-13T06:00Z", {"[13/Sep/2015:06:25:10 +0000]"}));
  EXPECT_TRUE(selects("time:day between 2015-09-12 and 2015-09-13", {"2015-09-13T23:59Z"}));
  EXPECT_TRUE(selects("time:hourofday >= 6", {"2015-09-13T06:25:10Z"}));
  EXPECT_TRUE(selects("ip:/8 == 10.0.0.0/8", {"10.1.2.3"}));
  EXPECT_TRUE(selects("x:log2 == 0.25", {"0.3"}));
  EXPECT_TRUE(selects("\"odd: name\":lower == a", {"A"}));
  EXPECT_TRUE(selects("user-agent=='it''s'", {"it's"}));
  EXPECT_TRUE(selects("a.b.0.c != \"say \"\"a\"\"\"", {"b"}));
}

TEST(Where, NamesEachFieldOnce) {
  const auto filter =
      make_filter("a == 1 or b:log2 == 1 or a == 2 or \"3\" or 3", "a=2015-01-01", "", {});
  ASSERT_TRUE(filter.is_ok());
  EXPECT_EQ((*filter)->fields(),
            (std::vector<FieldName>{{"a", -1}, {"b", -1}, {"3", -1}, {"3", 3}}));
}

TEST(Where, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error("status = 404"), "where 'status = 404' at character 8: write == for =");
  EXPECT_EQ(error("a == 1 && b"), "where 'a == 1 && b' at character 8: write and for &&");
  EXPECT_EQ(error("a =="), "where 'a ==' at the end: a value is missing");
  EXPECT_EQ(error("a == and"),
            "where 'a == and' at character 6: \"and\" where a value should be; quote it: 'and'");
  EXPECT_EQ(error("(a == 1"), "where '(a == 1' at the end: \")\" is missing");
  EXPECT_EQ(error("a == 1)"),
            "where 'a == 1)' at character 7: \")\" where and, or, or the end should be");
  EXPECT_EQ(error("a b"),
            "where 'a b' at character 3: \"b\" where an operator (== != < <= > >= =~ "
            "!~ between in) should be");
  EXPECT_EQ(error("größe = 1"), "where 'größe = 1' at character 7: write == for =");
  EXPECT_EQ(error("x == 'a"), "where 'x == 'a' at character 6: a quote is not closed");
  EXPECT_EQ(error("'x' == a"),
            "where ''x' == a' at character 1: a field in single quotes; double "
            "quotes are for fields");
  EXPECT_EQ(error("and"), "where 'and' at character 1: \"and\" where a field should be");
  EXPECT_EQ(
      error("a between 1 or 2"),
      "where 'a between 1 or 2' at character 13: \"or\" where the \"and\" of between should be");
  EXPECT_EQ(error("a in 1"), "where 'a in 1' at character 6: \"1\" where \"(\" should be");
  EXPECT_EQ(error("a in ()"), "where 'a in ()' at character 7: \")\" where a value should be");
  EXPECT_EQ(error("a =~ 'x('"),
            "where 'a =~ 'x('' at character 6: \"x(\" is not a regular expression: missing ): x(");
  EXPECT_TRUE(
      error("time:huor == 1").starts_with("where 'time:huor == 1' at character 1: time:huor: no"));
  EXPECT_TRUE(
      error(std::string(5000, '(')).ends_with("at character 101: more than 100 levels deep"));
}

TEST(Where, SelectsFromFullAndShortBatches) {
  const auto filter = make_filter("x >= 3 and x != 100", "", "", {});
  ASSERT_TRUE(filter.is_ok());
  for (size_t rows : {0, 1, 63, 64, 65, 511, 512}) {
    std::vector<Row> values;
    for (size_t i = 0; i < rows; ++i) values.push_back({std::to_string(i)});
    RecordColumns columns(values, 1, 2);
    const Filter::Selection selected = columns.select(**filter, 2);
    for (size_t i = 0; i < 512; ++i) EXPECT_EQ(selected[i], i < rows && i >= 3 && i != 100) << i;
  }
}

TEST(Since, IsInclusiveAndUntilIsNot) {
  EXPECT_TRUE(selects("", {"2015-09-13T00:00:00Z"}, "2015-09-13"));
  EXPECT_FALSE(selects("", {"2015-09-12T23:59:59Z"}, "2015-09-13"));
  EXPECT_TRUE(selects("", {"2015-09-12T23:59:59.999Z"}, "", "2015-09-13"));
  EXPECT_FALSE(selects("", {"2015-09-13"}, "", "2015-09-13"));
  EXPECT_TRUE(selects("", {"13/Sep/2015:06:25:10 +0000"}, "2015-09-13", "2015-09-14"));
  EXPECT_FALSE(selects("", {"no time"}, "1900-01-01"));
  EXPECT_FALSE(selects("", {std::nullopt}, "1900-01-01"));
}

TEST(Since, LooksAtTimeOrAnotherField) {
  EXPECT_EQ((*make_filter("", "today", "", {}))->fields(), (std::vector<FieldName>{{"time", -1}}));
  EXPECT_EQ((*make_filter("", "ts=2015-01-01", "ts=2016-01-01", {}))->fields(),
            (std::vector<FieldName>{{"ts", -1}}));
  EXPECT_TRUE(selects("x", {"1", "2015-09-13", "2015-09-13"}, "a=2015-09-13", "b=2015-09-14"));
}

TEST(Since, KnowsTimesInRelationToNow) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const i64 seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  const Row recent = {std::to_string(seconds - 1800)}, old = {std::to_string(seconds - 3 * 86400)};
  for (const char *since : {"-1h", "1 hour ago", "-60m", "3600 seconds ago", "2 days ago", "-1w"}) {
    EXPECT_TRUE(selects("", recent, since)) << since;
  }
  for (const char *since : {"-1h", "yesterday", "today", "2d ago"}) {
    EXPECT_FALSE(selects("", old, since)) << since;
  }
  EXPECT_TRUE(selects("", recent, "", "now"));
}

TEST(Since, SaysWhatIsNoTime) {
  const std::string kinds =
      " is not a time: write 2015-09-13, 2015-09-13T06:25, 14:00, today, yesterday, -1h or "
      "\"2 days ago\"";
  for (const std::string text : {"soon", "1h", "-1 fortnight", "-99999999999999d", "2015-02-30"}) {
    EXPECT_EQ(error("", text), "since " + text + ": \"" + text + "\"" + kinds);
  }
  EXPECT_EQ(error("", "", "x:hour=today"),
            "until x:hour=today: a field without a bucket comes before =");
  EXPECT_EQ(error("", "2015-01-02", "2015-01-01"),
            "since 2015-01-02 is not before until 2015-01-01");
}

TEST(Filter, IsNullWithoutConditions) {
  const auto filter = make_filter("", "", "", {});
  ASSERT_TRUE(filter.is_ok());
  EXPECT_EQ(*filter, nullptr);
}

}  // namespace
}  // namespace mrc
