// reduce: staged and spilled records are folded while others still map.
#pragma once

#include "reduce/record_folder.h"
#include "reduce/run_merger.h"

#include <string>

namespace mrc {

// The partial reduce of the tiled and of the eager designs (Tiled-MapReduce 4.1,
// compress; MaRCO 4.1): partition by partition, in a table that fits the cache, all
// records of a key become one STATE record. What is left is bounded by the number of
// keys and not by the length of the input. Needs no lock: an overflow buffer has one owner.
class Compactor : public RunMerger {
 public:
  // `key_bytes`: copied, for merge(), of which `most_bytes` is the memory.
  Compactor(const StateLayout &layout, RecordShape shape, KeyBytes key_bytes = KeyBytes::borrowed,
            i64 most_bytes = INT64_MAX);

  // Folds what `from` has in memory into STATE records in `to`, which is empty. Returns
  // how many records there were for each that is left.
  double compact(const OverflowBuffer &from, OverflowBuffer *to);

 protected:
  void begin(Partition partition) override;
  void take(const std::byte *begin, const std::byte *end) override;
  i64 used_bytes() const override;
  void end(Partition partition, OverflowBuffer *to) override;

 private:
  const StateLayout &layout_;
  Arena states_;
  PartitionTables tables_;
  RecordFolder folder_;
  TableHash hash_;  // of the partition's tables
  std::string saved_;
};

}  // namespace mrc
