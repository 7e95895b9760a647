// reduce: staged and spilled records are folded while others still map.
#pragma once

#include "reduce/record_folder.h"
#include "store/overflow_buffer.h"

#include <memory>
#include <span>
#include <string>

namespace mrc {

// The partial reduce of the tiled and of the eager designs (Tiled-MapReduce 4.1,
// compress; MaRCO 4.1): partition by partition, in a table that fits the cache, all
// records of a key become one STATE record. What is left is bounded by the number of
// keys and not by the length of the input. Needs no lock: an overflow buffer has one owner.
class Compactor {
 public:
  // `key_bytes`: copied, for merge().
  Compactor(const StateLayout &layout, RecordShape shape, KeyBytes key_bytes = KeyBytes::borrowed);

  // Folds what `from` has in memory into STATE records in `to`, which is empty. Returns
  // how many records there were for each that is left.
  double compact(const OverflowBuffer &from, OverflowBuffer *to);
  // The same of all that is spilled of `runs`. `to` is spilled whenever it has so many bytes in
  // memory, and in the end. A partition of all runs has to fit in memory.
  Result<double> merge(std::span<const std::unique_ptr<OverflowBuffer>> runs, OverflowBuffer *to,
                       i64 most_bytes);

 private:
  void begin(Partition partition);
  void end(Partition partition, OverflowBuffer *to);

  const StateLayout &layout_;
  Arena states_;
  PartitionTables tables_;
  RecordFolder folder_;
  std::string saved_;
  Pages block_;  // of a run
};

}  // namespace mrc
