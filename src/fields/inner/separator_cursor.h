// Iterates over the separators of a chunk. The kernels of scan list a window of them at a time,
// small enough that it is cheap to find again what a full batch leaves unread.
#pragma once

#include "scan/scan.h"

#include <algorithm>

namespace mrc {

class SeparatorCursor {
 public:
  // The range [from, end) may be over-read by kPadding bytes.
  SeparatorCursor(const char *from, const char *end, Separators separators)
      : scan_(best_separators()), next_(from), end_(end), separators_(separators) {}

  // Returns the next separator; after the last one, returns `end` on each call.
  MRC_INLINE const char *next() {
    if (index_ == bounds_.size && !scan()) [[unlikely]]
      return end_;
    return base_ + bounds_.at[index_++];
  }

 private:
  static constexpr i64 kWindow = 2048;

  static ScanSeparators best_separators() {
    static const ScanSeparators scan = best_scanner().separators;
    return scan;
  }

  // Lists the separators of the next window that has any; returns false if none has.
  __attribute__((noinline)) bool scan() {
    index_ = 0;
    bounds_.size = 0;
    while (bounds_.size == 0 && next_ < end_) {
      base_ = next_;
      ScanCursor cursor{next_, next_ + std::min<i64>(kWindow, end_ - next_)};
      scan_(&cursor, separators_, &bounds_);
      next_ = std::min(cursor.next, end_);
    }
    return bounds_.size > 0;
  }

  ScanSeparators scan_;
  const char *next_;  // beginning of what is not scanned yet
  const char *end_;
  const char *base_ = nullptr;  // beginning of the window
  Separators separators_;
  i64 index_ = 0;
  Bounds bounds_;
};

}  // namespace mrc
