#include "expr/inner/compiler.h"
#include "unit/expr/record_columns.h"

#include <gtest/gtest.h>

#include <map>

namespace mrc {
namespace {

using Record = std::map<std::string, std::string>;

// What is computed of one record: "(missing)", or its text; and what was wrong.
struct Computed {
  std::string text;
  std::string complaint;
};

Computed compute(const std::string &typed, const Record &record, const Clock &clock = {}) {
  Result<Expression> expression = parse_expression(typed, {clock});
  if (!expression.is_ok()) return {"", expression.status().message()};
  const auto computed = ComputedField::make(std::move(*expression), clock);
  if (!computed.is_ok()) return {"", computed.status().message()};
  Row row;
  for (const FieldName &field : (*computed)->fields()) {
    const auto found = record.find(field.text);
    row.push_back(found == record.end() ? std::nullopt : std::optional(found->second));
  }
  RecordColumns columns({row}, row.size());
  std::vector<size_t> places(row.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::vector<BadValue> bad;
  const FilterInput input{*columns.batch(), places, &columns.batch()->unescaped, &bad};
  auto texts = std::make_unique<TextColumnOf>();
  (*computed)->texts().fill(input, first_bits(1), texts.get());
  const Bytes text = (*texts)[0];
  return {text.data() == nullptr ? "(missing)" : std::string(text),
          bad.empty() ? "" : std::string(bad[0].reason) + ": " + std::string(bad[0].value)};
}

const Record kRecord = {{"price", "1.50"},
                        {"qty", "3"},
                        {"none", ""},
                        {"dash", "-"},
                        {"word", "abc"},
                        {"method", "GET"},
                        {"Name", "  J\xC3\xBCrgen "},
                        {"odd name", "7"},
                        {"a.b", "5"},
                        {"1", "first"},
                        {"time", "2015-09-13T06:25:10.5+02:00"},
                        {"later", "2015-09-13T06:25:10Z"},
                        {"ip", "10.1.2.3"},
                        {"url", "http://me@Ex.com:80/a/b?q=x%20y&z=1+2#top"}};

std::string text(const std::string &typed) {
  const Computed computed = compute(typed, kRecord);
  EXPECT_EQ(computed.complaint, "") << typed;
  return computed.text;
}
std::string complaint(const std::string &typed) { return compute(typed, kRecord).complaint; }

TEST(Expression, BindsAsArithmeticDoes) {
  EXPECT_EQ(text("1 + 2 * 3"), "7");
  EXPECT_EQ(text("(1 + 2) * 3"), "9");
  EXPECT_EQ(text("10 - 4 - 3"), "3");
  EXPECT_EQ(text("2 * -3"), "-6");
  EXPECT_EQ(text("-2 * 3"), "-6");
  EXPECT_EQ(text("7 % 4 / 2"), "1.5");
  EXPECT_EQ(text("-(-1) - -2"), "3");
  EXPECT_EQ(text("price*qty"), "4.5");
  EXPECT_EQ(text("price - qty"), "-1.5");
  EXPECT_EQ(text("1e2+.5"), "100.5");
}

TEST(Expression, TakesFieldsByNameAndNumber) {
  EXPECT_EQ(text("a.b+1"), "6");
  EXPECT_EQ(text("$qty + 0"), "3");
  EXPECT_EQ(text("$\"odd name\" * 2"), "14");
  EXPECT_EQ(text("upper($1)"), "FIRST");
  EXPECT_EQ(text("1 + 1"), "2");
}

TEST(Expression, HasTextInQuotes) {
  EXPECT_EQ(text("method == \"GET\""), "1");
  EXPECT_EQ(text("if(qty > 2, \"many\", 'few')"), "many");
  EXPECT_EQ(text("concat(method, \"!\")"), "GET!");
  EXPECT_EQ(text("concat('it''s ', method)"), "it's GET");
  EXPECT_EQ(text("coalesce(nowhere, \"x\")"), "x");
  EXPECT_EQ(text("concat('a\\n', \"b\\\"\", '\\x41')"), "a\nb\"A");
}

TEST(Expression, IsMissingWhereAPartIs) {
  EXPECT_EQ(text("price * none"), "(missing)");
  EXPECT_EQ(text("price * dash"), "(missing)");
  EXPECT_EQ(text("price * nowhere"), "(missing)");
  EXPECT_EQ(text("upper(nowhere)"), "(missing)");
  EXPECT_EQ(text("nowhere > 1"), "0");
  EXPECT_EQ(text("not nowhere > 1"), "1");
  EXPECT_EQ(text("coalesce(nowhere, none, dash, price)"), "1.50");
  EXPECT_EQ(text("coalesce(nowhere * 2, qty * 2)"), "6");
  EXPECT_EQ(text("only(qty > 5, qty)"), "(missing)");
}

TEST(Expression, ComparesNumbersAsNumbersAndOthersAsBytes) {
  EXPECT_EQ(text("price == 1.5"), "1");
  EXPECT_EQ(text("price == '1.5'"), "0");
  EXPECT_EQ(text("price < qty"), "1");
  EXPECT_EQ(text("price*2 >= qty"), "1");
  EXPECT_EQ(text("3 > price"), "1");
  EXPECT_EQ(text("qty < price*3"), "1");
  EXPECT_EQ(complaint("word < price*3"), "word in word < price*3 is not a number: abc");
  EXPECT_EQ(text("qty + 1 > none or qty + 1 <= none"), "0");
  EXPECT_EQ(text("word > method"), "1");
  EXPECT_EQ(text("qty between 1 and price*2"), "1");
  EXPECT_EQ(text("qty in (1, 3.0)"), "1");
  EXPECT_EQ(text("method in ('GET', 'HEAD')"), "1");
  EXPECT_EQ(text("upper(word) in 'ABC'"), "1");
  EXPECT_EQ(text("lower(method) =~ '^g'"), "1");
  EXPECT_EQ(text("method !~ '^g'"), "1");
  EXPECT_EQ(text("price > 1 and (qty > 5 or not word == 'x')"), "1");
}

TEST(Expression, KnowsAddressesWithinPrefixes) {
  EXPECT_EQ(text("ip in 10.0.0.0/8"), "1");
  EXPECT_EQ(text("ip in (192.168.0.0/16, 10.1.2.3)"), "1");
  EXPECT_EQ(text("ip in 10.2.0.0/16"), "0");
  EXPECT_EQ(text("method in 10.0.0.0/8"), "0");
}

TEST(Expression, HasFunctionsOfNumbers) {
  EXPECT_EQ(text("abs(price - qty)"), "1.5");
  EXPECT_EQ(text("round(10/3, 2)"), "3.33");
  EXPECT_EQ(text("floor(-price)"), "-2");
  EXPECT_EQ(text("ceil(price)"), "2");
  EXPECT_EQ(text("min(price, qty, 2)"), "1.5");
  EXPECT_EQ(text("max(price, none, qty)"), "3");
  EXPECT_EQ(text("log10(1000)"), "3");
  EXPECT_EQ(text("log2(8)"), "3");
  EXPECT_EQ(text("sqrt(2.25)"), "1.5");
  EXPECT_EQ(text("exp(0)"), "1");
  EXPECT_EQ(text("pow(2, 0.5 * 20)"), "1024");
  EXPECT_EQ(text("pow(price, none)"), "(missing)");
  EXPECT_EQ(text("hex(255)"), "ff");
  EXPECT_EQ(text("unhex('0xFF') + 1"), "256");
}

TEST(Expression, HasFunctionsOfText) {
  EXPECT_EQ(text("length(trim(Name))"), "6");
  EXPECT_EQ(text("substr(trim(Name), 2, 2)"), "\xC3\xBCr");
  EXPECT_EQ(text("substr(method, -2)"), "ET");
  EXPECT_EQ(text("substr(method, 2)"), "ET");
  EXPECT_EQ(text("substr(method, 9)"), "");
  EXPECT_EQ(text("split(ip, '.', 2)"), "1");
  EXPECT_EQ(text("split(ip, '.', -1)"), "3");
  EXPECT_EQ(text("split(ip, '.', 9)"), "(missing)");
  EXPECT_EQ(text("split(ip, '.', -9)"), "(missing)");
  EXPECT_EQ(text("split('a---b', '--', 2)"), "-b");
  EXPECT_EQ(text("split('a---b', '--', -1)"), "-b") << "pieces are cut from the front";
  EXPECT_EQ(text("split('a---b', '--', -2)"), "a");
  EXPECT_EQ(text("replace(ip, '[0-9]+', '<\\0>')"), "<10>.<1>.<2>.<3>");
  EXPECT_EQ(text("replace(word, 'x*', '-')"), "-a-b-c-");
  EXPECT_EQ(text("extract(ip, '[0-9]+')"), "10");
  EXPECT_EQ(text("extract(ip, '([0-9]+)[.]([0-9]+)')"), "10");
  EXPECT_EQ(text("extract(ip, '([0-9]+)[.]([0-9]+)', 2) + 1"), "2");
  EXPECT_EQ(text("extract(ip, '([0-9]+)[.]([0-9]+)', 0)"), "10.1");
  EXPECT_EQ(text("extract(ip, 'x')"), "(missing)");
  EXPECT_EQ(text("extract(ip, '(x)|1')"), "(missing)") << "the group took no part";
  EXPECT_EQ(text("contains(url, \"Ex\") and startswith(url, 'http') and endswith(url, 'top')"),
            "1");
}

TEST(Expression, TakesUrlsApart) {
  EXPECT_EQ(text("url(url, 'scheme')"), "http");
  EXPECT_EQ(text("url(url, 'user')"), "me");
  EXPECT_EQ(text("url(url, 'host')"), "Ex.com");
  EXPECT_EQ(text("url(url, 'port') + 1"), "81");
  EXPECT_EQ(text("url(url, 'path')"), "/a/b");
  EXPECT_EQ(text("url(url, 'query')"), "q=x%20y&z=1+2");
  EXPECT_EQ(text("url(url, 'fragment')"), "top");
  EXPECT_EQ(text("param(url, 'q')"), "x y");
  EXPECT_EQ(text("param(url, 'z')"), "1 2");
  EXPECT_EQ(text("param(url, 'y')"), "(missing)");
  EXPECT_EQ(text("urldecode('a%2Fb+c%zz%')"), "a/b c%zz%");
}

TEST(Expression, KnowsTimes) {
  EXPECT_EQ(text("epoch(later)"), "1442125510");
  EXPECT_EQ(text("epoch(time)"), "1442118310.5");
  EXPECT_EQ(text("time(time)"), "2015-09-13T04:25:10.5Z");
  EXPECT_EQ(text("time('13.9.2015 06:25', '%d.%m.%Y %H:%M')"), "2015-09-13T06:25:00Z");
  EXPECT_EQ(text("time(later) - time(time)"), "7199.5");
  EXPECT_EQ(text("time(later) + 1h30m"), "2015-09-13T07:55:10Z");
  EXPECT_EQ(text("(time(later) - time(time)) / 1s"), "7199.5");
  EXPECT_EQ(text("later:time - 1d"), "2015-09-12T06:25:10Z");
  EXPECT_EQ(text("hour(time(later) + 2h)"), "8");
  EXPECT_EQ(text("difference(later, time)"), "7199.5");
  EXPECT_EQ(text("format(later, '%Y/%m/%d %j %s')"), "2015/09/13 256 1442125510");
  EXPECT_EQ(text("year(time) * 10000 + month(time) * 100 + day(time)"), "20150913");
  EXPECT_EQ(text("hour(time)"), "4");
  EXPECT_EQ(text("minute(time)"), "25");
  EXPECT_EQ(text("second(time)"), "10.5");
  EXPECT_EQ(text("weekday(time)"), "7");
  EXPECT_EQ(text("time:hour"), "2015-09-13T04:00Z");
  EXPECT_EQ(compute("hour(later)", kRecord, {.zone = "+05:30"}).text, "11");
}

TEST(Expression, NamesTheValueThatDoesNotFit) {
  EXPECT_EQ(complaint("word * 2"), "word in word * 2 is not a number: abc");
  EXPECT_EQ(complaint("1 + upper(word)"), "upper(word) in 1 + upper(word) is not a number: ABC");
  EXPECT_EQ(complaint("$1 + 1"), "field $1 in $1 + 1 is not a number: first");
  EXPECT_EQ(complaint("hour(word)"), "word is not a time: abc");
  EXPECT_EQ(complaint("qty / (qty - 3)"), "qty / (qty - 3) has no result: the divisor: 0");
  // What is not taken is not computed.
  EXPECT_EQ(complaint("if(qty > 100, word * 2, qty)"), "");
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(
      complaint("1 +"),
      "'1 +' at the end: a field, a number or text is missing beside the sign; if it was $3 or the "
      "like, put single quotes around the whole, or the shell takes it");
  EXPECT_EQ(complaint("(1"), "'(1' at the end: \")\" is missing");
  EXPECT_EQ(complaint("a = 1"), "'a = 1' at character 3: write == for =");
  EXPECT_EQ(complaint("a && b"), "'a && b' at character 3: write and for &&");
  EXPECT_EQ(complaint("lenght(a)").substr(0, 67),
            "'lenght(a)' at character 1: no function \"lenght\" (did you mean \"len");
  EXPECT_EQ(complaint("substr(a)"),
            "'substr(a)' at character 1: substr is substr(TEXT, FROM[, LENGTH])");
  EXPECT_EQ(complaint("'abc"), "''abc' at character 1: a quote is not closed");
  EXPECT_EQ(complaint("'abc' * 2"),
            "'abc' where a number should be: it is text; a field's name is $\"name\"");
  EXPECT_EQ(complaint("if(qty * 2, 1, 2)"),
            "qty * 2 where a condition should be: compare it, as in (VALUE) != 0");
  EXPECT_EQ(complaint("replace(a, '(', 'x')").substr(0, 28), "\"(\" is not a regular express");
  EXPECT_EQ(complaint("url(a, 'door')").substr(0, 36), "url(a, 'door'): no part \"door\"; ther");
}

TEST(Expression, IsNotNestedWithoutEnd) {
  const std::string deep = std::string(5000, '(') + "1" + std::string(5000, ')');
  EXPECT_NE(complaint(deep).find("more than 100 levels deep"), std::string::npos);
  EXPECT_NE(complaint(std::string(5000, '-') + "a").find("levels deep"), std::string::npos);
  std::string sum = "0";
  for (int i = 0; i < 1000; ++i) sum += "+1";
  EXPECT_EQ(text(sum), "1000");
  EXPECT_NE(complaint(sum + "+1").find("more than 1000 signs"), std::string::npos);
}

std::vector<std::string> columns_of(const std::string &keys) {
  std::vector<FieldExpr> defined;
  const auto parsed = parse_keys(keys, {}, &defined);
  if (!parsed.is_ok()) return {parsed.status().message()};
  std::vector<std::string> columns;
  for (const FieldExpr &key : *parsed) {
    columns.push_back((key.computed ? "computed " : "") + key.column());
  }
  return columns;
}
using Columns = std::vector<std::string>;

TEST(ComputedKeys, AreAllThatIsMoreThanAName) {
  EXPECT_EQ(columns_of("v=price*qty,v"), (Columns{"computed v", "computed v"}));
  EXPECT_EQ(columns_of("upper(a),substr(b, 1, 2)"),
            (Columns{"computed upper(a)", "computed substr(b, 1, 2)"}));
  EXPECT_EQ(columns_of("(a+b),a + b"), (Columns{"computed (a+b)", "computed a + b"}));
  EXPECT_EQ(columns_of("v=1,v=2"), (Columns{"v is computed twice"}));
}

TEST(ComputedKeys, LeaveNamesAlone) {
  EXPECT_EQ(columns_of("unit-price,3,time:hour,ip:/24"),
            (Columns{"unit-price", "3", "time:hour", "ip:/24"}));
  EXPECT_EQ(columns_of("\"amount (USD)\",\"upper(a)\""), (Columns{"amount (USD)", "upper(a)"}));
  EXPECT_EQ(
      columns_of("amount (USD)"),
      (Columns{"'amount (USD)' at character 8: \"(\" where an operator or the end should be; a "
               "field of that name is \"amount (USD)\" in double quotes"}));
}

}  // namespace
}  // namespace mrc
