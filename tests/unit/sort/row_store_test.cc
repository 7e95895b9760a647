#include "sort/sort.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

namespace mrc {
namespace {

const State *state(const u64 *numbers) { return reinterpret_cast<const State *>(numbers); }

TEST(RowStore, GivesBackKeysAndStates) {
  for (i64 state_bytes : {0, 8, 24}) {
    RowStore store(state_bytes);
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
      EXPECT_EQ(row_key(row, state_bytes), keys[i]);
      EXPECT_EQ(std::memcmp(row_state(row), numbers, static_cast<size_t>(state_bytes)), 0);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(row_state(row)) % 8, 0u);
    }
  }
}

TEST(RowStore, CopiesShortKeysAndStatesAndBorrowsLongKeys) {
  RowStore store(8);
  u64 number = 5;
  std::string short_key(RowStore::kInline, 'a'), long_key(RowStore::kInline + 1, 'a');
  store.add(0, short_key, state(&number));
  store.add(0, long_key, state(&number));
  number = 6;
  short_key[0] = long_key[0] = 'b';
  EXPECT_EQ(row_key(store.rows()[0], 8), std::string(RowStore::kInline, 'a'));
  EXPECT_EQ(row_key(store.rows()[1], 8).data(), long_key.data());
  EXPECT_EQ(*reinterpret_cast<const u64 *>(row_state(store.rows()[0])), 5u);
}

TEST(RowStore, KeepsItsRowsWhenItMoves) {
  RowStore store(8);
  for (u64 i = 0; i < 10000; ++i) store.add(i, std::to_string(i), state(&i));
  RowStore moved = std::move(store);
  for (u64 i = 0; i < 10000; ++i) ASSERT_EQ(row_key(moved.rows()[i], 8), std::to_string(i));
  EXPECT_GE(moved.memory_bytes(), 10000 * i64{sizeof(Row)});
}

}  // namespace
}  // namespace mrc
