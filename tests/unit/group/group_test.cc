#include "group/group.h"

#include "base/names.h"
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
    groups->container<Key>().group(*make_batch(&numbered, some), states.data());
  });
}

TEST(Groups, AreATableForEachClass) {
  Groups groups({});
  add_keys<Key16>(&groups, 3);
  add_keys<Key32>(&groups, 40);
  add_keys<KeyRef>(&groups, 500);
  EXPECT_EQ(groups.container<Key16>().count({}), 3);
  EXPECT_EQ(groups.container<Key32>().count({}), 40);
  EXPECT_EQ(std::as_const(groups).container<KeyRef>().count({}), 500);
  EXPECT_EQ(groups.usage().keys, 543);
  EXPECT_EQ(groups.usage().slots, groups.container<Key16>().usage().slots +
                                      groups.container<Key32>().usage().slots +
                                      groups.container<KeyRef>().usage().slots);
  EXPECT_GT(groups.usage().bytes, groups.usage().slots * 8);
}

TEST(Groups, CountTheGrowthsOfAllTables) {
  Groups groups({});
  add_keys<Key16>(&groups, 100);
  EXPECT_EQ(groups.usage().growths, 0);
  add_keys<Key32>(&groups, 5000);
  add_keys<KeyRef>(&groups, 5000);
  EXPECT_EQ(groups.usage().growths,
            groups.container<Key32>().usage().growths + groups.container<KeyRef>().usage().growths);
  EXPECT_GE(groups.usage().growths, 2);
}

TEST(Groups, ForgetTheKeysOfAllClasses) {
  Groups groups({});
  for (int life = 0; life < 2; ++life) {
    add_keys<Key16>(&groups, 30);
    add_keys<Key32>(&groups, 20);
    add_keys<KeyRef>(&groups, 10);
    EXPECT_EQ(groups.usage().keys, 60);
    groups.clear();
    EXPECT_EQ(groups.usage().keys, 0);
  }
}

TEST(ContainerTable, FindsEachByItsName) {
  EXPECT_EQ(all_containers().front(), &kFlatContainer);
  for (const ContainerType *type : all_containers()) {
    EXPECT_EQ(find_named<ContainerType>(all_containers(), type->name), type) << type->name;
    EXPECT_STRNE(type->help, "") << type->name;
  }
  for (const char *name : {"", "Flat", "append", "append_sort", "auto"}) {
    EXPECT_EQ(find_named<ContainerType>(all_containers(), name), nullptr) << name;
  }
}

}  // namespace
}  // namespace mrc
