// Counts the records in the answer, and says how many more are wanted.
#pragma once

#include "map/transform.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace mrc {

// Counts the records of each input that are in the answer. Thread safe.
class KeptRecords {
 public:
  KeptRecords(const TransformTerms &terms, i64 sources)
      : terms_(terms), of_source_(static_cast<size_t>(sources)) {}

  // Returns how many more records of an input are wanted.
  i64 room(i64 source) const {
    return std::min(terms_.of_each - of_source(source),
                    terms_.of_all - all_.load(std::memory_order_relaxed));
  }
  bool is_full() const { return all_.load(std::memory_order_relaxed) >= terms_.of_all; }

  void add(i64 source, i64 records) {
    of_source_[static_cast<size_t>(source)].fetch_add(records, std::memory_order_relaxed);
    all_.fetch_add(records, std::memory_order_relaxed);
  }
  // Sets the position of the last record in the answer. Called when no more are wanted.
  void end_at(u64 position) { last_position_ = position; }
  u64 last_position() const { return last_position_; }

  i64 all() const { return all_.load(std::memory_order_relaxed); }
  // Returns at most the limit: if no text is wanted, workers count more records than they need.
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
