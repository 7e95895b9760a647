#include "lab/inner/append_buffer.h"

#include <algorithm>
#include <utility>

namespace mrc {

template <typename Key>
AppendBuffer<Key>::AppendBuffer(i64 state_bytes, EqualKeys equal_keys)
    : stride_(static_cast<i64>(sizeof(Slot)) + state_bytes), equal_keys_(equal_keys) {}

// Pages grow by moving page tables and not bytes, so growing copies no slots.
template <typename Key>
void AppendBuffer<Key>::make_room(i64 keys) {
  constexpr i64 kFewest = 4096;
  const i64 needed = size_ + keys;
  if (needed * stride_ <= slots_.size() &&
      needed * static_cast<i64>(sizeof(Item)) <= items_.size()) {
    return;
  }
  growths_ += size_ > 0;
  const i64 room = std::max({needed, 2 * size_, kFewest});
  slots_.grow(room * stride_);
  items_.grow(room * static_cast<i64>(sizeof(Item)));
}

template <typename Key>
void AppendBuffer<Key>::group(const Batch<Key> &batch, State **states) {
  make_room(batch.size);
  const auto state_bytes = static_cast<size_t>(stride_) - sizeof(Slot);
  for (i64 i = 0; i < batch.size; ++i) {
    const auto at = static_cast<size_t>(i);
    Item &item = items()[size_];
    item = {batch.hashes[at], static_cast<u64>(size_)};
    ++size_;
    slot(item)->key = copied(batch.keys[at], &copies_);
    states[i] = slot(item)->state();
    std::memset(states[i], 0, state_bytes);  // memory is reused after clear()
  }
}

template <typename Key>
void AppendBuffer<Key>::seal(const MergeStates &merge) {
  std::sort(items(), items() + size_, [this](const Item &a, const Item &b) {
    return a.hash != b.hash ? a.hash < b.hash : before(slot(a)->key, slot(b)->key);
  });
  if (equal_keys_ == EqualKeys::merged) merge_equal(merge);
}

// Keeps the first of equal keys, with the merged state of all.
template <typename Key>
void AppendBuffer<Key>::merge_equal(const MergeStates &merge) {
  constexpr i64 kBatch = Batch<Key>::kCapacity;
  std::array<State *, kBatch> into, from;
  i64 pairs = 0, kept = 0;
  for (i64 i = 0; i < size_; ++i) {
    const Item item = items()[i];
    const Item *last = kept > 0 ? items() + kept - 1 : nullptr;
    if (last == nullptr || last->hash != item.hash || !same(slot(*last)->key, slot(item)->key)) {
      items()[kept++] = item;
      continue;
    }
    const auto at = static_cast<size_t>(pairs++);
    into[at] = slot(*last)->state();
    from[at] = slot(item)->state();
    if (pairs == kBatch) merge(into.data(), from.data(), std::exchange(pairs, 0));
  }
  if (pairs > 0) merge(into.data(), from.data(), pairs);
  size_ = kept;
}

template <typename Key>
const typename AppendBuffer<Key>::Item *AppendBuffer<Key>::first_from(u64 hash) const {
  return std::lower_bound(items(), items() + size_, hash,
                          [](const Item &item, u64 low) { return item.hash < low; });
}

template <typename Key>
const typename AppendBuffer<Key>::Item *AppendBuffer<Key>::behind(Partition partition) const {
  return ~partition.high() == 0 ? items() + size_ : first_from(partition.high() + 1);
}

template <typename Key>
void AppendBuffer<Key>::visit(Partition partition, GroupVisitor<Key> *visitor) const {
  constexpr i64 kFetchAhead = 16;
  VisitBatcher<Key> batcher(visitor);
  const Item *end = behind(partition);
  for (const Item *item = first_from(partition.low()); item < end; ++item) {
    if (end - item > kFetchAhead) __builtin_prefetch(slot(item[kFetchAhead]));
    batcher.add(slot(*item)->key, item->hash, slot(*item)->state());
  }
  batcher.flush();
}

template <typename Key>
i64 AppendBuffer<Key>::count(Partition partition) const {
  return behind(partition) - first_from(partition.low());
}

template <typename Key>
void AppendBuffer<Key>::clear() {
  size_ = 0;
  copies_.clear();
}

template <typename Key>
ContainerUsage AppendBuffer<Key>::usage() const {
  const i64 entry = stride_ + static_cast<i64>(sizeof(Item));
  return {.keys = size_, .growths = growths_, .bytes = size_ * entry + copies_.used()};
}

template class AppendBuffer<Key16>;
template class AppendBuffer<Key32>;
template class AppendBuffer<KeyRef>;

}  // namespace mrc
