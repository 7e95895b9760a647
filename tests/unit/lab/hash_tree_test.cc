#include "lab/inner/containers.h"
#include "unit/group/numbered_keys.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace mrc {
namespace {

using Content = std::vector<Numbered>;

// What one tree shows from `low` to `high`, as (hash, number).
template <typename Key>
std::vector<std::pair<u64, u64>> shown(const BTree<Key> &tree, u64 low, u64 high) {
  std::vector<std::pair<u64, u64>> all;
  tree.each(low, high,
            [&](auto *entry, u64 hash) { all.push_back({hash, counter(entry->state())}); });
  return all;
}

template <typename Key>
class BTreeOf : public testing::Test {
 protected:
  // Puts in each number, as its own state; every key is put in twice.
  void fill(const Content &content) {
    for (int time = 0; time < 2; ++time) {
      for (const Numbered &one : content) {
        State *state = tree_.find_or_make(keys_.make(one.number), one.hash, &memory_);
        ASSERT_EQ(counter(state), time == 0 ? 0 : static_cast<u64>(one.number));
        counter(state) = static_cast<u64>(one.number);
      }
    }
    ASSERT_EQ(memory_.entries(), std::ssize(content));
  }

  void expect_range(const Content &content, u64 low, u64 high) {
    std::vector<std::pair<u64, u64>> expected;
    for (const Numbered &one : content) {
      if (one.hash < low || one.hash > high) continue;
      expected.push_back({one.hash, static_cast<u64>(one.number)});
    }
    auto found = shown(tree_, low, high);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                               [](auto &a, auto &b) { return a.first < b.first; }));
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected) << low << " to " << high;
  }

  NumberedKeys<Key> keys_;
  typename BTree<Key>::Memory memory_{8};
  BTree<Key> tree_{};
};
using KeyClasses = testing::Types<Key16, Key32, KeyRef>;
TYPED_TEST_SUITE(BTreeOf, KeyClasses);

TYPED_TEST(BTreeOf, ShowsRangesOfHashesInOrder) {
  std::mt19937_64 random(first_seed());
  for (i64 keys : {0, 1, 15, 16, 120, 121, 4000}) {
    Content content;
    for (i64 i = 1; i <= keys; ++i) content.push_back({i, random() % 1000 << 54});
    std::shuffle(content.begin(), content.end(), random);
    this->tree_ = {};
    this->memory_.clear();
    this->fill(content);
    this->expect_range(content, 0, ~u64{0});
    for (int i = 0; i < 50; ++i) {
      const u64 a = random() % 1000 << 54, b = random() % 1000 << 54;
      this->expect_range(content, std::min(a, b), std::max(a, b) - random() % 2);
    }
  }
}

TYPED_TEST(BTreeOf, GrowsAtEitherEnd) {
  for (bool ascending : {true, false}) {
    Content content;
    for (i64 i = 1; i <= 5000; ++i) {
      content.push_back({i, static_cast<u64>(ascending ? i : 5000 - i) / 3});
    }
    this->tree_ = {};
    this->memory_.clear();
    this->fill(content);
    this->expect_range(content, 0, ~u64{0});
    this->expect_range(content, 100, 1000);
  }
}

TEST(HashTree, HasATenthAsManyEntriesAsKeysAreExpected) {
  EXPECT_EQ(HashTree<Key16>::entries_for(0), 1024);
  EXPECT_EQ(HashTree<Key16>::entries_for(10000), 1024);
  EXPECT_EQ(HashTree<Key16>::entries_for(1000000), 100000);
  EXPECT_EQ(HashTree<Key16>(8, 100000).usage().slots, 100000);
  EXPECT_EQ(HashTree<Key16>(8, 1).usage().slots, 0) << "a tree has none";
}

}  // namespace
}  // namespace mrc
