#include "rows/rows.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace mrc {
namespace {

using Keys = std::vector<std::string>;

#ifdef MRC_SANITIZED
constexpr u64 kRangeRounds = 3;
#else
constexpr u64 kRangeRounds = 10;
#endif

std::string random_string(std::mt19937_64 *random, const std::string &alphabet, u64 longest) {
  std::string text;
  for (u64 n = (*random)() % (longest + 1); n > 0; --n) {
    text += alphabet[(*random)() % alphabet.size()];
  }
  return text;
}

// Keys that share beginnings: each is an earlier one, cut or not, and something more.
Keys growing_keys(std::mt19937_64 *random, size_t size, const std::string &alphabet) {
  Keys keys = {""};
  while (keys.size() < size) {
    std::string key = keys[(*random)() % keys.size()];
    if ((*random)() % 4 == 0) key.resize((*random)() % (key.size() + 1));
    keys.push_back(key + random_string(random, alphabet, 12));
  }
  keys.resize(size);
  return keys;
}

Keys with_prefix(const std::string &prefix, Keys keys) {
  for (std::string &key : keys) key = prefix + key;
  return keys;
}

// Lists of keys, each hard in its own way.
std::vector<Keys> hard_keys(std::mt19937_64 *random) {
  std::vector<Keys> all;
  for (size_t size : {0, 1, 2, 23, 24, 25, 26, 300, 3000}) {
    all.push_back(growing_keys(random, size, "ab"));
    all.push_back(growing_keys(random, size, std::string("\0\x01", 2)));
    all.push_back(growing_keys(random, size, std::string("\0\x7F\x80\xFF", 4)));
    all.push_back(with_prefix(std::string(40, 'p'), growing_keys(random, size, "abc")));
    Keys few(size), nuls(size);
    for (std::string &key : few) key = random_string(random, "xy", 2);
    for (std::string &key : nuls) key = "key" + random_string(random, std::string(1, '\0'), 40);
    all.push_back(few);
    all.push_back(nuls);
    all.push_back(with_prefix(std::string(64, 'p'), few));
  }
  return all;
}

Keys sorted_by_range(const Keys &keys, const Order &order, const RowLayout &layout) {
  RowStore store(layout);
  std::string text;
  size_t bytes = 0;
  for (const std::string &key : keys) bytes += key.size() + 1;
  text.reserve(bytes);
  for (size_t i = 0; i < keys.size(); ++i) {
    const u64 prefix = order_prefix(order, keys[i], keys[i].size() % 3);
    const size_t at = text.size();
    text += keys[i] + layout.terminator;
    if (layout.lines) {
      store.add_line(prefix, Bytes(text).substr(at, keys[i].size()));
    } else {
      store.add(prefix, keys[i], reinterpret_cast<const State *>(&prefix));  // of no bytes
    }
  }
  sort_range(store.rows(), order, layout);
  Keys sorted;
  for (const Row &row : store.rows()) sorted.push_back(std::string(layout.key(row)));
  return sorted;
}

void expect_sorted(const Keys &keys, const Order &order) {
  Keys expected = keys;
  std::sort(expected.begin(), expected.end(), [&](const std::string &a, const std::string &b) {
    if (order.column >= 0 && a.size() % 3 != b.size() % 3) {
      return order.descending ? a.size() % 3 > b.size() % 3 : a.size() % 3 < b.size() % 3;
    }
    return (order.column >= 0 ? order.ties_descending : order.descending) ? a > b : a < b;
  });
  ASSERT_TRUE(sorted_by_range(keys, order, {}) == expected)
      << keys.size() << " keys, common " << testing::PrintToString(order.common);
  const RowLayout lines{.lines = true, .terminator = '\n'};  // is in none of the keys
  ASSERT_TRUE(sorted_by_range(keys, order, lines) == expected) << keys.size() << " lines";
}

TEST(SortRange, SortsAsWholeComparisonsDo) {
  for (u64 round = 0; round < kRangeRounds; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed() + round));
    std::mt19937_64 random(first_seed() + round);
    for (const Keys &keys : hard_keys(&random)) {
      for (bool descending : {false, true}) {
        expect_sorted(keys, {.descending = descending});
        expect_sorted(keys, {.column = 0, .descending = true, .ties_descending = descending});
      }
    }
  }
}

// What a sample showed need not hold for all: keys below and above, shorter and longer.
TEST(SortRange, TakesKeysOutsideTheCommonPrefix) {
  std::mt19937_64 random(first_seed());
  for (const std::string &common :
       {std::string("p"), std::string(8, 'p'), std::string(40, 'p'), std::string("a\0b", 3),
        std::string("\xFF\xFF"), std::string(1, '\0')}) {
    for (size_t size : {3, 60, 2000}) {
      Keys keys = with_prefix(common, growing_keys(&random, size, std::string("\0p\xFF", 3)));
      for (const Keys &more :
           {growing_keys(&random, size / 3, std::string("\0\x01p\xFF", 4)),
            with_prefix(std::string(39, 'p'), growing_keys(&random, size / 3, "aopq"))}) {
        keys.insert(keys.end(), more.begin(), more.end());
      }
      for (size_t cut = 0; cut <= common.size(); ++cut) keys.push_back(common.substr(0, cut));
      std::shuffle(keys.begin(), keys.end(), random);
      for (bool descending : {false, true}) {
        expect_sorted(keys, {.descending = descending, .common = common});
      }
    }
  }
}

TEST(SortRange, SortsKeysThatAreAllEqual) {
  for (size_t length : {0, 3, 8, 16, 100}) {
    const Keys keys(1000, std::string(length, 'k'));
    for (bool descending : {false, true}) expect_sorted(keys, {.descending = descending});
  }
}

}  // namespace
}  // namespace mrc
