#include "expr/computed_field.h"
#include "expr/evaluate.h"
#include "map/sort_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace mrc {
namespace {

using Strings = std::vector<std::string>;

WantedFields wanted_by(const FieldSort &sort) {
  WantedFields wanted(nullptr);
  for (const FieldExpr &field : sort.fields()) wanted.add(field);
  return wanted;
}

// What is computed of the first record, whose only field all of it takes.
void compute(const WantedFields &wanted, SelectedRecords *batch) {
  const std::vector<FieldExpr> &computed = wanted.computed_texts();
  batch->texts.resize(computed.size());
  const std::vector<size_t> columns(9, 0);
  for (size_t i = 0; i < computed.size(); ++i) {
    const FilterInput input{*batch, columns, &batch->unescaped, nullptr};
    computed[i].computed->texts().fill(input, first_bits(1), &batch->texts[i]);
  }
}

// Keys of records whose only field has these values.
Strings expr_keys_of(std::string_view text, const Strings &values, const Clock &clock = {},
                     bool ignore_case = false) {
  std::vector<SortExpr> exprs = *parse_sort_exprs(text, clock);
  exprs[0].ignore_case = ignore_case;
  const FieldSort sort = *FieldSort::make(std::move(exprs), clock);
  const WantedFields wanted = wanted_by(sort);
  SortExprEncoder encoder(sort, wanted);
  const auto batch = std::make_unique<SelectedRecords>();
  batch->fields.resize(1);
  Strings keys;
  for (const std::string &value : values) {
    batch->fields[0][0] = keep_text(value, &batch->unescaped);
    compute(wanted, batch.get());
    encoder.append(*batch, 0, &keys.emplace_back());
  }
  return keys;
}

// The values in the order of their keys, equal ones as they were.
Strings sorted(std::string_view text, const Strings &values, const Clock &clock = {},
               bool ignore_case = false) {
  const Strings keys = expr_keys_of(text, values, clock, ignore_case);
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  Strings result;
  for (const size_t i : order) result.push_back(values[i]);
  return result;
}

TEST(SortExprEncoder, OrdersTimesAsTimesAndBehindWhatIsNone) {
  const Strings times = {"2015-09-13T08:00:00Z", "soon", "13/Sep/2015:09:30:00 +0200", "",
                         "1442125510",           "-",    "1969-12-31T23:59:59Z"};
  EXPECT_EQ(sorted("time", times), (Strings{"", "-", "soon", "1969-12-31T23:59:59Z", "1442125510",
                                            "13/Sep/2015:09:30:00 +0200", "2015-09-13T08:00:00Z"}));
  Strings backwards = sorted("x:time:desc", times);
  std::reverse(backwards.begin(), backwards.end());
  EXPECT_EQ(backwards, sorted("time", times));
}

TEST(SortExprEncoder, ReadsTimesByTheClock) {
  EXPECT_EQ(sorted("t:time", {"2015-09-13T08:30Z", "2015-09-13 10:00"}, {.zone = "+02:00"}),
            (Strings{"2015-09-13 10:00", "2015-09-13T08:30Z"}));
}

TEST(SortExprEncoder, OrdersNumbersOfBucketsAsNumbers) {
  EXPECT_EQ(sorted("n:10", {"100", "9", "25", "-5", "none", "-", ""}),
            (Strings{"", "-", "none", "-5", "9", "25", "100"}));
  EXPECT_EQ(sorted("n:log2", {"100000000000000000000000", "0.00001", "3"}),
            (Strings{"0.00001", "3", "100000000000000000000000"}));
}

TEST(SortExprEncoder, OrdersComputedNumbersBehindMissingOnes) {
  const Strings values = {"10", "", "9", "-3", "none", "2.5", "-"};
  EXPECT_EQ(sorted("n=x*2", values), (Strings{"", "none", "-", "-3", "2.5", "9", "10"}));
  EXPECT_EQ(sorted("(x*2):num:desc", values), (Strings{"10", "9", "2.5", "-3", "", "none", "-"}));
  EXPECT_EQ(sorted("n=x/3", {"1", "100000000000000000000000", "0.00001"}),
            (Strings{"0.00001", "1", "100000000000000000000000"}));
  EXPECT_EQ(sorted("(x+0):text", {"9", "10"}), (Strings{"10", "9"}));
}

TEST(SortExprEncoder, OrdersComputedTextAsItsTypeSays) {
  EXPECT_EQ(sorted("upper(x)", {"b", "A", "a"}), (Strings{"A", "a", "b"}));
  EXPECT_EQ(sorted("substr(x, 2)", {"a10", "b9"}), (Strings{"a10", "b9"}));
  EXPECT_EQ(sorted("substr(x, 2):num", {"a10", "b9"}), (Strings{"b9", "a10"}));
  EXPECT_EQ(sorted("substr(x, 2):time", {"b2015-09-13T08:30Z", "a2015-09-13 10:00+02:00"}),
            (Strings{"a2015-09-13 10:00+02:00", "b2015-09-13T08:30Z"}));
  EXPECT_EQ(sorted("y=x", {"b", "A", "a"}, {}, true), (Strings{"A", "a", "b"}));
}

TEST(SortExprEncoder, FoldsTheCaseOfText) {
  EXPECT_EQ(sorted("x", {"b", "A", "a", "B"}, {}, true), (Strings{"A", "a", "b", "B"}));
  EXPECT_EQ(sorted("x:lower", {"b", "A", "a", "B"}), (Strings{"A", "a", "b", "B"}));
}

TEST(SortExprEncoder, TakesAMissingFieldForAnEmptyOne) {
  for (const char *text : {"x", "x:num", "time", "x:hour", "x:10:desc"}) {
    const FieldSort sort = *FieldSort::make({*parse_sort_expr(text, {})}, {});
    SortExprEncoder encoder(sort, wanted_by(sort));
    const auto batch = std::make_unique<SelectedRecords>();
    batch->fields.resize(1);
    batch->fields[0][0] = {};
    std::string key;
    encoder.append(*batch, 0, &key);
    EXPECT_EQ(key, expr_keys_of(text, {""})[0]) << text;
  }
}

TEST(SortExprEncoder, MakesNoKeyThePrefixOfAnother) {
  const Strings values = {
      "",     "-",       "1",          "10",         "1.5",         "a", "ab", std::string(1, '\0'),
      "2015", "2015-09", "2015-09-13", "1442125510", "1442125510.5"};
  for (const char *text : {"x", "x:num", "time", "x:desc", "time:desc", "x:hour", "x:10", "x:lower",
                           "x:10:desc", "n=x*2", "n=x*2:desc", "lower(x)"}) {
    const Strings keys = expr_keys_of(text, values);
    for (const std::string &a : keys) {
      for (const std::string &b : keys) EXPECT_TRUE(a == b || !b.starts_with(a)) << text;
    }
  }
}

TEST(SortKeyExpr, OrdersAtRandom) {
  const Strings keys = expr_keys_of("1:random", {"a", "b", "a", "A", ""});
  EXPECT_EQ(keys[0], keys[2]);
  EXPECT_NE(keys[0], keys[1]);
  EXPECT_NE(keys[0], keys[3]);
  for (const std::string &key : keys) EXPECT_EQ(key.size(), 16U);
  const Strings folded = expr_keys_of("1:random", {"\u00e4", "\u00c4", "b"}, {}, true);
  EXPECT_EQ(folded[0], folded[1]);
  std::string one, other;
  make_random_order(1, false)->append("a", &one);
  make_random_order(2, false)->append("a", &other);
  EXPECT_NE(one, other);
}

}  // namespace
}  // namespace mrc
