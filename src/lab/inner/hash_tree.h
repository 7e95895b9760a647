// The structure of Metis: a hash table of fixed size, with a b+tree in each entry (Metis 3.3).
//
// The number of entries is chosen from a prediction and never changes, so no key moves. If the
// prediction is good, the tree of an entry is one leaf of about ten keys; if not, trees grow and a
// search takes O(log k). An entry covers a range of hashes, so a partition is a range of entries,
// and in each of them a range of the tree. With one entry this is a single b+tree.
#pragma once

#include "base/pages.h"
#include "group/container.h"
#include "lab/inner/b_tree.h"

namespace mrc {

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
