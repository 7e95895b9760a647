// reduce: stored records, of any kind and length, fold into tables.
#pragma once

#include "base/hash.h"
#include "combine/combine.h"
#include "group/flat_table.h"
#include "store/record_format.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace mrc {

// The tables of one partition, by class of keys, and the memory of growing states.
struct PartitionTables {
  PartitionTables(i64 state_bytes, KeyBytes key_bytes)
      : short_keys(state_bytes, key_bytes),
        medium_keys(state_bytes, key_bytes),
        long_keys(state_bytes, key_bytes) {}

  FlatTable<Key16> &of(const Key16 &) { return short_keys; }
  FlatTable<Key32> &of(const Key32 &) { return medium_keys; }
  FlatTable<KeyRef> &of(const KeyRef &) { return long_keys; }
  const FlatTable<Key16> &of(const Key16 &) const { return short_keys; }
  const FlatTable<Key32> &of(const Key32 &) const { return medium_keys; }
  const FlatTable<KeyRef> &of(const KeyRef &) const { return long_keys; }
  i64 size() const { return short_keys.size() + medium_keys.size() + long_keys.size(); }
  // What the keys take, not what is left from tables that were larger.
  i64 used_bytes() const {
    return short_keys.bytes_with(0) + medium_keys.bytes_with(0) + long_keys.bytes_with(0);
  }
  void reset() {
    short_keys.reset(0);
    medium_keys.reset(0);
    long_keys.reset(0);
  }
  // What reset() keeps for bytes of keys counts as used.
  void release_copies() {
    short_keys.release_copies();
    medium_keys.release_copies();
    long_keys.release_copies();
  }
  // Calls f(slot) for all of them.
  template <typename F>
  void each(F f) const {
    short_keys.each({}, f);
    medium_keys.each({}, f);
    long_keys.each({}, f);
  }

  FlatTable<Key16> short_keys;
  FlatTable<Key32> medium_keys;
  FlatTable<KeyRef> long_keys;
};

// What is folded of a partition whose keys share their hash and do not fit in memory: those
// whose second hash, by a seed of its own, is in `part`. Keys that are made to share the first
// one do not share this one.
struct Division {
  Seed seed;
  Partition part;
};

// Folds the records of one partition, a batch at a time. Not thread safe.
class RecordFolder {
 public:
  // The tables see hashes without the bits that all records of the partition share.
  RecordFolder(const StateLayout &layout, RecordShape shape, PartitionTables *into, Arena *arena);
  ~RecordFolder();

  const RecordShape &shape() const { return shape_; }

  // What begins a partition, or a division of it.
  void begin(Partition partition, const std::optional<Division> &division = {}) {
    partition_ = partition;
    division_ = division;
  }
  // Folds the records of the partition in [begin, end), which may be gone after flush().
  void fold(const std::byte *begin, const std::byte *end);
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
  PartitionTables *into_;
  Arena *arena_;
  Partition partition_;
  std::optional<Division> division_;
  bool states_ = false;  // what is pending: STATE or RAW records
  std::unique_ptr<Pending<Key16>> short_;
  std::unique_ptr<Pending<Key32>> medium_;
  std::unique_ptr<Pending<KeyRef>> long_;
};

}  // namespace mrc
