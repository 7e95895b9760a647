#include "map/sort_key.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// What is sorted by in words, or what is wrong with it.
std::string parsed(std::string_view text) {
  const Result<SortExpr> expr = parse_sort_expr(text, {});
  if (!expr.is_ok()) return expr.status().message();
  const FieldName &name = expr->field.field;
  return (name.number < 0 ? name.text : std::to_string(name.number)) +
         (expr->field.bucket                     ? " in buckets"
          : expr->is_time()                      ? " time"
          : expr->type == SortExpr::Type::number ? " number"
                                                 : " text") +
         (expr->descending ? " descending" : "");
}

TEST(ParseSortExpr, TakesSuffixesInAnyOrder) {
  EXPECT_EQ(parsed("2"), "2 text");
  EXPECT_EQ(parsed("2:asc"), "2 text");
  EXPECT_EQ(parsed("2:desc"), "2 text descending");
  EXPECT_EQ(parsed("2:num"), "2 number");
  EXPECT_EQ(parsed("2:num:desc"), "2 number descending");
  EXPECT_EQ(parsed("2:desc:num"), "2 number descending");
  EXPECT_EQ(parsed("0:num:asc"), "0 number");
  EXPECT_EQ(parsed("12"), "12 text");
  EXPECT_EQ(parsed(" 1 "), "1 text");
}

TEST(ParseSortExpr, TakesNamesAndBuckets) {
  EXPECT_EQ(parsed("city"), "city text");
  EXPECT_EQ(parsed("k2"), "k2 text");
  EXPECT_EQ(parsed("2nx"), "2nx text");
  EXPECT_EQ(parsed("a.0.b:num:desc"), "a.0.b number descending");
  EXPECT_EQ(parsed("\"odd:name\":desc"), "odd:name text descending");
  EXPECT_EQ(parsed("\"2n\""), "2n text");
  EXPECT_EQ(parsed("bytes:log2:desc"), "bytes in buckets descending");
  EXPECT_EQ(parsed("desc:lower:time:desc"),
            "\"desc:lower:time:desc\": num, time, text, random or a bucket once at most");
}

TEST(ParseSortExpr, KnowsTimesByTheirName) {
  EXPECT_EQ(parsed("time"), "time time");
  EXPECT_EQ(parsed("time:desc"), "time time descending");
  EXPECT_EQ(parsed("time:text"), "time text");
  EXPECT_EQ(parsed("time:hour"), "time in buckets");
  EXPECT_EQ(parsed("at:time"), "at time");
  EXPECT_EQ(parsed("4:time"), "4 time");
}

TEST(ParseSortExpr, SaysWhatIsAllowed) {
  for (const std::string text : {"2:n", "2:desc:x", "x:nim"}) {
    EXPECT_TRUE(parsed(text).starts_with("\"" + text +
                                         "\": not num, time, text, random, asc or desc, and "
                                         "no bucket \""))
        << parsed(text);
  }
  EXPECT_EQ(parsed("2:num:num"), "\"2:num:num\": num, time, text, random or a bucket once at most");
  EXPECT_EQ(parsed("2:num:x"), "\"2:num:x\": num, time, text, random or a bucket once at most");
  EXPECT_EQ(parsed("2:asc:num:desc"), "\"2:asc:num:desc\": asc or desc once at most");
  EXPECT_EQ(parsed("9223372036854775808"), "field 9223372036854775808 is out of range");
  EXPECT_EQ(parsed("2:"), "\"2:\": there is nothing after the colon");
  EXPECT_TRUE(parsed(":num").starts_with("\":num\" names no field")) << parsed(":num");
}

TEST(ParseSortExpr, TranslatesKeysOfSort) {
  EXPECT_EQ(parsed("2n"), "\"2n\" is for sort(1); write 2:num");
  EXPECT_EQ(parsed("2r"), "\"2r\" is for sort(1); write 2:desc");
  EXPECT_EQ(parsed("-k2nr"), "\"-k2nr\" is for sort(1); write 2:num:desc");
  EXPECT_EQ(parsed("-k2,2rn"), "\"-k2,2rn\" is for sort(1); write 2:num:desc");
  EXPECT_EQ(parsed("2,2"), "\"2,2\" is for sort(1); write 2");
  EXPECT_EQ(parsed("2b,2"), "\"2b,2\" is for sort(1); write 2");
  EXPECT_EQ(parsed("2f,2"), "\"2f,2\" is for sort(1); write 2 with ignore-case");
  EXPECT_EQ(parsed("2n,3"), "\"2n,3\" is for sort(1); write 2:num,3:num, one after another");
  EXPECT_EQ(parsed("2.3"), "\"2.3\": a key is a whole field; write 2");
  EXPECT_EQ(parsed("2.1,2.5n"), "\"2.1,2.5n\": a key is a whole field; write 2");
  EXPECT_EQ(parsed("2nh"),
            "\"2nh\": there is no \"h\" of sort(1); allowed are :num, :asc and :desc");
}

