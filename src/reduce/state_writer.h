// reduce: writes groups as STATE records of a run.
#pragma once

#include "combine/combine.h"
#include "group/group.h"
#include "reduce/reduce.h"
#include "store/overflow_buffer.h"
#include "store/record_format.h"
#include "store/store.h"

#include <algorithm>
#include <string>

namespace mrc {

// Encodes groups as STATE records in memory, in the order in which they come. A block of
// records. Not thread safe.
class StateRecords {
 public:
  // REQUIRES: `layout`, which saves the states, outlives this
  explicit StateRecords(const StateLayout &layout) : layout_(layout) {}

  // Saves a group. When bytes() are a full block, calls `make_room`, which uses them and calls
  // clear(). `hash` is 0 if records are folded into tables with another seed.
  template <typename MakeRoom>
  void add(u64 hash, Bytes key, const State *state, MakeRoom make_room) {
    const i64 bytes = save(key, state);
    if (used_ > 0 && used_ + bytes > kBlockBytes) make_room();
    write(hash, key, state, bytes);
  }
  Bytes bytes() const { return Bytes(records_).substr(0, static_cast<size_t>(used_)); }
  i64 count() const { return count_; }
  void clear() { used_ = count_ = 0; }

 private:
  static constexpr i64 kBlockBytes = i64{1} << 20;

  RecordShape shape() const { return {0, layout_.state_bytes()}; }
  i64 save(Bytes key, const State *state);
  void write(u64 hash, Bytes key, const State *state, i64 bytes);

  const StateLayout &layout_;
  std::string records_, saved_;
  i64 used_ = 0, count_ = 0;  // bytes of records_ in use
};

// Writes groups as STATE records of a run, in the order in which they come. The records
// have no hashes, because another process, which has its own seed, folds them into its tables. Not
// thread safe.
class StateWriter : public GroupSink {
 public:
  // REQUIRES: `file` and `layout` outlive this
  StateWriter(const RunFile *file, const StateLayout &layout)
      : writer_(file, {.shape = {0, layout.state_bytes()}}), block_(layout) {}

  void take(Bytes key, const State *state) override {
    block_.add(0, key, state, [this] { write_block(); });
  }
  // The first error of the file.
  const Status &status() const { return status_; }
  Status finish();
  bool is_empty() const { return writer_.totals().records + block_.count() == 0; }
  i64 bytes() const { return writer_.bytes(); }

 private:
  void write_block();

  RunWriter writer_;
  StateRecords block_;
  Status status_ = Status::ok();
};

// Writes groups as STATE records of a run, by partitions of their hashes. Another process,
// whose tables have the same seed, reduces them like spilled records. Not thread safe.
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
