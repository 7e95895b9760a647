#include "combine/integers.h"

#include <gtest/gtest.h>

#include <vector>

namespace mrc {
namespace {

class Integers {
 public:
  explicit Integers(const char *name)
      : layout_({{{builtin_reducer(name), 1}}, {builtin_column(builtin_reducer(name), 0)}, {}}),
        words_(static_cast<size_t>(layout_.state_bytes()) / 8) {}

  // The values are in the second of two columns.
  Integers &add(const std::vector<i64> &values) {
    std::vector<u64> rows;
    for (i64 value : values) rows.insert(rows.end(), {77, static_cast<u64>(value)});
    const std::vector<State *> states(values.size(), state());
    layout_.add(states.data(), {rows.data(), 2}, std::ssize(values), nullptr);
    return *this;
  }
  Integers &merge(Integers *from) {
    State *a = state(), *b = from->state();
    layout_.merge(&a, &b, 1, nullptr);
    return *this;
  }
  std::string text(Notation notation = Notation::text) {
    std::string text;
    layout_.finish(0, state(), notation, &text);
    return text;
  }
  u64 rank() { return layout_.rank(0, state()); }

 private:
  State *state() { return reinterpret_cast<State *>(words_.data()); }
  StateLayout layout_;
  std::vector<u64> words_;
};

TEST(BuiltinReducers, AreKnownByName) {
  for (const char *name : {"count", "sum", "min", "max"}) {
    ASSERT_NE(builtin_reducer(name), nullptr) << name;
    EXPECT_EQ(builtin_column(builtin_reducer(name), 3).name, name);
    EXPECT_EQ(builtin_column(builtin_reducer(name), 3).part, 3);
  }
  EXPECT_EQ(builtin_reducer("mean"), nullptr);
  EXPECT_EQ(builtin_reducer(""), nullptr);
}

TEST(BuiltinReducers, OfNothing) {
  for (const char *name : {"sum", "min", "max"}) {
    EXPECT_EQ(Integers(name).text(), "") << name;
    EXPECT_EQ(Integers(name).text(Notation::json), "null") << name;
    EXPECT_EQ(Integers(name).add({MRC_NO_INTEGER}).text(), "") << name;
    EXPECT_EQ(Integers(name).rank(), 0u) << name;
  }
  EXPECT_EQ(Integers("count").text(), "0");
  EXPECT_EQ(Integers("count").add({MRC_NO_INTEGER}).text(), "1") << "records, not values";
}

TEST(BuiltinReducers, TakeAllIntegers) {
  const std::vector<i64> values = {5, -3, MRC_NO_INTEGER, INT64_MAX, INT64_MIN + 1, 0};
  EXPECT_EQ(Integers("sum").add(values).text(), "2");
  EXPECT_EQ(Integers("min").add(values).text(), "-9223372036854775807");
  EXPECT_EQ(Integers("max").add(values).text(), "9223372036854775807");
  EXPECT_EQ(Integers("min").add({0}).text(), "0");
  EXPECT_EQ(Integers("max").add({-5, -7}).text(), "-5");
}

TEST(BuiltinReducers, SumBeyond64Bits) {
  Integers sum("sum"), other("sum");
  sum.add(std::vector<i64>(4, INT64_MAX));
  EXPECT_EQ(sum.text(), "36893488147419103228");
  other.add(std::vector<i64>(6, INT64_MIN + 1));
  EXPECT_EQ(other.text(), "-55340232221128654842");
  EXPECT_EQ(sum.merge(&other).text(), "-18446744073709551614");
}

TEST(BuiltinReducers, MergeWithNothingChangesNothing) {
  for (const char *name : {"count", "sum", "min", "max"}) {
    Integers some(name), none(name), merged(name);
    some.add({4, -9, 4});
    const std::string before = some.text();
    EXPECT_EQ(some.merge(&none).text(), before) << name;
    EXPECT_EQ(merged.merge(&some).text(), before) << name;
  }
}

TEST(BuiltinReducers, RankAsTheyAreNumbers) {
  for (const char *name : {"sum", "min", "max"}) {
    u64 before = Integers(name).rank();
    for (i64 value : {INT64_MIN + 1, i64{-100}, i64{-1}, i64{0}, i64{1}, i64{100}, INT64_MAX}) {
      const u64 rank = Integers(name).add({value}).rank();
      EXPECT_GT(rank, before) << name << " " << value;
      before = rank;
    }
  }
}

}  // namespace
}  // namespace mrc
