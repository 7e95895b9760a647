#include "group/flat_table.h"

#include <algorithm>
#include <bit>

namespace mrc {
namespace {

// True if a slot holds the key. Images are compared directly. Longer keys are only compared if the
// hashes agree (the in-depth study, 4.5).
template <typename Slot, typename Key>
inline bool holds(const Slot *slot, const Key &key, u64, bool) {
  return same(slot->key, key);
}
template <typename Slot>
inline bool holds(const Slot *slot, const KeyRef &key, u64 hash, bool fingerprint) {
  if (fingerprint && slot->hash != hash) return false;
  return slot->key.data != nullptr && same(slot->key, key);
}

}  // namespace

template <typename Key>
FlatTable<Key>::FlatTable(i64 state_bytes, KeyBytes key_bytes, i64 expected_keys)
    : stride_(static_cast<i64>(sizeof(Slot)) + state_bytes),
      expected_keys_(std::min(expected_keys, kMostExpected)),
      first_slots_(fewest_slots(stride_)),
      key_bytes_(key_bytes) {}

template <typename Key>
i64 FlatTable<Key>::fewest_slots(i64 stride) {
  return static_cast<i64>(std::bit_floor(static_cast<u64>(records_together(stride, kFewestSlots))));
}

template <typename Key>
void FlatTable<Key>::begin_within(i64 bytes) {
  const i64 slots = static_cast<i64>(std::bit_floor(static_cast<u64>(bytes / stride_)));
  first_slots_ = std::clamp(slots, kFewestTogether, first_slots_);
}

// At most five eighths are used. A limit of one half would double the table for some numbers of
// keys and saves no time: the slots after a home are in the same cache line.
template <typename Key>
i64 FlatTable<Key>::slots_for(i64 keys) const {
  return static_cast<i64>(std::bit_ceil(static_cast<u64>(std::max(keys * 8 / 5, first_slots_))));
}

template <typename Key>
void FlatTable<Key>::set_slots(i64 slots) {
  slots_ = slots;
  shift_ = 64 - std::countr_zero(static_cast<u64>(slots));
  end_ = pages_.data() + slots * stride_;
}

template <typename Key>
void FlatTable<Key>::allocate(i64 slots) {
  pages_ = Pages(slots * stride_);
  set_slots(slots);
}

template <typename Key>
bool FlatTable<Key>::has_room(i64 keys) const {
  return (size_ + keys) * 8 / 5 <= slots_;
}

template <typename Key>
i64 FlatTable<Key>::bytes_with(i64 keys) const {
  return slots_for(size_ + keys) * stride_ + copies_.size();
}

template <typename Key>
void FlatTable<Key>::group(const Batch<Key> &batch, State **states) {
  struct Columns {
    const Batch<Key> &batch;
    u64 hash(i64 i) const { return batch.hashes[static_cast<size_t>(i)]; }
    const Key &key(i64 i) const { return batch.keys[static_cast<size_t>(i)]; }
  };
  group_all(Columns{batch}, batch.size, states);
}

template <typename Key>
void FlatTable<Key>::group(const GatheredRecords<Key> &records, State **states) {
  group_all(records, records.size, states);
}

template <typename Key>
template <typename Source>
void FlatTable<Key>::group_all(const Source &source, i64 n, State **states) {
  if (!has_room(n)) [[unlikely]] {
    make_room(n);
  }
  if (!ablation_.prefetch) [[unlikely]] {
    for (i64 i = 0; i < n; ++i) states[i] = find_or_make(source.key(i), source.hash(i));
    return;
  }
  constexpr i64 kFetchAhead = Batch<Key>::kLookAhead;
  const i64 ahead = std::min(kFetchAhead, n);
  for (i64 i = 0; i < ahead; ++i) __builtin_prefetch(home(source.hash(i)));
  i64 i = 0;
  for (; i < n - ahead; ++i) {
    __builtin_prefetch(home(source.hash(i + kFetchAhead)));
    states[i] = find_or_make(source.key(i), source.hash(i));
  }
  for (; i < n; ++i) states[i] = find_or_make(source.key(i), source.hash(i));
}

// Allocates only when keys come, so that an unused table takes no memory.
template <typename Key>
void FlatTable<Key>::make_room(i64 keys) {
  if (slots_ == 0 && expected_keys_ > 0) reset(expected_keys_);
  if (!has_room(keys)) grow(slots_for(size_ + keys));
}

template <typename Key>
inline State *FlatTable<Key>::find_or_make(const Key &key, u64 hash) {
  Slot *at = home(hash);
  while (!holds(at, key, hash, ablation_.fingerprint)) {
    if (is_empty(at->key)) {
      at->key = key_bytes_ == KeyBytes::copied ? copied(key, &copies_) : key;
      at->hash = hash;
      ++size_;
      count_steps(home(hash), at);
      break;
    }
    at = next(at);
  }
  return at->state();
}

template <typename Key>
MRC_INLINE void FlatTable<Key>::count_steps(const Slot *from, const Slot *to) {
  const i64 bytes =
      reinterpret_cast<const std::byte *>(to) - reinterpret_cast<const std::byte *>(from);
  step_bytes_ += bytes < 0 ? bytes + slots_ * stride_ : bytes;
}

template <typename Key>
i64 FlatTable<Key>::find(const Batch<Key> &batch, State **states) const {
  if (slots_ == 0) {
    std::fill_n(states, batch.size, nullptr);
    return 0;
  }
  constexpr i64 kFetchAhead = Batch<Key>::kLookAhead;
  const i64 ahead = std::min(kFetchAhead, batch.size);
  for (i64 i = 0; i < ahead; ++i) __builtin_prefetch(home(batch.hashes[static_cast<size_t>(i)]));
  i64 hits = 0;
  for (i64 i = 0; i < batch.size; ++i) {
    const size_t at_batch = static_cast<size_t>(i);
    const u64 hash = batch.hashes[at_batch];
    __builtin_prefetch(home(batch.hashes[at_batch + kFetchAhead]));
    Slot *at = home(hash);
    while (!holds(at, batch.keys[at_batch], hash, ablation_.fingerprint) && !is_empty(at->key))
      at = next(at);
    const bool hit = !is_empty(at->key);
    states[i] = hit ? at->state() : nullptr;
    hits += hit;
  }
  return hits;
}

// Slots are in the order of their hashes, except those that wrapped around the end, so both tables
// are accessed nearly sequentially.
template <typename Key>
void FlatTable<Key>::grow(i64 slots) {
  Pages old = std::move(pages_);
  const i64 old_slots = slots_;
  allocate(slots);
  if (slots > kFewestSlots) pages_.touch(0, slots * stride_);
  for (i64 i = 0; i < old_slots; ++i) {
    auto *from = reinterpret_cast<Slot *>(old.data() + i * stride_);
    if (is_empty(from->key)) continue;
    Slot *to = home(from->hash);
    while (!is_empty(to->key)) to = next(to);
    std::memcpy(to, from, static_cast<size_t>(stride_));
    old.release_front(i * stride_);
  }
  if (old_slots > 0) ++growths_;
}

template <typename Key>
void FlatTable<Key>::reset(i64 keys) {
  // Makes room for one batch more, or for a part of a small table.
  const i64 more = std::min(Batch<Key>::kCapacity, std::max(first_slots_, keys) / 4);
  const i64 slots = slots_for(keys + more);
  if (slots * stride_ > pages_.size()) {
    allocate(slots);
    if (keys > 0) pages_.touch(0, slots * stride_);
  } else {
    const bool is_clear = size_ == 0 && slots <= slots_;
    set_slots(slots);  // a smaller table is faster to clear and to visit
    if (!is_clear) std::memset(pages_.data(), 0, static_cast<size_t>(slots * stride_));
  }
  size_ = 0;
  copies_.clear();
}

template <typename Key>
void FlatTable<Key>::release_slots() {
  pages_.reset();
  slots_ = size_ = 0;
}

template <typename Key>
void FlatTable<Key>::release() {
  release_slots();
  copies_.release();
}

template <typename Key>
void FlatTable<Key>::clear() {
  if (size_ > 0) std::memset(pages_.data(), 0, static_cast<size_t>(slots_ * stride_));
  size_ = 0;
  copies_.clear();
}

template <typename Key>
void FlatTable<Key>::visit(Partition partition, GroupVisitor<Key> *visitor) const {
  VisitBatcher<Key> batcher(visitor);
  each(partition, [&](const Slot &slot) {
    batcher.add(slot.key, slot.hash, const_cast<Slot &>(slot).state());
  });
  batcher.flush();
}

template <typename Key>
i64 FlatTable<Key>::count(Partition partition) const {
  i64 slots = 0;
  each(partition, [&](const Slot &) { ++slots; });
  return slots;
}

template class FlatTable<Key16>;
template class FlatTable<Key32>;
template class FlatTable<KeyRef>;

}  // namespace mrc
