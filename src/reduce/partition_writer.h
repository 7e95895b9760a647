// reduce: writes groups as STATE records of a run, by partitions of their hashes. Another process,
// whose tables have the same seed, reduces them like spilled records.
#pragma once

#include "combine/combine.h"
#include "group/group.h"
#include "reduce/state_records.h"
#include "store/overflow_buffer.h"
#include "store/store.h"

namespace mrc {

// Not thread safe.
class PartitionWriter {
 public:
  // `spec` is the spec of the buffers that adopt the run. REQUIRES: `file` and `layout` outlive
  // this; the states of `layout` are flat
  PartitionWriter(const RunFile *file, const StateLayout &layout, const OverflowSpec &spec);

  // Writes all groups, which it does not change, and completes the run. Called once.
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
  BlockInfo what_;  // the block that is being filled
  Status status_ = Status::ok();
};

}  // namespace mrc
