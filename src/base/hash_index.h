// Finds the entry of a list that has a key, by the key's hash: open addressing, at most half full.
#pragma once

#include "base/int.h"

#include <algorithm>
#include <bit>
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

}  // namespace mrc
