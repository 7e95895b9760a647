// reduce: hashes for the tables of one partition.
#pragma once

#include "group/container.h"

namespace mrc {

// Drops the bits that all keys of a partition share. Tables yield their keys in the order of their
// hashes, and records that were made from tables have that order. Such keys would all go to the
// front of a growing table, and each insertion would walk past all keys before it. A mixed hash
// gives each table an order of its own.
class TableHash {
 public:
  // Does not mix: for keys in any order, and for keys that GroupMerger takes.
  explicit TableHash(int bits = 0) : bits_(bits) {}
  // Mixes, with another factor in each call.
  static TableHash mixed(int bits);

  u64 of(u64 hash) const { return (hash << bits_) * factor_; }
  // Returns the full hash from the hash that a table of the partition has.
  u64 whole(Partition partition, u64 seen) const { return partition.whole(seen * inverse_); }

 private:
  int bits_;
  u64 factor_ = 1, inverse_ = 1;  // modulo 2^64; odd
};

}  // namespace mrc
