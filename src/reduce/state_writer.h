// reduce: writes groups as STATE records of a run, in the order in which they come.
#pragma once

#include "combine/combine.h"
#include "reduce/reduce.h"
#include "reduce/state_records.h"
#include "store/store.h"

namespace mrc {

// The records have no hashes, because another process, which has its own seed, folds them into its
// tables. Not thread safe.
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

}  // namespace mrc
