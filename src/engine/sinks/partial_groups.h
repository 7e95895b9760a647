// Groups that go to other processes, or come from them, in place of rows or of input.
#pragma once

#include "engine/run.h"
#include "engine/sinks/group_worker.h"
#include "engine/sinks/mapped_piece.h"
#include "kept/partial.h"
#include "reduce/sealed_groups.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// What a run makes: a partial.
class PartialGroups {
 public:
  // `aggregation`: that of the job.
  PartialGroups(Run *run, Aggregation aggregation);

  // What it is made of.
  MappedPiece &piece() { return piece_; }

  // While partitions are reduced: what takes the groups of a worker. It is made by it.
  SealedGroups *begin(i64 worker);
  // All that workers have taken, and what it was made of.
  Status write(OutputFile *to);

 private:
  Status write_states(RunWriter *writer, PartitionSet *made);

  Run &run_;
  const StateLayout whole_;  // of states that are saved whole
  MappedPiece piece_;
  std::vector<std::unique_ptr<SealedGroups>> groups_;  // by worker; null: none
};

// Folds all states that the program merges. Returns what each worker has made of its share.
// `settings`: those that the run groups with.
Result<std::vector<std::unique_ptr<MapOutput>>> load_partials(Run *run, const StateLayout &layout,
                                                              const GroupSettings &settings);

}  // namespace mrc
