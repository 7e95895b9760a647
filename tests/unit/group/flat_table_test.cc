#include "group/flat_table.h"

#include "unit/group/counted_keys.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

#ifdef MRC_SANITIZED
constexpr u64 kTableRounds = 4;
#else
constexpr u64 kTableRounds = 12;
#endif

template <typename Key>
class FlatTableOf : public CountedKeys<Key> {};
TYPED_TEST_SUITE(FlatTableOf, KeyClasses);

TYPED_TEST(FlatTableOf, CountsWhatAStandardMapCounts) {
  for (u64 round = 0; round < kTableRounds; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const u64 distinct = 1 + random() % 30000;
    std::vector<Numbered> content(random() % 40000);
    for (Numbered &one : content) {
      one.number = static_cast<i64>(random() % distinct);
      one.hash = fold_multiply(static_cast<u64>(one.number) ^ seed, 0x9E3779B97F4A7C15);
    }
    FlatTable<TypeParam> table(round % 2 == 0 ? 8 : 24, KeyBytes::copied);
    this->count(&table, content, 1 + static_cast<i64>(random() % 1024));
    ASSERT_EQ(this->counts(table), this->expected(content));
    EXPECT_LE(8 * table.size(), 5 * table.slots());
  }
}

TYPED_TEST(FlatTableOf, GivesEqualKeysOfABatchOneState) {
  FlatTable<TypeParam> table(8, KeyBytes::copied);
  auto batch =
      make_batch<TypeParam>(&this->keys_, {{1, 11}, {2, 22}, {1, 11}, {3, 22}, {2, 22}, {1, 11}});
  std::vector<State *> states(6);
  table.group(*batch, states.data());
  EXPECT_EQ(states[0], states[2]);
  EXPECT_EQ(states[0], states[5]);
  EXPECT_EQ(states[1], states[4]);
  EXPECT_NE(states[1], states[3]);
  EXPECT_EQ(table.size(), 3);
}

TYPED_TEST(FlatTableOf, IsEmptyBeforeTheFirstKey) {
  FlatTable<TypeParam> table(8, KeyBytes::copied);
  EXPECT_EQ(table.size(), 0);
  EXPECT_EQ(table.count({}), 0);
  EXPECT_EQ(table.count({3, 2}), 0);
  Batch<TypeParam> none;
  table.group(none, nullptr);
  EXPECT_EQ(table.size(), 0);
}

TYPED_TEST(FlatTableOf, KeepsStatesWhenItGrows) {
  FlatTable<TypeParam> table(16, KeyBytes::copied);
  std::vector<Numbered> content;
  for (i64 i = 0; i < 20000; ++i) content.push_back({i, fold_multiply(i + 1, 0x9E3779B97F4A7C15)});
  for (int round = 1; round <= 3; ++round) this->count(&table, content, 1000);
  EXPECT_GE(table.growths(), 2);
  for (const auto &[key, count] : this->counts(table)) ASSERT_EQ(count, 3u) << key;
}

TYPED_TEST(FlatTableOf, TellsKeysOfTheSameHashApart) {
  for (u64 hash : {u64{0}, u64{1} << 63, ~u64{0}}) {
    std::vector<Numbered> content;
    for (i64 i = 0; i < 3000; ++i) content.push_back({i % 600, hash});
    FlatTable<TypeParam> table(8, KeyBytes::copied);
    this->count(&table, content, 700);
    EXPECT_EQ(this->counts(table), this->expected(content));
  }
}

TYPED_TEST(FlatTableOf, ForgetsAllWhenReset) {
  FlatTable<TypeParam> table(8, KeyBytes::copied);
  for (i64 keys : {5000, 10, 0, 900, 20000, 3, 0, 5000}) {
    table.reset(keys);
    EXPECT_EQ(table.size(), 0);
    EXPECT_EQ(this->counts(table), Counts());
    const i64 slots = table.slots(), growths = table.growths();
    std::vector<Numbered> content;
    for (i64 i = 0; i < keys; ++i)
      content.push_back({i * 7, ~fold_multiply(i + 1, 0xABCDEF0123456789)});
    this->count(&table, content, 999);
    EXPECT_EQ(this->counts(table), this->expected(content));
    EXPECT_EQ(table.slots(), slots) << "room was promised";
    EXPECT_EQ(table.growths(), growths);
  }
}

TYPED_TEST(FlatTableOf, GrowsBeyondWhatItWasResetFor) {
  FlatTable<TypeParam> table(8, KeyBytes::copied);
  table.reset(10);
  std::vector<Numbered> content;
  for (i64 i = 0; i < 9000; ++i) content.push_back({i, fold_multiply(i + 1, 0xABCDEF0123456789)});
  this->count(&table, content);
  EXPECT_EQ(this->counts(table), this->expected(content));
}

