#include "group/group.h"

#include "unit/group/numbered_keys.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

template <typename Key>
void add_keys(Groups *groups, i64 keys) {
  NumberedKeys<Key> numbered;
  std::vector<Numbered> content;
  for (i64 i = 0; i < keys; ++i) content.push_back({i, fold_multiply(i + 1, 0x9E3779B97F4A7C15)});
  std::vector<State *> states(Batch<Key>::kCapacity);
  by_batch(content, 1024, [&](const std::vector<Numbered> &some) {
    groups->table<Key>().group(*make_batch(&numbered, some), states.data());
  });
}

TEST(Groups, AreATableForEachClass) {
  Groups groups(8, KeyBytes::copied);
  add_keys<Key16>(&groups, 3);
  add_keys<Key32>(&groups, 40);
  add_keys<KeyRef>(&groups, 500);
  EXPECT_EQ(groups.table<Key16>().size(), 3);
  EXPECT_EQ(groups.table<Key32>().size(), 40);
  EXPECT_EQ(std::as_const(groups).table<KeyRef>().size(), 500);
  EXPECT_EQ(groups.size(), 543);
  EXPECT_EQ(groups.slots(), groups.table<Key16>().slots() + groups.table<Key32>().slots() +
                                groups.table<KeyRef>().slots());
  EXPECT_GT(groups.memory_bytes(), groups.slots() * 8);
}

TEST(Groups, CountTheGrowthsOfAllTables) {
  Groups groups(8, KeyBytes::copied);
  add_keys<Key16>(&groups, 100);
  EXPECT_EQ(groups.growths(), 0);
  add_keys<Key32>(&groups, 5000);
  add_keys<KeyRef>(&groups, 5000);
  EXPECT_EQ(groups.growths(), groups.table<Key32>().growths() + groups.table<KeyRef>().growths());
  EXPECT_GE(groups.growths(), 2);
}

}  // namespace
}  // namespace mrc
