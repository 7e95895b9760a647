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
  if (!parsed->expression) return parsed->doubt.is_ok() ? "a name" : "a name, perhaps";
  return parsed->column() + " is an expression";
}
std::string as_key(std::string_view item) { return is(item, kKeys); }
std::string as_aggregate(std::string_view item) { return is(item, kAggregates); }

TEST(ListItem, IsAnExpressionAfterAName) {
  for (const auto as : {as_key, as_aggregate}) {
    EXPECT_EQ(as("x=1"), "x is an expression");
    EXPECT_EQ(as("x = price*qty"), "x is an expression");
    EXPECT_EQ(as("a.b_2=price"), "a.b_2 is an expression");
    EXPECT_EQ(as("x="), "'' at the end: a field, a number or text is missing");
    EXPECT_EQ(as("x=unit-"), "'unit-' at the end: a field, a number or text is missing");
    for (const char *name : {"a==b", "a=~b", "unit-price=2", "3=4", ".a=1", "=1", "\"x=1\""}) {
      EXPECT_EQ(as(name), "a name") << name;
    }
  }
}

TEST(ListItem, IsAnExpressionIfItBeginsAsACall) {
  EXPECT_EQ(as_key("lower(city)"), "lower(city) is an expression");
  EXPECT_EQ(as_key("if(a > 1, b, c)"), "if(a > 1, b, c) is an expression");
  EXPECT_EQ(as_key("length(a)*2"), "length(a)*2 is an expression");
  EXPECT_EQ(as_key("lower(city"), "'lower(city' at the end: \")\" is missing");
  for (const char *name : {"lower (city)", "f(a)", "Lower(a)", "a.lower(b)", "\"lower(a)\"",
                           "sum(a)", "lower", "lower[a]", "count[a > 1]", "sum:f(a)"}) {
    EXPECT_EQ(as_key(name), "a name") << name;
  }
}

TEST(ListItem, InParenthesesIsAnExpressionIfItIsMoreThanAName) {
  EXPECT_EQ(as_key("(a+b)"), "(a+b) is an expression");
  EXPECT_EQ(as_key("(a)+1"), "(a)+1 is an expression");
  EXPECT_EQ(as_key("(1)"), "(1) is an expression");
  EXPECT_EQ(as_key("(none)"), "a name");
  EXPECT_EQ(as_key("(in USD)"), "a name, perhaps");
  EXPECT_EQ(as_key("(none"), "a name, perhaps");
  EXPECT_EQ(as_key("[a > 1]"), "a name");
}

TEST(ListItem, OfAggregatesHasOneInIt) {
  for (const char *item :
       {"sum(price)", "sum(price*qty)", "count[status >= 500]", "sum:bytes[method == \"GET\"]",
        "p99~(a)", "count[a > 1]/count", "(sum:a)", "(count/2)", "max(length(a))", "sum:v", "p50:v",
        "sum:v[a > 1]", "round(sum(a), 2)"}) {
    EXPECT_EQ(as_aggregate(item), std::string(item) + " is an expression");
  }
  for (const char *name : {"sum:unit-price", "sum:a", "count", "p50:a:log2", "sum:\"f(x)\"",
                           "sum:\"count[a > 1]\"", "sum:w", "mine:price", "mine(a)", "lower(a)",
                           "(a+b)", "length(a)*2", "count[a]", "sum:amount[USD]", "x:v y"}) {
    EXPECT_EQ(as_aggregate(name), "a name") << name;
  }
  for (const char *name : {"sum:amount (USD)", "sum:f(a)", "max:f(a,b)", "sum(", "count[a >"}) {
    EXPECT_EQ(as_aggregate(name), "a name, perhaps") << name;
  }
}

Strings items(std::string_view text, const ExpressionTerms &terms) {
  const auto items = split_items(text, terms);
  return items.is_ok() ? *items : Strings{"error: " + items.status().message()};
}
Strings keys(std::string_view text) { return items(text, kKeys); }
Strings aggregates(std::string_view text) { return items(text, kAggregates); }

TEST(SplitItems, LeavesCommasOfExpressionsAlone) {
  EXPECT_EQ(keys("a, x=f(b,c) ,substr(d,1,2),(e,f)"),
            (Strings{"a", "x=f(b,c)", "substr(d,1,2)", "(e,f)"}));
  EXPECT_EQ(keys("x=concat(a, ',', \"),\"),b"), (Strings{"x=concat(a, ',', \"),\")", "b"}));
  EXPECT_EQ(aggregates("sum(a),count[b in (1,2)],v=if(a > 1, 2, 3),p50:x"),
            (Strings{"sum(a)", "count[b in (1,2)]", "v=if(a > 1, 2, 3)", "p50:x"}));
  EXPECT_EQ(aggregates("v=city == 'a,b',count"), (Strings{"v=city == 'a,b'", "count"}));
}

TEST(SplitItems, CutsNamesAtEveryCommaOutsideQuotes) {
  EXPECT_EQ(keys("f(a,b)"), (Strings{"f(a", "b)"}));
  EXPECT_EQ(keys("it's,\"a,b\",c'"), (Strings{"it's", "\"a,b\"", "c'"}));
  EXPECT_EQ(keys("amount (USD),a[1,2]"), (Strings{"amount (USD)", "a[1", "2]"}));
  EXPECT_EQ(aggregates("sum:it's,count[a > 1]"), (Strings{"sum:it's", "count[a > 1]"}));
  EXPECT_EQ(aggregates("sum:\"a(,\",sum:b (USD,count"),
            (Strings{"sum:\"a(,\"", "sum:b (USD", "count"}));
  EXPECT_EQ(aggregates("mine:f(a,b),count"), (Strings{"mine:f(a,b)", "count"}));
}

TEST(SplitItems, RefusesWhatIsNoList) {
  EXPECT_EQ(keys("a,,b"), (Strings{"error: \"a,,b\": item 2 of the list is empty"}));
  EXPECT_EQ(keys(""), (Strings{"error: \"\": item 1 of the list is empty"}));
  EXPECT_EQ(keys("a,\"b"), (Strings{"error: a,\"b: a double quote is not closed"}));
}

TEST(BracketedSize, CountsThroughTheBracketThatCloses) {
  EXPECT_EQ(bracketed_size("(a[b](c))d"), 9u);
  EXPECT_EQ(bracketed_size("(')')x"), 5u);
  EXPECT_EQ(bracketed_size("(a"), 0u);
}

}  // namespace
}  // namespace mrc
