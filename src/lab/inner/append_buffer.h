// The append-only buffers of Metis: grouping is postponed until all keys are there.
//
// group() looks nothing up: every key gets a new state. seal() sorts, and then either leaves equal
// keys side by side (append-sort) or merges their states (append-group). This is best if hardly any
// key repeats: memory is written sequentially and sorting reads it in order, while tables and trees
// would miss the cache for each key. If keys repeat often, each repetition takes memory.
#pragma once

#include "base/pages.h"
#include "group/container.h"
#include "group/keys.h"

namespace mrc {

// Says whether equal keys stay apart when they are sorted.
enum class EqualKeys { apart, merged };

// Not thread safe; several threads may visit at once after seal().
template <typename Key>
class AppendBuffer final : public Container<Key> {
 public:
  // REQUIRES: state_bytes is a multiple of 8.
  AppendBuffer(i64 state_bytes, EqualKeys equal_keys);

  void group(const Batch<Key> &batch, State **states) override;
  void seal(const MergeStates &merge) override;
  void visit(Partition partition, GroupVisitor<Key> *visitor) const override;
  i64 count(Partition partition) const override;
  void clear() override;
  ContainerUsage usage() const override;

 private:
  // The elements that are sorted; keys and states do not move.
  struct Item {
    u64 hash;
    u64 number;  // index of the slot: its address changes while the buffer grows
  };
  struct Slot {
    Key key;
    State *state() { return reinterpret_cast<State *>(this + 1); }
  };

  Item *items() const { return reinterpret_cast<Item *>(items_.data()); }
  Slot *slot(const Item &item) const {
    return reinterpret_cast<Slot *>(slots_.data() + static_cast<i64>(item.number) * stride_);
  }
  const Item *first_from(u64 hash) const;
  const Item *behind(Partition partition) const;
  void make_room(i64 keys);
  void merge_equal(const MergeStates &merge);

  i64 stride_;
  EqualKeys equal_keys_;
  i64 size_ = 0;
  i64 growths_ = 0;
  Pages items_, slots_;
  Arena copies_;  // the bytes of KeyRef keys
};

extern template class AppendBuffer<Key16>;
extern template class AppendBuffer<Key32>;
extern template class AppendBuffer<KeyRef>;

}  // namespace mrc
