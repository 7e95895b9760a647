// reduce: groups as STATE records of a run, by partitions of their hashes: another process whose
// tables have the same seed reduces them as it reduces what was spilled.
#pragma once

#include "combine/combine.h"
#include "group/group.h"
#include "reduce/state_records.h"
#include "store/overflow_buffer.h"
#include "store/store.h"

namespace mrc {

// One thread.
class PartitionWriter {
 public:
  // `spec`: of the buffers that adopt the run. `file` and `layout` outlive this.
  // REQUIRES: the states of `layout` are flat
  PartitionWriter(const RunFile *file, const StateLayout &layout, const OverflowSpec &spec);

  // Writes all groups, which may be shown and stay as they are. Completes the run. Once.
  Status write(Groups *groups);
  bool is_empty() const { return writer_.totals().records == 0; }

 private:
  template <typename Key>
  class Visitor;
  void add(u64 hash, Bytes key, const State *state);
  void write_block();

  const int partition_bits_;
  RunWriter writer_;
  StateRecords block_;
  BlockInfo what_;  // of the block that is being filled
  Status status_ = Status::ok();
};

}  // namespace mrc
