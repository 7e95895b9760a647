// A table that counts keys, of any class, and what a standard map says about it.
#pragma once

#include "group/flat_table.h"
#include "unit/group/numbered_keys.h"

#include <gtest/gtest.h>

#include <map>
#include <unordered_map>

namespace mrc {

using Counts = std::map<std::string, u64>;

template <typename Key>
class CountedKeys : public testing::Test {
 protected:
  // Groups the content and adds one to the first number of each state.
  void count(FlatTable<Key> *table, const std::vector<Numbered> &content, i64 batch_size = 1024) {
    std::vector<State *> states(Batch<Key>::kCapacity);
    by_batch(content, batch_size, [&](const std::vector<Numbered> &some) {
      auto batch = make_batch(&keys_, some);
      table->group(*batch, states.data());
      for (size_t i = 0; i < some.size(); ++i) ++counter(states[i]);
    });
  }

  // Every slot, which must not hold a key twice.
  static Counts counts(const FlatTable<Key> &table) {
    Counts all;
    table.each({}, [&](const auto &slot) {
      EXPECT_TRUE(all.emplace(key_bytes(slot.key), counter(slot.state())).second)
          << key_bytes(slot.key);
    });
    EXPECT_EQ(static_cast<i64>(all.size()), table.size());
    return all;
  }

  static Counts expected(const std::vector<Numbered> &content) {
    std::unordered_map<std::string, u64> all;
    for (const Numbered &one : content) ++all[NumberedKeys<Key>::text(one.number)];
    return Counts(all.begin(), all.end());
  }

  NumberedKeys<Key> keys_;
};

using KeyClasses = testing::Types<Key16, Key32, KeyRef>;

}  // namespace mrc
