// reduce: merges the groups of containers into a table.
#pragma once

#include "combine/combine.h"
#include "group/flat_table.h"
#include "reduce/inner/table_hash.h"

#include <algorithm>
#include <array>

namespace mrc {

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
  // before it is full enough to grow (table_hash.h). A crowded table gets room for all keys that
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
