// Decides what a worker does with keys that are not in its full table.
#pragma once

#include "base/int.h"

#include <algorithm>

namespace mrc {

// A table that may not grow any more is frozen: records of its keys are counted in place, others
// are staged. That pays while most records hit. Windows of records show when it stops paying:
//  - The input has drifted: the hit rate fell to half of its best. The table's states are flushed
//    and it learns anew, less often each time, as learning may be in vain.
//  - Hardly any record hits, even after learning anew: look-ups are in vain. All records are staged
//    without a look-up (Metis' append-only mode), with a probe now and then.
class HotPolicy {
 public:
  enum class Action { look_up, stage_all, relearn };

  struct Rules {
    bool drift = true;
    bool bypass = true;
    double few_hits = 0.25;  // hit rate below which look-ups do not pay
  };
  explicit HotPolicy(Rules rules) : rules_(rules) {}

  // Returns the action for the next batch; `relearn` is returned once.
  Action next() {
    if (relearn_) {
      relearn_ = false;
      return Action::relearn;
    }
    return bypass_batches_ > 0 ? Action::stage_all : Action::look_up;
  }

  // Adds the result of a look-up.
  void looked_up(i64 records, i64 hits) {
    records_ += records;
    hits_ += hits;
    if (records_ >= kWindow) judge();
  }
  void staged_all() { --bypass_batches_; }
  i64 relearned() const { return relearned_; }
  i64 bypasses() const { return bypasses_; }

 private:
  static constexpr i64 kWindow = 65536;
  static constexpr i64 kBypass = 64 * 64;  // batches between probes
  static constexpr i64 kFirstPause = 16;   // windows between two flushes, doubling
  static constexpr double kDrifted = 0.5;

  void judge() {
    const double rate = static_cast<double>(hits_) / static_cast<double>(records_);
    records_ = hits_ = 0;
    best_ = std::max(best_, rate);
    ++windows_;
    const bool rested = windows_ > pause_;
    if (rules_.drift && rested &&
        (rate < kDrifted * best_ || (rate < rules_.few_hits && relearned_ == 0))) {
      relearn_ = true;
      ++relearned_;
      best_ = 0;
      windows_ = 0;
      pause_ = std::min<i64>(2 * std::max<i64>(pause_, kFirstPause / 2), 256);
    } else if (rules_.bypass && rate < rules_.few_hits) {
      bypass_batches_ = kBypass;
      ++bypasses_;
    }
  }

  Rules rules_;
  i64 records_ = 0, hits_ = 0;  // of this window
  double best_ = 0;             // best hit rate since the table was learned
  i64 windows_ = 0, pause_ = 0;
  i64 bypass_batches_ = 0;
  bool relearn_ = false;
  i64 relearned_ = 0, bypasses_ = 0;
};

}  // namespace mrc
