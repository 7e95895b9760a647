// Draws records at random: the same ones, in whatever order and by whichever thread they are read.
#pragma once

#include "base/hash.h"
#include "record.h"

#include <queue>

namespace mrc {

// The rank of a record among all: a random number that depends on its position and the seed.
inline u64 rank_of(u64 position, u64 seed) {
  const u64 mixed = fold_multiply(position ^ kFixedSeed.a, seed ^ kFixedSeed.b);
  return fold_multiply(mixed ^ kFixedSeed.b, kFixedSeed.a);
}

// Finds the records of the smallest ranks. One thread.
class Draw {
 public:
  explicit Draw(i64 records) : records_(static_cast<size_t>(records)) {}

  // True if this rank is among the smallest so far.
  bool take(u64 rank) {
    if (smallest_.size() == records_ && (records_ == 0 || rank >= smallest_.top())) return false;
    smallest_.push(rank);
    if (smallest_.size() > records_) smallest_.pop();
    return true;
  }

 private:
  const size_t records_;
  std::priority_queue<u64> smallest_;  // the largest of them is on top
};

}  // namespace mrc