TYPED_TEST(FlatTableOf, FindsWhatIsThereAndMakesNothing) {
  FlatTable<TypeParam> table(8, KeyBytes::copied);
  std::vector<Numbered> odd, all;
  for (i64 i = 0; i < 1000; ++i) {
    all.push_back({i, fold_multiply(i / 3 + 1, 0x9E3779B97F4A7C15)});  // three of each hash
    if (i % 2 == 1) odd.push_back(all.back());
  }
  const auto batch = make_batch(&this->keys_, all);
  std::vector<State *> found(1000, reinterpret_cast<State *>(&table));
  EXPECT_EQ(table.find(*batch, found.data()), 0);
  for (State *state : found) EXPECT_EQ(state, nullptr);

  std::vector<State *> made(1000);
  table.group(*make_batch(&this->keys_, odd), made.data());
  EXPECT_EQ(table.find(*batch, found.data()), 500);
  for (size_t i = 0; i < 1000; ++i) ASSERT_EQ(found[i], i % 2 == 1 ? made[i / 2] : nullptr) << i;
  EXPECT_EQ(table.size(), 500);
}

TYPED_TEST(FlatTableOf, KnowsWhenItWouldGrow) {
  FlatTable<TypeParam> table(8, KeyBytes::copied);
  EXPECT_FALSE(table.has_room(1));
  table.reset(5000);
  const i64 slots = table.slots();
  for (i64 i = 0; table.has_room(1); ++i) {
    this->count(&table, {{i, fold_multiply(i + 1, 0x9E3779B97F4A7C15)}});
    ASSERT_EQ(table.slots(), slots);
  }
  EXPECT_GE(table.size(), 5000);
  this->count(&table, {{-1, 1}});
  EXPECT_EQ(table.slots(), 2 * slots);
}

TYPED_TEST(FlatTableOf, NeedNotGrowForTheKeysThatAreExpected) {
  for (i64 keys : {1, 5000, 40000}) {
    FlatTable<TypeParam> table(8, KeyBytes::copied, keys);
    std::vector<Numbered> content;
    for (i64 i = 0; i < keys; ++i) content.push_back({i, fold_multiply(i + 1, 0xABCDEF012345678)});
    this->count(&table, content);
    EXPECT_EQ(table.growths(), 0);
    EXPECT_EQ(this->counts(table), this->expected(content));
  }
  FlatTable<TypeParam> large(8, KeyBytes::copied, i64{1} << 62);
  EXPECT_EQ(large.memory_bytes(), 0) << "nothing came";
  this->count(&large, {{1, 1}});
  EXPECT_EQ(large.slots(), 1 << 22);
}

TYPED_TEST(FlatTableOf, KnowsTheMemoryThatGrowingTakes) {
  for (i64 keys : {100, 3000, 100000}) {
    FlatTable<TypeParam> table(24, KeyBytes::borrowed);
    this->count(&table, {{1, 11}});
    const i64 promised = table.bytes_with(keys + Batch<TypeParam>::kCapacity);
    table.reset(keys);
    EXPECT_GE(table.memory_bytes(), promised);
    EXPECT_LT(table.memory_bytes(), promised + (i64{2} << 20)) << "but for whole pages";
  }
}

TYPED_TEST(FlatTableOf, ForgetsAllAndKeepsItsSlotsWhenCleared) {
  FlatTable<TypeParam> table(8, KeyBytes::copied);
  table.clear();
  i64 slots = 0;
  for (i64 keys : {9000, 5, 0, 4000}) {
    std::vector<Numbered> content;
    for (i64 i = 0; i < keys; ++i)
      content.push_back({i, fold_multiply(i + keys, 0xABCDEF012345678)});
    this->count(&table, content);
    EXPECT_EQ(this->counts(table), this->expected(content));
    slots = std::max(slots, table.slots());
    EXPECT_EQ(table.slots(), slots);
    table.clear();
    EXPECT_EQ(table.size(), 0);
    EXPECT_EQ(table.count({}), 0);
    EXPECT_EQ(this->counts(table), Counts());
  }
}

TEST(FlatTable, CopiesOrBorrowsTheBytesOfLongKeys) {
  for (KeyBytes mode : {KeyBytes::copied, KeyBytes::borrowed}) {
    std::string text(40, 'k');
    auto batch = std::make_unique<Batch<KeyRef>>();
    batch->size = 1;
    batch->keys[0] = {text.data(), text.size()};
    FlatTable<KeyRef> table(8, mode);
    State *state;
    table.group(*batch, &state);
    table.each({}, [&](const auto &slot) {
      EXPECT_EQ(slot.key.data == text.data(), mode == KeyBytes::borrowed);
    });
    if (mode == KeyBytes::borrowed) continue;
    text.assign(40, 'x');
    table.each({}, [&](const auto &slot) { EXPECT_EQ(key_bytes(slot.key), std::string(40, 'k')); });
  }
}

TEST(FlatTable, KnowsTheEmptyKey) {
  auto batch = std::make_unique<Batch<Key16>>();
  batch->size = 1;
  batch->keys[0] = image16<Fold::none>("0123456789abcdef", 0);
  FlatTable<Key16> table(8, KeyBytes::copied);
  for (u64 i = 1; i <= 3; ++i) {
    State *state;
    table.group(*batch, &state);
    EXPECT_EQ(++counter(state), i);
  }
  EXPECT_EQ(table.size(), 1);
}

}  // namespace
}  // namespace mrc
