#include "map/sort_expr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace mrc {
namespace {

using Strings = std::vector<std::string>;

// Keys of records whose only field has these values.
Strings keys_of(std::string_view text, const Strings &values, const Clock &clock = {},
                bool ignore_case = false) {
  FieldSort sort{{*parse_sort_expr(text, clock)}, clock};
  sort.exprs[0].ignore_case = ignore_case;
  SortExprEncoder encoder(sort, WantedFields(nullptr, sort.fields()));
  const auto batch = std::make_unique<RecordBatch>();
  batch->fields.resize(1);
  Strings keys;
  for (const std::string &value : values) {
    batch->fields[0][0] = value;
    encoder.append(*batch, 0, &keys.emplace_back());
  }
  return keys;
}

// The values in the order of their keys, equal ones as they were.
Strings sorted(std::string_view text, const Strings &values, const Clock &clock = {},
               bool ignore_case = false) {
  const Strings keys = keys_of(text, values, clock, ignore_case);
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

TEST(SortExprEncoder, FoldsTheCaseOfText) {
  EXPECT_EQ(sorted("x", {"b", "A", "a", "B"}, {}, true), (Strings{"A", "a", "b", "B"}));
  EXPECT_EQ(sorted("x:lower", {"b", "A", "a", "B"}), (Strings{"A", "a", "b", "B"}));
}

TEST(SortExprEncoder, TakesAMissingFieldForAnEmptyOne) {
  for (const char *text : {"x", "x:num", "time", "x:hour", "x:10:desc"}) {
    const FieldSort sort{{*parse_sort_expr(text, {})}, {}};
    SortExprEncoder encoder(sort, WantedFields(nullptr, sort.fields()));
    const auto batch = std::make_unique<RecordBatch>();
    batch->fields.resize(1);
    batch->fields[0][0] = {};
    std::string key;
    encoder.append(*batch, 0, &key);
    EXPECT_EQ(key, keys_of(text, {""})[0]) << text;
  }
}

TEST(SortExprEncoder, MakesNoKeyThePrefixOfAnother) {
  const Strings values = {
      "",     "-",       "1",          "10",         "1.5",         "a", "ab", std::string(1, '\0'),
      "2015", "2015-09", "2015-09-13", "1442125510", "1442125510.5"};
  for (const char *text :
       {"x", "x:num", "time", "x:desc", "time:desc", "x:hour", "x:10", "x:lower", "x:10:desc"}) {
    const Strings keys = keys_of(text, values);
    for (const std::string &a : keys) {
      for (const std::string &b : keys) EXPECT_TRUE(a == b || !b.starts_with(a)) << text;
    }
  }
}

}  // namespace
}  // namespace mrc
