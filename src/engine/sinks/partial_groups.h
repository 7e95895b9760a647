// Groups that are written to a partial, for another process to merge, instead of rows.
#pragma once

#include "combine/combine.h"
#include "engine/inner/mapped_piece.h"
#include "reduce/sealed_groups.h"

#include <memory>
#include <vector>

namespace mrc {

class PartialGroups {
 public:
  // Both arguments outlive this.
  PartialGroups(Run *run, const StateLayout &layout);

  // Returns the notes on the input of the partial.
  MappedPiece &piece() { return piece_; }
  // Makes the sink for groups that a worker reduces. Called on its thread.
  SealedGroups *begin_sealing(i64 worker);
  Status write(OutputFile *to);

 private:
  Status write_states(RunWriter *writer, PartitionSet *made);

  Run &run_;
  const StateLayout whole_;  // saves states with all of their values
  MappedPiece piece_;
  std::vector<std::unique_ptr<SealedGroups>> groups_;  // by worker; null: none
};

}  // namespace mrc
