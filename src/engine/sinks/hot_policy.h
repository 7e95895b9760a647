// What a worker does with keys that its full table does not know.
#pragma once

#include "base/int.h"

#include <algorithm>

namespace mrc {

// A table that may not grow any more is frozen: keys it holds are counted in place,
// others are staged. That is right while most records hit. Windows of records say when
// it stops being right:
//  - the input has drifted: hits fell to half of their best rate. The table's states are
//    flushed and it learns anew; ever less often, as learning may be in vain.
//  - hardly anything hits, even after learning anew: looking up is in vain. Everything
//    is staged unseen (Metis' append-only mode), with a probe now and then.
class HotPolicy {
 public:
  enum class Action { look_up, stage_all, relearn };

  struct Rules {
    bool drift = true;
    bool bypass = true;
    double few_hits = 0.25;  // a smaller share of hits is in vain
  };
  explicit HotPolicy(Rules rules) : rules_(rules) {}

  // What to do with the next batch; `relearn` is answered once.
  Action next() {
    if (relearn_) {
      relearn_ = false;
      return Action::relearn;
    }
    return bypass_batches_ > 0 ? Action::stage_all : Action::look_up;
  }

  // Tells what a look-up brought.
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
  double best_ = 0;             // rate of hits since the table was learned
  i64 windows_ = 0, pause_ = 0;
  i64 bypass_batches_ = 0;
  bool relearn_ = false;
  i64 relearned_ = 0, bypasses_ = 0;
};

}  // namespace mrc
