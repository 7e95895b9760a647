#include "expr/expression_items.h"

#include "combine/aggregates.h"
#include "expr/computed_field.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Strings = std::vector<std::string>;

const Clock kClock;
const std::vector<FieldExpr> kDefined = {
    *computed_field("v", *parse_expression("price*qty", {kClock}), kClock)};
const ExpressionTerms kKeys{kClock, kDefined};
const ExpressionTerms kAggregates{kClock, kDefined, is_aggregate};

// "a name", "COLUMN is an expression", or the error.
std::string is(std::string_view item, const ExpressionTerms &terms) {
  const Result<ListItem> parsed = parse_item(item, terms);
  if (!parsed.is_ok()) return parsed.status().message();
  return parsed->expression ? parsed->column() + " is an expression" : "a name";
}
std::string as_key(std::string_view item) { return is(item, kKeys); }
std::string as_aggregate(std::string_view item) { return is(item, kAggregates); }

TEST(ListItem, IsAnExpressionAfterAName) {
  for (const auto as : {as_key, as_aggregate}) {
    EXPECT_EQ(as("x=1"), "x is an expression");
    EXPECT_EQ(as("x = price*qty"), "x is an expression");
    EXPECT_EQ(as("a.b_2=price"), "a.b_2 is an expression");
    EXPECT_TRUE(as("x=").starts_with("'' at the end: a field, a number or text is missing"));
    EXPECT_TRUE(
        as("x=unit-").starts_with("'unit-' at the end: a field, a number or text is missing"));
  }
}

TEST(ListItem, IsANameIfItIsNothingElse) {
  for (const char *name :
       {"a", "unit-price", "3", "2xx", "time:hour", "ip:/24/64", "\"x=1\"", "a:hash/64",
        "\"lower(a)\"", "a.\"b.c\".0", "@timestamp", "größe", "lower"}) {
    EXPECT_EQ(as_key(name), "a name") << name;
  }
  for (const char *name : {"sum:unit-price", "sum:a", "count", "p50:a:log2", "sum:\"f(x)\"",
                           "sum:\"count[a > 1]\"", "sum:w", "mine:price", "p99~:ms", "sum:3"}) {
    EXPECT_EQ(as_aggregate(name), "a name") << name;
  }
}

TEST(ListItem, IsAnExpressionOtherwise) {
  for (const char *item : {"lower(city)", "if(a > 1, b, c)", "length(a)*2", "(a+b)", "a+b", "a/b",
                           "a == 'b'", "(1)", "$3 * 2"}) {
    EXPECT_EQ(as_key(item), std::string(item) + " is an expression");
  }
  for (const char *item :
       {"sum(price)", "sum(price*qty)", "count[status >= 500]", "sum:bytes[method == \"GET\"]",
        "p99~(a)", "count[a > 1]/count", "(sum:a)", "(count/2)", "max(length(a))", "sum:v", "p50:v",
        "sum:v[a > 1]", "round(sum(a), 2)"}) {
    EXPECT_EQ(as_aggregate(item), std::string(item) + " is an expression");
  }
}

TEST(ListItem, ThatIsNoExpressionMayHaveAnOddName) {
  EXPECT_EQ(as_key("lower(city"),
            "'lower(city' at the end: \")\" is missing; a field of that name "
            "is \"lower(city\" in double quotes");
  EXPECT_NE(as_key("cs(User-Agent)").find("a field of that name is \"cs(User-Agent)\""),
            std::string::npos);
}

Strings items(std::string_view text) {
  const auto items = split_items(text);
  return items.is_ok() ? *items : Strings{"error: " + items.status().message()};
}

TEST(SplitItems, LeavesCommasInBracketsAndQuotesAlone) {
  EXPECT_EQ(items("a, x=f(b,c) ,substr(d,1,2),(e,f)"),
            (Strings{"a", "x=f(b,c)", "substr(d,1,2)", "(e,f)"}));
  EXPECT_EQ(items("x=concat(a, ',', \"),\"),b"), (Strings{"x=concat(a, ',', \"),\")", "b"}));
  EXPECT_EQ(items("sum(a),count[b in (1,2)],v=if(a > 1, 2, 3),p50:x"),
            (Strings{"sum(a)", "count[b in (1,2)]", "v=if(a > 1, 2, 3)", "p50:x"}));
  EXPECT_EQ(items("v=city == 'a,\\'b',\"a,b\",count"),
            (Strings{"v=city == 'a,\\'b'", "\"a,b\"", "count"}));
}

TEST(SplitItems, RefusesWhatIsNoList) {
  EXPECT_EQ(items("a,,b"), (Strings{"error: \"a,,b\": item 2 of the list is empty"}));
  EXPECT_EQ(items(""), (Strings{"error: \"\": item 1 of the list is empty"}));
  EXPECT_EQ(items("a,\"b"), (Strings{"error: a,\"b: a double quote is not closed"}));
  EXPECT_EQ(items("a,'b"), (Strings{"error: a,'b: a single quote is not closed"}));
  EXPECT_EQ(items("'\\"), (Strings{"error: '\\: a single quote is not closed"}));
}

}  // namespace
}  // namespace mrc
