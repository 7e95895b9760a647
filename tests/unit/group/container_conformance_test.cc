// What Container promises, of every kind and for every class of keys.
#include "base/names.h"
#include "combine/value_list.h"
#include "group/group.h"
#include "unit/group/map_container.h"
#include "unit/group/numbered_keys.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

namespace mrc {
namespace {

#ifdef MRC_SANITIZED
constexpr u64 kRounds = 2;
constexpr int kMostBits = 8;
#else
constexpr u64 kRounds = 3;
constexpr int kMostBits = 12;
#endif

bool appends(const ContainerType *type) {
  return std::string_view(type->name).starts_with("append");
}

using Values = std::vector<u64>;
using Content = std::vector<Numbered>;
using Held = std::map<std::string, Values>;  // by key: all values, in order

const StateLayout kLayout({{{&kCount}, {&kValueList}}, {}, {}});

// Gathers what is shown of one partition after another.
template <typename Key>
class Shown : public GroupVisitor<Key> {
 public:
  explicit Shown(bool repeats) : repeats_(repeats) {}

  void take(const Batch<Key> &batch, State *const *states) override {
    EXPECT_GT(batch.size, 0);
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      EXPECT_TRUE(partition.holds(batch.hashes[i])) << partition.index << "/" << partition.bits;
      Values values;
      reinterpret_cast<const ValueList *>(states[i] + 8)->collect(&values);
      EXPECT_EQ(counter(states[i]), values.size());
      auto [at, is_new] = held.try_emplace(std::string(key_bytes(batch.keys[i])));
      EXPECT_TRUE(is_new || repeats_) << at->first;
      at->second.insert(at->second.end(), values.begin(), values.end());
    }
    entries += batch.size;
  }

  Partition partition;
  Held held;
  i64 entries = 0;

 private:
  bool repeats_;
};

// A container in use, and what must be in it.
template <typename Key>
class Life {
 public:
  explicit Life(const ContainerType *type, i64 expected_keys = 0) : type_(type) {
    const ContainerSpec spec{type, kLayout.state_bytes(), {}, expected_keys};
    if (type) container_ = make_container<Key>(spec);
    if (!type) container_ = std::make_unique<MapContainer<Key>>(spec.state_bytes);
  }

  Container<Key> &container() { return *container_; }
  i64 distinct() const { return std::ssize(expected_); }
  i64 records() const { return static_cast<i64>(records_); }
  bool appended() const { return type_ && appends(type_); }

  // The bytes of keys are gone after each batch.
  void group(const Content &content, i64 batch_size = 1024) {
    std::vector<State *> states(Batch<Key>::kCapacity);
    by_batch(content, batch_size, [&](const Content &some) {
      {
        NumberedKeys<Key> keys;
        container_->group(*make_batch(&keys, some), states.data());
      }
      expect_states(some, states);
      Values values;
      for (const Numbered &one : some) {
        values.push_back(records_++ * 977 % 1000);
        expected_[NumberedKeys<Key>::text(one.number)].push_back(values.back());
      }
      kLayout.add(states.data(), {values.data(), 1}, std::ssize(values), &arena_);
    });
  }

  void seal() {
    container_->seal([this](State *const *into, State *const *from, i64 n) {
      kLayout.merge(into, from, n, &arena_);
    });
    for (auto &[key, values] : expected_) std::sort(values.begin(), values.end());
  }

  void expect_all_shown(int bits) {
    Shown<Key> shown(type_ == find_named<ContainerType>(all_containers(), "append-sort"));
    for (i64 index = 0; index < i64{1} << bits; ++index) {
      shown.partition = {index, bits};
      const i64 before = shown.entries;
      container_->visit(shown.partition, &shown);
      const i64 counted = container_->count(shown.partition);
      ASSERT_GE(counted, shown.entries - before) << index << "/" << bits;
      ASSERT_LE(counted, shown.entries - before + 8) << index << "/" << bits;
    }
    for (auto &[key, values] : shown.held) std::sort(values.begin(), values.end());
    ASSERT_TRUE(shown.held == expected_) << "bits " << bits;
    ASSERT_EQ(shown.entries, container_->usage().keys);
  }

  void clear() {
    container_->clear();
    expected_.clear();
    records_ = 0;
    EXPECT_EQ(container_->usage().keys, 0);
  }

