// Results of formulas that cannot be computed, such as quotients by an aggregate that is 0. They
// are empty, counted, and the first is named.
#pragma once

#include "combine/group_batch.h"
#include "map/key_parts.h"

#include <string>

namespace mrc {

// Faults of one worker, or of several together. The first fault is that of the smallest key. Not
// thread safe.
class ResultFaults {
 public:
  void add(Bytes key, std::string reason) {
    if (count_++ > 0 && key >= Bytes(key_)) return;
    key_ = key;
    reason_ = std::move(reason);
  }
  // Adds the faults of the formula's results for these groups.
  void add(const Formula &formula, GroupBatch *groups) {
    groups->results(formula).each_fault([&](size_t group, std::string reason) {
      add(groups->key(static_cast<i64>(group)), std::move(reason));
    });
  }
  void add(const ResultFaults &other) {
    if (other.count_ == 0) return;
    if (count_ == 0 || other.key_ < key_) {
      key_ = other.key_;
      reason_ = other.reason_;
    }
    count_ += other.count_;
  }

  i64 count() const { return count_; }
  // Returns "KEY: REASON" of the first fault. REQUIRES: count() > 0
  std::string describe_first(const KeyShape &shape) const;

 private:
  i64 count_ = 0;
  std::string key_, reason_;
};

}  // namespace mrc
