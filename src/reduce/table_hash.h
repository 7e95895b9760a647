// reduce: how the tables of one partition see hashes.
#pragma once

#include "group/container.h"

namespace mrc {

// Drops the bits that all keys of a partition share. Tables show their keys in the order of their
// hashes, and so do records that were made of them: such keys would all go to the front of a
// table that grows, and each would walk past all before it. A mixed hash puts them in an order of
// this table's own.
class TableHash {
 public:
  // Not mixed: for keys that come in any order, and those that GroupMerger takes.
  explicit TableHash(int bits = 0) : bits_(bits) {}
  // Mixed, with another factor in each call.
  static TableHash mixed(int bits);

  u64 of(u64 hash) const { return (hash << bits_) * factor_; }
  // The hash that a table of the partition sees like this.
  u64 whole(Partition partition, u64 seen) const { return partition.whole(seen * inverse_); }

 private:
  int bits_;
  u64 factor_ = 1, inverse_ = 1;  // modulo 2^64; odd
};

}  // namespace mrc
