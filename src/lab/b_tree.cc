// Most searches find their key: then one descent is enough, and searching a node branches only on
// equal hashes. A new key goes into the leaf where the descent ended. Only if that is full, a
// second descent splits every full node on its way, so that no split has to visit its parents
// again; that happens once for eight new keys. With k keys a search reads log15(k) to log7(k)
// nodes: five for a million.
#include "lab/inner/b_tree.h"

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

}  // namespace mrc
