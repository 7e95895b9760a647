// reduce: writes the groups of a tile as STATE records that outlive the run. All states that are
// kept, leave the process or are shown early have this form (mrc-state(5)).
#pragma once

#include "combine/combine.h"
#include "reduce/reduce.h"
#include "store/overflow_buffer.h"
#include "store/sealed_run.h"
#include "store/store.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// A block, ready to be written.
struct SealedBlock {
  BlockInfo info;
  std::string records;
};

// Takes the groups of one tile, each key once. Writes them by partitions of the unseeded hash of
// their keys, and within a partition by key, because kept states must not depend on the seed of a
// run. Not thread safe.
class SealedGroups : public GroupSink {
 public:
  // `keys` is an upper bound of the number of keys; few keys are one partition. Positions in states
  // are shifted by `shift`. Records beyond `memory_bytes` go to `tmpdir` first.
  SealedGroups(const StateLayout &layout, i64 keys, u64 shift, const std::string &tmpdir,
               i64 memory_bytes);

  // Takes over the state.
  void take(Bytes key, const State *state) override;
  // The first error of the temporary file.
  const Status &status() const { return status_; }
  Status write(SealedRun *run, SealedBlocks *written);
  // Returns the blocks of one partition as if one of `all` had taken all groups. Any thread.
  // REQUIRES: all groups have been taken, each key by one of `all`; all have the same partitions
  static Result<std::vector<SealedBlock>> blocks_of(
      std::span<const std::unique_ptr<SealedGroups>> all, i64 partition);

 private:
  Status gather(i64 partition, Pages *buffer, std::string *records) const;
  Status write_partition(i64 partition, RunWriter *writer);

  const StateLayout &layout_;
  const u64 shift_;
  const i64 memory_bytes_;
  OverflowBuffer records_;
  std::string saved_;
  std::string gathered_, block_;
  Pages buffer_;
  Status status_ = Status::ok();
};

}  // namespace mrc
