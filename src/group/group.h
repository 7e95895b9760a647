// group: a batch of keys becomes the addresses of their states.
#pragma once

#include "group/flat_table.h"
#include "record.h"

#include <array>
#include <span>

namespace mrc {

// One worker's groups: a table for each class of keys (record.h). A key is in
// exactly one of them, by its length. Not thread safe.
class Groups {
 public:
  Groups(i64 state_bytes, KeyBytes key_bytes)
      : short_(state_bytes, key_bytes),
        medium_(state_bytes, key_bytes),
        long_(state_bytes, key_bytes) {}

  FlatTable<Key16> &table(const Key16 *) { return short_; }
  FlatTable<Key32> &table(const Key32 *) { return medium_; }
  FlatTable<KeyRef> &table(const KeyRef *) { return long_; }
  template <typename Key>
  FlatTable<Key> &table() {
    return table(static_cast<const Key *>(nullptr));
  }
  template <typename Key>
  const FlatTable<Key> &table() const {
    return const_cast<Groups *>(this)->table<Key>();
  }

  i64 size() const { return short_.size() + medium_.size() + long_.size(); }
  i64 slots() const { return short_.slots() + medium_.slots() + long_.slots(); }
  i64 growths() const { return short_.growths() + medium_.growths() + long_.growths(); }
  i64 memory_bytes() const {
    return short_.memory_bytes() + medium_.memory_bytes() + long_.memory_bytes();
  }

 private:
  FlatTable<Key16> short_;
  FlatTable<Key32> medium_;
  FlatTable<KeyRef> long_;
};

}  // namespace mrc
