#include "base/typed_text.h"
#include "expr/expr.h"
#include "support/seed.h"

#include <gtest/gtest.h>

#include <random>

namespace mrc {
namespace {

FieldExpr field_called(std::string_view text) {
  const Result<FieldExpr> expr = parse_field(text, {});
  EXPECT_TRUE(expr.is_ok()) << text;
  return expr.is_ok() ? *expr : FieldExpr();
}

std::string error(std::string_view text) {
  const Result<FieldExpr> expr = parse_field(text, {});
  EXPECT_FALSE(expr.is_ok()) << text;
  return expr.is_ok() ? "" : expr.status().message();
}

TEST(ParseField, TellsNumbersFromNames) {
  EXPECT_EQ(field_called("3").field, (FieldName{"3", 3}));
  EXPECT_EQ(field_called("0").field, (FieldName{"0", 0}));
  EXPECT_EQ(field_called("\"3\"").field, (FieldName{"3", -1}));
  EXPECT_EQ(field_called("3a").field, (FieldName{"3a", -1}));
  EXPECT_EQ(field_called("-3").field, (FieldName{"-3", -1}));
}

TEST(ParseField, TakesPathsAndNamesAsTheyAre) {
  EXPECT_EQ(field_called("a.b.0.c").field, (FieldName{"a.b.0.c", -1}));
  EXPECT_EQ(field_called("@timestamp").field, (FieldName{"@timestamp", -1}));
  EXPECT_EQ(field_called(" user agent ").field, (FieldName{"user agent", -1}));
  EXPECT_EQ(field_called("größe").field, (FieldName{"größe", -1}));
}

TEST(ParseField, TakesQuotedNamesLiterally) {
  EXPECT_EQ(field_called("\"a:b, c\"").field, (FieldName{"a:b, c", -1}));
  EXPECT_EQ(field_called("\"a\"\"b\"").field, (FieldName{"a\"b", -1, true}));
  EXPECT_EQ(field_called("\"a.b\"").field, (FieldName{"a.b", -1, true}));
  EXPECT_EQ(field_called("\"\"").field, (FieldName{"", -1}));
  EXPECT_NE(field_called("\"a:b\":lower").bucket, nullptr);
  EXPECT_EQ(field_called("\"a:b\":lower").text, "\"a:b\":lower");
}

TEST(ParseField, TakesQuotedStepsOfAPath) {
  EXPECT_EQ(field_called("a.\"b.c\".0").field, (FieldName{"a.\"b.c\".0", -1}));
  EXPECT_EQ(field_called("\"a.b\".c").field, (FieldName{"\"a.b\".c", -1}));
  EXPECT_EQ(field_called("a.\"b:c\":lower").field, (FieldName{"a.\"b:c\"", -1}));
  EXPECT_NE(field_called("a.\"b:c\":lower").bucket, nullptr);
}

TEST(ParseField, CallsTheColumnWithoutQuotes) {
  EXPECT_EQ(field_called("\"a,b\":lower").column(), "a,b:lower");
  EXPECT_EQ(field_called("a.\"b\"\"c\"").column(), "a.b\"c");
}

// Whatever a field is called, the listing of fields says how to write it.
TEST(ParseField, ReadsWhatIsWrittenOfANamedField) {
  std::mt19937_64 random(first_seed());
  const std::vector<std::string> pieces = {"a", "7", " ", "\t", ".", ":", ",", "\"", "ü"};
  for (int round = 0; round < 2000; ++round) {
    std::string name;
    for (u64 n = random() % 5; n > 0; --n) name += pieces[random() % pieces.size()];
    const std::string written = written_name(name, false);
    const auto list = parse_fields(written + "," + written + ":lower", {});
    ASSERT_TRUE(list.is_ok()) << written;
    ASSERT_EQ(list->size(), 2);
    for (const FieldExpr &expr : *list) {
      ASSERT_EQ(expr.field.text, name) << written;
      ASSERT_LT(expr.field.number, 0) << written;
    }
  }
}

TEST(ParseField, TakesTheBucketBehindTheFirstColon) {
  EXPECT_EQ(field_called("time").bucket, nullptr);
  EXPECT_NE(field_called("time:hour").bucket, nullptr);
  EXPECT_EQ(field_called("time:hour").field.text, "time");
  EXPECT_EQ(field_called(" time:hour ").text, "time:hour");
}

TEST(ParseField, SaysWhatIsWrong) {
  EXPECT_EQ(error(""),
            "\"\" names no field: write FIELD or FIELD:BUCKET, by name or by number from 1");
  EXPECT_EQ(error(":hour"),
            "\":hour\" names no field: write FIELD or FIELD:BUCKET, by name or by "
            "number from 1");
  EXPECT_EQ(error("time:"), "\"time:\": there is nothing after the colon");
  EXPECT_EQ(error("\"a"), "\"a: a double quote is not closed");
  EXPECT_EQ(error("\"a\"b"), "\"a\"b: \"b\" after the closing quote; quote the whole name");
  EXPECT_EQ(error("a\"b"),
            "a\"b: a double quote within a name; quote the whole name and double it");
  EXPECT_EQ(error("99999999999999999999"), "field 99999999999999999999 is out of range");
  EXPECT_EQ(error("a.\"b\"c"), "a.\"b\"c: \"c\" after the closing quote; quote the whole name");
  EXPECT_EQ(error("a.\"b"), "a.\"b: a double quote is not closed");
  EXPECT_EQ(error("a.b\"c\""),
            "a.b\"c\": a double quote within a name; quote the whole name and double it");
  EXPECT_TRUE(error("time:huor").starts_with("time:huor: no bucket \"huor\"; there are second,"));
}

TEST(ParseFieldName, LeavesTheRest) {
  std::string_view rest = "before";
  EXPECT_EQ(parse_field_name("2:num:desc", &rest)->number, 2);
  EXPECT_EQ(rest, "num:desc");
  EXPECT_EQ(parse_field_name("\"x:y\":z", &rest)->text, "x:y");
  EXPECT_EQ(rest, "z");
  EXPECT_EQ(parse_field_name("a", &rest)->text, "a");
  EXPECT_EQ(rest, "");
}

TEST(ParseFields, TakesAList) {
  const Result<std::vector<FieldExpr>> fields = parse_fields("status,time:day", {});
  ASSERT_TRUE(fields.is_ok());
  EXPECT_EQ((*fields)[1].text, "time:day");
  EXPECT_FALSE(parse_fields("status,time:dya", {}).is_ok());
}

TEST(CheckClock, KnowsZones) {
  for (const char *zone : {"", "UTC", "Europe/Berlin", "+02:00", "-0330", "+14"}) {
    EXPECT_TRUE(check_clock({.zone = zone}).is_ok()) << zone;
  }
  for (const char *zone :
       {"Europe/Nowhere", "../etc/passwd", "/etc/localtime", "+2", "+25:00", "europe berlin"}) {
    EXPECT_FALSE(check_clock({.zone = zone}).is_ok()) << zone;
  }
}

}  // namespace
}  // namespace mrc
