#include "reduce/reduce.h"
#include "unit/group/numbered_keys.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <map>

namespace mrc {
namespace {

using Totals = std::map<std::string, u64>;
using AllGroups = std::vector<std::unique_ptr<Groups>>;
using HashOf = u64 (*)(i64 number);

u64 spread(i64 number) { return fold_multiply(static_cast<u64>(number) + 1, 0x9E3779B97F4A7C15); }

class Totalled : public GroupSink {
 public:
  void take(Bytes key, const State *state) override {
    EXPECT_TRUE(totals.emplace(key, counter(state)).second) << "twice: " << key;
  }
  Totals totals;
};

class Reducing : public testing::Test {
 protected:
  // Counts numbers [from, to) in a worker's groups, as keys of one class.
  template <typename Key>
  void count(Groups *groups, i64 from, i64 to, HashOf hash_of) {
    static NumberedKeys<Key> keys;
    std::vector<Numbered> content;
    for (i64 i = from; i < to; ++i) {
      content.push_back({i, hash_of(i)});
      ++expected_[NumberedKeys<Key>::text(i)];
    }
    std::vector<State *> states(Batch<Key>::kCapacity);
    by_batch(content, 1024, [&](const std::vector<Numbered> &some) {
      groups->table<Key>().group(*make_batch(&keys, some), states.data());
      layout_.add(states.data(), static_cast<i64>(some.size()));
    });
  }

  void expect_totals(int bits) {
    Totalled sink;
    PartitionReducer reducer(groups_, bits, layout_);
    for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
      reducer.reduce(partition, &sink);
    }
    EXPECT_EQ(sink.totals, expected_) << "bits " << bits;
  }

  StateLayout layout_{{&kCount}};
  AllGroups groups_;
  Totals expected_;
};

TEST_F(Reducing, AddsUpEachKeyOfAllWorkersOnce) {
  for (int i = 0; i < 4; ++i) groups_.push_back(std::make_unique<Groups>(8, KeyBytes::copied));
  groups_.insert(groups_.begin() + 1, nullptr);
  groups_.push_back(nullptr);
  count<Key16>(groups_[0].get(), 0, 3000, spread);
  count<Key16>(groups_[2].get(), 1000, 5000, spread);
  count<Key16>(groups_[3].get(), 0, 10, spread);
  count<Key32>(groups_[2].get(), 0, 2500, spread);
  count<Key32>(groups_[3].get(), 2000, 4000, spread);
  count<KeyRef>(groups_[0].get(), 0, 2000, spread);
  count<KeyRef>(groups_[3].get(), 0, 2100, spread);
  count<KeyRef>(groups_[3].get(), 1500, 1600, spread);
  for (int bits = 0; bits <= 12; ++bits) expect_totals(bits);
  expect_totals(16);
}

TEST_F(Reducing, TakesHashesThatCollideOrCrowdAtTheEnds) {
  for (int i = 0; i < 3; ++i) groups_.push_back(std::make_unique<Groups>(8, KeyBytes::copied));
  for (HashOf hash_of : {HashOf([](i64) { return ~u64{0}; }), HashOf([](i64) { return u64{0}; }),
                         HashOf([](i64 i) { return ~static_cast<u64>(i); }),
                         HashOf([](i64 i) { return static_cast<u64>(i) << 63; })}) {
    for (auto &groups : groups_) groups = std::make_unique<Groups>(8, KeyBytes::copied);
    expected_.clear();
    count<Key16>(groups_[0].get(), 0, 200, hash_of);
    count<Key16>(groups_[1].get(), 100, 300, hash_of);
    count<Key32>(groups_[1].get(), 0, 200, hash_of);
    count<Key32>(groups_[2].get(), 0, 200, hash_of);
    count<KeyRef>(groups_[0].get(), 0, 200, hash_of);
    count<KeyRef>(groups_[2].get(), 150, 250, hash_of);
    for (int bits : {0, 1, 3, 8, 16}) expect_totals(bits);
  }
}

TEST_F(Reducing, HandsOnNothingOfNothing) {
  expect_totals(0);
  groups_.push_back(nullptr);
  groups_.push_back(std::make_unique<Groups>(8, KeyBytes::copied));
  for (int bits : {0, 3}) expect_totals(bits);
}

TEST_F(Reducing, LeavesTheGroupsOfTheWorkersAsTheyWere) {
  for (int i = 0; i < 2; ++i) groups_.push_back(std::make_unique<Groups>(8, KeyBytes::copied));
  count<Key16>(groups_[0].get(), 0, 100, spread);
  count<KeyRef>(groups_[1].get(), 0, 100, spread);
  count<KeyRef>(groups_[0].get(), 0, 100, spread);
  expect_totals(2);
  expect_totals(2);
}

// Rows borrow the bytes of long keys for as long as the groups live.
TEST_F(Reducing, HandsOnLongKeysThatOutliveTheReducer) {
  class Keeper : public GroupSink {
   public:
    void take(Bytes key, const State *) override { keys.push_back(key); }
    std::vector<Bytes> keys;
  } keeper;
  groups_.push_back(std::make_unique<Groups>(8, KeyBytes::copied));
  count<KeyRef>(groups_[0].get(), 0, 500, spread);
  {
    PartitionReducer reducer(groups_, 1, layout_);
    reducer.reduce(0, &keeper);
    reducer.reduce(1, &keeper);
  }
  ASSERT_EQ(keeper.keys.size(), 500u);
  for (Bytes key : keeper.keys) EXPECT_TRUE(expected_.contains(std::string(key))) << key;
}

TEST_F(Reducing, ChoosesOnePartitionForFewKeys) {
  EXPECT_EQ(choose_partition_bits(groups_, 8), 0);
  groups_.push_back(nullptr);
  groups_.push_back(std::make_unique<Groups>(8, KeyBytes::copied));
  EXPECT_EQ(choose_partition_bits(groups_, 8), 0);
  count<Key16>(groups_[1].get(), 0, 1000, spread);
  EXPECT_EQ(choose_partition_bits(groups_, 1024), 0);
}

TEST_F(Reducing, ChoosesEnoughPartitionsToShareOut) {
  for (int i = 0; i < 2; ++i) groups_.push_back(std::make_unique<Groups>(8, KeyBytes::copied));
  count<Key16>(groups_[0].get(), 0, 10000, spread);
  for (i64 workers : {1, 2, 5, 64, 1024}) {
    EXPECT_GE(1 << choose_partition_bits(groups_, workers), 4 * workers);
    EXPECT_LT(1 << choose_partition_bits(groups_, workers), 8 * workers);
  }
  EXPECT_EQ(choose_partition_bits(groups_, 1 << 20), 16);
  count<Key32>(groups_[1].get(), 0, 100000, spread);
  EXPECT_GE(1 << choose_partition_bits(groups_, 1), 110000 / 8192);
}

}  // namespace
}  // namespace mrc
