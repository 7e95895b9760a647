#include "rows/rows.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace mrc {
namespace {

#ifdef MRC_SANITIZED
const std::vector<i64> kPools = {2};
#else
const std::vector<i64> kPools = {1, 2, 5};
#endif

const RowLayout kByNumber{.state_bytes = 8};

struct Entry {
  std::string key;
  u64 count;
};
using Entries = std::vector<Entry>;

// The stages before sort hand on each key once.
Entries make_entries(size_t size, const std::string &prefix, u64 counts, u64 seed) {
  std::mt19937_64 random(seed);
  Entries entries;
  for (size_t i = 0; i < size; ++i) {
    entries.push_back({prefix + std::to_string(i), random() % counts});
  }
  std::shuffle(entries.begin(), entries.end(), random);
  return entries;
}

void sort_rows_naively(Entries *entries, const Order &order) {
  std::sort(entries->begin(), entries->end(), [&](const Entry &a, const Entry &b) {
    if (order.column >= 0 && a.count != b.count) {
      return order.descending ? a.count > b.count : a.count < b.count;
    }
    const bool descending = order.column < 0 ? order.descending : order.ties_descending;
    return descending ? a.key > b.key : a.key < b.key;
  });
}

// Sorts entries that are dealt out to several stores, one of them empty.
std::vector<std::string> sorted_keys(const Entries &entries, const Order &order, i64 workers,
                                     size_t stores = 3) {
  std::deque<RowStore> all;
  std::vector<RowStore *> pointers;
  for (size_t i = 0; i <= stores; ++i) pointers.push_back(&all.emplace_back(kByNumber));
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry &entry = entries[i];
    pointers[i * i % stores]->add(order_prefix(order, entry.key, entry.count), entry.key,
                                  reinterpret_cast<const State *>(&entry.count));
  }
  WorkerPool pool(workers);
  Result<Rows> rows = sort_rows(pointers, order, kByNumber, &pool);
  EXPECT_TRUE(rows.is_ok());
  std::vector<std::string> keys;
  for (const Row &row : *rows) keys.push_back(std::string(kByNumber.key(row)));
  return keys;
}

void expect_rows_sorted(const Entries &entries, Order order, const std::vector<i64> &limits,
                        const std::vector<i64> &pools) {
  Entries expected = entries;
  sort_rows_naively(&expected, order);
  for (i64 limit : limits) {
    order.limit = limit;
    std::vector<std::string> keys;
    for (const Entry &entry : expected) {
      if (limit < 0 || static_cast<i64>(keys.size()) < limit) keys.push_back(entry.key);
    }
    for (i64 workers : pools) {
      ASSERT_TRUE(sorted_keys(entries, order, workers) == keys)
          << entries.size() << " rows, limit " << limit << ", workers " << workers << ", column "
          << order.column << order.descending << order.ties_descending;
    }
  }
}

std::vector<Order> all_orders() {
  std::vector<Order> orders;
  for (i64 column : {-1, 0}) {
    for (bool descending : {false, true}) {
      for (bool ties : {false, true}) {
        orders.push_back({.column = column, .descending = descending, .ties_descending = ties});
      }
    }
  }
  return orders;
}

TEST(SortRows, SortsFewRowsInEveryOrder) {
  for (const Order &order : all_orders()) {
    for (size_t size : {0, 1, 2, 10, 500}) {
      expect_rows_sorted(make_entries(size, "k", 5, size), order,
                         {-1, 0, 1, 7, 499, 500, 501, 1 << 30}, kPools);
    }
  }
}

TEST(SortRows, SortsAsManyAsOneWorkerAndOneMoreInEveryOrder) {
  for (const Order &order : all_orders()) {
    for (size_t size : {8191, 8192}) {
      expect_rows_sorted(make_entries(size, "k", 100, size), order, {-1, 0, 1, 8192, 9000}, kPools);
    }
  }
}

TEST(SortRows, SortsManyRows) {
  const size_t size = 100000;
  const Entries entries = make_entries(size, "", 1000, 1);
  expect_rows_sorted(entries, {}, {-1, 20000}, {1, 2, 5});
  expect_rows_sorted(entries, {.column = 0, .descending = true}, {-1, 10}, {2, 5});
}

// All prefixes are equal: one range takes all rows, and keys decide.
TEST(SortRows, LooksBehindALongCommonPrefix) {
  const Entries entries = make_entries(10000, "https://example.org/a/long/path/", 3, 2);
  for (const Order &order : all_orders()) expect_rows_sorted(entries, order, {-1, 100}, {1, 5});
}

TEST(SortRows, SortsCountsThatAreAllEqualByKey) {
  const Entries entries = make_entries(10000, "", 1, 3);
  for (const Order &order : all_orders()) expect_rows_sorted(entries, order, {-1, 5000}, {2});
}

// What follows a short key in its prefix is zero, as a NUL is.
TEST(SortRows, OrdersKeysAsBytes) {
  Entries entries;
  std::vector<std::string> keys = {"",
                                   "a",
                                   "b",
                                   "\xC3\xA9",
                                   "\xFF",
                                   "\x7F",
                                   "aaaaaaaa",
                                   "aaaaaaab",
                                   "aaaaaaaaa",
                                   std::string(40, 'a'),
                                   std::string(40, '\xFF')};
  for (size_t i = keys.size(); i-- > 0;) {
    for (size_t nuls = 0; nuls < 12; ++nuls) {
      entries.push_back({keys[i] + std::string(nuls, '\0'), nuls});
      if (nuls > 0) entries.push_back({keys[i] + std::string(nuls, '\0') + "a", nuls});
    }
  }
  for (const Order &order : all_orders()) expect_rows_sorted(entries, order, {-1, 20}, {1, 2});
}

TEST(SortRows, RanksCountsAsUnsignedNumbers) {
  Entries entries = {{"zero", 0}, {"one", 1}, {"half", u64{1} << 63}, {"all", ~u64{0}}};
  for (const Order &order : all_orders()) expect_rows_sorted(entries, order, {-1, 2}, {1});
}

TEST(SortRows, TakesRowsThatAreAllInOneStore) {
  const Entries entries = make_entries(20000, "k", 100, 4);
  Entries expected = entries;
  sort_rows_naively(&expected, {});
  const std::vector<std::string> keys = sorted_keys(entries, {}, 5, 1);
  ASSERT_EQ(keys.size(), expected.size());
  for (size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(keys[i], expected[i].key);
}

TEST(SortRows, SortsNoStoresToNoRows) {
  WorkerPool pool(2);
  for (i64 limit : {-1, 0, 5}) {
    Result<Rows> rows = sort_rows({}, Order{.limit = limit}, kByNumber, &pool);
    ASSERT_TRUE(rows.is_ok());
    EXPECT_TRUE(rows->empty());
  }
}

TEST(OrderPrefix, OrdersAsTheFirstEightBytesOfTheKeyOrAsTheRank) {
  EXPECT_EQ(order_prefix({}, "abcdefghi", 7), 0x6162636465666768u);
  EXPECT_EQ(order_prefix({}, "ab", 7), 0x6162000000000000u);
  EXPECT_EQ(order_prefix({}, "", 7), 0u);
  EXPECT_EQ(order_prefix({.descending = true}, "ab", 7), ~u64{0x6162000000000000});
  EXPECT_EQ(order_prefix({.column = 0}, "ab", 7), 7u);
  EXPECT_EQ(order_prefix({.column = 0, .descending = true}, "ab", 7), ~u64{7});
}

}  // namespace
}  // namespace mrc
