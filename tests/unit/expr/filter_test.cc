#include "unit/expr/record_columns.h"

#include <gtest/gtest.h>

#include <chrono>

namespace mrc {
namespace {

i64 time_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::string filter_error(std::string_view where, std::string_view since = "",
                         std::string_view until = "") {
  const auto filter = make_filter(where, since, until, {.now = time_now()});
  EXPECT_FALSE(filter.is_ok()) << where;
  return filter.is_ok() ? "" : filter.status().message();
}

// Whether a record is selected whose fields are the values in the order in which the filter
// names them.
bool filter_selects(std::string_view where, const Row &row, std::string_view since = "",
                    std::string_view until = "") {
  const auto filter = make_filter(where, since, until, {.now = time_now()});
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
  EXPECT_TRUE(filter_selects("x == 200", {"200"}));
  EXPECT_TRUE(filter_selects("x == 200", {"200.0"}));
  EXPECT_TRUE(filter_selects("x == 2e2", {"+200"}));
  EXPECT_FALSE(filter_selects("x == 200", {"200.0000000000000000001"}));
  EXPECT_TRUE(filter_selects("x < 1000", {"99"}));
  EXPECT_FALSE(filter_selects("x < 99", {"1000"}));
  EXPECT_TRUE(filter_selects("x >= 0.5", {"0.50"}));
  EXPECT_FALSE(filter_selects("x > 0.5", {"0.50"}));
  EXPECT_TRUE(filter_selects("x > 0.5", {"0.500000000000001"}));
  EXPECT_TRUE(filter_selects("x <= -1.5", {"-1.50"}));
  EXPECT_TRUE(filter_selects("x != 5", {"6"}));
  EXPECT_FALSE(filter_selects("x != 5", {"5.0"}));
  EXPECT_TRUE(filter_selects("x > 1", {"1e300"}));
  EXPECT_TRUE(filter_selects("x < 1e300", {"1"}));
  EXPECT_TRUE(filter_selects("x == 12345678901234567890", {"12345678901234567890.0"}));
}

TEST(Where, ComparesTextAsBytes) {
  EXPECT_TRUE(filter_selects("x == 'abc'", {"abc"}));
  EXPECT_FALSE(filter_selects("x == \"abc\"", {"abcd"}));
  EXPECT_TRUE(filter_selects("x < 'b'", {"abc"}));
  EXPECT_TRUE(filter_selects("x == '007'", {"007"}));
  EXPECT_FALSE(filter_selects("x == '7'", {"007"}));
  EXPECT_TRUE(filter_selects("x == 7", {"007"}));
  EXPECT_TRUE(filter_selects("x == \"\"", {""}));
  EXPECT_TRUE(filter_selects("x == '-'", {"-"}));
  EXPECT_TRUE(filter_selects("x == 'a\\tb\\x21'", {"a\tb!"}));
  EXPECT_TRUE(filter_selects("x == 'it''s' or x == 'it\\'s, too'", {"it's, too"}));
}

TEST(Where, MakesOfTextWhatItLooksLikeWhereAnOrderIsAskedFor) {
  EXPECT_TRUE(filter_selects("x > '1000'", {"9000"}));
  EXPECT_FALSE(filter_selects("x > '1000'", {"900"}));
  EXPECT_TRUE(filter_selects("x >= '2026-11-03'", {"03/Nov/2026:10:00:00 +0000"}));
  EXPECT_TRUE(filter_selects("x < '10.2.0.0'", {"10.1.255.255"}));
}

TEST(Where, TakesWhatIsOfAnotherKindForUnequal) {
  EXPECT_TRUE(filter_selects("x != 5", {"abc"}));
  EXPECT_FALSE(filter_selects("x == 5", {"abc"}));
  EXPECT_FALSE(filter_selects("x > 5", {"abc"}));
  EXPECT_FALSE(filter_selects("x <= 5", {"abc"}));
  EXPECT_TRUE(filter_selects("x != 2026-11-03", {"never"}));
  EXPECT_FALSE(filter_selects("x < 2026-11-03", {"never"}));
  EXPECT_TRUE(filter_selects("x != 10.0.0.0/8", {"host"}));
  EXPECT_FALSE(filter_selects("x < 10.0.0.0/8", {"host"}));
}

TEST(Where, TakesATimeForAllThatItMeans) {
  const Row time = {"2026-11-03T10:00:30.5Z"};
  for (const char *where :
       {"x == 2026-11-03", "x == 2026-11", "x == 2026-11-03T10:00", "x == 2026-11-03T10:00:30",
        "x == 2026-11-03T10:00:30.5", "x <= 2026-11-03", "x >= 2026-11-03T10:00:30",
        "x > 2026-11-02", "x < 2026-11-04", "x < 2026-11-03T10:00:30.6", "x != 2026-11-04",
        "x between 2026-11-01 and 2026-11-03", "x == 2026-11-03T12:00:30+02:00",
        "x in (2026-11-02, 2026-11-03)", "2026-11-02 < x", "x < now"}) {
    EXPECT_TRUE(filter_selects(where, time)) << where;
  }
  for (const char *where : {"x > 2026-11-03", "x < 2026-11-03", "x > 2026-11-03T10:00",
                            "x != 2026-11-03", "x == 2026-11-03T10:01", "x > now"}) {
    EXPECT_FALSE(filter_selects(where, time)) << where;
  }
}

TEST(Where, KnowsUnitsAndNetworks) {
  EXPECT_TRUE(filter_selects("x > 10k", {"10001"}));
  EXPECT_FALSE(filter_selects("x > 10Ki", {"10001"}));
  EXPECT_TRUE(filter_selects("x >= 1.5MiB", {"1572864"}));
  EXPECT_TRUE(filter_selects("x == 1_000", {"1000"}));
  EXPECT_TRUE(filter_selects("x == 0x1f", {"31"}));
  EXPECT_TRUE(filter_selects("x > 1s", {"1500ms"}));
  EXPECT_FALSE(filter_selects("x > 1s", {"1500"}));
  EXPECT_TRUE(filter_selects("x in (192.0.2.0/30)", {"192.0.2.3"}));
  EXPECT_TRUE(filter_selects("x == 192.0.2.0/30", {"192.0.2.3"}));
  EXPECT_FALSE(filter_selects("x in (192.0.2.0/30, 2001:db8::/32)", {"192.0.2.4"}));
  EXPECT_TRUE(filter_selects("x in (192.0.2.0/30, 2001:db8::/32)", {"2001:db8::1"}));
  EXPECT_TRUE(filter_selects("x == ::1", {"0:0:0:0:0:0:0:1"}));
}

TEST(Where, ComparesTwoFieldsByTheKindThatTheUserSays) {
  EXPECT_TRUE(filter_selects("a:num > b:num", {"10", "9"}));
  EXPECT_TRUE(filter_selects("a:num > b", {"10", "9"}));
  EXPECT_TRUE(filter_selects("a < b", {"10", "9"})) << "kinds are unknown";
  EXPECT_TRUE(filter_selects("a:time < b:time", {"03/Nov/2026:10:00:00 +0000", "2026-11-04"}));
  EXPECT_TRUE(filter_selects("a:level < b:level", {"WARN", "E"}));
  EXPECT_TRUE(filter_selects("level(a) < level(b)", {"WARN", "E"}));
  EXPECT_TRUE(filter_selects("a:address < b:address", {"9.0.0.1", "10.0.0.1"}));
  EXPECT_TRUE(filter_selects("a:duration < b:duration", {"900ms", "1s"}));
  EXPECT_TRUE(filter_selects("x:level >= 'warn'", {"E"}));
  EXPECT_FALSE(filter_selects("x:level >= 'warn'", {"I"}));
}

TEST(Where, ComputesWithTimesAndDurations) {
  EXPECT_TRUE(filter_selects("a:time - b:time > 30s", {"2026-11-03T10:01Z", "2026-11-03T10:00Z"}));
  EXPECT_FALSE(filter_selects("a:time - b:time > 1m", {"2026-11-03T10:01Z", "2026-11-03T10:00Z"}));
  EXPECT_TRUE(filter_selects("a:time + 1h == 2026-11-03T11:01", {"2026-11-03T10:01Z"}));
  EXPECT_TRUE(filter_selects("a:time > now - 1d or a:time < now", {"2026-11-03T10:01Z"}));
}

TEST(Where, TakesChoicesOfConditions) {
  EXPECT_TRUE(filter_selects("if(a > 1, b < 1, a == 1)", {"3", "0"}));
  EXPECT_FALSE(filter_selects("if(a > 1, b < 1, a == 1)", {"3", "5"}));
  EXPECT_TRUE(filter_selects("not if(a > 1, b < 1, a == 1)", {"0", "0"}));
}

TEST(Where, HasNoRelationToWhatIsMissing) {
  for (const char *where :
       {"x == 5", "x != 5", "x < 5", "x == 'a'", "x != 'a'", "x =~ 'a'", "x !~ 'a'",
        "x in ('a', 5)", "has(x)", "x between 1 and 9", "x:lower != 'a'", "x:hour != 2026-11",
        "x:log2 >= 0", "x == true", "x != 2026-11-03", "x != 10.0.0.0/8"}) {
    EXPECT_FALSE(filter_selects(where, {std::nullopt})) << where;
    EXPECT_TRUE(filter_selects("not " + std::string(where), {std::nullopt})) << where;
  }
  for (const char *value : {"", "-", " "}) {
    EXPECT_FALSE(filter_selects("x < 5", {value}));
    EXPECT_FALSE(filter_selects("x != 5", {value}));
    EXPECT_TRUE(filter_selects("x != 'a'", {value}));
  }
}

TEST(Where, AsksForPresence) {
  EXPECT_TRUE(filter_selects("has(x)", {"a"}));
  EXPECT_FALSE(filter_selects("has(x)", {""}));
  EXPECT_FALSE(filter_selects("has(x)", {"-"}));
  EXPECT_TRUE(filter_selects("not has(x)", {""}));
  EXPECT_TRUE(filter_selects("x == true", {"true"}));
  EXPECT_FALSE(filter_selects("x == true", {"false"}));
  EXPECT_TRUE(filter_selects("x != true", {"perhaps"}));
}

TEST(Where, MatchesRegularExpressions) {
  EXPECT_TRUE(filter_selects("path =~ '^/api/v(1|2)'", {"/api/v2/x"}));
  EXPECT_FALSE(filter_selects("path !~ '^/api'", {"/api"}));
  EXPECT_TRUE(filter_selects("path !~ \"^/api\"", {"/x/api"}));
  EXPECT_TRUE(filter_selects("path =~ '(?i)API'", {"/api"}));
  EXPECT_TRUE(filter_selects("path =~ '\\d+\\.png$'", {"/12.png"}));
}

TEST(Where, TakesBetweenAndIn) {
  EXPECT_TRUE(filter_selects("x between 400 and 499", {"400"}));
  EXPECT_TRUE(filter_selects("x between 400 and 499 and has(y)", {"499", "1"}));
  EXPECT_FALSE(filter_selects("x between 400 and 499", {"499.5"}));
  EXPECT_TRUE(filter_selects("x in ('GET', 'POST')", {"POST"}));
  EXPECT_TRUE(filter_selects("x in (1,2.5,3)", {"2.50"}));
  EXPECT_FALSE(filter_selects("x in (1)", {"2"}));
  EXPECT_TRUE(filter_selects("x in (y, 3)", {"2", "2"}));
}

TEST(Where, BindsAndTighterThanOr) {
  EXPECT_TRUE(filter_selects("a == 1 or b == 1 and c == 1", {"1", "0", "0"}));
  EXPECT_FALSE(filter_selects("(a == 1 or b == 1) and c == 1", {"1", "0", "0"}));
  EXPECT_TRUE(filter_selects("not a == 1 and b == 1", {"0", "1"}));
  EXPECT_FALSE(filter_selects("not (a == 1 or b == 1)", {"0", "1"}));
  EXPECT_TRUE(filter_selects("not not a == 1", {"1"}));
}

TEST(Where, TakesBucketsAndQuotedNames) {
  EXPECT_TRUE(filter_selects("time:hour == 2015-09-13T06:00Z", {"[13/Sep/2015:06:25:10 +0000]"}));
  EXPECT_TRUE(filter_selects("time:day between 2015-09-12 and 2015-09-13", {"2015-09-13T23:59Z"}));
  EXPECT_TRUE(filter_selects("time:hourofday >= 6", {"2015-09-13T06:25:10Z"}));
  EXPECT_TRUE(filter_selects("hour(time) == 6", {"2015-09-13T06:25:10Z"}));
  EXPECT_TRUE(filter_selects("ip:/8 == 10.0.0.0/8", {"10.1.2.3"}));
  EXPECT_TRUE(filter_selects("x:log2 == 0.25", {"0.3"}));
  EXPECT_TRUE(filter_selects("$\"odd: name\":lower == 'a'", {"A"}));
  EXPECT_TRUE(filter_selects("user-agent=='it''s'", {"it's"}));
  EXPECT_TRUE(filter_selects("a.b.0.c != \"say \"\"a\"\"\"", {"b"}));
  EXPECT_TRUE(filter_selects("$3 == 1 and @t == 2 and größe == 3", {"1", "2", "3"}));
}

TEST(Where, NamesEachFieldOnce) {
  const auto filter = make_filter("a == 1 or b:log2 == 1 or a == 2 or has($\"3\") or has($3)",
                                  "a=2015-01-01", "", {});
  ASSERT_TRUE(filter.is_ok());
  EXPECT_EQ((*filter)->fields(),
            (std::vector<FieldName>{{"a", -1}, {"b", -1}, {"3", -1}, {"3", 3}}));
}

// The error without the text of the condition and the place in front.
std::string reason(std::string_view where) {
  const std::string message = filter_error(where);
  const size_t at = message.find(std::string(where) + "'");
  const size_t end = message.find(": ", at == message.npos ? 0 : at + where.size());
  return end == message.npos ? message : message.substr(end + 2);
}

TEST(Where, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(filter_error("status = 404"), "where: 'status = 404' at character 8: write == for =");
  EXPECT_EQ(filter_error("a == 1 && b == 2"),
            "where: 'a == 1 && b == 2' at character 8: write and for &&");
  EXPECT_EQ(filter_error("(a == 1"), "where: '(a == 1' at the end: \")\" is missing");
  EXPECT_EQ(filter_error("größe = 1"), "where: 'größe = 1' at character 7: write == for =");
  EXPECT_EQ(filter_error("x == 'a"), "where: 'x == 'a' at character 6: a quote is not closed");
  EXPECT_EQ(reason("a == 1)"), "\")\" where an operator or the end should be");
  EXPECT_EQ(reason("a in ()"), "\")\" where a field, a number or text should be");
  EXPECT_EQ(reason("a between 1 or 2"), "\"or\" where the \"and\" of between should be");
  EXPECT_EQ(filter_error("a =~ 'x('"), "where: \"x(\" is not a regular expression: missing ): x(");
  EXPECT_TRUE(filter_error(std::string(5000, '('))
                  .ends_with("at character 101: more than 100 levels deep"));
}

TEST(Where, SaysTheRightFormOfWhatIsWrittenElsewhere) {
  const std::vector<std::pair<const char *, const char *>> kForms = {
      {"ok", "has(ok)"},
      {"a == 1 or ok", "has(ok)"},
      {"name like '%x%'", "contains(x, 'part')"},
      {"name is null", "not has(x)"},
      {"name is not null", "has(x)"},
      {"a[0] == 1", "a.0"},
      {".a == 1", "without the dot"},
      {"a ? 1 : 2", "if(CONDITION, VALUE, OTHERWISE)"},
      {"[a > 1]", "without brackets"},
      {"1 < a < 3", "join them by and"},
      {"a not in (1, 2)", "not (x in (...))"},
      {"a == 5xx", "text: '5xx'"},
      {"a == 007", "text: '007'"},
      {"a == 1.10.0", "text: '1.10.0'"},
      {"a == 14:00", "2026-11-03T14:00"},
      {"a >= 3/11/2026", "write 2026-11-03"},
      {"a == 5-3", "a minus between numbers has blanks"},
      {"a =~ b", "a regular expression in quotes"},
      {"a == 'x\\q'", "\\q has no meaning in text"},
      {"time:day > 5", "a time is 2026-11-03"},
      {"time:hour == 10", "hour(time)"},
      {"x:num > 2026-11-03", "as a time it is x:time"},
      {"x:num > 1h", "x:duration"},
      {"x:duration > 5", "a duration is 250ms"},
      {"x:address > 5", "a network 192.0.2.0/24"},
      {"length(1) > 0", "the same for all records"},
      {"1 == 1", "the same for all records"},
      {"time:huor == 1", "no bucket \"huor\""},
      {"lenght(a) > 3", "no function \"lenght\""},
      {"a == ", "the shell takes it"},
      {" == 5", "the shell takes it"},
  };
  for (const auto &[where, form] : kForms) {
    EXPECT_NE(filter_error(where).find(form), std::string::npos)
        << where << " -> " << filter_error(where);
  }
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
  EXPECT_TRUE(filter_selects("", {"2015-09-13T00:00:00Z"}, "2015-09-13"));
  EXPECT_FALSE(filter_selects("", {"2015-09-12T23:59:59Z"}, "2015-09-13"));
  EXPECT_TRUE(filter_selects("", {"2015-09-12T23:59:59.999Z"}, "", "2015-09-13"));
  EXPECT_FALSE(filter_selects("", {"2015-09-13"}, "", "2015-09-13"));
  EXPECT_TRUE(filter_selects("", {"13/Sep/2015:06:25:10 +0000"}, "2015-09-13", "2015-09-14"));
  EXPECT_FALSE(filter_selects("", {"no time"}, "1900-01-01"));
  EXPECT_FALSE(filter_selects("", {std::nullopt}, "1900-01-01"));
}

TEST(Since, LooksAtTimeOrAnotherField) {
  EXPECT_EQ((*make_filter("", "today", "", {.now = time_now()}))->fields(),
            (std::vector<FieldName>{{"time", -1}}));
  EXPECT_EQ((*make_filter("", "ts=2015-01-01", "ts=2016-01-01", {}))->fields(),
            (std::vector<FieldName>{{"ts", -1}}));
  EXPECT_TRUE(
      filter_selects("x == 1", {"1", "2015-09-13", "2015-09-13"}, "a=2015-09-13", "b=2015-09-14"));
}

TEST(Since, KnowsTimesInRelationToNow) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const i64 seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  const Row recent = {std::to_string(seconds - 1800)}, old = {std::to_string(seconds - 3 * 86400)};
  for (const char *since : {"-1h", "1 hour ago", "-60m", "3600 seconds ago", "2 days ago", "-1w"}) {
    EXPECT_TRUE(filter_selects("", recent, since)) << since;
  }
  for (const char *since : {"-1h", "yesterday", "today", "2d ago"}) {
    EXPECT_FALSE(filter_selects("", old, since)) << since;
  }
  EXPECT_TRUE(filter_selects("", recent, "", "now"));
}

TEST(Since, SaysWhatIsNoTime) {
  const std::string kinds =
      " is not a time: write 2015-09-13, 2015-09-13T06:25, 14:00, today, yesterday, -1h or "
      "\"2 days ago\"";
  for (const std::string text : {"soon", "1h", "-1 fortnight", "-99999999999999d", "2015-02-30"}) {
    EXPECT_EQ(filter_error("", text), "since " + text + ": \"" + text + "\"" + kinds);
  }
  EXPECT_EQ(filter_error("", "", "x:hour=today"),
            "until x:hour=today: a field without a bucket comes before =");
  EXPECT_EQ(filter_error("", "2015-01-02", "2015-01-01"),
            "since 2015-01-02 is not before until 2015-01-01");
}

TEST(Filter, IsNullWithoutConditions) {
  const auto filter = make_filter("", "", "", {});
  ASSERT_TRUE(filter.is_ok());
  EXPECT_EQ(*filter, nullptr);
}

}  // namespace
}  // namespace mrc
