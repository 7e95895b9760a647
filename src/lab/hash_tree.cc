#include "lab/inner/hash_tree.h"

#include <algorithm>

namespace mrc {

template <typename Key>
HashTree<Key>::HashTree(i64 state_bytes, i64 entries)
    : entries_(entries), pages_(entries * static_cast<i64>(sizeof(Tree))), memory_(state_bytes) {}

template <typename Key>
i64 HashTree<Key>::entries_for(i64 expected_keys) {
  constexpr i64 kKeysPerEntry = 10, kFewest = 1024, kMost = i64{1} << 24;
  return std::clamp(expected_keys / kKeysPerEntry, kFewest, kMost);
}

template <typename Key>
void HashTree<Key>::group(const Batch<Key> &batch, State **states) {
  constexpr i64 kEntryAhead = Batch<Key>::kLookAhead, kRootAhead = kEntryAhead / 2;
  const Key *keys = batch.keys.data();
  const u64 *hashes = batch.hashes.data();
  for (i64 i = 0; i < batch.size; ++i) {
    // After the end of the batch there are old hashes: prefetching for them is harmless.
    __builtin_prefetch(tree(index_of(hashes[i + kEntryAhead])));
    const char *root = static_cast<const char *>(tree(index_of(hashes[i + kRootAhead]))->root());
    __builtin_prefetch(root);
    __builtin_prefetch(root + 64);
    states[i] = tree(index_of(hashes[i]))->find_or_make(keys[i], hashes[i], &memory_);
  }
}

template <typename Key>
template <typename Take>
void HashTree<Key>::each(Partition partition, Take take) const {
  const u64 low = partition.low(), high = partition.high();
  const i64 last = index_of(high);
  for (i64 i = index_of(low); i <= last; ++i) tree(i)->each(low, high, take);
}

template <typename Key>
void HashTree<Key>::visit(Partition partition, GroupVisitor<Key> *visitor) const {
  VisitBatcher<Key> batcher(visitor);
  each(partition, [&](auto *entry, u64 hash) { batcher.add(entry->key, hash, entry->state()); });
  batcher.flush();
}

template <typename Key>
i64 HashTree<Key>::count(Partition partition) const {
  if (partition.bits == 0) return memory_.entries();
  i64 entries = 0;
  each(partition, [&](auto *, u64) { ++entries; });
  return entries;
}

template <typename Key>
void HashTree<Key>::clear() {
  const auto bytes = static_cast<size_t>(entries_) * sizeof(Tree);
  if (memory_.entries() > 0) std::memset(pages_.data(), 0, bytes);
  memory_.clear();
}

template <typename Key>
ContainerUsage HashTree<Key>::usage() const {
  return {.keys = memory_.entries(),
          .slots = entries_ > 1 ? entries_ : 0,
          .bytes = pages_.size() + memory_.bytes()};
}

template class HashTree<Key16>;
template class HashTree<Key32>;
template class HashTree<KeyRef>;

}  // namespace mrc
