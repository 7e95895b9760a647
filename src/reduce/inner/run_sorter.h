// reduce: sorts spilled records by their hashes while other workers still map.
#pragma once

#include "base/arena.h"
#include "reduce/inner/run_merger.h"

#include <vector>

namespace mrc {

// The partial sort of MaRCO 3.1. The order within a partition is the order of hashes, so that
// reduce fills its table from front to back, and reads one long block instead of many.
class RunSorter : public RunMerger {
 public:
  RunSorter(RecordShape shape, i64 most_bytes) : RunMerger(most_bytes), shape_(shape) {}

 protected:
  void begin(Partition partition) override;
  void take(const std::byte *begin, const std::byte *end) override;
  i64 used_bytes() const override;
  void end(Partition partition, OverflowBuffer *to) override;

 private:
  struct Place {
    u64 hash;
    const std::byte *record;
  };

  RecordShape shape_;
  Arena records_;
  std::vector<Place> places_;
};

}  // namespace mrc
