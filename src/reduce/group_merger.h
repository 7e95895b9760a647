// reduce: what a container shows becomes part of a table.
#pragma once

#include "combine/combine.h"
#include "group/flat_table.h"

#include <algorithm>
#include <array>

namespace mrc {

// Merges the groups of one partition into a table that sees hashes without the partition's bits.
// Takes their states over. Not thread safe.
template <typename Key>
class GroupMerger : public GroupVisitor<Key> {
 public:
  // `arena` takes what growing states need.
  GroupMerger(FlatTable<Key> *into, int partition_bits, const StateLayout &layout, Arena *arena)
      : into_(into), bits_(partition_bits), layout_(layout), arena_(arena) {}

  void take(const Batch<Key> &batch, State *const *states) override {
    shifted_.size = batch.size;
    std::copy_n(batch.keys.begin(), batch.size, shifted_.keys.begin());
    // The top bits are the same in the whole partition: the next ones spread it.
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      shifted_.hashes[i] = batch.hashes[i] << bits_;
    }
    into_->group(shifted_, into_states_.data());
    layout_.merge(into_states_.data(), states, batch.size, arena_);
  }

 private:
  FlatTable<Key> *into_;
  int bits_;
  const StateLayout &layout_;
  Arena *arena_;
  Batch<Key> shifted_;
  std::array<State *, Batch<Key>::kCapacity> into_states_;
};

}  // namespace mrc
