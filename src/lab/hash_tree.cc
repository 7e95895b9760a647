// Most searches find their key: then one descent is enough, and searching a node branches only on
// equal hashes. A new key goes into the leaf where the descent ended. Only if that is full, a
// second descent splits every full node on its way, so that no split has to visit its parents
// again; that happens once for eight new keys. With k keys a search reads log15(k) to log7(k)
// nodes: five for a million.
#include "lab/inner/containers.h"

#include <algorithm>
#include <utility>

namespace mrc {

// Returns the index of the first entry at or after `first` that does not precede (hash, key).
template <typename Key>
inline int BTree<Key>::Node::rank(int first, const Key &key, u64 hash) const {
  int at = first;
  for (int i = first; i < size; ++i) at += hashes[i] < hash;
  while (at < size && hashes[at] == hash && before(entries[at]->key, key)) ++at;
  return at;
}

// REQUIRES: size < kFanout
template <typename Key>
inline void BTree<Key>::Node::insert(int at, u64 hash, Entry *entry) {
  std::copy_backward(hashes + at, hashes + size, hashes + size + 1);
  std::copy_backward(entries + at, entries + size, entries + size + 1);
  hashes[at] = hash;
  entries[at] = entry;
  ++size;
}

template <typename Key>
inline int BTree<Key>::Inner::child_of(const Key &key, u64 hash) const {
  const int at = this->rank(1, key, hash);
  return this->holds(at, key, hash) ? at : at - 1;
}

template <typename Key>
State *BTree<Key>::find_or_make(const Key &key, u64 hash, Memory *memory) {
  if (root_ == nullptr) root_ = memory->new_leaf();
  Leaf *leaf = leaf_of(key, hash);
  int at = leaf->rank(0, key, hash);
  if (leaf->holds(at, key, hash)) return leaf->entries[at]->state();
  if (leaf->size == kFanout) {
    leaf = leaf_with_room(key, hash, memory);
    at = leaf->rank(0, key, hash);
  }
  Entry *entry = memory->new_entry(key);
  leaf->insert(at, hash, entry);
  return entry->state();
}

template <typename Key>
inline typename BTree<Key>::Leaf *BTree<Key>::leaf_of(const Key &key, u64 hash) const {
  Node *node = root_;
  while (node->height > 0) {
    auto *inner = static_cast<Inner *>(node);
    node = inner->children[inner->child_of(key, hash)];
  }
  return static_cast<Leaf *>(node);
}

template <typename Key>
typename BTree<Key>::Leaf *BTree<Key>::leaf_with_room(const Key &key, u64 hash, Memory *memory) {
  if (root_->size == kFanout) {
    Inner *above = memory->new_inner(root_->height + 1);
    above->insert(0, root_->hashes[0], root_->entries[0]);
    above->children[0] = root_;
    root_ = above;
  }
  Node *node = root_;
  while (node->height > 0) {
    auto *inner = static_cast<Inner *>(node);
    int at = inner->child_of(key, hash);
    if (inner->children[at]->size == kFanout) {
      split_child(inner, at, memory);
      at = inner->child_of(key, hash);
    }
    node = inner->children[at];
  }
  return static_cast<Leaf *>(node);
}

// Moves the upper half of a full child to a new one after it.
template <typename Key>
void BTree<Key>::split_child(Inner *parent, int at, Memory *memory) {
  constexpr int kKept = (kFanout + 1) / 2;
  Node *left = parent->children[at], *right;
  if (left->height == 0) {
    Leaf *leaf = memory->new_leaf();
    leaf->next = std::exchange(static_cast<Leaf *>(left)->next, leaf);
    right = leaf;
  } else {
    Inner *inner = memory->new_inner(left->height);
    std::copy_n(static_cast<Inner *>(left)->children + kKept, kFanout - kKept, inner->children);
    right = inner;
  }
  std::copy_n(left->hashes + kKept, kFanout - kKept, right->hashes);
  std::copy_n(left->entries + kKept, kFanout - kKept, right->entries);
  right->size = kFanout - kKept;
  left->size = kKept;
  Node **children = parent->children;
  std::copy_backward(children + at + 1, children + parent->size, children + parent->size + 1);
  children[at + 1] = right;
  parent->insert(at + 1, right->hashes[0], right->entries[0]);
}

template <typename Key>
typename BTree<Key>::Leaf *BTree<Key>::Memory::new_leaf() {
  auto *leaf = reinterpret_cast<Leaf *>(nodes_.alloc(sizeof(Leaf)));
  leaf->size = leaf->height = 0;
  leaf->next = nullptr;
  return leaf;
}

template <typename Key>
typename BTree<Key>::Inner *BTree<Key>::Memory::new_inner(int height) {
  auto *inner = reinterpret_cast<Inner *>(nodes_.alloc(sizeof(Inner)));
  inner->size = 0;
  inner->height = height;
  return inner;
}

template <typename Key>
typename BTree<Key>::Entry *BTree<Key>::Memory::new_entry(const Key &key) {
  auto *entry =
      reinterpret_cast<Entry *>(entries_.alloc(static_cast<i64>(sizeof(Entry)) + state_bytes_));
  entry->key = copied(key, &entries_);
  std::memset(entry->state(), 0, static_cast<size_t>(state_bytes_));
  ++count_;
  return entry;
}

template <typename Key>
void BTree<Key>::Memory::clear() {
  nodes_.clear();
  entries_.clear();
  count_ = 0;
}

template class BTree<Key16>;
template class BTree<Key32>;
template class BTree<KeyRef>;

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