 private:
  // One for each key, or for each record; of zeros if the key is new.
  void expect_states(const Content &some, const std::vector<State *> &states) {
    std::map<i64, State *> by_key;
    std::set<State *> distinct;
    for (size_t i = 0; i < some.size(); ++i) {
      const i64 number = some[i].number;
      distinct.insert(states[i]);
      auto [at, first] = by_key.try_emplace(number, states[i]);
      ASSERT_TRUE(appended() || at->second == states[i]) << number;
      if (!appended() && expected_.contains(NumberedKeys<Key>::text(number))) continue;
      for (i64 word = 0; first && word < kLayout.state_bytes(); word += 8) {
        ASSERT_EQ(counter(states[i] + word), 0u) << number;
      }
    }
    ASSERT_EQ(distinct.size(), appended() ? some.size() : by_key.size());
  }

  const ContainerType *type_;
  std::unique_ptr<Container<Key>> container_;
  Arena arena_;
  Held expected_;
  u64 records_ = 0;
};

// Hashes of numbers: as they should be, and as bad as they can be.
using HashOf = std::function<u64(i64 number)>;

u64 spread(i64 number) { return fold_multiply(static_cast<u64>(number) + 1, 0x9E3779B97F4A7C15); }

const std::vector<HashOf> kHashes = {
    spread,
    [](i64) { return u64{0}; },
    [](i64) { return ~u64{0}; },
    [](i64) { return u64{1} << 63; },
    [](i64 i) { return i % 2 == 0 ? 0 : ~u64{0}; },
    [](i64 i) { return spread(i % 7); },
    [](i64 i) { return u64{0xABC} << 52 | spread(i) >> 12; },  // all in one partition
    [](i64 i) { return static_cast<u64>(i); },
    [](i64 i) { return ~static_cast<u64>(i); },
    [](i64 i) { return (static_cast<u64>(i) % 4096 << 52) - static_cast<u64>(i) % 3 / 2; },
};

Content random_content(std::mt19937_64 *random, u64 records, u64 distinct, const HashOf &hash_of) {
  Content content(records);
  for (Numbered &one : content) {
    one.number = static_cast<i64>((*random)() % distinct * 7919 % 100000);
    one.hash = hash_of(one.number);
  }
  return content;
}

template <typename Key>
class ContainerOf : public testing::Test {
 protected:
  // Of every kind, and of the one that is nothing but the contract.
  void each_kind(const std::function<void(Life<Key> *)> &test, i64 expected_keys = 0) {
    Life<Key> obvious(nullptr);
    test(&obvious);
    for (const ContainerType *type : all_containers()) {
      SCOPED_TRACE(type->name);
      Life<Key> life(type, expected_keys);
      test(&life);
    }
  }

  std::mt19937_64 random_{first_seed()};
};
using KeyClasses = testing::Types<Key16, Key32, KeyRef>;
TYPED_TEST_SUITE(ContainerOf, KeyClasses);

TYPED_TEST(ContainerOf, ShowsEachKeyOnceInItsPartition) {
  for (u64 round = 0; round < kRounds; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed() + round));
    this->random_.seed(first_seed() + round);
    const u64 records = this->random_() % 12000, distinct = 1 + this->random_() % 9000;
    const Content content = random_content(&this->random_, records, distinct, spread);
    const i64 batch_size = 1 + static_cast<i64>(this->random_() % 1024);
    this->each_kind([&](Life<TypeParam> *life) {
      life->group(content, batch_size);
      life->seal();
      for (int bits = 0; bits <= kMostBits; bits += 1 + bits / 2) life->expect_all_shown(bits);
    });
  }
}

TYPED_TEST(ContainerOf, TellsKeysOfTheSameHashApart) {
  for (size_t i = 0; i < kHashes.size(); ++i) {
    SCOPED_TRACE("hashes " + std::to_string(i));
    const Content content = random_content(&this->random_, 2000, 600, kHashes[i]);
    this->each_kind([&](Life<TypeParam> *life) {
      life->group(content, 300);
      life->seal();
      for (int bits : {0, 1, 2, 7, kMostBits}) life->expect_all_shown(bits);
    });
  }
}

TYPED_TEST(ContainerOf, GroupsHashesInAnyOrder) {
  for (bool ascending : {true, false}) {
    Content content;
    for (i64 i = 0; i < 5000; ++i) {
      content.push_back({i, static_cast<u64>(ascending ? i : 5000 - i) << 50});
    }
    this->each_kind([&](Life<TypeParam> *life) {
      life->group(content);
      life->group(content);
      life->seal();
      life->expect_all_shown(0);
      life->expect_all_shown(6);
    });
  }
}

TYPED_TEST(ContainerOf, ShowsTheSameAgain) {
  const Content content = random_content(&this->random_, 3000, 1000, spread);
  this->each_kind([&](Life<TypeParam> *life) {
    life->group(content);
    life->seal();
    for (int bits : {3, 3, 0, 0, 5}) life->expect_all_shown(bits);
  });
}

