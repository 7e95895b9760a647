#include "join/join_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

using std::string;
using std::vector;

// A table of RIGHT with one field, by keys of so many parts.
class JoinTables : public testing::Test {
 protected:
  void add(const vector<Bytes> &keys, Bytes field, Side side = kRight) {
    const bool has_key = std::ranges::none_of(keys, &Bytes::empty);
    SideWriter(side, order_, &store_).add({keys, {&field, 1}, has_key, position_++});
  }
  void make(size_t parts, Side of = kRight) {
    for (const Side side : {kLeft, kRight}) {
      for (size_t i = 0; i < parts; ++i) join_.sides[side].keys.push_back(*parse_field("k", {}));
    }
    join_.sides[of].fields = *parse_fields("v", {});
    text_ = std::make_unique<JoinText>(join_, RowShape());
    sort_range(store_.rows(), order_, join_layout());
    table_ = std::make_unique<JoinTable>(join_, *text_, store_.rows(), kFixedSeed, of);
  }
  string texts(const vector<Bytes> &keys) {
    const JoinTable::Entry *entry = table_->find(keys, &buffer_);
    if (entry == nullptr) return "none";
    table_->mark(entry);
    string all;
    for (u64 i = entry->first; i < entry->end; ++i) all += table_->record_text(i);
    return all;
  }
  string unmarked(i64 limit = 100) {
    string text;
    table_->append_unmarked(limit, &text);
    return text;
  }

  Join join_;
  const Order order_;
  RowStore store_{join_layout(), KeyBytes::copied};
  u64 position_ = 0;
  std::unique_ptr<JoinText> text_;
  std::unique_ptr<JoinTable> table_;
  string buffer_;
};

TEST_F(JoinTables, RecordsOfOneKeyStayInTheirOrder) {
  add({"b"}, "2");
  add({"a"}, "x");
  add({"b"}, "1");
  make(1);
  EXPECT_EQ(texts({"b"}), "\t2\n\t1\n");
  EXPECT_EQ(texts({"c"}), "none");
  EXPECT_EQ(table_->records(), 3);
}

TEST_F(JoinTables, KeysOfSeveralPartsAreNotTheirConcatenation) {
  add({"a", "bc"}, "1");
  add({"ab", "c"}, "2");
  make(2);
  EXPECT_EQ(texts({"a", "bc"}), "\t1\n");
  EXPECT_EQ(texts({"ab", "c"}), "\t2\n");
  EXPECT_EQ(texts({"abc", ""}), "none");
}

TEST_F(JoinTables, WhatHasNoPartnerFollowsInTheOrderOfTheInput) {
  add({"z"}, "1");
  add({""}, "2");
  add({"a"}, "3");
  add({"m"}, "4");
  make(1);
  EXPECT_EQ(texts({"a"}), "\t3\n");
  EXPECT_EQ(unmarked(), "z\t1\n\t2\nm\t4\n");
  EXPECT_EQ(unmarked(2), "z\t1\n\t2\n");
}

TEST_F(JoinTables, KeysAreInTheirOrder) {
  add({"m"}, "1");
  add({"c"}, "2");
  add({"m"}, "3");
  make(1);
  const auto before = [&](Bytes key) { return table_->lower_bound({&key, 1}, &buffer_); };
  const auto after = [&](Bytes key) { return table_->first_record_after({&key, 1}, &buffer_); };
  EXPECT_EQ(before("a"), 0);
  EXPECT_EQ(before("c"), 0);
  EXPECT_EQ(before("d"), 1);
  EXPECT_EQ(before("z"), 2);
  EXPECT_EQ(after("a"), 0);
  EXPECT_EQ(after("c"), 1);
  EXPECT_EQ(after("m"), 3);
  EXPECT_EQ(table_->key_text(0), "c");
  EXPECT_EQ(table_->key_text(1), "m");
}

TEST_F(JoinTables, OfLeftHasHeads) {
  add({"b", "c"}, "1", kLeft);
  add({"b", ""}, "2", kLeft);
  add({"b", "c"}, "3", kLeft);
  make(2, kLeft);
  EXPECT_EQ(texts({"b", "c"}), "b\tc\t1b\tc\t3");
  EXPECT_EQ(texts({"b", ""}), "none");
  EXPECT_EQ(table_->record_text(0), "b\t\t2");
  EXPECT_EQ(table_->position(2), 2);
}

TEST_F(JoinTables, MayBeEmpty) {
  make(1);
  EXPECT_EQ(texts({"a"}), "none");
  EXPECT_EQ(unmarked(), "");
}

}  // namespace
}  // namespace mrc
