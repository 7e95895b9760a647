// engine: how a job is to be computed, on this machine and for these inputs.
#pragma once

#include "base/status.h"
#include "engine/report.h"
#include "fields/input_readers.h"
#include "input/input.h"
#include "join/join.h"
#include "scan/scan.h"
#include "sched/place.h"
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

// How to compute it here.
struct Plan {
  std::vector<Source> sources;
  std::vector<std::shared_ptr<const RunFile>> spools;  // what streams among them had
  std::vector<std::string> unreadable;                 // messages about inputs left out
  Status problem = Status::ok();                       // why the job cannot run
  std::vector<std::string> notes;                      // about inputs, for people
  // What is kept of them: for good, until the job ends, or, if both are null, not at all.
  std::shared_ptr<StateInputs> state;
  std::shared_ptr<CheckpointInputs> checkpoint;
  i64 input_bytes = 0;  // of files; streams are unknown
  i64 streams = 0;
  i64 packed = 0;        // of the streams: files that are compressed
  i64 packed_bytes = 0;  // of them, as they are stored
  i64 workers = 1;
  IoMode io = IoMode::read;
  Topology topology = Topology::one_group();
  std::vector<Place> places;  // of workers
  std::vector<Split> splits;  // by share, in the order of input within each
  Shares shares;              // of the groups of the topology
  bool nodes_matter = false;  // find_nodes() asks, when files are open
  const Scanner *scanner = nullptr;
  std::shared_ptr<const InputReaders> readers;  // if records have fields; of files
  std::shared_ptr<const Join> join;             // of a program with one
  bool seems_presorted = false;                 // both its inputs, by the key: they are checked
  i64 memory = INT64_MAX;                       // to keep within
  const ContainerType *container = &kFlatContainer;
  i64 hot_bytes = INT64_MAX;   // of a worker's table, before it is frozen; 0: no table
  i64 expected_keys = 0;       // in a worker's table; 0: unknown
  i64 tile_bytes = 0;          // of input; 0: no tiles
  i64 fitting_tile_bytes = 0;  // whose working set fits in a cache; 0: unknown
  i64 most_tiled_bytes = 0;    // in memory, of the partitions that tiles become part of
  i64 tiled_keys = 0;          // that are expected in these, of a group of CPUs; 0: unknown
  int partition_bits = 0;      // of staged records
  double few_hits = 0.25;      // share of hits below which a frozen table is not looked up
  i64 most_shared_bytes = 0;   // in partitions that workers share; 0: they stage records instead
  std::string tmpdir;
  std::string common_prefix;  // of the keys sampled
  Forecast forecast;
  std::vector<Phase> phases;  // of planning, as far as it reads input
  std::vector<Decision> decisions;
};

}  // namespace mrc
