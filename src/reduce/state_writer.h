// reduce: groups as STATE records of a run, in the order in which they come.
#pragma once

#include "combine/combine.h"
#include "reduce/reduce.h"
#include "reduce/state_records.h"
#include "store/store.h"

namespace mrc {

// The records have no hashes: they are folded into tables of another process, which has a seed of
// its own. One thread.
class StateWriter : public GroupSink {
 public:
  // States are saved as `layout` says. Both outlive this.
  StateWriter(const RunFile *file, const StateLayout &layout)
      : writer_(file, {.shape = {0, layout.state_bytes()}}), block_(layout) {}

  void take(Bytes key, const State *state) override {
    block_.add(0, key, state, [this] { write_block(); });
  }
  // An error of the file, so far.
  const Status &status() const { return status_; }
  // Completes the run.
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
