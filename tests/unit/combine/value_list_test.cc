#include "combine/value_list.h"

#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

using ListedNumbers = std::vector<u64>;

const std::vector<size_t> kSizes = {0, 1, 2, 3, 24, 25, 700, 20000};

// Of several distributions: neighbours near and far, in order and not, and extremes.
ListedNumbers random_values(std::mt19937_64 *random, size_t size) {
  const u64 kind = (*random)() % 5;
  ListedNumbers values;
  for (u64 value = (*random)(); values.size() < size; value = (*random)()) {
    const u64 last = values.empty() ? 0 : values.back();
    if (kind == 0) values.push_back(value);
    if (kind == 1) values.push_back(last + value % 300);
    if (kind == 2) values.push_back(last - value % 300);
    if (kind == 3) values.push_back(value % 2 == 0 ? ~(value % 3) : value % 3);
    if (kind == 4) values.push_back(7);
  }
  return values;
}

ListedNumbers sorted(ListedNumbers values) {
  std::sort(values.begin(), values.end());
  return values;
}

ListedNumbers both(const ListedNumbers &a, const ListedNumbers &b) {
  ListedNumbers all = a;
  all.insert(all.end(), b.begin(), b.end());
  return sorted(all);
}

class ValueLists : public testing::Test {
 protected:
  ValueList make(const ListedNumbers &values) {
    ValueList list{};
    for (u64 value : values) list.add(value, &arena_);
    return list;
  }

  static ListedNumbers gathered(const ValueList &list) {
    ListedNumbers values;
    list.each_in_order(
        [&](std::span<const u64> some) { values.insert(values.end(), some.begin(), some.end()); });
    return values;
  }

  Arena arena_;
  std::mt19937_64 random_{first_seed()};
};

TEST_F(ValueLists, GatherAllValuesAscending) {
  for (size_t size : kSizes) {
    for (int round = 0; round < 10; ++round) {
      const ListedNumbers values = random_values(&random_, size);
      const ValueList list = make(values);
      EXPECT_EQ(list.count, size);
      ASSERT_EQ(gathered(list), sorted(values));
      ASSERT_EQ(gathered(list), sorted(values)) << "again";
    }
  }
}

// Large lists are merged value by value, unless their ascending runs are many.
TEST_F(ValueLists, GiveAllValuesInOrderAFewAtATime) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{700}, size_t{70000}}) {
    for (int lists = 1; lists <= 5; ++lists) {
      ListedNumbers expected;
      ValueList all{};
      for (int i = 0; i < lists; ++i) {
        const ListedNumbers values = random_values(&random_, size);
        ValueList next = make(values);
        all.merge(&next, &arena_);
        expected.insert(expected.end(), values.begin(), values.end());
      }
      ListedNumbers seen;
      all.each_in_order(
          [&](std::span<const u64> some) { seen.insert(seen.end(), some.begin(), some.end()); });
      ASSERT_EQ(seen, sorted(expected)) << size << " in each of " << lists;
    }
  }
}

TEST_F(ValueLists, OfOneValueOwnNoMemory) {
  const ValueList list = make({5});
  EXPECT_EQ(list.end, nullptr);
  EXPECT_EQ(arena_.size(), 0);
}

TEST_F(ValueLists, OfNeighboursTakeLittleMoreThanAByteForEach) {
  ValueList list{};
  for (u64 i = 0; i < 1000000; ++i) list.add(i * 50, &arena_);
  EXPECT_LT(arena_.size(), 2 * 1000000 + (8 << 20)) << "the open block apart";
}

TEST_F(ValueLists, OfManyWorkersBecomeOneInOrder) {
  for (u64 workers : {2, 3, 7, 64}) {
    std::vector<ListedNumbers> splits(workers);
    for (u64 i = 0; i < 20000; ++i) splits[i / 100 % workers].push_back(i * 1000);
    ValueList all{};
    for (const ListedNumbers &own : splits) {
      ValueList list = make(own);
      all.merge(&list, &arena_);
    }
    const ListedNumbers values = gathered(all);
    ASSERT_EQ(values.size(), 20000u);
    EXPECT_TRUE(std::ranges::is_sorted(values));
    EXPECT_EQ(values.back(), 19999000u);
  }
}

