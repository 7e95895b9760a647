#include "rows/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  std::string short_key(32, 'a'), long_key(33, 'a');
  store.add(0, short_key, state(&number));
  store.add(0, long_key, state(&number));
  number = 6;
  short_key[0] = long_key[0] = 'b';
  EXPECT_EQ(kOneNumber.key(store.rows()[0]), std::string(32, 'a'));
  EXPECT_EQ(kOneNumber.key(store.rows()[1]).data(), long_key.data());
  EXPECT_EQ(*reinterpret_cast<const u64 *>(kOneNumber.state(store.rows()[0])), 5u);
}

TEST(RowStore, CopiesLongKeysWhenAsked) {
  RowStore store(kOneNumber, KeyBytes::copied);
  const u64 number = 5;
  std::vector<std::string> keys, given;
  for (size_t size : {31, 32, 33, 34, 1000, 100000}) keys.push_back(std::string(size, 'k'));
  given = keys;
  for (const std::string &key : given) store.add(0, key, state(&number));
  for (std::string &key : given) key.assign(key.size(), 'x');
  for (size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(kOneNumber.key(store.rows()[i]), keys[i]);
}

TEST(RowStore, FindsTheEndsOfLinesOfAnyLength) {
  for (char terminator : {'\n', '\0'}) {
    const RowLayout layout{.lines = true, .terminator = terminator};
    std::string text;
    const std::vector<size_t> sizes = {0, 1, 65533, 65534, 65535, 65536, 65537, 300000, 2};
    for (size_t size : sizes) text += std::string(size, 'l') + terminator;
    RowStore store(layout);
    size_t at = 0;
    for (size_t size : sizes) {
      store.add_line(7, Bytes(text).substr(at, size));
      at += size + 1;
    }
    for (size_t i = 0; i < sizes.size(); ++i) {
      const Row &row = store.rows()[i];
      EXPECT_EQ(row.prefix, 7u);
      EXPECT_EQ(layout.key(row).size(), sizes[i]);
      EXPECT_EQ(layout.identity(row).size(), sizes[i]);
      EXPECT_EQ(layout.payload(row).data(), layout.data(row));
    }
  }
}

TEST(RowStore, TellsThePartsOfKeysApart) {
  const RowLayout layout{.state_bytes = sizeof(RowLayout::Parts), .parts = true};
  RowStore store(layout, KeyBytes::copied);
  for (const std::string &tail : {std::string(), std::string(100, 'r')}) {
    const RowLayout::Parts parts{3, 5};
    store.add(0, "keyTB" + tail, reinterpret_cast<const State *>(&parts));
    EXPECT_EQ(layout.key(store.rows().end()[-1]), "keyTB" + tail);
    EXPECT_EQ(layout.identity(store.rows().end()[-1]), "key");
    EXPECT_EQ(layout.payload(store.rows().end()[-1]), tail);
  }
}

TEST(RowStore, StartsAgainWhenCleared) {
  RowStore store(kOneNumber, KeyBytes::copied);
  for (u64 life = 1; life <= 3; ++life) {
    for (u64 i = 0; i < 5000 * life; ++i) store.add(i, std::string(50, 'k'), state(&i));
    ASSERT_EQ(store.rows().size(), 5000 * life);
    EXPECT_EQ(kOneNumber.key(store.rows()[4321]), std::string(50, 'k'));
    store.clear();
    EXPECT_TRUE(store.rows().empty());
  }
}

TEST(RowStore, KeepsItsRowsWhenItMoves) {
  RowStore store(kOneNumber);
  for (u64 i = 0; i < 10000; ++i) store.add(i, std::to_string(i), state(&i));
  RowStore moved = std::move(store);
  for (u64 i = 0; i < 10000; ++i) ASSERT_EQ(kOneNumber.key(moved.rows()[i]), std::to_string(i));
  EXPECT_GE(moved.used_bytes(), 10000 * i64{sizeof(Row)});
}

// The keys of the first rows, in order.
std::vector<std::string> first_of(RowStore *store, i64 n, const Order &order,
                                  const RowLayout &layout) {
  store->keep_first(n, order);
  std::vector<std::string> keys;
  for (const Row &row : store->rows()) keys.emplace_back(layout.key(row));
  std::ranges::sort(keys);
  return keys;
}

TEST(RowStore, KeepsTheFirstLines) {
  const RowLayout lines{.lines = true};
  std::vector<std::string> keys = {"", "b", "c", std::string(70000, 'a'), "d", "e"};
  std::string text;
  std::vector<size_t> begins;
  for (const std::string &key : keys) {
    begins.push_back(text.size());
    text += key + "\n";
  }
  text.resize(text.size() + kPadding);
  RowStore store(lines);
  const Order order;
  for (size_t i = 0; i < keys.size(); ++i) {
    const Bytes line = Bytes(text).substr(begins[i], keys[i].size());
    store.add_line(order_prefix(order, line, 0), line);
  }
  const std::vector<std::string> first = first_of(&store, 3, order, lines);
  text.assign(text.size(), 'x');  // the rows have copies
  EXPECT_EQ(first, (std::vector<std::string>{"", keys[3], "b"}));
  EXPECT_EQ(first_of(&store, 3, order, lines), first);
  EXPECT_EQ(first_of(&store, 10, order, lines), first);
}

TEST(RowStore, KeepsTheFirstOfEqualRows) {
  const Order order{.unique = true};
  RowStore store(kOneNumber, KeyBytes::copied);
  const u64 number = 5;
  for (const char *key : {"b", "a", "b", "c", "a", "a"}) {
    store.add(order_prefix(order, key, 0), key, state(&number));
  }
  EXPECT_EQ(first_of(&store, 2, order, kOneNumber), (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace mrc
