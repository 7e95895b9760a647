// The containers of the papers for experiments: append-only buffers, and the structures of Metis, a
// b+tree and a hash table with a b+tree in each entry.
#pragma once

#include "base/pages.h"
#include "group/container.h"
#include "group/keys.h"

namespace mrc {

// The append-only buffers of Metis: grouping is postponed until all keys are there.
//
// group() looks nothing up: every key gets a new state. seal() sorts, and then either leaves equal
// keys side by side (append-sort) or merges their states (append-group). This is best if hardly any
// key repeats: memory is written sequentially and sorting reads it in order, while tables and trees
// would miss the cache for each key. If keys repeat often, each repetition takes memory.

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

// The structures of Metis for grouping: a b+tree, and a hash table with a b+tree in each entry.

// A b+tree from keys to states, ordered by hash, then by key.
//
// Entries never move: nodes hold their addresses, and beside them the hashes, which guide a search.
// It reads a key only if its hash is equal (the in-depth study, 4.5: fingerprints first), so each
// level costs two cache lines of fifteen hashes, for keys of any size. Leaves are linked: one
// descent and a walk find the entries of a range of hashes.

// All zero bytes are an empty tree, so that a table of trees can be cleared as memory. Nodes and
// entries belong to the Memory, which many trees may share. Not thread safe; several threads may
// call each() at once.
//
// Invariants: 1. (hash, key) ascends from leaf to leaf. 2. In inner nodes, hashes[i] and entries[i]
// separate children[i - 1] from children[i]: they are the lowest that children[i] may have. They
// have no meaning for the first child.
template <typename Key>
class BTree {
 public:
  static constexpr int kFanout = 15;

  struct Entry {
    Key key;
    State *state() { return reinterpret_cast<State *>(this + 1); }
  };
  class Memory;

  // Returns the state of the key; all zero bytes if it is new.
  State *find_or_make(const Key &key, u64 hash, Memory *memory);

  // Calls take(entry, hash) for entries with hashes from `low` to `high`, in order.
  template <typename Take>
  void each(u64 low, u64 high, Take take) const;

  // The address where a search begins, for prefetching.
  const void *root() const { return root_; }

 private:
  // The first two cache lines are enough to choose the child.
  struct alignas(64) Node {
    int size;
    int height;  // 0: a leaf
    u64 hashes[kFanout];
    Entry *entries[kFanout];

    int rank(int first, const Key &key, u64 hash) const;
    bool holds(int at, const Key &key, u64 hash) const {
      return at < size && hashes[at] == hash && same(entries[at]->key, key);
    }
    void insert(int at, u64 hash, Entry *entry);
  };
  struct Leaf : Node {
    Leaf *next;
  };
  struct Inner : Node {
    Node *children[kFanout];

    int child_of(const Key &key, u64 hash) const;
  };

  Leaf *leaf_of(const Key &key, u64 hash) const;
  Leaf *leaf_with_room(const Key &key, u64 hash, Memory *memory);
  static void split_child(Inner *parent, int at, Memory *memory);
  const Leaf *first_leaf(u64 hash) const;

  Node *root_;
};

// Allocates nodes and entries of trees. They are only freed all together.
template <typename Key>
class BTree<Key>::Memory {
 public:
  explicit Memory(i64 state_bytes) : state_bytes_(state_bytes) {}

  Leaf *new_leaf();
  Inner *new_inner(int height);
  Entry *new_entry(const Key &key);  // with a state of zeros; copies the bytes of KeyRef keys

  // Invalidates the roots of all trees.
  void clear();

  i64 entries() const { return count_; }
  i64 bytes() const { return nodes_.used() + entries_.used(); }

 private:
  i64 state_bytes_;
  i64 count_ = 0;
  Arena nodes_;  // separate, so that all nodes are aligned to cache lines
  Arena entries_;
};

// Returns the leaf with the first entry whose hash is `hash` or higher.
template <typename Key>
const typename BTree<Key>::Leaf *BTree<Key>::first_leaf(u64 hash) const {
  const Node *node = root_;
  while (node != nullptr && node->height > 0) {
    int at = 0;
    for (int i = 1; i < node->size; ++i) at += node->hashes[i] < hash;
    node = static_cast<const Inner *>(node)->children[at];
  }
  return static_cast<const Leaf *>(node);
}

template <typename Key>
template <typename Take>
void BTree<Key>::each(u64 low, u64 high, Take take) const {
  for (const Leaf *leaf = first_leaf(low); leaf != nullptr; leaf = leaf->next) {
    __builtin_prefetch(leaf->next);
    for (int i = 0; i < leaf->size; ++i) {
      if (leaf->hashes[i] > high) return;
      if (leaf->hashes[i] >= low) take(leaf->entries[i], leaf->hashes[i]);
    }
  }
}

extern template class BTree<Key16>;
extern template class BTree<Key32>;
extern template class BTree<KeyRef>;

// The structure of Metis: a hash table of fixed size, with a b+tree in each entry (Metis 3.3).
//
// The number of entries is chosen from a prediction and never changes, so no key moves. If the
// prediction is good, the tree of an entry is one leaf of about ten keys; if not, trees grow and a
// search takes O(log k). An entry covers a range of hashes, so a partition is a range of entries,
// and in each of them a range of the tree. With one entry this is a single b+tree.

// Not thread safe; several threads may visit at once.
template <typename Key>
class HashTree final : public Container<Key> {
 public:
  // REQUIRES: state_bytes is a multiple of 8; entries >= 1
  HashTree(i64 state_bytes, i64 entries);

  // Returns a tenth of the expected keys (Metis 3.4). It is equal for all workers.
  static i64 entries_for(i64 expected_keys);

  void group(const Batch<Key> &batch, State **states) override;
  void visit(Partition partition, GroupVisitor<Key> *visitor) const override;
  i64 count(Partition partition) const override;
  void clear() override;
  ContainerUsage usage() const override;

 private:
  using Tree = BTree<Key>;

  // Rises with the hash for any number of entries.
  i64 index_of(u64 hash) const {
    return static_cast<i64>(static_cast<unsigned __int128>(hash) * static_cast<u64>(entries_) >>
                            64);
  }
  Tree *tree(i64 index) const { return reinterpret_cast<Tree *>(pages_.data()) + index; }

  template <typename Take>
  void each(Partition partition, Take take) const;

  i64 entries_;
  Pages pages_;  // trees
  typename Tree::Memory memory_;
};

extern template class HashTree<Key16>;
extern template class HashTree<Key32>;
extern template class HashTree<KeyRef>;

}  // namespace mrc