TEST(ParseSortExpr, TellsWhatNeedsNoReader) {
  const auto without_reader = [](std::string_view text) {
    return parse_sort_expr(text, {})->without_reader().has_value();
  };
  for (const char *text : {"0", "2", "2:num", "2:desc", "2:text"})
    EXPECT_TRUE(without_reader(text));
  for (const char *text : {"x", "2:time", "2:lower"}) EXPECT_FALSE(without_reader(text));
}

TEST(ParseSortExprs, TakesSeveral) {
  const auto exprs = parse_sort_exprs("1,2:num,\"a,b\":desc,2", {});
  ASSERT_TRUE(exprs.is_ok());
  ASSERT_EQ(exprs->size(), 4u);
  EXPECT_EQ((*exprs)[0].field.field.number, 1);
  EXPECT_EQ((*exprs)[1].type, SortExpr::Type::number);
  EXPECT_EQ((*exprs)[2].field.field.text, "a,b");
  EXPECT_TRUE((*exprs)[2].descending);
  EXPECT_EQ((*exprs)[3].field.field.number, 2);
}

TEST(ParseSortExprs, TakesExpressions) {
  const auto exprs = parse_sort_exprs(
      "v=price*qty:num:desc,lower(a):asc,(v+1),w=t:hour,if(b == ':desc', 1, 2):text,x:num", {});
  ASSERT_TRUE(exprs.is_ok()) << exprs.status().message();
  std::vector<std::string> columns;
  for (const SortExpr &expr : *exprs) columns.push_back(expr.field.column());
  EXPECT_EQ(columns, (std::vector<std::string>{"v", "lower(a)", "(v+1)", "w",
                                               "if(b == ':desc', 1, 2)", "x"}));
  EXPECT_TRUE((*exprs)[0].descending);
  EXPECT_EQ((*exprs)[0].type, SortExpr::Type::number);
  EXPECT_EQ((*exprs)[1].type, SortExpr::Type::natural);
  EXPECT_EQ((*exprs)[4].type, SortExpr::Type::text);
  EXPECT_EQ((*exprs)[5].field.computed, nullptr);
  EXPECT_FALSE((*exprs)[2].without_reader());
}

TEST(ParseSortExprs, TakesNamesForNames) {
  const auto exprs =
      parse_sort_exprs("\"(none)\":num,\"f(a,b)\",unit-price:desc,\"v=1\",\"a==b\"", {});
  ASSERT_TRUE(exprs.is_ok()) << exprs.status().message();
  std::vector<std::string> names;
  for (const SortExpr &expr : *exprs) {
    EXPECT_EQ(expr.field.computed, nullptr);
    names.push_back(expr.field.field.text);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"(none)", "f(a,b)", "unit-price", "v=1", "a==b"}));
}

TEST(ParseSortExprs, RefusesOneThatDecidesNothing) {
  const auto complaint = [](std::string_view text) {
    const auto exprs = parse_sort_exprs(text, {});
    return exprs.is_ok() ? "" : exprs.status().message();
  };
  EXPECT_EQ(complaint("2,2"), "field 2 is there twice; what sort(1) calls 2,2 is 2 here");
  EXPECT_EQ(complaint("city,x,city:desc"), "field city is there twice");
  for (const char *text : {"1,2:num,2:num:desc", "2,2:num", "city,city:lower", "t:hour,t:hour",
                           "time:text,time", "", "1,"}) {
    EXPECT_NE(complaint(text), "") << text;
  }
  for (const char *text : {"2:num,2", "city:lower,city", "t:day,t:hour", "time,time:text"}) {
    EXPECT_EQ(complaint(text), "") << text;
  }
  EXPECT_EQ(complaint("1,2n"), "\"2n\" is for sort(1); write 2:num");
  EXPECT_EQ(complaint("v=lower(a),w=lower(a)"), "lower(a) is there twice");
  EXPECT_EQ(complaint("v=a,v=b"), "v is computed twice");
  EXPECT_EQ(complaint("v=a*b:num:num"),
            "\"v=a*b:num:num\": num, time, text, random or a bucket once at most");
  EXPECT_TRUE(
      complaint("v=a*").starts_with("'a*' at the end: a field, a number or text is missing"));
}

TEST(ByteRange, CutsWhatTheRecordHas) {
  const Result<ByteRange> range = parse_byte_range("2:5");
  ASSERT_TRUE(range.is_ok());
  EXPECT_EQ(range->begin, 2);
  EXPECT_EQ(range->end, 5);
  EXPECT_EQ(range->of("0123456789"), "234");
  EXPECT_EQ(range->of("0123"), "23");
  EXPECT_EQ(range->of("01"), "");
  EXPECT_EQ(range->of(""), "");
}

TEST(ByteRange, SaysWhatIsWrong) {
  for (const std::string text : {"", ":", "0", "0:", ":10", "0:1:2", "a:b", "-1:2", "0-10"}) {
    EXPECT_EQ(parse_byte_range(text).status().message(),
              "\"" + text + "\" is not BEGIN:END, as in 0:10 for the first ten bytes");
  }
  EXPECT_EQ(parse_byte_range("5:5").status().message(),
            "\"5:5\" has no bytes: END is the first byte that is not in it");
  EXPECT_EQ(parse_byte_range("0:9223372036854775808").status().message(),
            "\"0:9223372036854775808\" is out of range");
}

}  // namespace
}  // namespace mrc
