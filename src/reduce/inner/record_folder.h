// reduce: folds stored records, and the groups of containers, into the tables of one partition.
#pragma once

#include "base/hash.h"
#include "combine/combine.h"
#include "group/container.h"
#include "group/flat_table.h"
#include "group/group.h"
#include "store/record_format.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace mrc {

// Hashes for the tables of one partition. Drops the bits that all keys of a partition
// share. Tables yield their keys in the order of their hashes, and records that were made from
// tables have that order. Such keys would all go to the front of a growing table, and each
// insertion would walk past all keys before it. A mixed hash gives each table an order of its own.
class TableHash {
 public:
  // Does not mix: for keys in any order, and for keys that GroupMerger takes.
  explicit TableHash(int bits = 0) : bits_(bits) {}
  // Mixes, with another factor in each call.
  static TableHash mixed(int bits);

  u64 of(u64 hash) const { return (hash << bits_) * factor_; }
  // Returns the full hash from the hash that a table of the partition has.
  u64 whole(Partition partition, u64 seen) const { return partition.whole(seen * inverse_); }

 private:
  int bits_;
  u64 factor_ = 1, inverse_ = 1;  // modulo 2^64; odd
};

// The tables of one partition.
struct PartitionTables : ByKeyClass<FlatTable> {
  using ByKeyClass::ByKeyClass;

  Containers containers() {
    Containers all;
    each([&]<typename Key>(FlatTable<Key> &table) { all.of<Key>() = &table; });
    return all;
  }

  i64 size() const {
    i64 keys = 0;
    each([&](const auto &table) { keys += table.size(); });
    return keys;
  }
  i64 memory_bytes() const {
    i64 bytes = 0;
    each([&](const auto &table) { bytes += table.memory_bytes(); });
    return bytes;
  }
  // Returns the memory that the current keys need, without memory that is left from larger tables.
  i64 used_bytes() const {
    i64 bytes = 0;
    each([&](const auto &table) { bytes += table.bytes_with(0); });
    return bytes;
  }
  // Calls f(slot) for each slot of all tables.
  template <typename F>
  void each_slot(F f) const {
    each([&](const auto &table) { table.each({}, f); });
  }
};

// Folds the records of one partition, a batch at a time. Not thread safe.
class RecordFolder {
 public:
  RecordFolder(const StateLayout &layout, RecordShape shape, const Containers &into, Arena *arena);
  ~RecordFolder();

  const RecordShape &shape() const { return shape_; }

  // Begins a partition. `hash` is the hash of the tables. REQUIRES: it is mixed if the tables may
  // grow
  void begin(Partition partition, const TableHash &hash) {
    partition_ = partition;
    hash_ = hash;
  }
  // Begins a sealed tile: its keys get the hashes of this run, and positions in its states are
  // shifted by `shift`.
  void begin_sealed(Seed seed, u64 shift) {
    seed_ = seed;
    shift_ = shift;
  }
  // Folds the records of the partition in [begin, end), which must stay valid until flush(). States
  // may take hundreds of times as much memory as their stored form, and the memory of merged states
  // is not freed. Therefore `make_room`, if it is set, is called each time that states have taken
  // some more memory. It returns false to stop.
  using MakeRoom = std::function<bool()>;
  void fold(const std::byte *begin, const std::byte *end, const MakeRoom &make_room = {});
  void flush();

 private:
  template <typename Key>
  struct Pending;
  template <typename Key>
  void put(Pending<Key> *pending, const Key &key, const StoredRecord &record);
  template <typename Key>
  void flush(Pending<Key> *pending);

  const StateLayout &layout_;
  RecordShape shape_;
  Containers into_;
  Arena *arena_;
  Partition partition_;
  TableHash hash_;
  std::optional<Seed> seed_;
  u64 shift_ = 0;
  bool states_ = false;  // the pending records are STATE (true) or RAW records
  std::unique_ptr<ByKeyClass<Pending>> pending_;
};

// Merges the groups of containers into a table.

// Merges the groups of one partition into a table, and takes over their states. Not thread safe.
template <typename Key>
class GroupMerger : public GroupVisitor<Key> {
 public:
  // `hash` is the hash of the table. `arena` provides memory for states that grow.
  GroupMerger(FlatTable<Key> *into, const TableHash &hash, const StateLayout &layout, Arena *arena)
      : into_(into), hash_(hash), layout_(layout), arena_(arena) {}

  void merge(const Container<Key> &from, Partition partition) {
    left_ = from.count(partition);
    keys_before_ = into_->size();
    steps_before_ = into_->steps();
    if (keys_before_ == 0 && left_ > 0) into_->make_room(left_);
    from.visit(partition, this);
  }

 private:
  // Containers yield keys in the order of their hashes, so new keys fill the front of the table
  // before it is full enough to grow (TableHash). A crowded table gets room for all keys that
  // are left.
  bool is_crowded() const {
    constexpr i64 kMostSteps = 8, kSomeSteps = 4096;
    const i64 keys = into_->size() - keys_before_;
    return into_->steps() - steps_before_ > kMostSteps * keys + kSomeSteps;
  }

  void take(const Batch<Key> &batch, State *const *states) override {
    if (is_crowded() && !into_->has_room(left_)) into_->make_room(left_);
    left_ -= batch.size;
    seen_.size = batch.size;
    std::copy_n(batch.keys.begin(), batch.size, seen_.keys.begin());
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      seen_.hashes[i] = hash_.of(batch.hashes[i]);
    }
    into_->group(seen_, into_states_.data());
    layout_.merge(into_states_.data(), states, batch.size, arena_);
  }

  FlatTable<Key> *into_;
  TableHash hash_;
  const StateLayout &layout_;
  Arena *arena_;
  i64 left_ = 0;  // keys of this merge that are still to come
  i64 keys_before_ = 0, steps_before_ = 0;
  Batch<Key> seen_;
  std::array<State *, Batch<Key>::kCapacity> into_states_;
};

}  // namespace mrc
