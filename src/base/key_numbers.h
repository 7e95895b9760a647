// Numbers keys in the order in which they are first seen.
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "base/name_index.h"

#include <vector>

namespace mrc {

// A table that grows, and keeps copies of the keys. Not thread safe.
class KeyNumbers {
 public:
  explicit KeyNumbers(Seed seed) : seed_(seed) {}

  u64 hash_of(Bytes key) const { return hash_bytes(key, seed_); }
  // Returns the number of a key, from 0, and adds the key if it is new.
  u32 number_of(Bytes key) { return number_of(hash_of(key), key); }
  u32 number_of(u64 hash, Bytes key) {
    const u32 found = index_.find(hash, [&](u32 entry) { return keys_[entry - 1] == key; });
    return found != 0 ? found - 1 : add(hash, key);
  }

  i64 size() const { return std::ssize(keys_); }
  // The copy of a key stays where it is.
  Bytes key(u32 number) const { return keys_[number]; }
  u64 hash(u32 number) const { return hashes_[number]; }
  i64 used_bytes() const {
    return bytes_.used() + index_.bytes() + size() * i64{sizeof(u64) + sizeof(Bytes)};
  }

 private:
  u32 add(u64 hash, Bytes key) {
    hashes_.push_back(hash);
    keys_.push_back(bytes_.copy(key));
    if (hashes_.size() > room_) {
      make_room();
    } else {
      index_.add(hash, static_cast<u32>(hashes_.size()));
    }
    return static_cast<u32>(hashes_.size() - 1);
  }
  void make_room() {
    room_ *= 2;
    index_ = HashIndex(room_);
    u32 entry = 0;
    for (const u64 hash : hashes_) index_.add(hash, ++entry);
  }

  const Seed seed_;
  size_t room_ = size_t{1} << 10;
  HashIndex index_{room_};
  std::vector<u64> hashes_;
  std::vector<Bytes> keys_;
  Arena bytes_;
};

}  // namespace mrc
