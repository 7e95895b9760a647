// engine: what a run tells, while it lasts and when it has ended.
#pragma once

#include "engine/live.h"
#include "group/group.h"
#include "reduce/eager_counts.h"
#include "reduce/tile_counts.h"

#include <array>
#include <string>
#include <vector>

namespace mrc {

// One phase of a run: its wall time, and the CPU time of all workers in it.
struct Phase {
  std::string name;
  double wall = 0, user = 0, system = 0;  // seconds
  double tail = 0;                        // from the mean end of its workers to that of the last
};

// What a sample foretells about the keys of all input. All zero: nothing is known.
struct Forecast {
  double records = 0;
  double keys = 0;         // distinct ones
  double worker_keys = 0;  // of them, met by each worker
  double repeats = 0;      // records for each key
  // Records with keys of up to 15 bytes, up to 31, longer.
  std::array<double, 3> shares{};
  double indexes = 0;  // share of records with keys that index an array
};

// What happened, for --stats.
struct Report {
  std::vector<Phase> phases;
  i64 workers = 0;
  i64 cpus = 0;  // that workers can run on at the same time
  i64 bytes = 0, records = 0, splits = 0;
  i64 read_records = 0;                     // of the input, if they have fields; 0: unknown
  i64 bad_records = 0;                      // of them
  std::string first_bad;                    // "NAME:NUMBER: REASON: RECORD"
  u64 first_bad_at = ~u64{0};               // its position; all ones if no record is bad
  i64 used_records = 0;                     // whose values were looked at
  i64 bad_values = 0;                       // of these; they count as missing
  std::string first_bad_value;              // "NAME:NUMBER: REASON: VALUE"
  u64 first_bad_value_at = ~u64{0};         // its position
  std::vector<std::string> missing_fields;  // that no record has that was read
  i64 bad_results = 0;                      // of formulas, which are empty
  std::string first_bad_result;             // "KEY: REASON"
  i64 packed_bytes = 0;                     // of compressed input, which became part of `bytes`
  i64 stolen = 0;                           // splits, from the shares of other groups
  // Of splits whose memory node is known; of them, on the node of the workers that read them.
  i64 placed_bytes = 0, near_bytes = 0;
  i64 keys = 0, rows = 0, partitions = 0;
  i64 early_bytes = 0;  // of the answer, written while other rows were not in order yet
  i64 apart = 0;        // partitions of groups of CPUs that were reduced by themselves first
  i64 known_bytes = 0;  // that an earlier run has read
  i64 found_tiles = 0;  // by their content
  i64 sealed_tiles = 0, sealed_bytes = 0;
  i64 merged_states = 0;  // of partials
  i64 checkpoints = 0;
  // With worker processes: those that died, tasks given once more, or to a second worker at the
  // same time, or left out, and how often tables were sealed.
  i64 worker_deaths = 0, repeated_tasks = 0, backup_tasks = 0, lost_tasks = 0, sealed_parts = 0;
  TileCounts tiles;
  EagerCounts eager;
  i64 divisions = 0;                           // of partitions whose keys did not fit in memory
  i64 shared_records = 0;                      // folded into partitions that workers share
  i64 staged_records = 0;                      // in memory, when map ended
  i64 spilled_records = 0, spilled_bytes = 0;  // of those staged
  i64 spilled_rows = 0, spilled_row_bytes = 0;
  i64 spilled_values = 0, spilled_value_bytes = 0;  // of states larger than memory
  ContainerUsage tables;                            // of all workers
  Forecast forecast;                                // of the plan
  i64 peak_bytes = 0;        // of the process, and of its workers if they are some
  bool transformed = false;  // there are no groups; records are those in the answer
  std::string join;          // how two inputs were joined; empty: they were not
  std::string note;          // of the answer; may be empty
  std::string disorder;      // of a check: "NAME:NUMBER: disorder: RECORD"; "": in order
  bool partial = false;      // some input could not be read
  bool unread = false;       // none could: there is no answer
  bool abandoned = false;    // the output lost its reader
};

// Told about a run while it lasts. Called from worker threads, one at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  // Something is wrong that does not stop the job: "mrc: error: <message>".
  virtual void complain(const std::string &message) = 0;
  // Something fails that the answer does not need: "mrc: warning: <message>".
  virtual void warn(const std::string &message) { complain(message); }
  // Something that people may want to know, and is no error.
  virtual void note(const std::string & /*message*/) {}
  // So many bytes of `total` are mapped; total is 0 if unknown.
  virtual void progress(i64 bytes, i64 total) = 0;
  // The last phase begins: output follows.
  virtual void writing() = 0;

  // Of interim answers, on a thread that does nothing else, while others call the functions above.
  virtual Room room() const { return {}; }
  virtual void interim(const Interim &) {}
};

}  // namespace mrc