TEST_F(ValueLists, MergeInAnySizes) {
  for (size_t size : kSizes) {
    for (size_t other_size : kSizes) {
      const ListedNumbers values = random_values(&random_, size);
      const ListedNumbers others = random_values(&random_, other_size);
      ValueList list = make(values), other = make(others);
      list.merge(&other, &arena_);
      EXPECT_EQ(list.count, size + other_size);
      ASSERT_EQ(gathered(list), both(values, others)) << size << " and " << other_size;
    }
  }
}

TEST_F(ValueLists, GoOnAfterTheyMerged) {
  for (size_t size : kSizes) {
    for (size_t other_size : kSizes) {
      const ListedNumbers values = random_values(&random_, size);
      const ListedNumbers others = random_values(&random_, other_size);
      const ListedNumbers more = random_values(&random_, 50);
      ValueList list = make(values), other = make(others);
      list.merge(&other, &arena_);
      for (u64 value : more) list.add(value, &arena_);
      ASSERT_EQ(gathered(list), both(both(values, others), more)) << size << " and " << other_size;
    }
  }
}

TEST_F(ValueLists, MergeInAnyOrder) {
  for (int round = 0; round < 300; ++round) {
    std::vector<ValueList> lists;
    ListedNumbers all;
    for (int i = 0; i < 8; ++i) {
      const ListedNumbers values =
          random_values(&random_, random_() % 3 == 0 ? random_() % 90 : i % 3);
      lists.push_back(make(values));
      all = both(all, values);
    }
    while (lists.size() > 1) {
      std::shuffle(lists.begin(), lists.end(), random_);
      ValueList from = lists.back();
      lists.pop_back();
      lists.front().merge(&from, &arena_);
    }
    ASSERT_EQ(gathered(lists.front()), all);
  }
}

TEST_F(ValueLists, AreTheSameWhenLoaded) {
  for (size_t size : kSizes) {
    for (int round = 0; round < 5; ++round) {
      const ListedNumbers values = random_values(&random_, size);
      const ValueList list = make(values);
      std::string saved = "before";
      list.save(&saved);
      ValueList loaded{};
      loaded.load(Bytes(saved).substr(6), &arena_);
      saved.assign(saved.size(), 'x');
      ASSERT_EQ(gathered(loaded), sorted(values));
    }
  }
}

TEST_F(ValueLists, TakeManyAtATimeAsOneByOne) {
  for (size_t size : kSizes) {
    for (int round = 0; round < 5; ++round) {
      const ListedNumbers first = random_values(&random_, static_cast<size_t>(round));
      const ListedNumbers values = random_values(&random_, size);
      ValueList list = make(first);
      list.add_all(values, &arena_);
      list.add(5, &arena_);
      ASSERT_EQ(gathered(list), both(first, both(values, {5})));
    }
  }
}

TEST_F(ValueLists, AreStatesBesideOthers) {
  const StateLayout layout({{{&kValueList}, {&kCount}, {&kValueList, 1}}, {}, {}});
  EXPECT_FALSE(layout.is_flat());
  EXPECT_EQ(layout.state_bytes(), 56);
  std::array<u64, 7> a{}, b{}, loaded{};
  auto *state_a = reinterpret_cast<State *>(a.data()),
       *state_b = reinterpret_cast<State *>(b.data());
  State *states[] = {state_a, state_b, state_a};
  const ListedNumbers values = {30, 3, 20, 2, 10, 1};
  layout.add(states, {values.data(), 2}, 3, &arena_);
  layout.merge(&state_a, &state_b, 1, &arena_);

  std::string saved;
  layout.save(state_a, &saved);
  loaded = a;  // addresses of chunks included, which mean nothing elsewhere
  layout.load(reinterpret_cast<State *>(loaded.data()), saved, &arena_);
  EXPECT_EQ(gathered(reinterpret_cast<ValueList &>(loaded[0])), (ListedNumbers{10, 20, 30}));
  EXPECT_EQ(gathered(reinterpret_cast<ValueList &>(loaded[4])), (ListedNumbers{1, 2, 3}));
  EXPECT_EQ(loaded[3], 3u);
}

}  // namespace
}  // namespace mrc
