// Finds the entry of a list that has a key, by the key's hash: open addressing, at most half full.
#pragma once

#include "base/hash.h"
#include "base/int.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace mrc {

// Numbers entries from 1; 0 stands for "not found". Immutable once all are added; then thread safe.
class HashIndex {
 public:
  HashIndex() = default;
  // Has room for `entries` entries.
  explicit HashIndex(size_t entries)
      : slots_(std::bit_ceil(std::max<size_t>(16, entries * 2))), mask_(slots_.size() - 1) {}

  // REQUIRES: fewer than the constructor's `entries` were added
  void add(u64 hash, u32 entry) {
    size_t at = hash & mask_;
    while (slots_[at].entry != 0) at = (at + 1) & mask_;
    slots_[at] = {static_cast<u32>(hash >> 32), entry};
  }
  // `is_it(entry)` is true if the entry has the key. REQUIRES: not default-constructed
  template <typename IsIt>
  u32 find(u64 hash, IsIt is_it) const {
    for (size_t at = hash & mask_; slots_[at].entry != 0; at = (at + 1) & mask_) {
      if (slots_[at].hash == static_cast<u32>(hash >> 32) && is_it(slots_[at].entry)) {
        return slots_[at].entry;
      }
    }
    return 0;
  }
  // Returns the number of the slot that an entry takes if it is free, and of all slots.
  size_t home(u64 hash) const { return hash & mask_; }
  size_t slots() const { return slots_.size(); }
  // Adds an entry before slot `end`, as add() does, unless one there is it. Returns that one, or
  // this one if it was added; 0: all slots from its home to `end` are taken by others. Threads may
  // add entries at once if the homes of each are a range of slots, which ends at its `end`.
  template <typename IsIt>
  u32 add_before(size_t end, u64 hash, u32 entry, IsIt is_it) {
    for (size_t at = home(hash); at < end; ++at) {
      Slot &slot = slots_[at];
      if (slot.entry == 0) {
        slot = {static_cast<u32>(hash >> 32), entry};
        return entry;
      }
      if (slot.hash == static_cast<u32>(hash >> 32) && is_it(slot.entry)) return slot.entry;
    }
    return 0;
  }
  // Prefetches the slot that find() looks at first.
  void prefetch(u64 hash) const { __builtin_prefetch(&slots_[hash & mask_]); }

  i64 bytes() const { return std::ssize(slots_) * i64{sizeof(Slot)}; }

 private:
  struct Slot {
    u32 hash = 0, entry = 0;
  };
  std::vector<Slot> slots_;
  size_t mask_ = 0;
};

// Maps names to numbers. Few names are compared one by one; more have a hash table.

// The value of a name is not negative. Immutable once all names are added; then thread safe.
class NameIndex {
 public:
  NameIndex() = default;
  // Gives each name its index in the list. If names are equal, the first counts.
  explicit NameIndex(const std::vector<std::string> &names) {
    for (const std::string &name : names) add(name, std::ssize(entries_) + repeated_);
  }

  // Returns the value of the name, or -1 if it was not added.
  MRC_INLINE i64 find(Bytes name) const {
    if (entries_.size() > kFew) return find_hashed(name);
    for (const Entry &entry : entries_) {
      if (entry.name == name) return entry.value;
    }
    return -1;
  }

  // Returns false if the name is there already; it then keeps its value.
  bool add(Bytes name, i64 value) {
    if (find(name) >= 0) return ++repeated_, false;
    entries_.push_back({std::string(name), value});
    if (entries_.size() <= kFew) return true;
    if (entries_.size() > room_) {
      make_index();
    } else {
      index_.add(hash_bytes(name, kFixedSeed), static_cast<u32>(entries_.size()));
    }
    return true;
  }

 private:
  // Up to this number of names, comparing is as fast as hashing.
  static constexpr size_t kFew = 8;

  struct Entry {
    std::string name;
    i64 value;
  };

  i64 find_hashed(Bytes name) const {
    const u32 entry = index_.find(hash_bytes(name, kFixedSeed),
                                  [&](u32 number) { return entries_[number - 1].name == name; });
    return entry == 0 ? -1 : entries_[entry - 1].value;
  }
  void make_index() {
    room_ = 2 * entries_.size();
    index_ = HashIndex(room_);
    u32 number = 0;
    for (const Entry &entry : entries_) index_.add(hash_bytes(entry.name, kFixedSeed), ++number);
  }

  std::vector<Entry> entries_;
  HashIndex index_;  // entries from 1; unused while there are few
  size_t room_ = 0;  // entries that index_ was made for
  i64 repeated_ = 0;
};

}  // namespace mrc