TYPED_TEST(ContainerOf, IsEmptyBeforeTheFirstKey) {
  this->each_kind([&](Life<TypeParam> *life) {
    life->container().group(Batch<TypeParam>(), nullptr);
    life->seal();
    for (int bits : {0, 1, 5}) life->expect_all_shown(bits);
    EXPECT_EQ(life->container().count({}), 0);
    EXPECT_EQ(life->container().count({3, 2}), 0);
  });
}

TYPED_TEST(ContainerOf, StartsAgainWhenCleared) {
  std::vector<Content> contents;
  for (u64 keys : {1, 6000, 0, 300, 9000, 20}) {
    contents.push_back(random_content(&this->random_, 2 * keys, keys + 1, spread));
  }
  this->each_kind([&](Life<TypeParam> *life) {
    life->clear();
    for (const Content &content : contents) {
      life->group(content);
      life->seal();
      life->expect_all_shown(0);
      life->expect_all_shown(4);
      life->clear();
    }
    life->group(contents[1]);  // and before it is sealed
    life->clear();
    life->group(contents[3]);
    life->seal();
    life->expect_all_shown(2);
  });
}

TYPED_TEST(ContainerOf, KnowsWhatItHolds) {
  const Content content = random_content(&this->random_, 5000, 1000, spread);
  this->each_kind([&](Life<TypeParam> *life) {
    life->group(content);
    const i64 entries = life->appended() ? life->records() : life->distinct();
    EXPECT_EQ(life->container().usage().keys, entries);
    life->seal();
    EXPECT_EQ(life->container().count({}), life->container().usage().keys);
    EXPECT_GT(life->container().usage().bytes, 0);
  });
}

TYPED_TEST(ContainerOf, TakesPredictionsThatAreWrong) {
  const Content content = random_content(&this->random_, 5000, 3000, spread);
  for (i64 expected : {i64{1}, i64{3000}, i64{1} << 20, i64{1} << 62}) {
    this->each_kind(
        [&](Life<TypeParam> *life) {
          life->group(content);
          life->seal();
          life->expect_all_shown(0);
          life->expect_all_shown(3);
        },
        expected);
  }
}

// Words of a state that add up, of any number: w is counted w + 1 times.
void add_words(State *const *into, i64 n, i64 state_bytes) {
  for (i64 i = 0; i < n; ++i) {
    for (i64 at = 0; at < state_bytes; at += 8) counter(into[i] + at) += static_cast<u64>(at + 1);
  }
}

template <typename Key>
class WordTotals : public GroupVisitor<Key> {
 public:
  explicit WordTotals(i64 state_bytes) : state_bytes_(state_bytes) {}
  void take(const Batch<Key> &batch, State *const *states) override {
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      keys.insert(std::string(key_bytes(batch.keys[i])));
      for (i64 at = 0; at < state_bytes_; at += 8) {
        EXPECT_EQ(counter(states[i] + at) % static_cast<u64>(at + 1), 0u);
        records += at == 0 ? counter(states[i]) : 0;
      }
    }
  }
  std::set<std::string> keys;
  u64 records = 0;

 private:
  i64 state_bytes_;
};

TYPED_TEST(ContainerOf, KeepsStatesOfAnySize) {
  const Content content = random_content(&this->random_, 4000, 1500, spread);
  NumberedKeys<TypeParam> keys;
  std::vector<State *> states(1024);
  for (const ContainerType *type : all_containers()) {
    SCOPED_TRACE(type->name);
    for (i64 state_bytes : {0, 8, 16, 24, 200}) {
      auto container = make_container<TypeParam>({type, state_bytes, 0});
      by_batch(content, 1000, [&](const Content &some) {
        container->group(*make_batch(&keys, some), states.data());
        add_words(states.data(), std::ssize(some), state_bytes);
      });
      container->seal([&](State *const *into, State *const *from, i64 n) {
        for (i64 i = 0; i < n; ++i) {
          for (i64 at = 0; at < state_bytes; at += 8) {
            counter(into[i] + at) += counter(from[i] + at);
          }
        }
      });
      WordTotals<TypeParam> totals(state_bytes);
      container->visit({}, &totals);
      std::set<i64> distinct;
      for (const Numbered &one : content) distinct.insert(one.number);
      EXPECT_EQ(totals.keys.size(), distinct.size());
      EXPECT_EQ(totals.records, state_bytes == 0 ? 0u : content.size());
    }
  }
}

}  // namespace
}  // namespace mrc
