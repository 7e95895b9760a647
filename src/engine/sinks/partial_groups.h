// Groups that go to other processes, or come from them, in place of rows or of input.
#pragma once

#include "base/content_hash.h"
#include "engine/covered.h"
#include "engine/line_table.h"
#include "engine/run.h"
#include "engine/sinks/group_worker.h"
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

  // Of what is mapped.
  const ContentHash &hash() const { return hash_; }
  // Of one worker, which holds the mutex of the run.
  void add(std::vector<Covered> covered);
  const LineTable &lines() const { return lines_; }
  void add(const LineTable &lines) { lines_.add(lines); }

  // While partitions are reduced: what takes the groups of a worker. It is made by it.
  SealedGroups *begin(i64 worker);
  // When all are reduced: an error if something was not mapped that had to be.
  Status check() const;
  // All that workers have taken, and what it was made of.
  Status write(OutputFile *to);

 private:
  Partial describe(const PartitionSet &made) const;
  PartialPiece describe_mapped() const;
  Status write_states(RunWriter *writer, PartitionSet *made);
  Status copy(const RunFile &file, i64 bytes, OutputFile *to) const;

  Run &run_;
  const StateLayout whole_;  // of states that are saved whole
  const ContentHash hash_;
  std::vector<Covered> covered_;
  LineTable lines_;
  std::vector<std::unique_ptr<SealedGroups>> groups_;  // by worker; null: none
};

// Folds all states that the program merges. Returns what each worker has made of its share.
// `settings`: those that the run groups with.
Result<std::vector<std::unique_ptr<MapOutput>>> load_partials(Run *run, const StateLayout &layout,
                                                              const GroupSettings &settings);

}  // namespace mrc
