// reduce: folds staged and spilled records while other workers still map.
#pragma once

#include "reduce/inner/record_folder.h"
#include "reduce/inner/run_merger.h"

#include <string>

namespace mrc {

// The partial reduce of the tiled and of the eager designs (Tiled-MapReduce 4.1, compress; MaRCO
// 4.1). Partition by partition, in a table that fits the cache, all records of a key become one
// STATE record. The number of keys bounds the result, and not the length of the input. Needs no
// lock, because an overflow buffer has one owner.
class Compactor : public RunMerger {
 public:
  // merge() requires copied `key_bytes`, and uses about `most_bytes` of memory.
  Compactor(const StateLayout &layout, RecordShape shape, KeyBytes key_bytes = KeyBytes::borrowed,
            i64 most_bytes = INT64_MAX);

  // Folds the records that `from` has in memory into STATE records in `to`, which is empty. Returns
  // the ratio of records in `from` to records in `to`.
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
  TableHash hash_;  // hash of the partition's tables
  std::string saved_;
};

}  // namespace mrc
