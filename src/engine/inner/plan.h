// engine: how a job is computed on this machine and for these inputs.
#pragma once

#include "base/status.h"
#include "engine/inner/page_checks.h"
#include "engine/inner/report.h"
#include "fields/input_readers.h"
#include "input/input.h"
#include "join/join.h"
#include "scan/scan.h"
#include "sched/topology.h"
#include "split/split.h"
#include "store/store.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

class CheckpointInputs;
class StateInputs;

// One decision of the planner and why it was taken, for --explain.
struct Decision {
  std::string name, value, reason;
};

// How to compute a program here.
struct Plan {
  std::vector<Source> sources;
  // Inputs of the commands that stand in `sources`. Each command has a split or a stream of its
  // own, or all share them.
  struct Fed {
    std::vector<Source> sources;
    std::vector<Split> splits;
    bool is_shared = false;
  };
  Fed fed;
  std::vector<std::shared_ptr<const RunFile>> spools;  // what the streams in `sources` contained
  std::vector<std::string> unreadable;                 // messages about inputs that are left out
  Status problem = Status::ok();                       // why the job cannot run
  std::vector<std::string> notes;                      // about inputs, for the user
  // Keeps results per input for later runs, or until the job ends. Both null: nothing is kept.
  std::shared_ptr<StateInputs> state;
  std::shared_ptr<CheckpointInputs> checkpoint;
  LeftOut left_out;
  i64 input_bytes = 0;  // of files; the size of streams is unknown
  i64 streams = 0;
  i64 packed = 0;        // number of streams that are compressed files
  i64 packed_bytes = 0;  // compressed size of these files
  i64 workers = 1;
  IoMode io = IoMode::read;
  Topology topology = Topology::one_group();
  std::vector<Place> places;  // one for each worker
  std::vector<Split> splits;  // ordered by share, then by position in the input
  Shares shares;              // splits of each group of CPUs
  bool nodes_matter = false;  // find_nodes() must run when files are open
  const Scanner *scanner = nullptr;
  std::shared_ptr<const InputReaders> readers;  // of files; null: records have no fields
  std::shared_ptr<const Join> join;             // null: the program is not a join
  bool seems_presorted = false;                 // the inputs of a join, by key; the join checks
  i64 memory = INT64_MAX;                       // limit of the job, in bytes
  const ContainerType *container = &kFlatContainer;
  i64 hot_bytes = INT64_MAX;   // limit of a worker's table, which then freezes; 0: no table
  i64 expected_keys = 0;       // per worker's table; 0: unknown
  i64 tile_bytes = 0;          // bytes of input per tile; 0: no tiles
  i64 fitting_tile_bytes = 0;  // largest tile whose groups fit in a cache; 0: unknown
  i64 most_tiled_bytes = 0;    // limit for the partitions that tiles are reduced into
  i64 tiled_keys = 0;          // expected keys of these partitions, per group of CPUs; 0: unknown
  int partition_bits = 0;      // log2 of the number of partitions of staged records
  double few_hits = 0.25;      // hit rate below which a frozen table is bypassed
  i64 most_shared_bytes = 0;   // limit of partitions that workers share; 0: workers stage
  std::string tmpdir;
  std::string common_prefix;  // of the sampled keys
  Forecast forecast;
  std::vector<Phase> phases;  // phases of planning that read input
  std::vector<Decision> decisions;
};

}  // namespace mrc
