#include "reduce/inner/record_folder.h"

#include "support/run_bytes.h"
#include "unit/reduce/totalled.h"

namespace mrc {
namespace {

using std::string;

// Folds counts: records of the state, and RAW ones that count one each.
class Folding : public testing::Test {
 protected:
  static constexpr RecordShape kShape{0, 8};

  void add_state(const string &key, u64 state, u64 hash) {
    states_.push_back(std::make_unique<u64>(state));
    records_.add({.hash = hash,
                  .key = key,
                  .is_state = true,
                  .fixed = reinterpret_cast<const std::byte *>(states_.back().get())});
  }
  void add_raw(const string &key, u64 hash) { records_.add({.hash = hash, .key = key}); }

  void fold(RecordFolder *folder) const {
    const auto *begin = reinterpret_cast<const std::byte *>(records_.bytes().data());
    folder->fold(begin, begin + records_.bytes().size());
    folder->flush();
  }
  Totals totals() const {
    Totals all;
    tables_.each_slot([&](const auto &slot) {
      EXPECT_TRUE(all.emplace(key_bytes(slot.key), counter(slot.state())).second);
    });
    return all;
  }

  const StateLayout layout_{count_aggregation()};
  Payload records_{kShape};
  PartitionTables tables_{i64{8}, KeyBytes::copied};
  Arena arena_;

 private:
  std::vector<std::unique_ptr<u64>> states_;
};

TEST_F(Folding, AddsRecordsOfBothKindsAndAllLengths) {
  const string medium(20, 'm'), large(200, 'l');
  for (const string &key : {string("k"), medium, large}) {
    const u64 hash = hash_bytes(key, {});
    add_state(key, 5, hash);
    add_raw(key, hash);
    add_raw(key, hash);
    add_state(key, 10, hash);
  }
  RecordFolder folder(layout_, kShape, tables_.containers(), &arena_);
  folder.begin({0, 0}, TableHash());
  fold(&folder);
  EXPECT_EQ(totals(), (Totals{{"k", 17}, {medium, 17}, {large, 17}}));
}

TEST_F(Folding, TakesWhatIsOfThePartition) {
  for (i64 i = 0; i < 1000; ++i) add_raw(std::to_string(i), spread(i));
  RecordFolder folder(layout_, kShape, tables_.containers(), &arena_);
  folder.begin({2, 2}, TableHash::mixed(2));
  fold(&folder);
  Totals expected;
  for (i64 i = 0; i < 1000; ++i) {
    if (spread(i) >> 62 == 2) expected[std::to_string(i)] = 1;
  }
  EXPECT_EQ(totals(), expected);
}

constexpr int kTables = 5;

// Keys come in the order of their hashes to tables that grow. Returns how many slots they walk past
// in all tables: each of these has a random order of its own.
i64 steps_of_sorted(i64 keys) {
  std::map<u64, string> sorted;
  for (i64 i = 0; i < keys; ++i) sorted[hash_bytes(std::to_string(i), {})] = std::to_string(i);
  const RecordShape shape{0, 8};
  Payload records(shape);
  for (const auto &[hash, key] : sorted) records.add({.hash = hash, .key = key});
  const StateLayout layout(count_aggregation());
  i64 steps = 0;
  for (int table = 0; table < kTables; ++table) {
    PartitionTables tables{i64{8}, KeyBytes::copied};
    Arena arena;
    RecordFolder folder(layout, shape, tables.containers(), &arena);
    const TableHash hash = TableHash::mixed(0);
    folder.begin({}, hash);
    const auto *begin = reinterpret_cast<const std::byte *>(records.bytes().data());
    folder.fold(begin, begin + records.bytes().size());
    folder.flush();
    EXPECT_EQ(tables.size(), keys);
    std::map<u64, string> missing = sorted;
    tables.each_slot([&](const auto &slot) { missing.erase(hash.whole({}, slot.hash)); });
    EXPECT_TRUE(missing.empty()) << "hashes do not come back";
    steps += tables.short_keys.steps();
  }
  return steps;
}

TEST(RecordFolder, TakesTimeLinearInKeysThatComeInTheOrderOfTheirHashes) {
  for (i64 keys : {20000, 25000, 32000}) {
    const i64 once = steps_of_sorted(keys), twice = steps_of_sorted(2 * keys);
    EXPECT_LE(once, 8 * keys * kTables);
    EXPECT_LE(static_cast<double>(twice), 2.25 * static_cast<double>(once)) << keys;
  }
}

// What the hash field of a sealed tile holds is the beginning of the key: it says nothing about
// partitions, and would make all keys collide that begin alike.
TEST_F(Folding, GivesSealedKeysTheHashesOfThisRun) {
  for (i64 i = 0; i < 3000; ++i) add_state("key " + std::to_string(i), 2, 0x20);
  RecordFolder folder(layout_, kShape, tables_.containers(), &arena_);
  folder.begin_sealed({3, 4}, 0);
  fold(&folder);
  fold(&folder);
  const Totals all = totals();
  EXPECT_EQ(all.size(), 3000u);
  for (const auto &[key, count] : all) EXPECT_EQ(count, 4u) << key;
  std::set<u64> hashes;
  tables_.each_slot([&](const auto &slot) { hashes.insert(slot.hash); });
  EXPECT_EQ(hashes.size(), 3000u);
}

TEST_F(Folding, MovesPositionsOfSealedTiles) {
  const StateLayout first(first_aggregation());
  add_state("key", ~position_of(0, 70), 0);
  RecordFolder folder(first, kShape, tables_.containers(), &arena_);
  folder.begin_sealed({3, 4}, position_of(5, 0));
  fold(&folder);
  EXPECT_EQ(totals(), (Totals{{"key", ~position_of(5, 70)}}));
  folder.begin_sealed({3, 4}, position_of(2, 0));
  fold(&folder);
  EXPECT_EQ(totals(), (Totals{{"key", ~position_of(2, 70)}}));
}

}  // namespace
}  // namespace mrc
