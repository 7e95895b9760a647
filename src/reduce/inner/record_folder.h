// reduce: folds stored records of any kind and length into tables.
#pragma once

#include "base/hash.h"
#include "combine/combine.h"
#include "group/flat_table.h"
#include "group/group.h"
#include "reduce/inner/table_hash.h"
#include "store/record_format.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace mrc {

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

}  // namespace mrc
