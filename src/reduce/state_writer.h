// reduce: groups as STATE records of a run, in the order in which they come.
#pragma once

#include "combine/combine.h"
#include "reduce/reduce.h"
#include "store/store.h"

#include <string>

namespace mrc {

// The records have no hashes: they are folded into tables of another process, which has a seed of
// its own. One thread.
class StateWriter : public GroupSink {
 public:
  // States are saved as `layout` says. Both outlive this.
  StateWriter(const RunFile *file, const StateLayout &layout)
      : layout_(layout), writer_(file, {.shape = {0, layout.state_bytes()}}) {}

  void take(Bytes key, const State *state) override;
  // An error of the file, so far.
  const Status &status() const { return status_; }
  // Completes the run.
  Status finish();
  bool is_empty() const { return writer_.totals().records + block_.records == 0; }
  i64 bytes() const { return writer_.bytes(); }

 private:
  void write_block();

  const StateLayout &layout_;
  RunWriter writer_;
  BlockInfo block_;
  std::string records_, saved_;
  i64 used_ = 0;  // of the records' memory
  Status status_ = Status::ok();
};

}  // namespace mrc
