#include "sort/sort.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

namespace mrc {
namespace {

const RowLayout kOneNumber{.state_bytes = 8};

const State *state(const u64 *numbers) { return reinterpret_cast<const State *>(numbers); }

TEST(RowStore, GivesBackKeysAndStates) {
  for (i64 state_bytes : {0, 8, 24}) {
    const RowLayout layout{.state_bytes = state_bytes};
    RowStore store(layout);
    std::vector<std::string> keys;
    for (size_t size : {0, 1, 7, 8, 31, 32, 33, 1000}) {
      keys.push_back(std::string(size, static_cast<char>('a' + keys.size())));
    }
    const u64 numbers[] = {11, 22, 33};
    for (size_t i = 0; i < keys.size(); ++i) store.add(i * 100, keys[i], state(numbers));
    ASSERT_EQ(store.rows().size(), keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      const Row &row = store.rows()[i];
      EXPECT_EQ(row.prefix, i * 100);
      EXPECT_EQ(layout.key(row), keys[i]);
      EXPECT_EQ(std::memcmp(layout.state(row), numbers, static_cast<size_t>(state_bytes)), 0);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(layout.state(row)) % 8, 0u);
    }
  }
}

TEST(RowStore, CopiesShortKeysAndStatesAndBorrowsLongKeys) {
  RowStore store(kOneNumber);
  u64 number = 5;
  std::string short_key(RowLayout::kInline, 'a'), long_key(RowLayout::kInline + 1, 'a');
  store.add(0, short_key, state(&number));
  store.add(0, long_key, state(&number));
  number = 6;
  short_key[0] = long_key[0] = 'b';
  EXPECT_EQ(kOneNumber.key(store.rows()[0]), std::string(RowLayout::kInline, 'a'));
  EXPECT_EQ(kOneNumber.key(store.rows()[1]).data(), long_key.data());
  EXPECT_EQ(*reinterpret_cast<const u64 *>(kOneNumber.state(store.rows()[0])), 5u);
}

TEST(RowStore, KeepsItsRowsWhenItMoves) {
  RowStore store(kOneNumber);
  for (u64 i = 0; i < 10000; ++i) store.add(i, std::to_string(i), state(&i));
  RowStore moved = std::move(store);
  for (u64 i = 0; i < 10000; ++i) ASSERT_EQ(kOneNumber.key(moved.rows()[i]), std::to_string(i));
  EXPECT_GE(moved.memory_bytes(), 10000 * i64{sizeof(Row)});
}

}  // namespace
}  // namespace mrc
