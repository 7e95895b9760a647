// How much of the answer there is, and when it is enough.
#pragma once

#include "map/transform.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace mrc {

// The records of each input that are in the answer. Thread safe; what add() is told of
// one input in one order, it counts in that order.
class KeptRecords {
 public:
  KeptRecords(const TransformTerms &terms, i64 sources)
      : terms_(terms), of_source_(static_cast<size_t>(sources)) {}

  // How many more are wanted of an input.
  i64 room(i64 source) const {
    return std::min(terms_.of_each - of_source(source),
                    terms_.of_all - all_.load(std::memory_order_relaxed));
  }
  bool is_full() const { return all_.load(std::memory_order_relaxed) >= terms_.of_all; }

  void add(i64 source, i64 records) {
    of_source_[static_cast<size_t>(source)].fetch_add(records, std::memory_order_relaxed);
    all_.fetch_add(records, std::memory_order_relaxed);
  }
  // Where the last record of the answer is, told when no more is wanted.
  void end_at(u64 position) { last_position_ = position; }
  u64 last_position() const { return last_position_; }

  i64 all() const { return all_.load(std::memory_order_relaxed); }
  // Where no text is wanted workers count more than they need.
  i64 of_source(i64 source) const {
    return std::min(of_source_[static_cast<size_t>(source)].load(std::memory_order_relaxed),
                    terms_.of_each);
  }

 private:
  const TransformTerms terms_;
  std::vector<std::atomic<i64>> of_source_;
  std::atomic<i64> all_{0};
  std::atomic<u64> last_position_{~u64{0}};
};

}  // namespace mrc
